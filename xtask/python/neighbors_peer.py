"""Finds the nearest neighbors of all points by another program, at several settings; prints their costs as JSON.

    python neighbors_peer.py PROGRAM X.npy METRIC TRUE.npz ENOUGH MOST SETTINGS

PROGRAM is pynndescent, hnswlib, faiss-hnsw, faiss-flat or scikit-learn; SETTINGS is a JSON list of objects with its
parameters, from the cheapest on. They are tried in turn until a recall of ENOUGH is reached by the true neighbors of TRUE.npz
(see neighbors_recall.py), which also says how many are wanted, or one took more than MOST processor seconds. Two threads each. The clock runs over the index and the search
together, not over the reading of the file; an index that differs from the last one in `ef` alone is not built again, but its
cost counts. Before the clock starts, everything is called once on a few random points of the same type and width, so that
what is compiled is compiled (by pynndescent half a minute, so all settings share one process). Processor seconds are those of
all threads. Memory is that of the whole process: before the index, and its peak.
"""
import os

for name in ("OMP", "MKL", "OPENBLAS", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "2"

import ctypes
import gc
import json
import resource
import sys
import time

import numpy as np
from neighbors_recall import recall

WARM = 3_000


# Each of these builds the index and returns the search, which takes the settings.


def pynndescent(x, metric, k, settings):
    from pynndescent import NNDescent

    wanted = {"n_neighbors": k + 1, "n_jobs": 2, "random_state": 1, **settings}
    # The graph of all points is the index itself.
    found = NNDescent(x, metric=metric, **wanted).neighbor_graph[0]
    return lambda _: found[:, : k + 1]


def hnswlib(x, metric, k, settings):
    import hnswlib

    index = hnswlib.Index(space="cosine" if metric == "cosine" else "l2", dim=x.shape[1])
    index.init_index(max_elements=len(x), M=settings["M"], ef_construction=settings["ef_construction"], random_seed=1)
    index.add_items(x, num_threads=2)

    def search(settings):
        index.set_ef(max(settings["ef"], k + 1))
        return index.knn_query(x, k=k + 1, num_threads=2)[0]

    return search


def faiss_hnsw(x, metric, k, settings):
    import faiss

    faiss.omp_set_num_threads(2)
    index = faiss.IndexHNSWFlat(x.shape[1], settings["M"], faiss_metric(faiss, metric))
    index.hnsw.efConstruction = settings["ef_construction"]
    x = normalized(x, metric)
    index.add(x)

    def search(settings):
        index.hnsw.efSearch = max(settings["ef"], k + 1)
        return index.search(x, k + 1)[1]

    return search


def faiss_flat(x, metric, k, _settings):
    import faiss

    faiss.omp_set_num_threads(2)
    index = faiss.IndexFlat(x.shape[1], faiss_metric(faiss, metric))
    x = normalized(x, metric)
    index.add(x)
    return lambda _: index.search(x, k + 1)[1]


def faiss_metric(faiss, metric):
    return faiss.METRIC_INNER_PRODUCT if metric == "cosine" else faiss.METRIC_L2


def normalized(x, metric):
    return x / np.linalg.norm(x, axis=1, keepdims=True) if metric == "cosine" else x


def scikit_learn(x, metric, k, settings):
    from sklearn.neighbors import NearestNeighbors

    index = NearestNeighbors(n_neighbors=k, algorithm="brute", metric=metric, n_jobs=2)
    index.fit(x.astype(settings["precision"], copy=False))
    return lambda _: index.kneighbors(return_distance=False)


PROGRAMS = {
    "pynndescent": pynndescent,
    "hnswlib": hnswlib,
    "faiss-hnsw": faiss_hnsw,
    "faiss-flat": faiss_flat,
    "scikit-learn": scikit_learn,
}


def forget_the_peak():
    """Gives free memory back and starts the peak anew; without /proc the peak is that of all settings so far."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except (OSError, AttributeError):
        pass


def peak_bytes():
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def timed(call):
    """What the call returns, and its wall and processor seconds."""
    before, start = os.times(), time.perf_counter()
    result = call()
    wall, after = time.perf_counter() - start, os.times()
    return result, np.array([wall, after.user + after.system - before.user - before.system])


class Clocked:
    """A program that keeps its last index, and what that cost."""

    def __init__(self, program, x, metric, k):
        self.build, self.x, self.metric, self.k = PROGRAMS[program], x, metric, k
        self.made_with = None

    def run(self, settings):
        made_with = {name: value for name, value in settings.items() if name != "ef"}
        if made_with != self.made_with:
            self.search, self.made_with = None, made_with
            forget_the_peak()
            self.baseline = peak_bytes()
            self.search, self.cost = timed(lambda: self.build(self.x, self.metric, self.k, settings))
        found, cost = timed(lambda: self.search(settings))
        wall, processor = (self.cost + cost).tolist()
        return found, {
            "settings": settings,
            "wall_seconds": wall,
            "cpu_seconds": processor,
            "baseline_bytes": self.baseline,
            "peak_bytes": peak_bytes(),
        }


def main(program, source, metric, true, enough, most, settings):
    # All of them compute in single precision, so bytes are made that before the clock starts.
    x, settings = np.load(source).astype(np.float32, copy=False), json.loads(settings)
    with np.load(true) as file:
        rows, radii, k = file["rows"], file["radii"], int(file["k"])
    warm = np.random.default_rng(0).random((WARM, x.shape[1])).astype(x.dtype)
    Clocked(program, warm, metric, k).run(settings[0])
    clocked, runs = Clocked(program, x, metric, k), []
    for setting in settings:
        found, run = clocked.run(setting)
        run["recall"], run["standard_error"] = recall(x, metric, rows, radii, k, found)
        runs.append(run)
        print(f"  {program} {setting}: {run['cpu_seconds']:.1f} s, recall {run['recall']:.4f}", file=sys.stderr)
        if run["recall"] >= float(enough) or run["cpu_seconds"] > float(most):
            break
    print(json.dumps({"runs": runs}))


if __name__ == "__main__":
    main(*sys.argv[1:])
