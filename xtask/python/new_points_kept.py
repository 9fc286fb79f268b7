"""What places of new points keep, beside what those of fitted points keep; prints JSON.

    python new_points_kept.py X.npy NEW.npy LABELS.npy Y.npy PLACED.npy

LABELS has those of X, then those of NEW. Of each point the 12 nearest fitted points are looked for in the data and in the map;
a fitted point is not its own neighbor. Accuracy: they mostly have the label of the point in the map. Recall: the share of those in
the data that are also those in the map. As many fitted points are asked as there are new ones.
"""
import json
import sys

import numpy as np
from sklearn.neighbors import NearestNeighbors

K = 12


def nearest(old, asked):
    return NearestNeighbors(n_neighbors=K).fit(old).kneighbors(asked, return_distance=False)


def nearest_others(old, count):
    found = NearestNeighbors(n_neighbors=K + 1).fit(old).kneighbors(old[:count], return_distance=False)
    return np.array([[other for other in row if other != own][:K] for own, row in enumerate(found)])


def kept(in_data, in_map, old_labels, labels):
    votes = np.array([np.bincount(row).argmax() for row in old_labels[in_map]])
    recall = np.mean([len(np.intersect1d(a, b)) / K for a, b in zip(in_data, in_map)])
    return {"accuracy": float(np.mean(votes == labels)), "recall": float(recall)}


x, new, labels, y, placed = (np.load(name) for name in sys.argv[1:6])
old_labels, count = labels[: len(x)], min(len(new), len(x))
print(json.dumps({
    "new": kept(nearest(x, new), nearest(y, placed), old_labels, labels[len(x):]),
    "fitted": kept(nearest_others(x, count), nearest_others(y, count), old_labels, old_labels[:count]),
}))
