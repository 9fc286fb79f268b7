"""Approximate neighbors with a promise: rows meet in large cells, cut several times in different directions.

The cells of every cut search themselves as one machine does, and a row keeps the nearest of all that its cells have. How many cuts
are needed is planned on sampled rows, whose true neighbors are found exactly among all rows (:mod:`.cuts`). Cells have the same
size on every cluster, so that no bit depends on the workers.
"""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..errors import DataError, ParameterError
from ..inputs import KEPT
from .cells import Cell, by_cell, by_chunk, fetch, gathered
from .chunks import Chunks, Look, compute, looks, table
from .cuts import Cut, Known, Plan, planned_cuts
from .search import Lists, merge, nearest
from .tasks import Key, Tasks
from .tree import Tree, prepared

#: The numbers of the rows of a cell, in bytes, about: a worker holds a few times as much.
CELL = 128 << 20
#: A cell holds at least so many neighborhoods, about, or borders are everywhere.
NEIGHBORHOODS = 40
#: Sampled rows whose neighbors are found exactly, where two digits of the recall are wanted; more for more. Half of them judge.
CHECKED = 1000
#: Of what may be missed the share that cuts may miss; the searches of the cells may miss the rest.
BY_CUTS = 0.5


class Asked(NamedTuple):
    """Sampled rows, with their numbers."""

    rows: np.ndarray
    points: np.ndarray


def check(recall: Any) -> float:
    """A share of the true neighbors that can be promised."""
    if not (isinstance(recall, (int, float, np.number)) and 0 < recall < 1):
        raise ParameterError(f"recall = {recall!r} is not between 0 and 1; choose 0.99, or leave it out for all neighbors")
    return float(recall)


def nearest_of_all(each: list[Lists], k: int) -> np.ndarray:
    """The rows that are nearest to each sampled one, of what all chunks have."""
    count = len(each[0].rows)
    lists = Lists.unknown(count, k)
    for found in each:
        merge(lists, np.arange(count), found)
    return lists.rows


def planned(seen: list[Look], asked: list[Asked], nearest: np.ndarray, ends: tuple[np.ndarray], how: tuple[Any, ...]) -> Plan:
    """A plan of cuts, from sampled rows, the rows nearest to them and the coordinates of these, in the order of their numbers."""
    metric, wanted, cells, seed = how
    queries, sample = (prepared(np.concatenate(some), metric) for some in ([one.points for one in asked], [one.sample for one in seen]))
    places = np.searchsorted(np.unique(nearest), nearest)
    return planned_cuts(sample, Known(queries, prepared(ends[0], metric)[places]), wanted, cells, seed)


def ask(block: Any, first: int, share: float) -> Asked:
    """Some rows of a chunk."""
    points = table(block)
    count = min(len(points), math.ceil(share * len(points)))
    rows = np.sort(np.random.default_rng(first + 1).choice(len(points), count, replace=False))
    return Asked(first + rows, points[rows])


def probe(block: Any, first: int, asked: list[Asked], wanted: tuple[int, str]) -> Lists:
    """The rows of a chunk that are nearest to the sampled ones, which are not their own neighbors."""
    points, (k, metric) = table(block), wanted
    cell = Cell(first + np.arange(len(points)), (points,))
    own = np.concatenate([some.rows for some in asked])
    found = nearest(cell, np.concatenate([some.points for some in asked]), (k + 1, metric))
    is_own = found.rows == own[:, None]
    # Others move up.
    order = is_own.argsort(axis=1, kind="stable")
    rows, values = np.where(is_own, -1, found.rows), np.where(is_own, np.inf, found.values)
    return Lists(*(np.take_along_axis(part, order, axis=1)[:, :k] for part in (rows, values)))


