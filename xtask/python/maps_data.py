"""Data whose maps are compared, with their labels, for `cargo xtask bench maps`.

    python maps_data.py KIND ROWS OUT.npy LABELS.csv [FOLDER]

KIND is mnist or mnist50 (of mnist.npz in FOLDER, ROWS of the 70,000 by lot; bytes, or the first 50 principal components in single
precision), digits (the 1,797 of scikit-learn), cells (made up: twenty groups of 16 dimensions in 50, with noise) or faces (of
frey_faces.npy in FOLDER; without labels, so all have the same).
"""
import sys
from pathlib import Path

import numpy as np
from neighbors_data import digits as mnist_images
from neighbors_data import principal
from verdict_maps import made_up_cells


def labels_of_mnist(folder):
    file = Path(folder) / "mnist.npz"
    if not file.exists():
        sys.exit(f"{file} is not there: the labels of the digits are read from it")
    return np.load(file)["labels"]


def make(kind, rows, folder):
    if kind.startswith("mnist"):
        x, labels = mnist_images(Path(folder)), labels_of_mnist(folder)
        chosen = np.sort(np.random.default_rng(0).choice(len(x), min(rows, len(x)), replace=False))
        x, labels = x[chosen], labels[chosen]
        return principal(x, 50) if kind == "mnist50" else x, labels
    if kind == "digits":
        from sklearn.datasets import load_digits

        x, labels = load_digits(return_X_y=True)
        return x.astype(np.float32), labels
    if kind == "cells":
        x, groups = made_up_cells(rows)
        return x.astype(np.float32), groups
    if kind == "faces":
        x = np.load(Path(folder) / "frey_faces.npy")
        return x, np.zeros(len(x), dtype=int)
    sys.exit(f"there is no kind {kind}")


def main(kind, rows, out, labels, folder=None):
    x, names = make(kind, int(rows), folder)
    np.save(out, x)
    Path(labels).write_text("label\n" + "".join(f"{name}\n" for name in names))


if __name__ == "__main__":
    main(*sys.argv[1:])
