"""The seconds that scipy's k-d tree takes to be built and to find k neighbors of every point.

    python tree_search.py X.npy K
"""
import json
import sys
import time

import numpy as np
from scipy.spatial import cKDTree

x = np.load(sys.argv[1])
k = int(sys.argv[2])
start = time.perf_counter()
cKDTree(x).query(x, k=k + 1, workers=2)
print(json.dumps({"seconds": time.perf_counter() - start}))
