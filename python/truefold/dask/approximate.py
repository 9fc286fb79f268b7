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
from .cells import Cell, asked_of_chunks, by_chunk, fetch, gathered, pieces_for
from .chunks import Chunks, Look, compute, looks, table
from .cuts import EVEN, Cut, Plan, cut_between, planned_cells, whole
from .search import Lists, merge, nearest
from .tasks import Key, Tasks
from .tree import prepared

#: The numbers of the rows of a cell, or their lists where these are longer, in bytes, before it overlaps with others: a worker holds a
#: few times as much.
CELL = 200 << 20
#: The same of a cell in which lists are measured, which hold their rows and the neighbors of these: far fewer tasks than with a cell for
#: each chunk, and fewer rows that lie beyond a cell.
MEASURED = 96 << 20
#: A cell holds at least so many neighborhoods, about, or borders are everywhere.
NEIGHBORHOODS = 40
#: Where each of a few cells holds more than this share of all rows, one cell holds all.
ONE_FOR_ALL = 2 / 3
#: Sampled rows in each cell, at least: with fewer its size is not known.
SAMPLED_EACH = 20
#: Sampled rows whose neighbors are found exactly, where two digits of the recall are wanted; more for more.
CHECKED = 1000
#: Of the neighbors of the checked rows at least so many may be missed, or chance decides.
MAY_BE_MISSED = 12
#: Of all rows at the most this share is checked.
MOST_CHECKED = 0.05


def checked_rows(count: int, k: int, recall: float, seed: int) -> np.ndarray | None:
    """Sampled rows by which a promise is judged, in order; nothing where they were too many.

    Examples
    --------
    >>> len(checked_rows(100_000, 12, 0.99, 0)), len(checked_rows(1_000_000, 12, 0.9999, 0)), checked_rows(100_000, 12, 0.9999, 0)
    (1000, 10001, None)
    """
    digits = -math.log10(1 - recall)
    wanted = math.ceil(max(CHECKED * max(digits / 2, 0.5), MAY_BE_MISSED / (k * (1 - recall))))
    if wanted > max(MOST_CHECKED * count, 2 * CHECKED):
        return None
    return np.sort(np.random.default_rng((seed, count)).choice(count, min(count, wanted), replace=False))


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
    seen: list[Look], asked: list[Asked], nearest: np.ndarray, ends: tuple[np.ndarray], how: tuple[str, float, tuple[int, int], int]
) -> tuple[Plan | None, Cut | None]:
    """A plan of cells to search, and cells to measure in; from sampled rows, the rows nearest to them and the coordinates of these, in
    the order of their numbers."""
    metric, recall, (cells, small), seed = how
    queries, sample = (prepared(np.concatenate(some), metric) for some in ([one.points for one in asked], [one.sample for one in seen]))
    places = np.searchsorted(np.unique(nearest), nearest)
    found = prepared(ends[0], metric)[places]
    return planned_cells(sample, queries, found, recall, cells, seed), cut_between(sample, queries, found, small, seed)


def ask(block: Any, first: int, rows: np.ndarray) -> Asked:
    """Some rows of a chunk."""
    return Asked(rows, table(block)[rows - first])


