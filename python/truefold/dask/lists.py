"""Lists of neighbors: those that were given, and lists as places in a cell."""
from __future__ import annotations

import numpy as np

from .. import _native
from ..errors import DataError
from .cells import Cell
from .tasks import Key, Tasks


#: A table of all rows is used where it has at most so many entries for each that is looked up.
DIRECT = 8


def local_lists(rows: np.ndarray, lists: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows beyond a cell that its lists name, in order, and the lists as places among its rows and those.

    Examples
    --------
    >>> local_lists(np.array([2, 5]), np.array([[5, 9], [2, 7]]))
    (array([7, 9]), array([[1, 3],
           [0, 2]], dtype=int32))
    """
    places = places_of(rows, lists)
    outside = places < 0
    others = lists[outside]
    end = int(others.max(initial=-1)) + 1
    if end <= DIRECT * others.size:
        is_named = np.zeros(end, dtype=bool)
        is_named[others] = True
        beyond = np.flatnonzero(is_named)
    else:
        beyond = np.unique(others)
    places[outside] = len(rows) + places_of(beyond, others)
    return beyond, places


def places_of(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where wanted numbers are in a sorted array; -1 for those that are not there.

    Examples
    --------
    >>> places_of(np.array([2, 5]), np.array([[5, 9], [2, 2]]))
    array([[ 1, -1],
           [ 0,  0]], dtype=int32)
    """
    if len(rows) and wanted.size and (end := int(rows[-1]) + 1) <= DIRECT * wanted.size:
        # A table of all numbers up to the last one is far faster than to halve.
        table = np.full(end, -1, dtype=np.int32)
        table[rows] = np.arange(len(rows), dtype=np.int32)
        return np.where(wanted < end, table[np.minimum(wanted, end - 1)], np.int32(-1))
    places = np.searchsorted(rows, wanted)
    known = places < len(rows)
    known[known] = rows[places[known]] == wanted[known]
    return np.where(known, places, -1).astype(np.int32)


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
    """Lists in as few bytes as their numbers need, to travel."""
    lists = found.tables[0]
    return Cell(found.rows, (lists.astype(np.int32) if lists.max(initial=0) < 2**31 else lists,))


def others_beside_rows(lists: np.ndarray, first: int) -> Cell:
    """The lists of a chunk, which name the rows themselves first, without these beside the rows."""
    return Cell(first + np.arange(len(lists)), (lists[:, 1:],))


def local_rows(found: Cell) -> tuple[np.ndarray, np.ndarray]:
    """The rows beyond a cell that its lists name, and the lists as places."""
    return local_lists(found.rows, found.tables[0])


def located(lists: list[Key], tasks: Tasks) -> list[Key]:
    """For each cell the rows beyond it that its lists name, and the lists as places."""
    return [tasks("locate", local_rows, one, place=(at,)) for at, one in enumerate(lists)]


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
