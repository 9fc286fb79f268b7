"""Lists of neighbors: those that were given, and lists as places in a cell."""
from __future__ import annotations

import numpy as np

from .. import _native
from ..errors import DataError
from .cells import Cell


def local_lists(rows: np.ndarray, lists: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows beyond a cell that its lists name, in order, and the lists as places among its rows and those.

    Examples
    --------
    >>> local_lists(np.array([2, 5]), np.array([[5, 9], [2, 7]]))
    (array([7, 9]), array([[1, 3],
           [0, 2]]))
    """
    places = np.searchsorted(rows, lists)
    inside = places < len(rows)
    inside[inside] = rows[places[inside]] == lists[inside]
    beyond = np.unique(lists[~inside])
    places[~inside] = len(rows) + np.searchsorted(beyond, lists[~inside])
    return beyond, places


def native_lists(lists: np.ndarray, count: int) -> _native.Neighborhoods:
    """Lists of the first of ``count`` rows for the compiled part."""
    offsets = np.arange(len(lists) + 1, dtype=np.int64) * lists.shape[1]
    # Arrays that were spilled to a disk may come back at odd places in memory.
    rows = np.require(lists, np.int64, ["C", "A"]).ravel()
    return _native.neighbors_from_lists(offsets, rows, count)


def given_lists(cell: Cell, k: int) -> Cell:
    """The ``k`` neighbors that were given for the rows of a cell, without the rows themselves."""
    return Cell(cell.rows, (without_own(cell.rows, cell.tables[2], k),))


def without_own(rows: np.ndarray, lists: np.ndarray, k: int) -> np.ndarray:
    """Lists of ``k`` rows without the row itself, which is in all of them or in none.

    Examples
    --------
    >>> without_own(np.array([4, 5]), np.array([[4, 7], [8, 5]]), 1)
    array([[7],
           [8]])
    """
    return lists[lists != rows[:, None]].reshape(len(lists), k)


def only_rows(found: Cell) -> Cell:
    """Lists without what orders them."""
    return Cell(found.rows, found.tables[:1])


def beside_rows(tables: tuple[np.ndarray, ...], first: int) -> Cell:
    """The lists of a chunk beside its rows."""
    return Cell(first + np.arange(len(tables[0])), tables[:1])


def local_rows(found: Cell) -> tuple[np.ndarray, np.ndarray]:
    """The rows beyond a cell that its lists name, and the lists as places."""
    return local_lists(found.rows, found.tables[0])


def look_at_lists(lists: np.ndarray, where: tuple[int, int, int]) -> tuple[str | None, int]:
    """What is wrong with the lists of a chunk, if anything is, and how many neighbors each row has."""
    chunk, first, count = where
    own = (lists == first + np.arange(len(lists))[:, None]).sum(axis=1)
    ordered = np.sort(lists, axis=1)
    wrong = [
        ((lists < 0) | (lists >= count)).any(axis=1),
        (ordered[:, 1:] == ordered[:, :-1]).any(axis=1),
        own != own[0],
    ]
    told = [
        f"names a row that is not from 0 to {count - 1:,}; give the same number of rows for each point",
        "names a row twice; list every neighbor once",
        "differs from others of its chunk in whether it names the row itself; name it in all lists or in none",
    ]
    for bad, text in zip(wrong, told):
        if bad.any():
            row = int(np.argmax(bad))
            return f"list {first + row} of neighbors (chunk {chunk}, row {row}) {text}", 0
    return None, int(lists.shape[1] - own[0])


def agreed(each: list[tuple[str | None, int]]) -> int:
    """The number of neighbors of all rows."""
    problems = [problem for problem, _ in each if problem]
    if problems:
        raise DataError(problems[0])
    widths = {width for _, width in each}
    if len(widths) > 1:
        raise DataError("some lists of neighbors name the row itself and others do not; name it in all lists or in none")
    if widths == {0}:
        raise DataError("the lists of neighbors name no other row; give every point at least one neighbor")
    return widths.pop()
