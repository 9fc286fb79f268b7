"""The seconds that scikit-learn takes to find k neighbors of every point by brute force, in the precision asked for.

    python brute_search.py X.npy K float64|float32 NEIGHBORS.npy
"""
import json
import sys
import time

import numpy as np
from sklearn.neighbors import NearestNeighbors

x = np.load(sys.argv[1]).astype(sys.argv[3])
search = NearestNeighbors(n_neighbors=int(sys.argv[2]), algorithm="brute", n_jobs=2)
start = time.perf_counter()
rows = search.fit(x).kneighbors(return_distance=False)
seconds = time.perf_counter() - start
np.save(sys.argv[4], rows)
print(json.dumps({"seconds": seconds}))
