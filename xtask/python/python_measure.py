"""Measures an embedding by the Python package; prints the seconds of the call as JSON.

    python python_measure.py X.npy Y.npy
"""
import json
import sys
import time

import numpy as np

import truefold

x, y = map(np.load, sys.argv[1:])
start = time.perf_counter()
result = truefold.measure(x, y, n_neighbors=12)
print(json.dumps({"seconds": time.perf_counter() - start, "r_n": result.r_n}))
