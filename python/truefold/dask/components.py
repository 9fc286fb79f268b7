"""Connected components of the neighborhood graph, across cells.

Each cell finds the components of its own rows and of those that these have as neighbors; components of two cells that hold the
same row are one.
"""
from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from .cells import Cell, bring_back, fetch
from .chunks import Chunks
from .lists import native_lists
from .tasks import Key, Tasks

#: A component of a cell is the number of the cell times this, plus its own number there.
PER_CELL = 1 << 32


class Part(NamedTuple):
    """The components of the rows of a cell, and of the rows beyond it that are neighbors of these."""

    rows: np.ndarray
    codes: np.ndarray
    beyond: np.ndarray
    codes_beyond: np.ndarray


def components(lists: list[Key], places: list[Key], chunks: Chunks, tasks: Tasks) -> Any:
    """The component of each row as a dask array, numbered by their first rows; ``places`` are the lists as places in their cells."""
    parts = [
        tasks("components", part_of, one, local, cell, place=(cell,)) for cell, (one, local) in enumerate(zip(lists, places))
    ]
    given = [tasks("component-own", own_codes, part, place=(cell,)) for cell, part in enumerate(parts)]
    wanted = [tasks("component-beyond", operator.getitem, part, 2, place=(cell,)) for cell, part in enumerate(parts)]
    codes = bring_back(given, chunks, tasks, "component-back")
    tables = [[tasks("component-codes", operator.getitem, one, 0, place=(at,))] for at, one in enumerate(codes)]
    known = fetch(wanted, tables, chunks, tasks, "component")
    pairs = [
        tasks("component-pairs", pairs_of, part, one, place=(cell,)) for cell, (part, one) in enumerate(zip(parts, known))
    ]
    numbers = tasks("component-numbers", numbered, pairs)
    blocks = [tasks("component-rows", renumbered, one, numbers, place=(at,)) for at, one in enumerate(codes)]
    return tasks.array(blocks, chunks.lengths, None, np.int64)


def part_of(found: Cell, local: tuple[np.ndarray, np.ndarray], cell: int) -> Part:
    """The components of a cell."""
    beyond, lists = local
    if len(found.rows) == 0:
        return Part(found.rows, found.rows, beyond, beyond)
    codes = cell * PER_CELL + native_lists(lists, len(found.rows) + len(beyond)).components()
    return Part(found.rows, codes[: len(found.rows)], beyond, codes[len(found.rows) :])


def own_codes(part: Part) -> Cell:
    """The components of the rows of a cell, to be brought back."""
    return Cell(part.rows, (part.codes,))


class Pairs(NamedTuple):
    """The components of a cell with their first rows, and pairs of components that are one."""

    codes: np.ndarray
    first: np.ndarray
    pairs: np.ndarray


def pairs_of(part: Part, known: tuple[np.ndarray, ...]) -> Pairs:
    """What a cell knows of components that belong together."""
    codes, places = np.unique(part.codes, return_index=True)
    return Pairs(codes, part.rows[places], different(part.codes_beyond, known[0]))


def different(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The pairs of numbers at the same places of two arrays, each once, in order.

    Examples
    --------
    >>> different(np.array([5, 2, 5, 5]), np.array([1, 9, 0, 1]))
    array([[2, 5, 5],
           [9, 0, 1]])
    """
    (some, at), (others, beside) = (np.unique(side, return_inverse=True) for side in (one, other))
    pairs = np.unique(at * len(others) + beside)
    return np.stack([some[pairs // max(1, len(others))], others[pairs % max(1, len(others))]])


def numbered(each: list[Pairs]) -> tuple[np.ndarray, np.ndarray]:
    """All components of cells, in order, and the number of the whole one that each belongs to.

    Examples
    --------
    >>> one = Pairs(np.array([0, 1]), np.array([4, 5]), np.array([[1], [7]]))
    >>> numbered([one, Pairs(np.array([7]), np.array([3]), np.empty((2, 0), dtype=int))])
    (array([0, 1, 7]), array([1, 0, 0]))
    """
    codes = np.concatenate([one.codes for one in each])
    first = np.concatenate([one.first for one in each])
    pairs = np.concatenate([one.pairs for one in each], axis=1)
    # Places by first rows: the least place of a component is that of its first row.
    by_first = np.argsort(first, kind="stable")
    rank = np.empty(len(first), dtype=np.int64)
    rank[by_first] = np.arange(len(first))
    in_order = np.argsort(codes)
    ends = rank[in_order[np.searchsorted(codes[in_order], pairs)]]
    root = np.arange(len(codes))
    while True:
        least = np.minimum(root[ends[0]], root[ends[1]])
        # Roots too, so that whole components join and not their ends alone.
        before = root.copy()
        for side in ends:
            np.minimum.at(root, before[side], least)
            np.minimum.at(root, side, least)
        while not np.array_equal(root, root[root]):
            root = root[root]
        if np.array_equal(root, before):
            break
    numbers = np.unique(root, return_inverse=True)[1]
    return codes[in_order], numbers[rank[in_order]]


def renumbered(tables: tuple[np.ndarray, ...], numbers: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The components of the rows of a chunk."""
    codes, whole = numbers
    return whole[np.searchsorted(codes, tables[0])]
