"""The share of points whose neighbor sets agree in two searches, and the worst excess of a distance where they differ.

    python same_neighbors.py X.npy NEIGHBORS.npy OTHERS.npy

The first file has the center in its first column, the second has no center. Where the sets differ, `excess` is by how
much the farthest neighbor of the first is farther than that of the second, as a share: rounding, unless it is large.
"""
import json
import sys

import numpy as np

x, found, others = (np.load(name) for name in sys.argv[1:4])
first, second = np.sort(found[:, 1:], axis=1), np.sort(others, axis=1)
differs = np.flatnonzero((first != second).any(axis=1))
excess = 0.0
for row in differs:
    center = x[row].astype(np.float64)
    reach = [np.linalg.norm(x[rows].astype(np.float64) - center, axis=1).max() for rows in (first[row], second[row])]
    excess = max(excess, reach[0] / reach[1] - 1)
print(json.dumps({"points": len(x), "agree": len(x) - len(differs), "excess": excess}))
