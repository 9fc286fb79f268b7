"""Calls of the package under a limit on the address space, for `cargo xtask trial limits`.

Without arguments it prints the names of the calls. `limits.py NAME POINTS MEGABYTES` makes one call, with so many megabytes
beside what the interpreter, numpy and the points take; what is refused ends with `error: ` and status 1.
"""
import resource
import sys

import numpy as np

import truefold

CALLS = {
    "neighbors": lambda X, Z: truefold.neighbors(X, 12),
    "many_neighbors": lambda X, Z: truefold.neighbors(X, min(500, len(X) - 1)),
    "approximate": lambda X, Z: truefold.neighbors(X, 12, algorithm="approximate"),
    "measure": lambda X, Z: truefold.measure(X, Z),
    "measure_all": lambda X, Z: truefold.measure(X, Z, measures="all"),
    "suggest": lambda X, Z: truefold.suggest(X),
    "refine": lambda X, Z: truefold.refine(X, Z),
    "report": lambda X, Z: truefold.report(X, {"one": Z, "other": X[:, :2]}),
    "compare": lambda X, Z: truefold.compare(X, methods=["pca", "ltsa"]),
    "sweep": lambda X, Z: truefold.sweep(X, "ltsa", [8, 12]),
    "denoise": lambda X, Z: truefold.denoise(X),
    "stability": lambda X, Z: truefold.stability(X, [Z, X[:, :2]]),
    "ellipses": lambda X, Z: truefold.ellipses(X, Z),
    "transform": lambda X, Z: truefold.LTSA().fit(X[:1000]).transform(X),
    "datasets": lambda X, Z: truefold.datasets.swiss_roll(10 * len(X)),
    **{
        name: lambda X, Z, name=name: getattr(truefold, name)().fit(X)
        for name in sorted(vars(truefold))
        if isinstance(getattr(truefold, name), type) and hasattr(getattr(truefold, name), "fit_transform")
    },
}


def space():
    """The bytes of address space that are in use."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmSize:"))


def main(name, points, megabytes):
    X, Z = truefold.datasets.swiss_roll(int(points))
    most = space() + int(megabytes) * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        CALLS[name](X, Z)
    except Exception as error:
        print(f"error: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(*CALLS)
    else:
        sys.exit(main(*sys.argv[1:]))
