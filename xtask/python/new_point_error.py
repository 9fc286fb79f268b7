"""The error of a map on the points it was fitted to, and on new ones.

    python new_point_error.py Y.npy Z.npy NEW_Y.npy NEW_Z.npy

Z are the true coordinates. The best rigid motion from Y to Z is also applied to the new points. Both errors are root mean
squares relative to that of Z about its mean.
"""
import json
import sys

import numpy as np

y, z, new_y, new_z = (np.load(name).astype(np.float64) for name in sys.argv[1:5])
mean_y, mean_z = y.mean(axis=0), z.mean(axis=0)
left, _, right = np.linalg.svd((y - mean_y).T @ (z - mean_z))
turn = left @ right
scale = np.sqrt(((z - mean_z) ** 2).sum(axis=1).mean())


def error(map_y, truth):
    return np.sqrt((((map_y - mean_y) @ turn + mean_z - truth) ** 2).sum(axis=1).mean()) / scale


print(json.dumps({"fitted": error(y, z), "new": error(new_y, new_z)}))
