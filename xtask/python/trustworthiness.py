"""The seconds that scikit-learn takes for the trustworthiness of an embedding, or a note that memory does not suffice.

    python trustworthiness.py X.npy Y.npy K
"""
import json
import sys
import time

import numpy as np
from sklearn.manifold import trustworthiness

x, y = np.load(sys.argv[1]), np.load(sys.argv[2])
start = time.perf_counter()
try:
    value = trustworthiness(x, y, n_neighbors=int(sys.argv[3]))
    print(json.dumps({"seconds": time.perf_counter() - start, "value": value}))
except MemoryError:
    print(json.dumps({"out_of_memory": True}))
