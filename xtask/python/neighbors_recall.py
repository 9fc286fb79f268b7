"""How many of the true neighbors a search found, on sampled points.

    python neighbors_recall.py true X.npy METRIC K SAMPLE TRUE.npz
    python neighbors_recall.py found X.npy METRIC TRUE.npz FOUND.npy

`true` ranks all points around SAMPLE random ones by products in double precision and stores the radius that holds the K
nearest of each; `found` prints the recall of the row numbers of FOUND.npy, whose first column may be the point itself. A
neighbor counts as found if its distance is at most that radius (up to a millionth of it), so that it does not matter which
of several equally far ones a search prefers.
"""
import json
import sys

import numpy as np

BLOCK = 20_000
SLACK = 1 + 1e-6


def prepared(x, metric):
    x = np.asarray(x, dtype=np.float64)
    return x / np.linalg.norm(x, axis=1, keepdims=True) if metric == "cosine" else x


def sampled_rows(count, sample):
    return np.sort(np.random.default_rng(7).choice(count, min(sample, count), replace=False))


def true_radii(x, metric, k, sample):
    """The sampled rows, and the squared distance of the k-th nearest other point of each."""
    rows = sampled_rows(len(x), sample)
    queries = prepared(x[rows], metric)
    # Only differences that are computed as such are exact enough to tell neighbors of almost equal distance apart.
    candidates = np.empty((len(rows), 0), dtype=np.int64)
    nearest = np.empty((len(rows), 0))
    for start in range(0, len(x), BLOCK):
        block = prepared(x[start : start + BLOCK], metric)
        d = (block**2).sum(axis=1) - 2 * queries @ block.T
        mine = (rows >= start) & (rows < start + len(block))
        d[np.flatnonzero(mine), rows[mine] - start] = np.inf
        take = min(k + 4, d.shape[1])
        best = np.argpartition(d, take - 1, axis=1)[:, :take]
        nearest = np.hstack([nearest, np.take_along_axis(d, best, axis=1)])
        candidates = np.hstack([candidates, best + start])
        keep = np.argsort(nearest, axis=1, kind="stable")[:, : k + 4]
        nearest, candidates = np.take_along_axis(nearest, keep, axis=1), np.take_along_axis(candidates, keep, axis=1)
    d = squared(x, metric, rows, candidates)
    return rows, np.sort(d, axis=1)[:, k - 1]


def squared(x, metric, rows, others):
    d = np.empty(others.shape)
    for place, row in enumerate(rows):
        difference = prepared(x[np.maximum(others[place], 0)], metric) - prepared(x[row : row + 1], metric)
        d[place] = (difference**2).sum(axis=1)
    d[others < 0] = np.inf
    return d


def recall(x, metric, rows, radii, k, found):
    """The share of the k nearest of each sampled row that is among the row numbers found, and its standard error."""
    shares = np.empty(len(rows))
    for place, row in enumerate(rows):
        others = np.unique(found[row])
        others = others[(others != row) & (others >= 0)][None]
        d = squared(x, metric, [row], others)
        shares[place] = min(k, (d <= radii[place] * SLACK).sum()) / k
    return float(shares.mean()), float(shares.std() / len(shares) ** 0.5)


def main(action, source, metric, *words):
    x = np.load(source, mmap_mode="r")
    if action == "true":
        k, sample, target = int(words[0]), int(words[1]), words[2]
        rows, radii = true_radii(x, metric, k, sample)
        np.savez(target, rows=rows, radii=radii, k=k)
        return
    with np.load(words[0]) as true:
        value, error = recall(x, metric, true["rows"], true["radii"], int(true["k"]), np.load(words[1], mmap_mode="r"))
    print(json.dumps({"recall": value, "standard_error": error}))


if __name__ == "__main__":
    main(*sys.argv[1:])
