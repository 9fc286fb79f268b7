"""Finds the K nearest neighbors of all points by another program; prints its cost as JSON.

    python neighbors_peer.py PROGRAM X.npy METRIC TRUE.npz TARGETS SETTINGS

PROGRAM is pynndescent, hnswlib, faiss-hnsw, faiss-flat or scikit-learn; SETTINGS is a JSON list of objects with its
parameters, from the cheapest on, and TARGETS one of recalls. The settings are tried in turn until the largest target is
reached by the true neighbors of TRUE.npz (see neighbors_recall.py), which also says how many are wanted. Two threads each.
The clock runs over the index and the search together, not over the reading of the file; before it starts, everything is
called once on a few random points of the same type and width, so that what is compiled is compiled (by pynndescent half a
minute, so all settings share one process). Processor seconds are those of all threads. Memory is that of the whole process:
before the index, and its peak.
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


def pynndescent(x, metric, k, settings):
    from pynndescent import NNDescent

    wanted = {"n_neighbors": k + 1, "n_jobs": 2, "random_state": 1, **settings}
    return NNDescent(x, metric=metric, **wanted).neighbor_graph[0][:, : k + 1]


def hnswlib(x, metric, k, settings):
    import hnswlib

    index = hnswlib.Index(space="cosine" if metric == "cosine" else "l2", dim=x.shape[1])
    index.init_index(max_elements=len(x), M=settings["M"], ef_construction=settings["ef_construction"], random_seed=1)
    index.add_items(x, num_threads=2)
    index.set_ef(max(settings["ef"], k + 1))
    return index.knn_query(x, k=k + 1, num_threads=2)[0]


def faiss_hnsw(x, metric, k, settings):
    import faiss

    index = faiss.IndexHNSWFlat(x.shape[1], settings["M"], faiss_metric(faiss, metric))
    index.hnsw.efConstruction = settings["ef_construction"]
    index.hnsw.efSearch = max(settings["ef"], k + 1)
    x = normalized(x, metric)
    index.add(x)
    return index.search(x, k + 1)[1]


def faiss_flat(x, metric, k, _settings):
    import faiss

    index = faiss.IndexFlat(x.shape[1], faiss_metric(faiss, metric))
    x = normalized(x, metric)
    index.add(x)
    return index.search(x, k + 1)[1]


def faiss_metric(faiss, metric):
    faiss.omp_set_num_threads(2)
    return faiss.METRIC_INNER_PRODUCT if metric == "cosine" else faiss.METRIC_L2


def normalized(x, metric):
    return x / np.linalg.norm(x, axis=1, keepdims=True) if metric == "cosine" else x


def scikit_learn(x, metric, k, settings):
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=k, algorithm="brute", metric=metric, n_jobs=2)
    return search.fit(x.astype(settings["precision"], copy=False)).kneighbors(return_distance=False)


PROGRAMS = {
    "pynndescent": pynndescent,
    "hnswlib": hnswlib,
    "faiss-hnsw": faiss_hnsw,
    "faiss-flat": faiss_flat,
    "scikit-learn": scikit_learn,
}


def processor_seconds():
    times = os.times()
    return times.user + times.system


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


def timed(search, x, metric, k, settings):
    forget_the_peak()
    baseline, wall, processor = peak_bytes(), time.perf_counter(), processor_seconds()
    found = search(x, metric, k, settings)
    wall, processor = time.perf_counter() - wall, processor_seconds() - processor
    cost = {"wall_seconds": wall, "cpu_seconds": processor, "baseline_bytes": baseline, "peak_bytes": peak_bytes()}
    return found, cost


def main(program, source, metric, true, targets, settings):
    search = PROGRAMS[program]
    x = np.load(source)
    with np.load(true) as file:
        rows, radii, k = file["rows"], file["radii"], int(file["k"])
    runs, targets, settings = [], json.loads(targets), json.loads(settings)
    search(np.random.default_rng(0).random((WARM, x.shape[1])).astype(x.dtype), metric, k, settings[0])
    for setting in settings:
        found, cost = timed(search, x, metric, k, setting)
        value, error = recall(x, metric, rows, radii, k, found)
        runs.append({"settings": setting, **cost, "recall": value, "standard_error": error})
        print(f"  {program} {setting}: {cost['cpu_seconds']:.1f} s, recall {value:.4f}", file=sys.stderr)
        if value >= max(targets):
            break
    print(json.dumps({"runs": runs}))


if __name__ == "__main__":
    main(*sys.argv[1:])
