"""Points that no built-in data set has: solids of three dimensions, surfaces ten times as dense at one end, and long ones.

    python noise_data.py solid NAME POINTS SEED OUTPUT.npy
    python noise_data.py uneven X.npy Z.npy POINTS SEED OUTPUT.npy
    python noise_data.py long X.npy AXIS TIMES OUTPUT.npy

The solids are cube, ball, cloud (normal) and ring (a solid torus of radii 3 and 1). `uneven` keeps POINTS rows of X, with
chances that go from 1 to 10 along the first of the coordinates Z. `long` makes one coordinate of X so many times as long.
"""
import json
import sys

import numpy as np


def solid(name, points, seed):
    random = np.random.default_rng(int(seed))
    points = int(points)
    if name == "cube":
        return random.random((points, 3))
    if name == "cloud":
        return random.normal(size=(points, 3))
    if name == "ball":
        box = random.uniform(-1.0, 1.0, (4 * points, 3))
        return box[(box**2).sum(1) <= 1.0][:points]
    # A ring has the more volume the farther out: a place is kept with a chance in proportion to its distance from the axis.
    u, v, chance = random.uniform(-1.0, 1.0, (3, 8 * points))
    kept = (u**2 + v**2 <= 1.0) & (2.0 + 2.0 * chance <= 3.0 + u)
    u, v = u[kept][:points], v[kept][:points]
    angle = random.uniform(0.0, 2.0 * np.pi, points)
    return np.column_stack([(3.0 + u) * np.cos(angle), (3.0 + u) * np.sin(angle), v])


def uneven(x, z, points, seed):
    x, z = np.load(x), np.load(z)
    place = (z[:, 0] - z[:, 0].min()) / np.ptp(z[:, 0])
    chance = 10.0**place
    rows = np.random.default_rng(int(seed)).choice(len(x), int(points), replace=False, p=chance / chance.sum())
    return x[np.sort(rows)]


def long(x, axis, times):
    x = np.load(x)
    x[:, int(axis)] *= float(times)
    return x


kind, *words, output = sys.argv[1:]
made = {"solid": solid, "uneven": uneven, "long": long}[kind](*words)
np.save(output, made)
print(json.dumps({"points": len(made)}))
