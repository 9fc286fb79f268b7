"""Places new points in a map by another program; prints the seconds that placing took.

    python new_points_peer.py PROGRAM X.npy NEW.npy Y.npy PLACED.npy

PROGRAM is openTSNE or umap-learn, fitted to X with its default parameters; two threads each. A few points are placed before
the clock starts, so that what is compiled is compiled.
"""
import os

for name in ("OMP", "MKL", "OPENBLAS", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "2"

import json
import sys
import time

import numpy as np


def fitted(program, x):
    """The map of X, and what places points in it."""
    if program == "openTSNE":
        from openTSNE import TSNE

        y = TSNE(n_jobs=2, random_state=0).fit(x)
        return np.asarray(y), y.transform
    import umap

    model = umap.UMAP(n_jobs=2).fit(x)
    return model.embedding_, model.transform


def main(program, source, new, out, placed):
    x, new = np.load(source), np.load(new)
    y, place = fitted(program, x)
    place(new[:50])
    begin = time.perf_counter()
    places = place(new)
    seconds = time.perf_counter() - begin
    np.save(out, np.asarray(y, dtype=np.float64))
    np.save(placed, np.asarray(places, dtype=np.float64))
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
