"""Writes N random points of the unit square, unrelated to any data: a map with the most false neighbors.

    python unrelated_map.py N Y.npy
"""
import sys

import numpy as np

np.save(sys.argv[2], np.random.default_rng(3).random((int(sys.argv[1]), 2)))
