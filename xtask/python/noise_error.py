"""The error of a map of a noisy swiss roll, and the error that would remain if the surface were known.

    python noise_error.py X.npy Z.npy [Y.npy]

Z are the true coordinates. The error is |H Z - H Y A| / |H Z|, H the centering, with the best rigid motion A; `affine` is
the same with the best linear map instead, for methods that choose their own scale. `nearest` is the error if the true
surface were known: every point at the place on the roll nearest to where it was measured.
"""
import json
import sys

import numpy as np

START, END, HEIGHT = 1.5 * np.pi, 4.5 * np.pi, 21.0


def arc_length(t):
    return 0.5 * (t * np.sqrt(1.0 + t * t) + np.arcsinh(t))


def nearest_place(x):
    """The true coordinates of the nearest points of the roll."""
    t = np.linspace(START, END, 8001)
    spiral = np.column_stack([t * np.cos(t), t * np.sin(t)])
    plane = x[:, [0, 2]]
    best = np.empty(len(x), dtype=int)
    for begin in range(0, len(x), 500):
        some = plane[begin : begin + 500]
        squares = (some**2).sum(1)[:, None] - 2.0 * some @ spiral.T + (spiral**2).sum(1)
        best[begin : begin + 500] = squares.argmin(1)
    return np.column_stack([arc_length(t[best]) - arc_length(START), np.clip(x[:, 1], 0.0, HEIGHT)])


def centered(values):
    return values - values.mean(axis=0)


def rigid(y, z):
    y, z = centered(y), centered(z)
    left, _, right = np.linalg.svd(y.T @ z)
    return float(np.linalg.norm(y @ left @ right - z) / np.linalg.norm(z))


def affine(y, z):
    y, z = centered(y), centered(z)
    return float(np.linalg.norm(y @ np.linalg.lstsq(y, z, rcond=None)[0] - z) / np.linalg.norm(z))


x, z, *maps = (np.load(name).astype(np.float64) for name in sys.argv[1:])
report = {"nearest": rigid(nearest_place(x), z)}
for y in maps:
    report.update(error=rigid(y, z), affine=affine(y, z))
print(json.dumps(report))
