"""Makes maps of random data again from Python: they must be those of the library and of the tool, bit for bit.

    python same_maps.py CASES

CASES is what `truefold-fuzz` left: cases.txt with a line `name method k` each, and the arrays name-x.npy and name-y.npy.
"""
import sys
import warnings
from inspect import signature
from pathlib import Path

import numpy as np

import truefold


def main(folder):
    folder = Path(folder)
    known = {estimator._method: estimator for estimator in estimators()}
    lines = (folder / "cases.txt").read_text().split("\n")[:-1]
    different = []
    for line in lines:
        case, method, k = line.split(" ")
        x, y = (np.load(folder / f"{case}-{name}.npy") for name in "xy")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = {"n_components": 2, "n_neighbors": int(k), "random_state": 7}
            takes = signature(known[method]).parameters
            estimator = known[method](**{name: value for name, value in wanted.items() if name in takes})
            made = estimator.fit_transform(x)
        if made.tobytes() != y.tobytes():
            different.append(f"{case}: {method}, k = {k}")
    print(f"{len(lines)} maps made again from Python, {len(different)} differ")
    print("\n".join(different))
    return bool(different or not lines)


def estimators():
    found = (getattr(truefold, name) for name in truefold.estimators.__all__)
    return [estimator for estimator in found if hasattr(estimator, "_method")]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
