"""Sampled rows, the queries, that the global measures compare with all others, chunk by chunk.

They are the rows that one machine samples for the same seed. Each block of them is compared with each chunk; what the chunks count is
added in their order.
"""
from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np

from .. import _native
from .cells import Cell
from .chunks import Chunks, table
from .tasks import Key, Tasks
from .tree import box_around

#: Queries of a block, and results that are added at a time.
BLOCK, TOGETHER = 512, 8


class Block(NamedTuple):
    """Queries: their rows in order, and their numbers in the data and in the map."""

    rows: np.ndarray
    x: np.ndarray
    y: np.ndarray


class Queries:
    """The blocks of queries of two tables, as tasks.

    Attributes
    ----------
    blocks : list of keys
        Each a :class:`Block`.
    count : int
        The number of queries.
    """

    def __init__(self, x: Chunks, y: Chunks, rows: np.ndarray | None, tasks: Tasks) -> None:
        self.x, self.y, self.tasks = x, y, tasks
        self.count = len(x) if rows is None else len(rows)
        known = None if rows is None else tasks.known("sample", rows)
        self.blocks: list[Key] = []
        for start in range(0, self.count, BLOCK):
            ends = (start, min(start + BLOCK, self.count))
            first, last = (ends[0], ends[1] - 1) if rows is None else (int(rows[ends[0]]), int(rows[ends[1] - 1]))
            chunks = range(x.chunk_of(first), x.chunk_of(last) + 1)
            pieces = [
                tasks("query-rows", taken_rows, [x.blocks[at], y.blocks[at]], int(x.offsets[at]), known, ends, place=(start, at))
                for at in chunks
            ]
            self.blocks.append(tasks("queries", joined_rows, pieces, place=(start,)))

    def named(self, tasks: Tasks) -> Queries:
        """The same blocks, with what is made of them among other tasks."""
        made = Queries.__new__(Queries)
        vars(made).update(vars(self), tasks=tasks)
        return made

    def compared(self, stage: str, function: Callable[..., Any], *each: list[Key], more: tuple[Any, ...] = ()) -> list[list[Key]]:
        """For each block the results of a function of it and each chunk; ``each`` are lists of what belongs to a block."""
        return [
            [
                self.tasks(stage, function, block, [some[at] for some in each], (chunk, int(first)), blocks, *more, place=(at, chunk))
                for chunk, (first, *blocks) in enumerate(zip(self.x.offsets, self.x.blocks, self.y.blocks))
            ]
            for at, block in enumerate(self.blocks)
        ]

    def lists(self, found: list[Key], stage: str) -> list[Key]:
        """For each block the lists of its rows, from those of all cells."""
        tasks = self.tasks
        return [
            tasks(stage, lists_of, [tasks(f"{stage}-cell", picked, block, cell, place=(at, place)) for place, cell in enumerate(found)], place=(at,))
            for at, block in enumerate(self.blocks)
        ]


def side_of(rows: np.ndarray, queries: np.ndarray, block: Any, first: int, metric: str) -> tuple[Any, ...]:
    """A chunk behind some queries, for the compiled part, and where these are in it."""
    points = table(block)
    places = rows - first
    own = np.where((places >= 0) & (places < len(points)), places, -1)
    together = np.ascontiguousarray(np.concatenate([queries, points]))
    return _native.Source.points(together, "X"), own, metric


def aligned(values: np.ndarray) -> np.ndarray:
    """Numbers as the compiled part reads them; arrays that were sent or spilled to a disk may lie at odd places in memory."""
    return np.require(values, requirements=["C", "A"])


def taken_rows(blocks: list[Any], first: int, rows: np.ndarray | None, ends: tuple[int, int]) -> Block:
    """The queries of a chunk, out of those of a block, which are some of the sampled rows, or of all."""
    x, y = (table(block) for block in blocks)
    wanted = np.arange(*ends) if rows is None else rows[slice(*ends)]
    here = wanted[(wanted >= first) & (wanted < first + len(x))]
    return Block(here, x[here - first], y[here - first])


def joined_rows(pieces: list[Block]) -> Block:
    """The queries of all chunks, in order."""
    return Block(*(np.concatenate(some) for some in zip(*pieces)))


def picked(block: Block, found: Cell) -> Cell:
    """The lists of those queries that lie in a cell."""
    places = np.flatnonzero(np.isin(found.rows, block.rows))
    return Cell(found.rows[places], (found.tables[0][places],))


def lists_of(pieces: list[Cell]) -> np.ndarray:
    """The lists of the queries of a block, in the order of their rows."""
    order = np.argsort(np.concatenate([piece.rows for piece in pieces]))
    return np.concatenate([piece.tables[0] for piece in pieces])[order]


def summed(keys: list[Key], stage: str, place: tuple[Any, ...], tasks: Tasks) -> Key:
    """The sum of results, added in their order, a few at a time."""
    level = 0
    while len(keys) > 1:
        groups = [keys[at : at + TOGETHER] for at in range(0, len(keys), TOGETHER)]
        keys = [tasks(f"{stage}-sum", total, some, place=(*place, level, at)) for at, some in enumerate(groups)]
        level += 1
    return keys[0]


def total(some: list[np.ndarray]) -> np.ndarray:
    """The sum in the order of the list.

    Examples
    --------
    >>> total([np.array([1, 2]), np.array([3, 4])])
    array([4, 6])
    """
    found = some[0].copy()
    for one in some[1:]:
        found += one
    return found


def boxes(chunks: Chunks, metric: str, tasks: Tasks) -> Key:
    """The smallest box around all rows as they are compared."""
    each = [tasks("box", box_of, block, metric, place=(chunks.name, at)) for at, block in enumerate(chunks.blocks)]
    return tasks("box", box_of_boxes, each, place=(chunks.name, "all"))


def box_of(block: Any, metric: str) -> np.ndarray:
    """The lower and the upper corner of a chunk."""
    return np.array(box_around(table(block), metric))


def box_of_boxes(each: list[np.ndarray]) -> np.ndarray:
    """The box around boxes."""
    corners = np.array(each)
    return np.array([corners[:, 0].min(axis=0), corners[:, 1].max(axis=0)])


def value_of(a: np.ndarray, b: np.ndarray, metric: str) -> np.ndarray:
    """The values of pairs of prepared rows, summed in the order of the coordinates, as one machine does.

    Examples
    --------
    >>> value_of(np.array([[0.0, 1.0]]), np.array([[2.0, 4.0]]), "manhattan")
    array([5.])
    """
    found = np.zeros(len(b))
    for one, other in zip(a.T, b.T):
        gaps = other - one
        found += np.abs(gaps) if metric == "manhattan" else gaps * gaps
    return found


def spread(block: np.ndarray, values: np.ndarray, where: tuple[int, int]) -> np.ndarray:
    """The values of sampled rows among those of a chunk, of which the others have none."""
    first, length = where
    found = np.full(length, np.nan)
    here = (block >= first) & (block < first + length)
    found[block[here] - first] = values[here]
    return found
