"""Cuts of all rows into large cells, several in different directions, so that nearly every row meets its neighbors in one of them.

Which cuts, and how many, is planned on sampled rows whose true neighbors are known: a plan is good when enough of these lie in one
cell with the row. A row that is far from all borders of a cut has all its neighbors in its cell, and does not take part in the
cuts that follow; how far is enough is learned from the same pairs.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .chunks import table
from .tree import Tree, blocks_of, prepared

#: Directions along which a tree may be cut, the trees that are tried, and those that a plan has at the most.
DIRECTIONS, TRIED, MOST = 8, 24, 12
#: A cell holds at most so many times as many rows as the mean, and at least one over that.
EVEN = 3.0
#: The share of separated pairs that are near enough to a border to be seen as such.
SEEN = 0.995


#: Of the neighbors in a cell its search may miss so many, at the most, however many are found after another cut.
MISSED = 0.1
#: Rows that choose the borders of a cell, about.
CHOOSING = 4096


class Cut(NamedTuple):
    """Directions, the tree that is cut along them, the distance from its borders beyond which rows are done, and the share of their
    neighbors there that the cells must find."""

    directions: np.ndarray
    tree: Tree
    margin: float
    recall: float = 1.0

    def places(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The cells of prepared rows, and how far each is from the borders that it was compared with."""
        return self.tree.cells_and_margins(projected(points, self.directions))


class Plan(NamedTuple):
    """The cuts, and the share of the true neighbors that some cell holds together with the row, with its error, by so many rows."""

    cuts: list[Cut]
    share: float
    error: float
    checked: int

    def split_rows(self, block: Any, metric: str) -> list[np.ndarray]:
        """For each cut the cell of each row of a chunk; -1 for rows that are done before it."""
        points = table(block)
        found = [np.full(len(points), -1, dtype=np.int32) for _ in self.cuts]
        for some in blocks_of(points):
            rows = prepared(points[some], metric)
            left = np.arange(len(rows))
            for cut, cells in zip(self.cuts, found):
                at, margins = cut.places(rows[left])
                cells[some.start + left] = at
                left = left[margins <= cut.margin]
        return found


class Known:
    """Sampled rows and their true neighbors: which pairs still take part, and which have met.

    Every other row chooses cuts, and the rest judge them, so that a choice among many does not flatter itself.
    """

    def __init__(self, queries: np.ndarray, nearest: np.ndarray) -> None:
        self.queries, self.ends = queries, nearest.reshape(-1, nearest.shape[2])
        self.shape = nearest.shape[:2]
        self.met = np.zeros(self.shape, dtype=bool)
        self.left = [np.ones(len(queries), dtype=bool), np.ones(len(self.ends), dtype=bool)]
        self.chooses = (np.arange(len(queries)) % 2 == 0)[:, None]

    def meet(self, cut: Cut) -> tuple[np.ndarray, np.ndarray]:
        """Which pairs a cut brings together, and how far from the borders the farther one of each is."""
        (at, near), (others, others_near) = cut.places(self.queries), cut.places(self.ends)
        same = at[:, None] == others.reshape(self.shape)
        return same, np.maximum(near[:, None], others_near.reshape(self.shape))

    def taking_part(self) -> np.ndarray:
        """The pairs of which both rows still take part."""
        return self.left[0][:, None] & self.left[1].reshape(self.shape)

    def take(self, cut: Cut) -> np.ndarray:
        """Apply a cut; the pairs that it brings together."""
        together: np.ndarray = self.meet(cut)[0] & self.taking_part()
        self.met |= together
        for rows, left in zip((self.queries, self.ends), self.left):
            left &= cut.places(rows)[1] <= cut.margin
        return together

    def share(self) -> tuple[float, float]:
        """The share of pairs that have met, of the rows that judge, and its standard error."""
        shares = self.met[1::2].mean(axis=1)
        return float(shares.mean()), float(shares.std(ddof=1) / np.sqrt(len(shares)))


def planned_cuts(sample: np.ndarray, known: Known, recall: float, needed: float, cells: int, seed: int) -> Plan:
    """A plan by which the share ``needed`` of the known pairs meets, less its standard error, where one can be found.

    The cells may miss what is then left to miss for ``recall``. All rows are prepared.
    """
    rng, cuts, met = np.random.default_rng(seed), list[Cut](), list[np.ndarray]()
    sample = sample[:: max(1, len(sample) // (CHOOSING * cells))]
    left, (share, error) = np.ones(len(sample), dtype=bool), known.share()
    while len(cuts) < MOST and share - error < needed:
        best, most = None, 0
        for _ in range(max(2, TRIED // (len(cuts) + 1))):
            cut = _tried(sample[left], max(1, round(cells * left.mean())), rng)
            if cut is None:
                continue
            same, far = known.meet(cut)
            gain = int((same & known.taking_part() & ~known.met & known.chooses).sum())
            if gain > most:
                apart = far[~same & known.chooses]
                margin = float(np.quantile(apart, SEEN)) if len(apart) else 0.0
                best, most = cut._replace(margin=margin), gain
        if best is None:
            break
        cuts.append(best)
        met.append(known.take(best))
        left &= best.places(sample)[1] <= best.margin
        share, error = known.share()
        if left.sum() < 2:
            break
    found = shares_to_find([some[1::2].reshape(-1) for some in met], share - error - recall)
    return Plan([cut._replace(recall=one) for cut, one in zip(cuts, found)], share, error, len(known.queries) // 2)


def shares_to_find(met: list[np.ndarray], missed: float) -> list[float]:
    """For each cut the share of the neighbors in its cells that must be found, when all together may miss so many; ``met`` tells for
    each cut which pairs it brings together.

    What a cell misses is looked for again where the two meet after a later cut: only pairs that meet for the last time count. All
    cuts may add equally much to what is missed in the end, which takes the least time if each further nine of a share costs the same.

    Examples
    --------
    >>> shares_to_find([np.array([True, True, True, True]), np.array([True, True, True, False])], 0.01)
    [0.98, 0.9933333333333333]
    """
    found, later = [], np.zeros(met[0].shape if met else 0, dtype=bool)
    for some in reversed(met):
        last = (some & ~later).mean()
        found.append(float(1 - min(MISSED, missed / len(met) / max(last, 1e-12))))
        later |= some
    return found[::-1]


def _tried(sample: np.ndarray, cells: int, rng: np.random.Generator) -> Cut | None:
    """A cut into so many cells of about equal size; nothing where rows cannot be told apart that well."""
    directions = _directions(sample, rng)
    cut = Cut(directions, Tree.cut(projected(sample, directions), cells), np.inf)
    sizes = np.bincount(cut.places(sample)[0], minlength=cut.tree.count) * (cells / len(sample))
    return cut if cut.tree.count == cells and sizes.min() > 1 / EVEN and sizes.max() < EVEN else None


def projected(points: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Products of rows with directions, summed in one order on every machine.

    Examples
    --------
    >>> projected(np.array([[1.0, 2.0]]), np.array([[1.0, 0.0], [1.0, 1.0]]))
    array([[3., 2.]])
    """
    found = np.zeros((len(points), directions.shape[1]))
    for column, weights in zip(points.T, directions):
        found += column[:, None] * weights
    return found


def _directions(sample: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Directions between random rows, each of length one, one after the other in columns."""
    pairs = rng.integers(len(sample), size=(2, DIRECTIONS))
    between = sample[pairs[0]] - sample[pairs[1]]
    lengths = np.linalg.norm(between, axis=1, keepdims=True)
    return (between / np.where(lengths > 0, lengths, 1.0)).T
