"""Rows sorted into cells, and what was found there brought back to the chunks."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .chunks import Chunks, table
from .tasks import Key, Tasks
from .tree import FEW, Tree


class Cell(NamedTuple):
    """Rows of a cell in their order, and what is known of each: the columns of X and what travels with them, or what was found."""

    rows: np.ndarray
    tables: tuple[np.ndarray, ...]

    @property
    def size(self) -> int:
        """How many rows there are; dask needs the length to be that of the tuple, to tell how much memory a cell takes."""
        return len(self.rows)


def sort_into_cells(tree: Tree, tables: list[Chunks], metric: str, tasks: Tasks) -> list[Key]:
    """The cells of a tree, by the first of several tables that have the same rows."""
    first, kinds = tables[0], [some.rows for some in tables]
    shared = tasks.known("tree", tree)
    pieces = []
    for chunk, offset in enumerate(first.offsets[:-1]):
        blocks = [some.blocks[chunk] for some in tables]
        whole = tasks("sort", split, shared, metric, int(offset), blocks, kinds, place=(chunk,))
        pieces.append(tasks.parts("piece", whole, tree.count, (chunk,)))
    return [
        tasks("cell", gathered, [some[cell] for some in pieces], place=(cell,)) for cell in range(tree.count)
    ]


def split(tree: Tree, metric: str, offset: int, blocks: list[Any], kinds: list[bool]) -> list[Cell]:
    """A chunk, cut into the pieces that belong to each cell; ``kinds`` tells which tables are row numbers."""
    tables = [np.asarray(block, dtype=np.int64) if rows else table(block) for block, rows in zip(blocks, kinds)]
    sorted_rows = by_cell(tree.cells_of(tables[0], metric), tree.count)
    return [Cell(rows + offset, tuple(one[rows] for one in tables)) for rows in sorted_rows]


def by_cell(cells: np.ndarray, count: int) -> list[np.ndarray]:
    """The rows of each of so many cells, in order; those of the cell -1 are in none.

    Examples
    --------
    >>> by_cell(np.array([1, -1, 0, 1]), 2)
    [array([2]), array([0, 3])]
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
    pieces = []
    for cell, one in enumerate(found):
        whole = tasks(stage, by_chunk, one, chunks.offsets, place=("cell", cell))
        pieces.append(tasks.parts(f"{stage}-piece", whole, len(chunks.blocks), (cell,)))
    return [
        tasks(stage, in_order, [some[chunk] for some in pieces], int(chunks.offsets[chunk]), place=("chunk", chunk))
        for chunk in range(len(chunks.blocks))
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
    asked = []
    for cell, rows in enumerate(wanted):
        whole = tasks(f"{stage}-ask", asked_of_chunks, rows, chunks.offsets, place=(cell,))
        asked.append(tasks.parts(f"{stage}-ask-piece", whole, len(chunks.blocks), (cell,), small))
    answers = []
    for chunk, offset in enumerate(chunks.offsets[:-1]):
        lists = [some[chunk] for some in asked]
        whole = tasks(f"{stage}-send", answered, tables[chunk], kinds or [False] * len(tables[chunk]), int(offset), lists, place=(chunk,))
        answers.append(tasks.parts(f"{stage}-send-piece", whole, len(wanted), (chunk,), small))
    return [
        tasks(f"{stage}-take", taken, [some[cell] for some in answers], place=(cell,)) for cell in range(len(wanted))
    ]


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