def probe(block: Any, first: int, asked: list[Asked], wanted: tuple[int, str]) -> Lists:
    """The rows of a chunk that are nearest to the sampled ones, which are not their own neighbors."""
    points, (k, metric) = table(block), wanted
    cell = Cell(first + np.arange(len(points)), (points,))
    own = np.concatenate([some.rows for some in asked])
    # So few rows, in so many dimensions, need no tree.
    found = nearest(cell, np.concatenate([some.points for some in asked]), (k + 1, metric), how="brute")
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
    cut : Cut or None
        Cells to measure in, at most as many as chunks, in which few rows have neighbors in others; where they were looked for.
    instead : str or None
        Why the search is exact, where no plan is good enough.
    """

    def __init__(self, chunks: Chunks, k: int, metric: str, recall: float, seed: int, client: Any) -> None:
        self.chunks, self.k, self.metric, self.seed, self.instead = chunks, k, metric, seed, None
        self.cut: Cut | None = None
        kind = chunks.array.dtype
        # What is found takes 16 bytes for each neighbor.
        wide = max(chunks.dim * (kind.itemsize if kind in KEPT else 8), 16 * k)
        cells = min(math.ceil(len(chunks) * wide / CELL), len(chunks) // (NEIGHBORHOODS * (k + 1)))
        self.plan: Plan | None = whole(chunks.dim, recall)
        if cells <= 1:
            return
        checked = checked_rows(len(chunks), k, recall, seed)
        if checked is None:
            self.instead = f"a promise of {recall:.10g} would take too many rows whose neighbors are known to check it"
            return
        tasks = Tasks([chunks.array], "overlap", chunks.name, k, metric, recall, cells, seed)
        numbers = cells, min(math.ceil(len(chunks) * wide / MEASURED), len(chunks.blocks))
        seen = looks(chunks, metric, tasks, SAMPLED_EACH * max(numbers))
        places = list(zip(range(len(chunks.blocks)), chunks.blocks, chunks.offsets))
        of_chunks = asked_of_chunks(checked, chunks.offsets)
        asked = [tasks("ask", ask, block, int(first), of_chunks[at], place=(at,)) for at, block, first in places]
        each = [tasks("probe", probe, block, int(first), asked, (k, metric), place=(at,)) for at, block, first in places]
        found = tasks("nearest", nearest_of_all, each, k)
        [ends] = fetch([tasks("ends", np.unique, found)], [[block] for block in chunks.blocks], chunks, tasks, "ends")
        key = tasks("plan", planned, seen, asked, found, ends, (metric, recall, numbers, seed))
        self.plan, self.cut = compute([tasks.delayed(key)], client)[0]
        if self.plan is None:
            self.instead = f"too many rows are alike for {cells} cells, or neighbors differ too much across every border"
        elif cells <= EVEN and self.plan.copies > ONE_FOR_ALL * cells:
            # One search of all rows costs less, and is not larger than a cell may be.
            self.plan = whole(chunks.dim, recall)
        elif not self.plan.is_even:
            self.instead = (
                f"{cells} cells that hold {100 * self.plan.share:.6g} % of the neighbors together with their rows would hold each row "
                f"{self.plan.copies:.1f} times on average, the smallest {self.plan.sizes.min():.2%} and the largest "
                f"{self.plan.sizes.max():.2%} of all"
            )

    def lists(self, tasks: Tasks) -> list[Key]:
        """The neighbors of the rows of each chunk, and what orders them."""
        assert self.plan is not None
        chunks, shared = self.chunks, tasks.known("plan", self.plan)
        each = list(enumerate(zip(chunks.blocks, (int(first) for first in chunks.offsets), chunks.lengths)))
        wholes = [tasks("sort", split, shared, block, first, self.metric, place=(at,)) for at, (block, first, _) in each]
        found = []
        for at, pieces in enumerate(pieces_for(wholes, self.plan.cut.count, tasks, "piece")):
            cell = tasks("cell", gathered, pieces, place=(at,))
            some = tasks("search", searched, cell, (self.k, self.metric), self.plan.in_cells, self.seed, place=(at,))
            found.append(tasks("lists-back", lists_by_chunk, cell, some, chunks.offsets, place=(at,)))
        answers = pieces_for(found, len(each), tasks, "lists-back-piece", merged)
        return [tasks("merge", complete, answers[at], self.k, place=(at,)) for at, _ in each]


def split(plan: Plan, block: Any, first: int, metric: str) -> list[Cell]:
    """The pieces of a chunk that belong to each cell."""
    points = table(block)
    return [Cell(first + rows, (points[rows],)) for rows in plan.split_rows(block, metric)]


def searched(cell: Cell, wanted: tuple[int, str], recall: float, seed: int) -> Lists:
    """The neighbors of the rows of a cell among themselves, this share of them at the least."""
    return nearest(cell, None, wanted, recall, seed)


def lists_by_chunk(cell: Cell, found: Lists, offsets: np.ndarray) -> list[Cell]:
    """The part of each chunk of what was found for the rows of a cell.

    Two tasks take the cell, so that dask does not join its making with its search, and its pieces are gone before the search.
    """
    return by_chunk(Cell(cell.rows, tuple(found)), offsets)


def merged(pieces: list[Cell]) -> Cell:
    """Each row of some cells once, with the nearest of what all of them have for it.

    Examples
    --------
    >>> here = Cell(np.array([3, 5]), (np.array([[1, 4], [4, 6]]), np.array([[1.0, 2.0], [0.5, 3.0]])))
    >>> there = Cell(np.array([5, 9]), (np.array([[4, 8], [7, 8]]), np.array([[0.5, 1.0], [1.0, 4.0]])))
    >>> found = merged([here, there])
    >>> found.rows.tolist(), found.tables[0].tolist()
    ([3, 5, 9], [[1, 4], [4, 8], [7, 8]])
    """
    rows = np.unique(np.concatenate([piece.rows for piece in pieces]))
    lists, is_new = Lists.unknown(len(rows), pieces[0].tables[0].shape[1]), np.ones(len(rows), dtype=bool)
    for piece in pieces:
        places, more = np.searchsorted(rows, piece.rows), Lists(*piece.tables)
        fresh = is_new[places]
        lists.rows[places[fresh]], lists.values[places[fresh]] = more.rows[fresh], more.values[fresh]
        merge(lists, places[~fresh], Lists(more.rows[~fresh], more.values[~fresh]))
        is_new[places] = False
    return Cell(rows, tuple(lists))


def complete(pieces: list[Cell], k: int) -> tuple[np.ndarray, ...]:
    """The lists of the rows of a chunk, all of which lie in some cell; an error where a row has too few neighbors."""
    found = merged(pieces)
    short = np.flatnonzero(found.tables[0][:, -1] < 0)
    if len(short):
        raise DataError(
            f"row {int(found.rows[short[0]])} lies in cells of fewer than {k + 1} rows, so that it has too few neighbors there; leave out recall"
        )
    return found.tables
