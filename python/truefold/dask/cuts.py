"""A cut of all rows into large cells that overlap, so that nearly every row meets its neighbors in one of them.

Each row lies in one cell and goes to every other one whose border is near. Two neighbors on different sides of a border then meet if
one of the two is near enough. Along which directions cells are cut, and how near is near enough, is planned on sampled rows whose true
neighbors are known: across a border neighbors should differ little, compared with all rows.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .chunks import table
from .tree import blocks_of, border_of, prepared

#: Directions between random rows that are tried for a border, and steps from the best one to that along which rows differ most.
DIRECTIONS, STEPS = 8, 12
#: Rows that choose a direction.
CHOOSING = 2048
#: A cell holds at most so many times as many rows as there were in each if cells did not overlap, and at least so small a part of that.
EVEN = 3.0
#: Rows that are looked at in all cells at a time, times cells, about.
AT_ONCE = 1 << 22


class Cut(NamedTuple):
    """Cells, numbered from 0: for each border a direction, the place along it, and what is below and above: another border, or the
    cell ``~number``. The first border cuts all rows.

    Directions are so long that neighbors differ by one along them, about.

    Examples
    --------
    >>> cut = Cut(np.array([[2.0]]), np.array([1.0]), np.array([[~0, ~1]]))
    >>> [rows.tolist() for rows, _ in cut.reached(np.array([[0.0], [0.4], [0.6], [0.9]]), 0.5)]
    [[0, 1, 2], [1, 2, 3]]
    """

    directions: np.ndarray
    borders: np.ndarray
    sides: np.ndarray

    @classmethod
    def none(cls, dim: int) -> Cut:
        """One cell with all rows."""
        return cls(np.empty((0, dim)), np.empty(0), np.empty((0, 2), dtype=np.int64))

    @property
    def count(self) -> int:
        """How many cells there are."""
        return len(self.borders) + 1

    def reached(self, points: np.ndarray, width: float) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each cell the prepared rows in it and those at most ``width`` beyond its borders, in order, and how far beyond."""
        found = [(np.empty(0, dtype=np.int64), np.empty(0))] * self.count
        open_sides = [(0 if len(self.borders) else ~0, np.arange(len(points)), np.zeros(len(points)))]
        while open_sides:
            at, rows, far = open_sides.pop()
            if at < 0:
                found[~at] = rows, far
                continue
            beyond = projected(points if len(rows) == len(points) else points[rows], self.directions[at]) - self.borders[at]
            for side, outside in zip(self.sides[at], (beyond, -beyond)):
                near = np.flatnonzero(outside <= width)
                open_sides.append((int(side), rows[near], np.maximum(far[near], outside[near])))
        return found

    def beyond(self, points: np.ndarray) -> np.ndarray:
        """How far each prepared row is beyond the borders of each cell; 0 in its own."""
        found = np.empty((len(points), self.count))
        for cell, (rows, far) in enumerate(self.reached(points, np.inf)):
            found[rows, cell] = far
        return found


class Plan(NamedTuple):
    """The cells, and how far beyond their borders rows still belong to them; the share of the true neighbors that some cell holds
    together with the row, with its error, by so many rows; and how many rows each cell holds, as a share of all rows."""

    cut: Cut
    width: float
    share: float
    error: float
    checked: int
    sizes: np.ndarray

    @property
    def copies(self) -> float:
        """How many cells hold a row, on average."""
        return float(self.sizes.sum())

    @property
    def is_even(self) -> bool:
        """Whether no cell is too large, and none so small that rows may lack neighbors in it."""
        shares = self.sizes * self.cut.count
        return bool(shares.max() <= EVEN and shares.min() >= 1 / EVEN)

    def split_rows(self, block: Any, metric: str) -> list[np.ndarray]:
        """For each cell the rows of a chunk that belong to it, in order."""
        points = table(block)
        found: list[list[np.ndarray]] = [[np.empty(0, dtype=np.int64)] for _ in range(self.cut.count)]
        for some in blocks_of(points):
            for list_, (rows, _) in zip(found, self.cut.reached(prepared(points[some], metric), self.width)):
                list_.append(some.start + rows)
        return [np.concatenate(some) for some in found]


def whole(dim: int) -> Plan:
    """One cell for all rows, of which nothing is to be planned."""
    return Plan(Cut.none(dim), 0.0, 1.0, 0.0, 0, np.ones(1))