class Approximate:
    """A planned search.

    Attributes
    ----------
    plan : Plan
        The cuts.
    needed : float
        The share of the true neighbors that the cuts must bring together.
    is_kept : bool
        Whether they do: where no plan does, the search is exact.
    """

    def __init__(self, chunks: Chunks, k: int, metric: str, recall: float, seed: int, client: Any) -> None:
        self.chunks, self.k, self.metric = chunks, k, metric
        kind = chunks.array.dtype
        wide = chunks.dim * (kind.itemsize if kind in KEPT else 8)
        cells = min(math.ceil(len(chunks) * wide / CELL), len(chunks) // (NEIGHBORHOODS * (k + 1)))
        if cells <= 1:
            whole = Cut(np.zeros((chunks.dim, 1)), Tree.cut(np.zeros((1, 1)), 1), 0.0)
            self.plan, self.needed, self.in_cells, self.is_kept = Plan([whole], 1.0, 0.0, 0), 1.0, recall, True
            return
        self.needed, self.in_cells = 1 - BY_CUTS * (1 - recall), 1 - (1 - BY_CUTS) * (1 - recall)
        tasks = Tasks([chunks.array], "cuts", chunks.name, k, metric, self.needed, cells, seed)
        seen = looks(chunks, metric, tasks)
        share = min(1.0, CHECKED * max(-math.log10(1 - recall) / 2, 0.5) / len(chunks))
        places = list(zip(range(len(chunks.blocks)), chunks.blocks, chunks.offsets))
        asked = [tasks("ask", ask, block, int(first), share, place=(at,)) for at, block, first in places]
        each = [tasks("probe", probe, block, int(first), asked, (k, metric), place=(at,)) for at, block, first in places]
        found = tasks("nearest", nearest_of_all, each, k)
        [ends] = fetch([tasks("ends", np.unique, found)], [[block] for block in chunks.blocks], chunks, tasks, "ends")
        key = tasks("plan", planned, seen, asked, found, ends, (metric, self.needed, cells, seed))
        self.plan = compute([tasks.delayed(key)], client)[0]
        self.is_kept = self.plan.share - self.plan.error >= self.needed

    def lists(self, tasks: Tasks) -> list[Key]:
        """The neighbors of the rows of each chunk, and what orders them."""
        chunks, plan = self.chunks, self.plan
        shared = tasks.known("plan", plan)
        pieces = []
        for chunk, (block, first) in enumerate(zip(chunks.blocks, chunks.offsets)):
            whole = tasks("sort", split, shared, block, int(first), self.metric, place=(chunk,))
            pieces.append(tasks.parts("piece", whole, sum(cut.tree.count for cut in plan.cuts), (chunk,)))
        wanted, answers = (self.k, self.metric), []
        for at in range(len(pieces[0])):
            cell = tasks("cell", gathered, [some[at] for some in pieces], place=(at,))
            found = tasks("search", searched, cell, wanted, self.in_cells, place=(at,))
            whole = tasks("lists-back", by_chunk, found, chunks.offsets, place=(at,))
            answers.append(tasks.parts("lists-back-piece", whole, len(chunks.blocks), (at,)))
        return [
            tasks("merge", merged, [some[at] for some in answers], (int(first), length, self.k), place=(at,))
            for at, (first, length) in enumerate(zip(chunks.offsets, chunks.lengths))
        ]


def split(plan: Plan, block: Any, first: int, metric: str) -> list[Cell]:
    """The pieces of a chunk that belong to each cell of each cut."""
    points = table(block)
    sorted_rows = (some for cut, cells in zip(plan.cuts, plan.split(points, metric)) for some in by_cell(cells, cut.tree.count))
    return [Cell(first + rows, (points[rows],)) for rows in sorted_rows]


def searched(cell: Cell, wanted: tuple[int, str], recall: float) -> Cell:
    """The neighbors of the rows of a cell among themselves."""
    return Cell(cell.rows, tuple(nearest(cell, None, wanted, recall)))


def merged(pieces: list[Cell], where: tuple[int, int, int]) -> tuple[np.ndarray, ...]:
    """The nearest of what all cells have for the rows of a chunk."""
    first, length, k = where
    lists = Lists.unknown(length, k)
    for piece in pieces:
        merge(lists, piece.rows - first, Lists(*piece.tables))
    short = np.flatnonzero(lists.rows[:, -1] < 0)
    if len(short):
        raise DataError(
            f"row {first + int(short[0])} lies in cells of fewer than {k + 1} rows, so that it has too few neighbors there; leave out recall"
        )
    return tuple(lists)
