"""Cells of space: a tree cut from a sample, so that each cell holds about as many rows.

For cosine and correlation cells are cut among the directions of the rows. Cells only decide where rows are searched: the lists do
not depend on them.
"""
from __future__ import annotations

import numpy as np

#: What a bound in directions may err by: their coordinates are rounded, and at most one.
ROUNDING = 1e-13


def prepared(points: np.ndarray, metric: str) -> np.ndarray:
    """Rows as the metric compares them, in double precision.

    Examples
    --------
    >>> prepared(np.array([[3.0, 4.0]]), "cosine")
    array([[0.6, 0.8]])
    """
    rows = np.asarray(points, dtype=np.float64)
    if metric in ("euclidean", "manhattan"):
        return rows
    if metric == "correlation":
        rows = rows - rows.mean(axis=1, keepdims=True)
    # Rows without a direction are refused where they are searched.
    rows = rows / np.maximum(np.abs(rows).max(axis=1, keepdims=True), np.finfo(float).tiny)
    return rows / np.maximum(np.sqrt((rows * rows).sum(axis=1, keepdims=True)), np.finfo(float).tiny)


class Tree:
    """Cells, numbered from 0.

    Examples
    --------
    >>> tree = Tree.cut(np.array([[0.0], [1.0], [2.0], [3.0]]), 2)
    >>> tree.cells_of(np.array([[0.5], [2.5], [-9.0]]))
    array([0, 1, 0])
    """

    def __init__(self, axes: np.ndarray, borders: np.ndarray, after: np.ndarray, dim: int) -> None:
        # For each node the axis and the border, or no axis and the number of its cell; the node of the upper half, the lower
        # one follows its parent.
        self.axes, self.borders, self.after = axes, borders, after
        self.count = int((axes < 0).sum())
        self.lower, self.upper = np.full((self.count, dim), -np.inf), np.full((self.count, dim), np.inf)
        self._bound(0, self.lower[0].copy(), self.upper[0].copy())

    @classmethod
    def cut(cls, sample: np.ndarray, cells: int) -> Tree:
        """Cells with about as many rows of the sample each; fewer of them where rows cannot be told apart."""
        axes: list[int] = []
        borders: list[float] = []
        after: list[int] = []
        number = 0

        def grow(rows: np.ndarray, wanted: int) -> None:
            nonlocal number
            node = len(axes)
            found = _border(rows, wanted) if wanted > 1 and len(rows) > 1 else None
            if found is None:
                found, cell = (-1, 0.0), number
                number += 1
            else:
                cell = None
            axis, border = found
            axes.append(axis)
            borders.append(border)
            after.append(0 if cell is None else cell)
            if cell is not None:
                return
            below = rows[:, axis] < border
            grow(rows[below], wanted // 2)
            after[node] = len(axes)
            grow(rows[~below], wanted - wanted // 2)

        grow(sample, cells)
        return cls(np.array(axes), np.array(borders), np.array(after), sample.shape[1])

    def cells_of(self, points: np.ndarray) -> np.ndarray:
        """The cell of each row, which is prepared."""
        found = np.empty(len(points), dtype=np.int64)
        open_nodes = [(0, np.arange(len(points)))]
        while open_nodes:
            node, rows = open_nodes.pop()
            if self.axes[node] < 0:
                found[rows] = self.after[node]
                continue
            below = points[rows, self.axes[node]] < self.borders[node]
            open_nodes += [(node + 1, rows[below]), (int(self.after[node]), rows[~below])]
        return found

    def _bound(self, node: int, lower: np.ndarray, upper: np.ndarray) -> None:
        axis = self.axes[node]
        if axis < 0:
            self.lower[self.after[node]], self.upper[self.after[node]] = lower, upper
            return
        for child, bounds in ((node + 1, upper), (int(self.after[node]), lower)):
            kept = bounds[axis]
            bounds[axis] = self.borders[node]
            self._bound(child, lower.copy(), upper.copy())
            bounds[axis] = kept


def _border(rows: np.ndarray, wanted: int) -> tuple[int, float] | None:
    """The axis along which rows spread most, and where to cut it; nothing where all are the same."""
    for axis in np.argsort(-rows.var(axis=0), kind="stable"):
        values = np.sort(rows[:, axis])
        place = min(max(len(values) * (wanted // 2) // wanted, 1), len(values) - 1)
        # The nearest place where values differ, so that both sides hold rows.
        differing = np.flatnonzero(values[1:] > values[:-1]) + 1
        if len(differing):
            at = differing[np.argmin(np.abs(differing - place))]
            # The upper of the two values is a border in any case; halves may round to the lower one.
            middle = values[at - 1] + (values[at] - values[at - 1]) / 2
            return int(axis), float(middle if middle > values[at - 1] else values[at])
    return None


def reaching(points: np.ndarray, box: tuple[np.ndarray, np.ndarray], reach: np.ndarray, metric: str) -> np.ndarray:
    """Which rows may have neighbors in a box, given the values of their last ones so far.

    Examples
    --------
    >>> box = (np.array([1.0]), np.array([2.0]))
    >>> reaching(np.array([[0.0], [0.5], [1.5]]), box, np.array([0.9, 0.3, 0.0]), "euclidean")
    array([1, 2])
    """
    lower, upper = box
    gaps = np.maximum(np.maximum(lower - points, points - upper), 0.0)
    return np.flatnonzero(_may_reach(_value(gaps, metric), reach, metric))


def leaving(points: np.ndarray, region: tuple[np.ndarray, np.ndarray], reach: np.ndarray, metric: str) -> np.ndarray:
    """Which rows of a cell may have neighbors outside of it."""
    lower, upper = region
    margin = np.minimum(points - lower, upper - points).min(axis=1)
    return np.flatnonzero(_may_reach(_value(margin[:, None], metric), reach, metric))


def _value(gaps: np.ndarray, metric: str) -> np.ndarray:
    return gaps.sum(axis=1) if metric == "manhattan" else (gaps * gaps).sum(axis=1)


def _may_reach(least: np.ndarray, reach: np.ndarray, metric: str) -> np.ndarray:
    """Whether a value may be as small as a row's last one; sums in another order differ by rounding."""
    exact = metric in ("euclidean", "manhattan")
    return least * (1.0 - 1e-9) - (0.0 if exact else ROUNDING) <= reach