def planned_cells(sample: np.ndarray, queries: np.ndarray, nearest: np.ndarray, needed: float, cells: int, seed: int) -> Plan | None:
    """A plan by which the share ``needed`` of the neighbors of the queries meets, less its standard error; nothing where rows cannot
    be told apart well enough for so many cells.

    ``nearest`` holds for each query its neighbors; all rows are prepared. Every other query chooses the directions, and the others
    judge, so that the choice does not flatter itself.
    """
    chosen, judging = queries[::2], queries[1::2]
    apart = (nearest[::2] - chosen[:, None]).reshape(-1, queries.shape[1])
    cut = _grown(sample, apart[:: max(1, len(apart) // CHOOSING)], cells, np.random.default_rng(seed))
    if cut is None:
        return None
    step = max(1, AT_ONCE // (nearest.shape[1] * cut.count))
    pairs = ((judging[start : start + step], nearest[1::2][start : start + step]) for start in range(0, len(judging), step))
    meets = np.concatenate([_meets(cut, *pair) for pair in pairs])
    widths, at, above = np.unique(meets), 0, np.unique(meets).size - 1
    while at < above:
        middle = (at + above) // 2
        share, error = _share(meets, widths[middle])
        at, above = (at, middle) if share - error >= needed else (middle + 1, above)
    sizes = np.array([len(rows) for rows, _ in cut.reached(sample, widths[at])]) / len(sample)
    return Plan(cut, float(widths[at]), *_share(meets, widths[at]), len(judging), sizes)


def _meets(cut: Cut, queries: np.ndarray, nearest: np.ndarray) -> np.ndarray:
    """How far beyond their borders cells must reach so that each query is in one with each of its neighbors."""
    own, others = cut.beyond(queries), cut.beyond(nearest.reshape(-1, queries.shape[1]))
    # Two rows meet in a cell if it reaches the farther one, and somewhere if there is such a cell.
    return np.maximum(own[:, None], others.reshape(len(own), -1, cut.count)).min(axis=2)


def _share(meets: np.ndarray, width: float) -> tuple[float, float]:
    """The share of the pairs that meet at this width, and its standard error."""
    shares = (meets <= width).mean(axis=1)
    return float(shares.mean()), float(shares.std(ddof=1) / np.sqrt(len(shares)))


def _grown(sample: np.ndarray, apart: np.ndarray, cells: int, rng: np.random.Generator) -> Cut | None:
    """A cut into cells of about equal size; ``apart`` are differences of neighbors. Nothing where rows cannot be told apart."""
    directions, places, sides = list[np.ndarray](), list[float](), list[list[int]]()
    number = 0
    open_nodes = [(sample, cells, -1, 0)]
    while open_nodes:
        rows, wanted, parent, side = open_nodes.pop()
        if wanted == 1:
            this, number = ~number, number + 1
        else:
            direction = _direction(rows, apart, rng)
            along = projected(rows, direction)
            found = border_of(along[:, None], wanted)
            if found is None:
                return None
            this = len(places)
            directions.append(direction)
            places.append(found[1])
            sides.append([0, 0])
            below, lower = along < found[1], wanted // 2
            open_nodes += [(rows[~below], wanted - lower, this, 1), (rows[below], lower, this, 0)]
        if parent >= 0:
            sides[parent][side] = this
    return Cut(np.array(directions), np.array(places), np.array(sides))


def _direction(rows: np.ndarray, apart: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The best of some directions between random rows and of that along which rows differ most, so long that neighbors differ by one
    along it."""
    rows = rows[:: max(1, len(rows) // CHOOSING)]
    rows = rows - rows.mean(axis=0)
    ends = rng.integers(len(rows), size=(2, DIRECTIONS))
    tried = [_scaled(one, rows, apart) for one in rows[ends[0]] - rows[ends[1]]]
    best = max(tried, key=_gain)[1]
    for _ in range(STEPS):
        best = (rows * projected(rows, best)[:, None]).sum(axis=0)
        best = best / max(np.abs(best).max(), np.finfo(float).tiny)
    return max([*tried, _scaled(best, rows, apart)], key=_gain)[1]


def _gain(scaled: tuple[float, np.ndarray]) -> float:
    return scaled[0]


def _scaled(direction: np.ndarray, rows: np.ndarray, apart: np.ndarray) -> tuple[float, np.ndarray]:
    """A direction so long that neighbors differ by one along it, and by how much all rows do then."""
    longest = np.abs(direction).max(initial=0.0)
    if longest > 0:
        direction = direction / longest
    between = np.sqrt(np.mean(projected(apart, direction) ** 2))
    if between > 0:
        direction = direction / between
    spread = float(np.sqrt(np.mean(projected(rows, direction) ** 2)))
    # Where neighbors do not differ, any length will do, and there is no better direction.
    return (spread if between > 0 or spread == 0 else np.inf), direction


def projected(points: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Products of rows with a direction, summed in one order on every machine.

    Examples
    --------
    >>> projected(np.array([[1.0, 2.0]]), np.array([1.0, 1.0]))
    array([3.])
    """
    if len(points) < len(direction):
        # The same sums, without a step in Python for each column.
        return np.cumsum(points * direction, axis=1)[:, -1]
    found = np.zeros(len(points))
    for column, weight in zip(np.ascontiguousarray(points.T), direction):
        found += column * weight
    return found
