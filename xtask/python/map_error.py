"""The error of a map: |H Z - H Y A| / |H Z| with the orthogonal A that makes it least.

    python map_error.py Y.npy Z.npy

H subtracts the mean, Z are the true coordinates, Y those of the map; A is the polar factor of (H Y)'(H Z).
"""
import json
import sys

import numpy as np

y, z = (np.load(name).astype(np.float64) for name in sys.argv[1:3])
y, z = y - y.mean(axis=0), z - z.mean(axis=0)
left, _, right = np.linalg.svd(y.T @ z)
print(json.dumps({"error": np.linalg.norm(z - y @ (left @ right)) / np.linalg.norm(z)}))
