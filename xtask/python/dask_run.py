"""Runs stages of truefold.dask on worker processes of this machine, or of truefold in one process; prints what each cost as JSON.

    python dask_run.py X.npy TRUTH.npy CHUNKS WORKERS THREADS BYTES STAGE...

THREADS and BYTES are those of a worker. With 0 workers everything runs in this process, with two threads. Stages: kneighbors,
measure, fit; and vectors: neighbors with a recall of 0.99, and the measures of the first two columns of X as a map by these ("-" for
TRUTH, which then are the map of `measure`, too). `fit:20000` fits a sample of so many rows. Processor seconds are those of all
processes, `cpu_here` those of the client and the scheduler; bytes moved are those that workers sent to each other; memory is that of
the worker with most. `tasks` tells the same of the tasks of each stage.
"""
import json
import pickle
import resource
import sys
import time

import numpy as np
import truefold
from dask_stages import OTHER, SHARED, STAGE_OF, STAGES, kind_of
from neighbors_recall import recall, sampled_rows, true_radii

K = 12
CHECKED = 1000
MEASURES = ["r_n", "r_c", "overlap"]


def main(words):
    data, workers, stages = (words[0], words[1], int(words[2])), tuple(map(int, words[3:6])), words[6:]
    print(json.dumps(alone(data, stages) if workers[0] == 0 else on_workers(data, workers, stages)))


def seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak():
    """The most memory that this process has had; what the operating system says of its usage counts its parent's too."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def error(Y, Z):
    """How far a map is from the truth after the best rigid motion, relative to its extent; of arrays of numpy or dask."""
    Y, Z = Y - Y.mean(axis=0), Z - Z.mean(axis=0)
    parts = [(Y * Y).sum(), (Z * Z).sum(), Y.T @ Z]
    if not isinstance(Y, np.ndarray):
        import dask

        parts = dask.compute(*parts)
    y, z, product = parts
    return float(np.sqrt(max(0.0, y + z - 2 * np.linalg.svd(product)[1].sum()) / z))


def alone(data, stages):
    """The stages in this process."""
    X, run = np.load(data[0], mmap_mode="r"), {"n_jobs": 2, "progress": False}
    Z = None if data[1] == "-" else np.load(data[1])

    def work(stage):
        if stage == "kneighbors":
            return {"distance": float(truefold.neighbors(X, K, **run).distances(X, n_jobs=2).mean())}
        if stage == "vectors":
            found = truefold.neighbors(X, K, algorithm="approximate", recall=0.99, **run)
            result = truefold.measure(X, X[:, :2].astype(np.float64), neighbors=found, measures=["r_n", "r_c"], **run)
            return {"r_n": result.r_n, "lists": found.indices[sampled_rows(len(X), CHECKED)].tolist()}
        if stage == "measure":
            return {"r_n": truefold.measure(X, Z, K, measures=MEASURES, **run).r_n}
        return {"error": error(truefold.ProcrustesAlignment(n_neighbors=K, **run).fit_transform(X), Z)}

    found = {}
    for stage in stages:
        before, start = seconds(), time.perf_counter()
        told = work(stage)
        found[stage] = {"wall": time.perf_counter() - start, "cpu": seconds() - before, "peak": peak(), **told}
    return judged(data[0], found)


def judged(path, found):
    """The share of the true neighbors of some rows in their lists, in place of the lists."""
    for told in (told for told in found.values() if "lists" in told):
        X = np.load(path, mmap_mode="r")
        rows, radii = true_radii(X, "euclidean", K, CHECKED)
        lists = dict(zip(rows, np.array(told.pop("lists"))))
        told["recall"] = recall(X, "euclidean", rows, radii, K, lists)[0]
    return found


def on_workers(data, workers, stages):
    """The stages, each on new workers, which read their own chunks of the files."""
    import dask
    import distributed

    # As long as it takes to know all that was moved.
    dask.config.set({"distributed.admin.low-level-log-length": 10_000_000})
    count, threads, limit = workers
    options = {"processes": True, "threads_per_worker": threads, "memory_limit": limit, "dashboard_address": None}
    found = {}
    for stage in stages:
        with distributed.LocalCluster(n_workers=count, **options) as cluster, distributed.Client(cluster) as client:
            client.register_plugin(clock())
            before, start = costs(client), time.perf_counter()
            told = staged(stage, chunked(data[0], data[2]), None if data[1] == "-" else chunked(data[1], data[2]))
            wall, after = time.perf_counter() - start, costs(client)
            spent = {name: after[name] - before[name] for name in ("cpu", "cpu_here", "moved")}
            known = {"peak": after["peak"], "peak_here": peak(), "idle": before["peak"], "tasks": kinds(client, cluster)}
            found[stage] = {"wall": wall, **spent, **known, **told}
    return judged(data[0], found)


def clock():
    """A plugin that counts the processor seconds of each kind of task on a worker of one thread."""
    from distributed import WorkerPlugin

    class Clock(WorkerPlugin):
        name = "clock"

        def setup(self, worker):
            self.began, self.spent = {}, {}

        def transition(self, key, start, finish, **others):
            if finish == "executing":
                self.began[key] = seconds()
            elif start == "executing":
                kind = kind_of(key)
                self.spent[kind] = self.spent.get(kind, 0.0) + seconds() - self.began.pop(key)

    return Clock()


def kinds(client, cluster):
    """What the tasks of each stage cost: how many there were, their processor seconds, and the bytes of their results that were moved:
    pieces that go from all to all, what all workers need, and the rest."""

    def told(dask_worker):
        sent = {}
        for one in dask_worker.transfer_outgoing_log:
            for key, size in one["keys"].items():
                sent[kind_of(key)] = sent.get(kind_of(key), 0) + size
        return sent, dask_worker.plugins["clock"].spent

    found = {stage: {"count": 0, "cpu": 0.0, "pieces": 0, "shared": 0, "moved": 0} for stage in (*STAGES, OTHER)}

    def add(kind, what, value):
        found[STAGE_OF.get(kind, OTHER)][what] += value

    for name, kind in cluster.scheduler.task_prefixes.items():
        add(kind_of(name), "count", kind.state_counts["memory"])
    for sent, spent in client.run(told).values():
        for kind, size in sent.items():
            add(kind, "shared" if kind in SHARED else "pieces" if kind.endswith("piece") else "moved", size)
        for kind, value in spent.items():
            add(kind, "cpu", value)
    return {stage: costs for stage, costs in found.items() if costs["count"]}


def staged(stage, X, Z):
    """One stage on the current workers."""
    import truefold.dask

    if stage == "kneighbors":
        distances, _ = truefold.dask.NearestNeighbors(K).fit(X).kneighbors()
        # As the single process has them: the point itself first.
        return {"distance": float(distances.mean().compute()) * K / (K + 1)}
    if stage == "vectors":
        found = truefold.dask.neighbors(X, K, recall=0.99).persist()
        result = truefold.dask.measure(X, X[:, :2].astype(np.float64), neighbors=found, measures=["r_n", "r_c"])
        told = {"r_n": result.compute().r_n, "facts": found.facts}
        return {**told, "lists": found.indices[sampled_rows(len(X), CHECKED)].compute().tolist()}
    if stage == "measure":
        Z = X[:, :2].astype(np.float64) if Z is None else Z
        return {"r_n": truefold.dask.measure(X, Z, K, measures=MEASURES).compute().r_n}
    # Of few rows one worker could fit all.
    asked = stage.partition(":")[2]
    size = int(asked) if asked else "auto" if len(X) > 2_000_000 else len(X) // 10
    fitted = truefold.dask.ProcrustesAlignment(n_neighbors=K, sample_size=size).fit(X)
    rounds, model = fitted.fit_info_["rounds"], len(pickle.dumps(fitted.to_local()))
    told = {"sample": len(fitted.sample_), "model": model, "r_n": rounds["values"], "bound": rounds["lower_bound"]}
    return {**told, "error": error(fitted.embedding_, Z)}


def costs(client):
    """What all processes have cost so far; the scheduler is part of this one."""
    each = client.run(lambda dask_worker: (seconds(), dask_worker.transfer_outgoing_bytes_total, peak())).values()
    return {
        "cpu": seconds() + sum(one[0] for one in each),
        "cpu_here": seconds(),
        "moved": sum(one[1] for one in each),
        "peak": max(one[2] for one in each),
    }


def chunked(path, count):
    """The rows of a file in so many chunks, each read by the worker that needs it."""
    import dask.array as da

    shape, dtype = np.load(path, mmap_mode="r").shape, np.load(path, mmap_mode="r").dtype
    length = -(-shape[0] // count)
    lengths = tuple(min(length, shape[0] - start) for start in range(0, shape[0], length))

    def read(block_info=None):
        start, end = block_info[None]["array-location"][0]
        return np.array(np.load(path, mmap_mode="r")[start:end])

    return da.map_blocks(read, chunks=(lengths, (shape[1],)), dtype=dtype, meta=np.empty((0, 0), dtype=dtype))


if __name__ == "__main__":
    main(sys.argv[1:])
