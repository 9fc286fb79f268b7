"""The seconds that tapkee takes for local tangent space alignment in two dimensions, neighbors by its vantage-point tree.

    python tapkee_ltsa.py X.npy K Y.npy
"""
import json
import sys
import time

import numpy as np
import tapkee

x = np.asfortranarray(np.load(sys.argv[1]).T, dtype=np.float64)
start = time.perf_counter()
y = tapkee.embed(x, method="ltsa", neighbors_method="vptree", num_neighbors=int(sys.argv[2]), target_dimension=2)
seconds = time.perf_counter() - start
np.save(sys.argv[3], np.ascontiguousarray(y))
print(json.dumps({"seconds": seconds}))
