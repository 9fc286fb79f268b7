"""Approximate neighbors with a promise: rows meet in large cells that overlap, and each cell is searched as one machine does.

How far cells overlap is planned on sampled rows, whose true neighbors are found exactly among all rows (:mod:`.cuts`). Cells have the
same size on every cluster, so that no bit depends on the workers.
"""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..errors import DataError, ParameterError
from ..inputs import KEPT
from .cells import Cell, by_chunk, fetch, gathered, pieces_for
from .chunks import Chunks, Look, compute, looks, table
from .cuts import Plan, planned_cells, whole
from .search import Lists, merge, nearest
from .tasks import Key, Tasks
from .tree import prepared

#: The numbers of the rows of a cell, or their lists where these are longer, in bytes, before it overlaps with others: a worker holds a
#: few times as much.
CELL = 128 << 20
#: A cell holds at least so many neighborhoods, about, or borders are everywhere.
NEIGHBORHOODS = 40
#: Sampled rows in each cell, at least: with fewer its size is not known.
SAMPLED_EACH = 20
#: Sampled rows whose neighbors are found exactly, where two digits of the recall are wanted; more for more. Half of them judge.
CHECKED = 1000
#: Of what may be missed the share that lies in no cell together, at the most; the searches of the cells may miss the rest.
APART = 0.5


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


def planned(
    seen: list[Look], asked: list[Asked], nearest: np.ndarray, ends: tuple[np.ndarray], how: tuple[str, float, int, int]
) -> Plan | None:
    """A plan of cells, from sampled rows, the rows nearest to them and the coordinates of these, in the order of their numbers."""
    metric, needed, cells, seed = how
    queries, sample = (prepared(np.concatenate(some), metric) for some in ([one.points for one in asked], [one.sample for one in seen]))
    places = np.searchsorted(np.unique(nearest), nearest)
    return planned_cells(sample, queries, prepared(ends[0], metric)[places], needed, cells, seed)


def ask(block: Any, first: int, share: float, seed: int) -> Asked:
    """Some rows of a chunk."""
    points = table(block)
    count = min(len(points), math.ceil(share * len(points)))
    rows = np.sort(np.random.default_rng((seed, first + 1)).choice(len(points), count, replace=False))
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
    plan : Plan or None
        The cells; none where rows cannot be told apart well enough.
    in_cells : float
        The share of the neighbors in a cell that its search must find: what may be missed is what lies in no cell together, and what
        the searches may miss of the rest.
    instead : str or None
        Why the search is exact, where no plan is good enough.
    """

    def __init__(self, chunks: Chunks, k: int, metric: str, recall: float, seed: int, client: Any) -> None:
        self.chunks, self.k, self.metric, self.seed, self.in_cells, self.instead = chunks, k, metric, seed, recall, None
        kind = chunks.array.dtype
        # What is found takes 16 bytes for each neighbor.
        wide = max(chunks.dim * (kind.itemsize if kind in KEPT else 8), 16 * k)
        cells = min(math.ceil(len(chunks) * wide / CELL), len(chunks) // (NEIGHBORHOODS * (k + 1)))
        if cells <= 1:
            self.plan = whole(chunks.dim)
            return
        needed = 1 - APART * (1 - recall)
        tasks = Tasks([chunks.array], "overlap", chunks.name, k, metric, needed, cells, seed)
        seen = looks(chunks, metric, tasks, SAMPLED_EACH * cells)
        share = min(1.0, CHECKED * max(-math.log10(1 - recall) / 2, 0.5) / len(chunks))
        places = list(zip(range(len(chunks.blocks)), chunks.blocks, chunks.offsets))
        asked = [tasks("ask", ask, block, int(first), share, seed, place=(at,)) for at, block, first in places]
        each = [tasks("probe", probe, block, int(first), asked, (k, metric), place=(at,)) for at, block, first in places]
        found = tasks("nearest", nearest_of_all, each, k)
        [ends] = fetch([tasks("ends", np.unique, found)], [[block] for block in chunks.blocks], chunks, tasks, "ends")
        key = tasks("plan", planned, seen, asked, found, ends, (metric, needed, cells, seed))
        self.plan = compute([tasks.delayed(key)], client)[0]
        if self.plan is None:
            self.instead = f"too many rows are alike for {cells} cells"
        elif not self.plan.is_even:
            self.instead = (
                f"{cells} cells that hold {100 * needed:.6g} % of the neighbors together with their rows would hold each row "
                f"{self.plan.copies:.1f} times on average, the smallest {self.plan.sizes.min():.2%} and the largest "
                f"{self.plan.sizes.max():.2%} of all"
            )
        if self.plan is not None:
            self.in_cells = 1 - (self.plan.share - self.plan.error - recall)

    def lists(self, tasks: Tasks) -> list[Key]:
        """The neighbors of the rows of each chunk, and what orders them."""
        assert self.plan is not None
        chunks, shared = self.chunks, tasks.known("plan", self.plan)
        each = list(enumerate(zip(chunks.blocks, (int(first) for first in chunks.offsets), chunks.lengths)))
        wholes = [tasks("sort", split, shared, block, first, self.metric, place=(at,)) for at, (block, first, _) in each]
        found = []
        for at, pieces in enumerate(pieces_for(wholes, self.plan.cut.count, tasks, "piece")):
            cell = tasks("cell", gathered, pieces, place=(at,))
            some = tasks("search", searched, cell, (self.k, self.metric), self.in_cells, self.seed, place=(at,))
            found.append(tasks("lists-back", by_chunk, some, chunks.offsets, place=(at,)))
        answers = pieces_for(found, len(each), tasks, "lists-back-piece")
        return [
            tasks("merge", merged, answers[at], (first, length, self.k), place=(at,)) for at, (_, first, length) in each
        ]


def split(plan: Plan, block: Any, first: int, metric: str) -> list[Cell]:
    """The pieces of a chunk that belong to each cell."""
    points = table(block)
    return [Cell(first + rows, (points[rows],)) for rows in plan.split_rows(block, metric)]


def searched(cell: Cell, wanted: tuple[int, str], recall: float, seed: int) -> Cell:
    """The neighbors of the rows of a cell among themselves, this share of them at the least."""
    return Cell(cell.rows, tuple(nearest(cell, None, wanted, recall, seed)))


def merged(pieces: list[Cell], where: tuple[int, int, int]) -> tuple[np.ndarray, ...]:
    """The nearest of what all cells have for the rows of a chunk; an error where a row has too few."""
    first, length, k = where
    lists, is_new = Lists.unknown(length, k), np.ones(length, dtype=bool)
    for piece in pieces:
        places, more = piece.rows - first, Lists(*piece.tables)
        fresh = is_new[places]
        lists.rows[places[fresh]], lists.values[places[fresh]] = more.rows[fresh], more.values[fresh]
        merge(lists, places[~fresh], Lists(more.rows[~fresh], more.values[~fresh]))
        is_new[places] = False
    short = np.flatnonzero(lists.rows[:, -1] < 0)
    if len(short):
        raise DataError(
            f"row {first + int(short[0])} lies in cells of fewer than {k + 1} rows, so that it has too few neighbors there; leave out recall"
        )
    return tuple(lists)
