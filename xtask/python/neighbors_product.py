"""The product of all points with all points, in blocks of rows; prints its wall and processor seconds as JSON.

    python neighbors_product.py X.npy

The plain product of the size of an exact search, in single precision on two threads, each block overwritten by the next: as
fast as the library of numpy can multiply on this machine.
"""
import os

for name in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{name}_NUM_THREADS"] = "2"

import json
import sys
import time

import numpy as np

BLOCK = 2_000

x = np.load(sys.argv[1])
product = np.empty((BLOCK, len(x)), dtype=x.dtype)
np.matmul(x[:BLOCK], x.T, out=product[: len(x[:BLOCK])])
before, start = os.times(), time.perf_counter()
for first in range(0, len(x), BLOCK):
    rows = x[first : first + BLOCK]
    np.matmul(rows, x.T, out=product[: len(rows)])
wall, after = time.perf_counter() - start, os.times()
processor = after.user + after.system - before.user - before.system
print(json.dumps({"wall_seconds": wall, "cpu_seconds": processor}))
