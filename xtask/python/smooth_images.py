"""Writes data like smooth images: N points of Q coordinates near a curved sheet of few dimensions, plus noise.

    python smooth_images.py N Q X.npy

The factors are smooth along the coordinates, the weights bend with a few hidden variables; single precision.
"""
import sys

import numpy as np

count, width = int(sys.argv[1]), int(sys.argv[2])
random = np.random.default_rng(7)
hidden = random.uniform(-1, 1, (count, 6))
bends = random.normal(size=(6, 30))
weights = np.sin(2 * hidden @ bends + random.uniform(0, 6, 30)) / np.sqrt(1 + np.arange(30))
places = np.linspace(0, 1, width)
waves = np.cos(np.pi * np.outer(np.arange(30), places) + random.uniform(0, 6, (30, 1)))
noise = random.normal(scale=0.05, size=(count, width))
np.save(sys.argv[3], (weights @ waves + noise).astype(np.float32))
