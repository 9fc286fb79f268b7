"""Approximate neighbors with a promise: rows meet in large cells, cut several times in different directions.

The cells of the first cut search themselves as one machine does; those of each further one look only for what is nearer than what
is known by then, which takes a fraction of the time. How many cuts are needed is planned on sampled rows, whose true neighbors are
found exactly among all rows (:mod:`.cuts`). Cells have the same size on every cluster, so that no bit depends on the workers.
"""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .. import _native
from ..errors import DataError, ParameterError
from ..inputs import KEPT
from .cells import Cell, by_cell, by_chunk, fetch, gathered
from .chunks import Chunks, Look, compute, looks, table
from .cuts import Cut, Known, Plan, planned_cuts
from .queries import aligned
from .search import Lists, merge, nearest
from .tasks import Key, Tasks, settings
from .tree import Tree, prepared

#: The numbers of the rows of a cell, in bytes, about: a worker holds a few times as much.
CELL = 128 << 20
#: A cell holds at least so many neighborhoods, about, or borders are everywhere.
NEIGHBORHOODS = 40
#: Sampled rows whose neighbors are found exactly, where two digits of the recall are wanted; more for more. Half of them judge.
CHECKED = 1000
#: Of what may be missed the share that cuts may miss, at the most; the searches of the cells may miss the rest.
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
    metric, recall, needed, cells, seed = how
    queries, sample = (prepared(np.concatenate(some), metric) for some in ([one.points for one in asked], [one.sample for one in seen]))
    places = np.searchsorted(np.unique(nearest), nearest)
    return planned_cuts(sample, Known(queries, prepared(ends[0], metric)[places]), recall, needed, cells, seed)


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
        # A cell of a later cut also holds what is known: a row and a value for each neighbor.
        wide = max(chunks.dim * (kind.itemsize if kind in KEPT else 8), 16 * k)
        cells = min(math.ceil(len(chunks) * wide / CELL), len(chunks) // (NEIGHBORHOODS * (k + 1)))
        if cells <= 1:
            whole = Cut(np.zeros((chunks.dim, 1)), Tree.cut(np.zeros((1, 1)), 1), 0.0, recall)
            self.plan, self.needed, self.is_kept = Plan([whole], 1.0, 0.0, 0), 1.0, True
            return
        self.needed = 1 - BY_CUTS * (1 - recall)
        tasks = Tasks([chunks.array], "cuts", chunks.name, k, metric, self.needed, cells, seed)
        seen = looks(chunks, metric, tasks)
        share = min(1.0, CHECKED * max(-math.log10(1 - recall) / 2, 0.5) / len(chunks))
        places = list(zip(range(len(chunks.blocks)), chunks.blocks, chunks.offsets))
        asked = [tasks("ask", ask, block, int(first), share, place=(at,)) for at, block, first in places]
        each = [tasks("probe", probe, block, int(first), asked, (k, metric), place=(at,)) for at, block, first in places]
        found = tasks("nearest", nearest_of_all, each, k)
        [ends] = fetch([tasks("ends", np.unique, found)], [[block] for block in chunks.blocks], chunks, tasks, "ends")
        key = tasks("plan", planned, seen, asked, found, ends, (metric, recall, self.needed, cells, seed))
        self.plan = compute([tasks.delayed(key)], client)[0]
        self.is_kept = self.plan.share - self.plan.error >= self.needed

    def lists(self, tasks: Tasks) -> list[Key]:
        """The neighbors of the rows of each chunk, and what orders them."""
        chunks, shared = self.chunks, tasks.known("plan", self.plan)
        each = list(enumerate(zip(chunks.blocks, (int(first) for first in chunks.offsets), chunks.lengths)))
        placed = [tasks("cells", Plan.split_rows, shared, block, self.metric, place=(at,)) for at, (block, _, _) in each]
        lists: list[Any] = [None] * len(each)
        for number, cut in enumerate(self.plan.cuts):
            pieces, answers = [], []
            for at, (block, first, _) in each:
                whole = tasks("sort", split, placed[at], (number, cut.tree.count), block, first, lists[at], place=(number, at))
                pieces.append(tasks.parts("piece", whole, cut.tree.count, (number, at)))
            for at in range(cut.tree.count):
                cell = tasks("cell", gathered, [some[at] for some in pieces], place=(number, at))
                found = tasks("search", searched, cell, (self.k, self.metric), cut.recall, place=(number, at))
                whole = tasks("lists-back", by_chunk, found, chunks.offsets, place=(number, at))
                answers.append(tasks.parts("lists-back-piece", whole, len(each), (number, at)))
            lists = [
                tasks("merge", taken_over, lists[at], [some[at] for some in answers], (first, length, self.k), place=(number, at))
                for at, (_, first, length) in each
            ]
        return [tasks("lists", complete, lists[at], first, self.k, place=(at,)) for at, (_, first, _) in each]


def split(placed: list[np.ndarray], cut: tuple[int, int], block: Any, first: int, known: Lists | None) -> list[Cell]:
    """The pieces of a chunk that belong to each cell of a cut, with what is known of their neighbors after the cuts before it."""
    points, (number, count) = table(block), cut
    some = [points] if known is None else [points, *known]
    return [Cell(first + rows, tuple(one[rows] for one in some)) for rows in by_cell(placed[number], count)]


def searched(cell: Cell, wanted: tuple[int, str], recall: float) -> Cell:
    """The neighbors of the rows of a cell: among themselves, and beside what is known of them."""
    points, *known = cell.tables
    if not known:
        return Cell(cell.rows, tuple(nearest(cell, None, wanted, recall)))
    k, metric = wanted
    here = min(k, cell.size - 1)
    if here <= 0:
        return Cell(cell.rows, tuple(known))
    fitted = _native.Source.points(points, "X")
    asked = ((here, None, metric, "approximate"), recall)
    return Cell(cell.rows, _native.nearest_beside(fitted, aligned(cell.rows), tuple(map(aligned, known)), asked, settings()))


def taken_over(known: Lists | None, pieces: list[Cell], where: tuple[int, int, int]) -> Lists:
    """The lists of a chunk after a cut: those of the rows that took part, and the others as they were."""
    first, length, k = where
    lists = Lists.unknown(length, k) if known is None else Lists(known.rows.copy(), known.values.copy())
    for piece in pieces:
        places = piece.rows - first
        lists.rows[places], lists.values[places] = piece.tables
    return lists


def complete(lists: Lists, first: int, k: int) -> tuple[np.ndarray, ...]:
    """The lists of a chunk; an error where one is too short."""
    short = np.flatnonzero(lists.rows[:, -1] < 0)
    if len(short):
        raise DataError(
            f"row {first + int(short[0])} lies in cells of fewer than {k + 1} rows, so that it has too few neighbors there; leave out recall"
        )
    return tuple(lists)
