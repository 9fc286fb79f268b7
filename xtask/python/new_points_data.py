"""Digits to fit and others to place, in the order of a draw, with their labels, for `cargo xtask bench transform`.

    python new_points_data.py FITTED NEW OLD.npy NEW.npy ALL.npy LABELS.npy FOLDER
"""
import sys

import numpy as np
from maps_data import make


def main(fitted, new, old_file, new_file, all_file, labels_file, folder):
    fitted, new = int(fitted), int(new)
    x, labels = make("mnist", fitted + new, folder)
    order = np.random.default_rng(1).permutation(fitted + new)
    x, labels = x[order].astype(np.float32), labels[order]
    np.save(old_file, x[:fitted])
    np.save(new_file, x[fitted:])
    np.save(all_file, x)
    np.save(labels_file, labels)


if __name__ == "__main__":
    main(*sys.argv[1:])
