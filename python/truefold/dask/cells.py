"""Rows sorted into cells, and what was found there brought back to the chunks."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .chunks import Chunks, table
from .cuts import Cut
from .tasks import Key, Tasks
from .tree import FEW, Tree

#: Pieces that go from all to all, each as a task of its own.
FEW_PIECES = 64 * 64


class Cell(NamedTuple):
    """Rows of a cell in their order, and what is known of each: the columns of X and what travels with them, or what was found."""

    rows: np.ndarray
    tables: tuple[np.ndarray, ...]

    @property
    def size(self) -> int:
        """How many rows there are; dask needs the length to be that of the tuple, to tell how much memory a cell takes."""
        return len(self.rows)


def sort_into_cells(tree: Tree | Cut, tables: list[Chunks], metric: str, tasks: Tasks) -> list[Key]:
    """The cells of a tree, by the first of several tables that have the same rows."""
    first, kinds = tables[0], [some.rows for some in tables]
    shared = tasks.known("tree", tree)
    wholes = []
    for chunk, offset in enumerate(first.offsets[:-1]):
        blocks = [some.blocks[chunk] for some in tables]
        wholes.append(tasks("sort", split, shared, metric, int(offset), blocks, kinds, place=(chunk,)))
    pieces = pieces_for(wholes, tree.count, tasks, "piece")
    return [tasks("cell", gathered, some, place=(cell,)) for cell, some in enumerate(pieces)]


def pieces_for(
    wholes: list[Key], count: int, tasks: Tasks, stage: str, join: Callable[[list[Cell]], Cell] | None = None
) -> list[list[Key]]:
    """For each of ``count`` receivers the pieces that all wholes have for it, in their order; each whole is a list of pieces.

    Each piece is a task. Where they would be too many for dask's scheduler, they travel in two steps: to a group of receivers, where
    those of a group of wholes are joined, and from there to each receiver. Rows travel twice then, but C chunks and cells take some
    2 C sqrt(C) tasks and not C^2. ``join`` joins them where several may have the same rows.
    """
    if len(wholes) * count <= FEW_PIECES:
        return tasks.exchanged(stage, wholes, count, small=False)
    received: list[list[Key]] = [[] for _ in range(count)]
    senders, receivers = groups(len(wholes)), groups(count)
    for group, (first, last) in enumerate(senders):
        for start, end in receivers:
            some = [tasks.part(stage, wholes[at], slice(start, end), (at, start)) for at in range(first, last)]
            whole = tasks(f"{stage}-group", joined_pieces, some, join or gathered, place=(group, start))
            for to in range(start, end):
                received[to].append(tasks.part(f"{stage}-part", whole, to - start, (group, to)))
    return received


def groups(count: int) -> list[tuple[int, int]]:
    """Where groups begin and end: about as many as each has members.

    Examples
    --------
    >>> groups(10)
    [(0, 4), (4, 8), (8, 10)]
    """
    size = math.isqrt(count - 1) + 1
    return [(first, min(first + size, count)) for first in range(0, count, size)]


def joined_pieces(wholes: list[list[Cell]], join: Callable[[list[Cell]], Cell]) -> list[Cell]:
    """Pieces that several have for the same receivers, one for each of these."""
    return [join(list(some)) for some in zip(*wholes)]


def split(tree: Tree | Cut, metric: str, offset: int, blocks: list[Any], kinds: list[bool]) -> list[Cell]:
    """A chunk, cut into the pieces that belong to each cell; ``kinds`` tells which tables are row numbers."""
    tables = [np.asarray(block, dtype=np.int64) if rows else table(block) for block, rows in zip(blocks, kinds)]
    sorted_rows = by_cell(tree.cells_of(tables[0], metric), tree.count)
    return [Cell(rows + offset, tuple(one[rows] for one in tables)) for rows in sorted_rows]


def by_cell(cells: np.ndarray, count: int) -> list[np.ndarray]:
    """The rows of each of so many cells, in order.

    Examples
    --------
    >>> by_cell(np.array([1, 0, 1]), 2)
    [array([1]), array([0, 2])]
    """
    order = np.argsort(cells, kind="stable")
    borders = np.searchsorted(cells[order], np.arange(count + 1))
    return [order[start:end] for start, end in zip(borders[:-1], borders[1:])]


def gathered(pieces: list[Cell]) -> Cell:
    """The pieces of a cell, which come in the order of their rows."""
    tables = zip(*(piece.tables for piece in pieces))
    return Cell(
        np.concatenate([piece.rows for piece in pieces]), tuple(np.concatenate(some) for some in tables)
    )


def bring_back(found: list[Key], chunks: Chunks, tasks: Tasks, stage: str = "back") -> list[Key]:
    """What was found in the cells (each a :class:`Cell`), in chunks: a tuple of tables for each."""
    wholes = [tasks(stage, by_chunk, one, chunks.offsets, place=("cell", cell)) for cell, one in enumerate(found)]
    pieces = pieces_for(wholes, len(chunks.blocks), tasks, f"{stage}-piece")
    return [
        tasks(stage, in_order, some, int(chunks.offsets[chunk]), place=("chunk", chunk)) for chunk, some in enumerate(pieces)
    ]


def by_chunk(found: Cell, offsets: np.ndarray) -> list[Cell]:
    """The part of each chunk; rows are in order."""
    borders = np.searchsorted(found.rows, offsets)
    return [
        Cell(found.rows[start:end], tuple(one[start:end] for one in found.tables))
        for start, end in zip(borders[:-1], borders[1:])
    ]


def in_order(pieces: list[Cell], offset: int) -> tuple[np.ndarray, ...]:
    """The tables of a chunk, from the pieces of all cells."""
    places = np.concatenate([piece.rows for piece in pieces]) - offset
    tables = []
    for some in zip(*(piece.tables for piece in pieces)):
        joined = np.concatenate(some)
        ordered = np.empty_like(joined)
        ordered[places] = joined
        tables.append(ordered)
    return tuple(tables)


def fetch(
    wanted: list[Key],
    tables: list[list[Key]],
    chunks: Chunks,
    tasks: Tasks,
    stage: str,
    kinds: list[bool] | None = None,
) -> list[Key]:
    """For each cell the lines of the rows that it wants, which lie in any chunk.

    ``wanted`` are sorted arrays of rows, one for each cell; ``tables`` hold for each chunk its tables, and ``kinds`` tells
    which of these are row numbers, none where it is left out.
    """
    # In few dimensions only rows near a border have neighbors beyond it.
    small = chunks.dim <= FEW
    wholes = [
        tasks(f"{stage}-ask", asked_of_chunks, rows, chunks.offsets, place=(cell,)) for cell, rows in enumerate(wanted)
    ]
    asked = tasks.exchanged(f"{stage}-ask-piece", wholes, len(chunks.blocks), small)
    wholes = [
        tasks(f"{stage}-send", answered, some, kinds or [False] * len(some), int(chunks.offsets[chunk]), asked[chunk], place=(chunk,))
        for chunk, some in enumerate(tables)
    ]
    answers = tasks.exchanged(f"{stage}-send-piece", wholes, len(wanted), small)
    return [tasks(f"{stage}-take", taken, some, place=(cell,)) for cell, some in enumerate(answers)]


def asked_of_chunks(rows: np.ndarray, offsets: np.ndarray) -> list[np.ndarray]:
    """Sorted rows, cut by the chunks where they lie."""
    return np.split(rows, np.searchsorted(rows, offsets[1:-1]))


def answered(blocks: list[Any], kinds: list[bool], offset: int, lists: list[np.ndarray]) -> list[tuple[np.ndarray, ...]]:
    """For each list of rows of a chunk their lines; ``kinds`` tells which tables are row numbers."""
    tables = [np.asarray(block) if np.ndim(block) == 1 or kept else table(block) for block, kept in zip(blocks, kinds)]
    return [tuple(one[rows - offset] for one in tables) for rows in lists]


def taken(pieces: list[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
    """The lines of all chunks, behind each other."""
    return tuple(np.concatenate(some) for some in zip(*pieces))
