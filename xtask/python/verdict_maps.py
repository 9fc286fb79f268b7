"""Digits and maps of them by the programs that people use, for `cargo xtask bench verdict`.

    python verdict_maps.py mnist MNIST.npz ROWS FOLDER
    python verdict_maps.py cells ROWS FOLDER

`mnist` writes X.npy, labels.csv and one file for each map: tsne, umap, pacmap, pca, and ten maps whose rows are those of
the UMAP in random order. `cells` writes made-up data of ROWS x 50 with clusters of 16 dimensions and noise, float64, and
its first two principal components as a map.
"""
import sys
from pathlib import Path

import numpy as np

SHUFFLES = 10


def mnist(source, rows, folder):
    import umap
    from openTSNE import TSNE
    from pacmap import PaCMAP
    from sklearn.decomposition import PCA

    folder, rng = Path(folder), np.random.default_rng(0)
    held = np.load(source)
    chosen = np.sort(rng.choice(len(held["labels"]), int(rows), replace=False))
    x = held["images"].reshape(len(held["labels"]), -1)[chosen] / 255.0
    np.save(folder / "X.npy", x)
    (folder / "labels.csv").write_text("label\n" + "".join(f"{label}\n" for label in held["labels"][chosen]))
    principal = PCA(50, random_state=0).fit_transform(x)
    maps = {
        "tsne": np.asarray(TSNE(random_state=0).fit(principal)),
        "umap": umap.UMAP(random_state=0).fit_transform(x),
        "pacmap": PaCMAP(random_state=0).fit_transform(x.astype(np.float32), init="pca"),
        "pca": principal[:, :2],
    }
    for seed in range(SHUFFLES):
        maps[f"shuffled{seed}"] = maps["umap"][np.random.default_rng(100 + seed).permutation(len(x))]
    for name, values in maps.items():
        np.save(folder / f"{name}.npy", np.asarray(values, dtype=np.float64))


def made_up_cells(rows):
    """Twenty groups of 16 dimensions in 50, with noise; and the group of each row."""
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 20, rows)
    inner = 3.0 * rng.normal(size=(20, 16))[groups] + rng.normal(size=(rows, 16))
    return inner @ np.linalg.qr(rng.normal(size=(50, 50)))[0][:16] + 0.1 * rng.normal(size=(rows, 50)), groups


def cells(rows, folder):
    rows = int(rows)
    x, groups = made_up_cells(rows)
    axes = np.linalg.eigh(np.cov(x[:: max(1, rows // 20000)].T))[1][:, ::-1][:, :2]
    np.save(Path(folder) / "X.npy", x)
    np.save(Path(folder) / "Y.npy", x @ axes)
    (Path(folder) / "labels.csv").write_text("label\n" + "".join(f"{group}\n" for group in groups))


if __name__ == "__main__":
    {"mnist": mnist, "cells": cells}[sys.argv[1]](*sys.argv[2:])
