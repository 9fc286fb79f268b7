"""The error of a map: |H Z - H Y A| / |H Z| with the A that makes it least, orthogonal (error) or any (affine).

    python map_error.py Y.npy Z.npy

H subtracts the mean, Z are the true coordinates, Y those of the map; the orthogonal A is the polar factor of (H Y)'(H Z).
"""
import json
import sys

import numpy as np

y, z = (np.load(name).astype(np.float64) for name in sys.argv[1:3])
y, z = y - y.mean(axis=0), z - z.mean(axis=0)
left, _, right = np.linalg.svd(y.T @ z)
error = lambda turned: np.linalg.norm(z - turned) / np.linalg.norm(z)
affine = y @ np.linalg.lstsq(y, z, rcond=None)[0]
print(json.dumps({"error": error(y @ (left @ right)), "affine": error(affine)}))
