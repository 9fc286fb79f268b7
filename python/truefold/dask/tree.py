"""Cells of space: a tree cut from a sample, so that each cell holds about as many rows.

For cosine and correlation cells are cut among the directions of the rows. Cells only decide where rows are searched: the lists do
not depend on them.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .. import _native

#: Dimensions up to which only rows near a border travel.
FEW = 8
#: Numbers that are compared at a time, about.
BLOCK = 1 << 20
#: Metrics that compare coordinates as they are.
STRAIGHT = ("euclidean", "manhattan")


def prepared(points: np.ndarray, metric: str) -> np.ndarray:
    """Rows as a search compares them, bit for bit, in double precision.

    Examples
    --------
    >>> prepared(np.array([[3.0, 4.0]]), "cosine")
    array([[0.6, 0.8]])
    """
    if metric in STRAIGHT or len(points) == 0:
        return points.astype(np.float64, copy=False)
    return _native.compared(_native.Source.points(np.ascontiguousarray(points), "X"), metric)


def blocks_of(points: np.ndarray) -> Iterator[slice]:
    """Some rows at a time."""
    step = max(1, BLOCK // max(1, points.shape[1]))
    return (slice(start, start + step) for start in range(0, len(points), step))


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
        self.count, self.dim = int((axes < 0).sum()), dim

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
            found = border_of(rows, wanted) if wanted > 1 and len(rows) > 1 else None
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
            lower = min(max(round(wanted * below.mean()), 1), wanted - 1)
            grow(rows[below], lower)
            after[node] = len(axes)
            grow(rows[~below], wanted - lower)

        grow(sample, cells)
        return cls(np.array(axes), np.array(borders), np.array(after), sample.shape[1])

    def cells_of(self, points: np.ndarray, metric: str = "euclidean") -> np.ndarray:
        """The cell of each row."""
        found = np.empty(len(points), dtype=np.int64)
        for some in blocks_of(points):
            found[some] = self._cells(prepared(points[some], metric))
        return found

    def _cells(self, points: np.ndarray) -> np.ndarray:
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

    def regions(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Where each cell begins and ends along each axis.

        Examples
        --------
        >>> Tree.cut(np.array([[0.0], [1.0], [2.0], [3.0]]), 2).regions()
        [(array([-inf]), array([1.5])), (array([1.5]), array([inf]))]
        """
        found: list[tuple[np.ndarray, np.ndarray]] = [(np.empty(0), np.empty(0))] * self.count
        open_nodes = [(0, np.full(self.dim, -np.inf), np.full(self.dim, np.inf))]
        while open_nodes:
            node, lower, upper = open_nodes.pop()
            axis, border = self.axes[node], self.borders[node]
            if axis < 0:
                found[self.after[node]] = (lower, upper)
                continue
            inner = [lower.copy(), upper.copy()]
            inner[0][axis] = inner[1][axis] = border
            open_nodes += [(node + 1, lower, inner[1]), (int(self.after[node]), inner[0], upper)]
        return found


def border_of(rows: np.ndarray, wanted: int) -> tuple[int, float] | None:
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


def box_around(points: np.ndarray, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """The smallest box around prepared rows; around none nothing can be reached.

    Examples
    --------
    >>> box_around(np.array([[0.0, 5.0], [2.0, 1.0]]), "euclidean")
    (array([0., 1.]), array([2., 5.]))
    """
    lower, upper = np.full(points.shape[1], np.inf), np.full(points.shape[1], -np.inf)
    for some in blocks_of(points):
        rows = prepared(points[some], metric)
        lower, upper = np.minimum(lower, rows.min(axis=0)), np.maximum(upper, rows.max(axis=0))
    return lower, upper


def reaching(points: np.ndarray, box: tuple[np.ndarray, np.ndarray], reach: np.ndarray, metric: str) -> np.ndarray:
    """Which rows may have neighbors in a box, given the values of their last ones so far.

    Examples
    --------
    >>> box = (np.array([1.0]), np.array([2.0]))
    >>> reaching(np.array([[0.0], [0.5], [1.5]]), box, np.array([0.9, 0.3, 0.0]), "euclidean")
    array([1, 2])
    """
    lower, upper = box

    def gaps(rows: np.ndarray) -> np.ndarray:
        return np.maximum(np.maximum(lower - rows, rows - upper), 0.0)

    return _within(points, gaps, reach, metric)


def leaving(points: np.ndarray, region: tuple[np.ndarray, np.ndarray], reach: np.ndarray, metric: str) -> np.ndarray:
    """Which rows of a cell may have neighbors outside of it."""
    lower, upper = region

    def gaps(rows: np.ndarray) -> np.ndarray:
        return np.minimum(rows - lower, upper - rows).min(axis=1, keepdims=True)

    return _within(points, gaps, reach, metric)


def _within(
    points: np.ndarray, gaps: Callable[[np.ndarray], np.ndarray], reach: np.ndarray, metric: str
) -> np.ndarray:
    """The rows whose least value, by what lies between, may be as small as their last one; sums in another order differ by
    rounding."""
    found = [np.empty(0, dtype=np.int64)]
    for some in blocks_of(points):
        between = gaps(prepared(points[some], metric))
        least = between.sum(axis=1) if metric == "manhattan" else (between * between).sum(axis=1)
        found.append(some.start + np.flatnonzero(least * (1.0 - 1e-9) <= reach[some]))
    return np.concatenate(found)
