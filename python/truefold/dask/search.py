"""Exact neighbors across cells: each searches itself, then asks those that its rows may have neighbors in.

The lists of a row are merged by the values that a search orders by (squares of Euclidean distances and the like), ties by row, so
that they are the lists of one search among all rows. In few dimensions the rows whose neighbors may lie elsewhere are few, and
they alone travel. In many dimensions nearly all are such rows: then whole cells meet, one pair after the other, and the value of
a row's last neighbor so far tells whether a cell can hold a nearer one.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _native
from .cells import Cell
from .tasks import Key, Tasks, settings
from .tree import FEW, Tree, box_around, leaving, reaching


class Lists(NamedTuple):
    """For each row its neighbors so far, nearest first: their rows, and what orders them; -1 and infinity where none is known."""

    rows: np.ndarray
    values: np.ndarray

    @classmethod
    def unknown(cls, count: int, k: int) -> Lists:
        """Lists of so many rows that know nothing yet."""
        return cls(np.full((count, k), -1, dtype=np.int64), np.full((count, k), np.inf))

    @property
    def reach(self) -> np.ndarray:
        """The value of the last neighbor."""
        return self.values[:, -1]


Box = tuple[np.ndarray, np.ndarray]


def search(
    tree: Tree, cells: list[Key], queries: list[Key] | None, wanted: tuple[int, str], tasks: Tasks, values: bool = True
) -> list[Key]:
    """For each cell the lists of its own rows, or of the queries that lie in it, as :class:`Cell` of rows and, if wanted, values.

    ``wanted`` is the number of neighbors and the metric.
    """
    asking = cells if queries is None else queries
    numbers = range(tree.count)
    own = [tasks("search", own_lists, cells[at], None if queries is None else queries[at], wanted, place=(at,)) for at in numbers]
    boxes = [tasks("box", box_of, cells[at], wanted[1], place=(at,)) for at in numbers]
    answers: list[Any] = [[]] * tree.count
    if tree.count > 1 and tree.dim <= FEW:
        answers = _routed(tree, cells, asking, own, boxes, wanted, tasks)
    elif tree.count > 1:
        own = _visited(cells, asking, own, boxes, wanted, tasks)
    return [tasks("merge", merged_all, asking[at], own[at], answers[at], values, place=(values, at)) for at in numbers]


def _routed(
    tree: Tree,
    cells: list[Key],
    asking: list[Key],
    own: list[Key],
    boxes: list[Key],
    wanted: tuple[int, str],
    tasks: Tasks,
) -> list[Any]:
    """Rows near a border are sent to the cells that they may have neighbors in; the answers for each cell."""
    numbers = range(tree.count)
    all_boxes, regions = tasks("boxes", list, boxes), tree.regions()
    sent = [
        tasks("border", crossing, asking[at], own[at], (at, regions[at]), all_boxes, wanted[1], place=(at,)) for at in numbers
    ]
    asked = tasks.exchanged("border-piece", sent, tree.count, small=True)
    found = [tasks("beyond", answers_of, cells[at], asked[at], wanted, place=(at,)) for at in numbers]
    return tasks.exchanged("beyond-piece", found, tree.count, small=True)


def _visited(
    cells: list[Key],
    asking: list[Key],
    own: list[Key],
    boxes: list[Key],
    wanted: tuple[int, str],
    tasks: Tasks,
) -> list[Key]:
    """Every cell is visited by all others in turn, each beginning with the one after it."""
    count = len(cells)
    merged = []
    for at in range(count):
        lists = own[at]
        for step in range(1, count):
            other = (at + step) % count
            lists = tasks("visit", visit, lists, asking[at], [cells[other], boxes[other]], wanted, place=(at, step))
        merged.append(lists)
    return merged


def nearest(
    cell: Cell, queries: np.ndarray | None, wanted: tuple[int, str], recall: float | None = None, seed: int = 0, how: str = "auto"
) -> Lists:
    """The nearest rows of a cell, of its own rows or of others; of its own this share at the least, where one is given.

    ``how`` is the exact algorithm that is used without a share.
    """
    k, metric = wanted
    count = cell.size if queries is None else len(queries)
    known = min(k, cell.size - (queries is None))
    if count == 0 or known <= 0:
        return Lists.unknown(count, k)
    fitted = _native.Source.points(cell.tables[0], "X")
    new = None if queries is None else _native.Source.points(np.ascontiguousarray(queries), "X")
    how = how if recall is None else "approximate"
    rows, values = _native.nearest_values(fitted, new, (known, None, metric, how), settings(seed), recall)
    # Nothing of the size of the lists is made before they are found: the search itself needs the memory.
    if known == k:
        return Lists(cell.rows[rows], values)
    lists = Lists.unknown(count, k)
    lists.rows[:, :known], lists.values[:, :known] = cell.rows[rows], values
    return lists


def own_lists(cell: Cell, queries: Cell | None, wanted: tuple[int, str]) -> Lists:
    """The neighbors of the rows of a cell, or of the queries in it, among its own rows."""
    return nearest(cell, None if queries is None else queries.tables[0], wanted)


def box_of(cell: Cell, metric: str) -> Box:
    """The smallest box around the rows of a cell."""
    return box_around(cell.tables[0], metric)


class Sent(NamedTuple):
    """Queries for another cell: their places in their own one, and their coordinates."""

    places: np.ndarray
    points: np.ndarray


def crossing(asking: Cell, lists: Lists, home: tuple[int, Box], boxes: list[Box], metric: str) -> list[Sent]:
    """For each cell the rows of this one that may have neighbors there."""
    points, (own, region) = asking.tables[0], home
    places = leaving(points, region, lists.reach, metric)
    leavers, reach, sent = points[places], lists.reach[places], []
    for other, box in enumerate(boxes):
        some = places[reaching(leavers, box, reach, metric)] if other != own else places[:0]
        sent.append(Sent(some, points[some]))
    return sent


def answers_of(cell: Cell, sent: list[Sent], wanted: tuple[int, str]) -> list[tuple[np.ndarray, Lists]]:
    """For each other cell the places of its queries, and what this cell has for them."""
    found = nearest(cell, np.concatenate([some.points for some in sent]), wanted)
    ends = np.cumsum([len(some.places) for some in sent])
    starts = ends - [len(some.places) for some in sent]
    return [
        (some.places, Lists(found.rows[start:end], found.values[start:end]))
        for some, start, end in zip(sent, starts, ends)
    ]


def merged_all(asking: Cell, lists: Lists, answers: list[tuple[np.ndarray, Lists]], values: bool) -> Cell:
    """Lists with what other cells have, beside the rows that they belong to; what orders them where it is wanted."""
    if answers:
        lists = Lists(lists.rows.copy(), lists.values.copy())
    for places, more in answers:
        merge(lists, places, more)
    return Cell(asking.rows, tuple(lists) if values else (lists.rows,))


def visit(lists: Lists, asking: Cell, other: list[Any], wanted: tuple[int, str]) -> Lists:
    """Lists with what another cell has."""
    cell, box = other
    places = reaching(asking.tables[0], box, lists.reach, wanted[1])
    if len(places) == 0:
        return lists
    lists = Lists(lists.rows.copy(), lists.values.copy())
    merge(lists, places, nearest(cell, asking.tables[0][places], wanted))
    return lists


def merge(lists: Lists, places: np.ndarray, more: Lists) -> None:
    """Put more neighbors into the lists at some places.

    Examples
    --------
    >>> lists = Lists(np.array([[4, 9]], dtype=np.int64), np.array([[1.0, 3.0]]))
    >>> merge(lists, np.array([0]), Lists(np.array([[2, 7]]), np.array([[1.0, 2.0]])))
    >>> lists.rows, lists.values
    (array([[2, 4]]), array([[1., 1.]]))
    >>> merge(lists, np.array([0]), Lists(np.array([[4, 5]]), np.array([[1.0, 2.0]])))
    >>> lists.rows
    array([[2, 4]])
    """
    if len(places) == 0 or lists.rows.size == 0:
        return
    # Arrays that came from another process need not be aligned in memory.
    found = np.require(more.rows, np.int64, ["C", "A"]), np.require(more.values, np.float64, ["C", "A"])
    _native.merge_lists(lists.rows, lists.values, np.require(places, np.int64, ["C", "A"]), found)
