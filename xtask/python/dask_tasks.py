"""What dask's scheduler and client cost for each task, and what a look into sorted row numbers costs; prints JSON.

    python dask_tasks.py TASKS ROWS

The tasks do nothing, on two workers of one thread each. `task` is the processor seconds of scheduler and client for each of them;
`lookup` those of one row of a cell of so many rows, among ten times as many as a table may hold, for its list of neighbors.
"""
import json
import sys
import time

import distributed
import numpy as np
from dask_run import K, seconds
from truefold.dask.lists import DIRECT, places_of


def nothing(number):
    return number


def main(tasks, rows):
    options = {"processes": True, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(n_workers=2, **options) as cluster, distributed.Client(cluster) as client:
        distributed.wait(client.map(nothing, range(100)))
        before, start = seconds(), time.perf_counter()
        distributed.wait(client.map(nothing, range(100, 100 + tasks)))
        spent, wall = seconds() - before, time.perf_counter() - start
    random = np.random.default_rng(0)
    known = np.unique(random.integers(0, 10 * DIRECT * K * rows, rows))
    lists = known[random.integers(0, len(known), (len(known), K))]
    before = seconds()
    places_of(known, lists)
    print(json.dumps({"task": spent / tasks, "wall": wall / tasks, "lookup": (seconds() - before) / len(known)}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
