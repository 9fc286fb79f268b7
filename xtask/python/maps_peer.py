"""Makes a map of two dimensions by another program; prints its cost as JSON.

    python maps_peer.py PROGRAM X.npy Y.npy [START.npy]

PROGRAM is openTSNE, umap-learn, scikit-learn (its t-SNE) or pacmap, with its default parameters; two threads each. With START,
openTSNE begins there, scaled as it scales its own starts, and the divergence that it reports is printed too. Everything is called
once on a few random points before the clock starts, so that what is compiled is compiled; the clock runs over the whole call,
neighbors included. Processor seconds are those of all threads; memory is the peak of the process.
"""
import os

for name in ("OMP", "MKL", "OPENBLAS", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "2"

import json
import resource
import sys
import time

import numpy as np

WARM = 500


def open_tsne(x, start):
    from openTSNE import TSNE
    from openTSNE.initialization import rescale

    settings = {} if start is None else {"initialization": rescale(start)}
    return TSNE(n_jobs=2, random_state=0, **settings).fit(x)


def umap_learn(x, _start):
    import umap

    # A seed would keep it to one thread.
    return umap.UMAP(n_jobs=2).fit_transform(x)


def scikit_learn(x, _start):
    from sklearn.manifold import TSNE

    return TSNE(n_jobs=2, random_state=0).fit_transform(x)


def pacmap(x, _start):
    from pacmap import PaCMAP

    return PaCMAP(random_state=0).fit_transform(x, init="pca")


PROGRAMS = {"openTSNE": open_tsne, "umap-learn": umap_learn, "scikit-learn": scikit_learn, "pacmap": pacmap}


def main(program, source, out, start=None):
    x = np.load(source).astype(np.float32, copy=False)
    start = None if start is None else np.load(start)
    make = PROGRAMS[program]
    make(np.random.default_rng(0).random((WARM, x.shape[1])).astype(np.float32), None)
    before, begin = os.times(), time.perf_counter()
    y = make(x, start)
    wall, after = time.perf_counter() - begin, os.times()
    np.save(out, np.asarray(y, dtype=np.float64))
    print(json.dumps({
        "wall_seconds": wall,
        "cpu_seconds": after.user + after.system - before.user - before.system,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "kl_divergence": float(y.kl_divergence) if hasattr(y, "kl_divergence") else None,
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
