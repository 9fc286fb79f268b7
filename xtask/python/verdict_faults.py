"""Maps with planted faults, true maps and unrelated maps, and how well verdicts find what was planted.

    python verdict_faults.py make KIND SEED X.npy Y.npy T.npy
    python verdict_faults.py judge T.npy VERDICTS.csv

`make` writes data, a map, and a code for every point: 1 where the fault was planted, 0 where nothing is wrong, -1 where a
planted fault is near enough to change some of the point's neighbors too, which counts for neither. `judge` reads the
verdicts that `truefold measure --per-point` wrote and prints how many points have each verdict, where the fault was
planted and where nothing is wrong.
"""
import csv
import json
import sys

import numpy as np
from scipy.spatial import cKDTree

K = 12
"""The neighbors that the verdicts look at."""
SHARE = 0.25
"""The share of its neighbors that a point must lose to the other side of a cut to count as torn."""


def neighbors(x):
    return cKDTree(x).query(x, K + 1)[1][:, 1:]


def touched(planted, *places):
    """1 for planted points, -1 for others that have one of them as a neighbor in one of `places`, 0 elsewhere."""
    near = np.any([planted[neighbors(place)].any(axis=1) for place in places], axis=0)
    return np.where(planted, 1, np.where(near, -1, 0))


def in_space(flat, rng, dim=10, noise=0.01):
    """Points of the plane in `dim` dimensions, turned, with a little noise."""
    frame = np.linalg.qr(rng.normal(size=(dim, dim)))[0][:, : flat.shape[1]]
    return flat @ frame.T + noise * rng.normal(size=(len(flat), dim))


def clusters(rng, count, each):
    centers = 12.0 * np.column_stack([np.arange(count) % 3, np.arange(count) // 3])
    labels = np.repeat(np.arange(count), each)
    return centers[labels] + rng.normal(size=(len(labels), 2)), labels


def roll(rng, count):
    t, height = np.pi * (1.5 + 3.0 * rng.random(count)), 21.0 * rng.random(count)
    length = 0.5 * (t * np.sqrt(1.0 + t * t) + np.arcsinh(t))
    return np.column_stack([t * np.cos(t), height, t * np.sin(t)]), np.column_stack([length, height])


def seam(rng):
    """A cylinder cut open: the truth are the points that lose a quarter of their neighbors to the other side."""
    angle, height = 2.0 * np.pi * rng.random(4000), 4.0 * rng.random(4000)
    x = np.column_stack([np.cos(angle), np.sin(angle), height])
    across = np.abs(angle[:, None] - angle[neighbors(x)]) > np.pi
    share = across.mean(axis=1)
    return x, np.column_stack([angle, height]), np.where(share >= SHARE, 1, np.where(share > 0, -1, 0))


def swapped(rng):
    """200 rows of a true map exchanged."""
    x, y = roll(rng, 4000)
    rows = rng.choice(len(x), 200, replace=False)
    planted = np.zeros(len(x), dtype=bool)
    planted[rows] = True
    moved = y.copy()
    moved[rows] = y[np.roll(rows, 1)]
    return x, moved, touched(planted, x, moved)


def folded(rng):
    """Of nine clusters the second is laid onto the first."""
    y, labels = clusters(rng, 9, 400)
    x = in_space(y, rng)
    y = y.copy()
    y[labels == 1] += y[labels == 0].mean(axis=0) - y[labels == 1].mean(axis=0)
    return x, y, (labels < 2).astype(int)


def scattered(rng):
    """Of nine clusters the points of one are anywhere in the map."""
    y, labels = clusters(rng, 9, 400)
    x = in_space(y, rng)
    y, planted = y.copy(), labels == 4
    y[planted] = y.min(axis=0) + rng.random((planted.sum(), 2)) * np.ptp(y, axis=0)
    return x, y, touched(planted, x, y)


def surface(name):
    def made(rng):
        if name == "roll":
            x, y = roll(rng, 3000)
        elif name == "plane":
            y = rng.random((3000, 2)) * [3.0, 1.0]
            x = in_space(y, rng, noise=0.0)
        else:
            turn, height = 1.5 * np.pi * (2.0 * rng.random(3000) - 1.0), 2.0 * rng.random(3000)
            x = np.column_stack([np.sin(turn), height, np.sign(turn) * (np.cos(turn) - 1.0)])
            y = np.column_stack([turn, height])
        return x, y, np.zeros(len(x), dtype=int)

    return made


def unrelated(name):
    def made(rng):
        if name == "roll":
            x = roll(rng, 3000)[0]
        elif name == "gaussian":
            x = rng.normal(size=(3000, 12))
        else:
            x = in_space(clusters(rng, 9, 300)[0], rng, dim=30, noise=1.0)
        y = clusters(rng, 9, 400)[0][: len(x)] if rng.random() < 0.5 else rng.normal(size=(len(x), 2))
        return x, y[rng.permutation(len(y))], np.zeros(len(x), dtype=int)

    return made


KINDS = {
    "seam": seam,
    "swapped": swapped,
    "folded": folded,
    "scattered": scattered,
    **{f"true {name}": surface(name) for name in ("roll", "plane", "s-curve")},
    **{f"unrelated {name}": unrelated(name) for name in ("roll", "gaussian", "clusters")},
}


def make(kind, seed, *paths):
    for path, values in zip(paths, KINDS[kind](np.random.default_rng(int(seed)))):
        np.save(path, values)


def judge(truth, verdicts):
    codes = np.load(truth)
    with open(verdicts, newline="") as file:
        found = np.array([row["verdict"] for row in csv.DictReader(file)])
    count = {
        where: {str(name): int((found[codes == code] == name).sum()) for name in np.unique(found)}
        for where, code in (("planted", 1), ("sound", 0), ("near", -1))
    }
    print(json.dumps(count))


if __name__ == "__main__":
    {"make": make, "judge": judge}[sys.argv[1]](*sys.argv[2:])
