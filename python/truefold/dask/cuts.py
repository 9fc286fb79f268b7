"""A cut of all rows into large cells that overlap, so that nearly every row meets its neighbors in one of them.

Each row lies in one cell and goes to every other one whose border is near. Two neighbors on different sides of a border then meet if
one of the two is near enough. Along which directions cells are cut, and how near is near enough, is planned on sampled rows whose true
neighbors are known: across a border neighbors should differ little, compared with all rows.

Of the neighbors that may be missed some lie in no cell together, and the searches of the cells miss others. The wider cells reach, the
fewer are the former, and the more may be the latter: rows near a border meet in several cells, where one search finds what another one
missed. The plan takes the width by which all searches together take the least time.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .. import _native
from .chunks import table
from .tree import STRAIGHT, blocks_of, border_of, prepared

#: Directions between random rows that are tried for a border, and steps from the best one to that along which rows differ most.
DIRECTIONS, STEPS = 8, 12
#: Rows that choose a direction.
CHOOSING = 2048
#: One sampled row of so many chooses directions, the others judge.
CHOOSES = 4
#: Shares of what may be missed that may lie in no cell together.
APART = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
#: What a further digit of the recall adds to the time of a search with two digits.
DIGIT = 0.6
#: Neighbors that meet in several cells are missed by all of them with at most this part of the chance that one misses them. Where this was
#: looked at, it was 0.05. Searches that miss as large a share of all miss no smaller part again, so that none may miss more.
MISSED_AGAIN = 0.25
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

    def cells_of(self, points: np.ndarray, metric: str = "euclidean") -> np.ndarray:
        """The cell in which each row lies.

        Examples
        --------
        >>> Cut(np.array([[2.0]]), np.array([1.0]), np.array([[~0, ~1]])).cells_of(np.array([[0.0], [0.5], [9.0]]))
        array([0, 1, 1])
        """
        found = np.empty(len(points), dtype=np.int64)
        for first, source, count in _sources(points, metric):
            open_sides = [(0 if len(self.borders) else ~0, np.arange(count, dtype=np.int64))]
            while open_sides:
                at, rows = open_sides.pop()
                if at < 0:
                    found[first + rows] = ~at
                    continue
                above = _along(source, self.directions[at], rows) >= self.borders[at]
                open_sides += [(int(side), rows[above == is_above]) for is_above, side in enumerate(self.sides[at])]
        return found

    def reached(self, points: np.ndarray, width: float, metric: str = "euclidean") -> list[tuple[np.ndarray, np.ndarray]]:
        """For each cell the rows in it and those at most ``width`` beyond its borders, in order, and how far beyond."""
        found = [[(np.empty(0, dtype=np.int64), np.empty(0))] for _ in range(self.count)]
        for first, source, count in _sources(points, metric):
            open_sides = [(0 if len(self.borders) else ~0, np.arange(count, dtype=np.int64), np.zeros(count))]
            while open_sides:
                at, rows, far = open_sides.pop()
                if at < 0:
                    found[~at].append((first + rows, far))
                    continue
                beyond = _along(source, self.directions[at], rows) - self.borders[at]
                for side, outside in zip(self.sides[at], (beyond, -beyond)):
                    near = np.flatnonzero(outside <= width)
                    open_sides.append((int(side), rows[near], np.maximum(far[near], outside[near])))
        return [some[-1] if len(some) < 3 else tuple(map(np.concatenate, zip(*some))) for some in found]

    def beyond(self, points: np.ndarray) -> np.ndarray:
        """How far each prepared row is beyond the borders of each cell; 0 in its own."""
        found = np.empty((len(points), self.count))
        for cell, (rows, far) in enumerate(self.reached(points, np.inf)):
            found[rows, cell] = far
        return found


class Plan(NamedTuple):
    """The cells, and how far beyond their borders rows still belong to them; the share of the true neighbors that some cell holds
    together with the row, with its error, by so many rows; the share of the neighbors in a cell that its search must find; and how many
    rows each cell holds, as a share of all rows."""

    cut: Cut
    width: float
    share: float
    error: float
    checked: int
    in_cells: float
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
        return [rows for rows, _ in self.cut.reached(table(block), self.width, metric)]


def whole(dim: int, recall: float) -> Plan:
    """One cell for all rows, of which nothing is to be planned."""
    return Plan(Cut.none(dim), 0.0, 1.0, 0.0, 0, recall, np.ones(1))


def cut_between(sample: np.ndarray, queries: np.ndarray, nearest: np.ndarray, cells: int, seed: int) -> Cut | None:
    """So many cells of about equal size, whose borders lie between few neighbors; nothing where rows cannot be told apart.

    ``nearest`` holds for each query its neighbors; all rows are prepared.
    """
    apart = (nearest - queries[:, None]).reshape(-1, queries.shape[1])
    return _grown(sample, apart[:: max(1, len(apart) // CHOOSING)], cells, np.random.default_rng(seed))


def planned_cells(sample: np.ndarray, queries: np.ndarray, nearest: np.ndarray, recall: float, cells: int, seed: int) -> Plan | None:
    """The plan by which the share ``recall`` of the neighbors of the queries is found in the least time; nothing where rows cannot be
    told apart well enough for so many cells, or where so few queries cannot promise it.

    ``nearest`` holds for each query its neighbors; all rows are prepared. Some queries choose the directions, and the others judge, so
    that the choice does not flatter itself.
    """
    cut = cut_between(sample, queries[::CHOOSES], nearest[::CHOOSES], cells, seed)
    if cut is None:
        return None
    judges = np.arange(len(queries)) % CHOOSES > 0
    queries, nearest = queries[judges], nearest[judges]
    step = max(1, AT_ONCE // (nearest.shape[1] * cut.count))
    pairs = ((queries[start : start + step], nearest[start : start + step]) for start in range(0, len(queries), step))
    meets, again = (np.concatenate(some) for some in zip(*(_meets(cut, *pair) for pair in pairs)))
    widths = np.quantile(meets, [1 - part * (1 - recall) for part in (0.0, *APART)], method="higher")
    shares = _shares_within(cut, sample, widths)
    plans = []
    for width, sizes in zip(widths, shares):
        # The width is chosen by the very rows that judge it: beside them stands one that misses a neighbor.
        each = np.append((meets <= width).mean(axis=1), 1 - 1 / meets.shape[1])
        share, error = float(each.mean()), float(each.std(ddof=1) / np.sqrt(len(each)))
        left, twice = share - error - recall, float((again <= width).mean())
        if left > 0:
            in_cells = max(1 - left / (share - (1 - MISSED_AGAIN) * twice), 1 - MISSED_AGAIN)
            plans.append(Plan(cut, float(width), share, error, len(queries), in_cells, sizes))
    return min([plan for plan in plans if plan.is_even] or plans, key=_time, default=None)


def _time(plan: Plan) -> float:
    """The time of the searches, in those of all rows with two digits."""
    digits = -np.log10(1 - plan.in_cells)
    return plan.copies * max(1 + DIGIT * (digits - 2), DIGIT / 2)


def _meets(cut: Cut, queries: np.ndarray, nearest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far beyond their borders cells must reach so that each query is in one with each of its neighbors, and in two."""
    own, others = cut.beyond(queries), cut.beyond(nearest.reshape(-1, queries.shape[1]))
    # Two rows meet in a cell if it reaches the farther one, and somewhere if there is such a cell.
    reach = np.maximum(own[:, None], others.reshape(len(own), -1, cut.count))
    if cut.count > 1:
        reach = np.partition(reach, 1, axis=2)
    return reach[:, :, 0], reach[:, :, min(1, cut.count - 1)]


def _shares_within(cut: Cut, sample: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """For each width the share of all rows that each cell holds."""
    found = np.zeros((len(widths), cut.count))
    for some in blocks_of(sample):
        for cell, (_, far) in enumerate(cut.reached(sample[some], widths.max())):
            found[:, cell] += [(far <= width).sum() for width in widths]
    return found / len(sample)


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
    return _along(_native.Source.points(np.ascontiguousarray(points), "X"), direction)


def _along(source: _native.Source, direction: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    # Directions that came from another process need not be aligned in memory.
    return _native.along(source, np.require(direction, np.float64, ["C", "A"]), rows)


def _sources(points: np.ndarray, metric: str) -> Iterator[tuple[int, _native.Source, int]]:
    """The rows as a search compares them, all at once, or block by block where they must be converted: the first row of each block, its
    rows as the compiled part takes them, and how many there are."""
    if metric in STRAIGHT and len(points):
        yield 0, _native.Source.points(np.ascontiguousarray(points), "X"), len(points)
        return
    for some in blocks_of(points):
        block = prepared(points[some], metric)
        yield some.start, _native.Source.points(block, "X"), len(block)
