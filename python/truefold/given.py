"""Neighbor lists as other packages give them.

A pair is what scikit-learn, pynndescent, FAISS, hnswlib, cuML and cuVS return: row numbers and distances, in an order
that differs from package to package; the whole numbers are the row numbers. Places without a neighbor hold -1, or the
greatest number of the type, which is -1 where it has no sign.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from .errors import DataError
from .host import on_host
from .inputs import is_frame, is_sparse

#: Where each list begins, and the end; and all lists behind each other.
Lists = tuple[np.ndarray, np.ndarray]


def lists_of(given: Any) -> Lists:
    """Neighbors in any form that another package or the user gives them.

    Examples
    --------
    >>> distances, rows = np.array([[0.0, 2.0], [0.0, 2.0]]), np.array([[0, 1], [1, 0]])
    >>> offsets, members = lists_of((distances, rows))
    >>> offsets.tolist(), members.tolist()
    ([0, 1, 2], [1, 0])
    """
    given = on_host(given, "neighbors")
    if is_sparse(given):
        return _of_graph(given)
    if is_frame(given):
        given = given.to_numpy()
    if _is_pair(given):
        rows, distances = _told_apart(given)
        return _of_pair(rows, distances)
    if isinstance(given, np.ndarray) and given.ndim == 2:
        rows = _rows(given)
        _check_range(given, rows)
        return _cut(rows)
    lists = [_whole_numbers(row) for row in given]
    lists = [row[row != -1] for row in lists]
    members = np.concatenate(lists) if lists else np.empty(0, dtype=np.int64)
    return np.concatenate([[0], np.cumsum([len(row) for row in lists], dtype=np.int64)]), members


def _of_graph(graph: Any) -> Lists:
    """The lists of a sparse matrix of scipy: all entries that are stored."""
    if graph.shape[0] != graph.shape[1]:
        raise DataError(
            f"a neighbor graph must be square, but this one has the shape {graph.shape}; "
            "give one row and one column per point"
        )
    rows = graph.tocsr()
    return rows.indptr, rows.indices


def _is_pair(given: Any) -> bool:
    """Whether there are tables of row numbers and of distances, rather than one list for each point.

    umap's triple has its search index behind them.
    """
    return isinstance(given, (tuple, list)) and len(given) in (2, 3) and _is_block(given[0]) and _is_block(given[1])


def _is_block(part: Any) -> bool:
    """Whether this holds lists, one for each point."""
    if isinstance(part, (list, tuple)):
        return len(part) > 0 and np.ndim(part[0]) == 1
    if isinstance(part, np.ndarray) and part.dtype == object:
        # As scikit-learn's radius_neighbors gives them.
        return part.ndim == 1 and len(part) > 0 and isinstance(part[0], np.ndarray)
    return is_frame(part) or len(getattr(part, "shape", ())) == 2


def _told_apart(pair: Any) -> tuple[np.ndarray, np.ndarray]:
    """The row numbers and the distances of a pair, in this order."""
    (first, counts), (second, others) = (_table(part) for part in pair[:2])
    whole = [table.dtype.kind in "iu" for table in (first, second)]
    if all(whole):
        raise DataError(
            "neighbors: both tables hold whole numbers, so which of them holds the row numbers cannot be told; "
            "give the distances as floats"
        )
    if not any(whole):
        raise DataError(
            f"neighbors: the tables hold {first.dtype} and {second.dtype}, but row numbers are whole numbers; "
            "give the row numbers as integers"
        )
    rows, distances = (first, second) if whole[0] else (second, first)
    if rows.shape != distances.shape:
        raise DataError(
            f"neighbors: the row numbers have the shape {rows.shape} and the distances {distances.shape}; "
            "give one distance for each row number"
        )
    if counts is not None and others is not None and counts != others:
        raise DataError("neighbors: the lists of row numbers and of distances differ in length; give lists of the same")
    return rows, distances


def _table(part: Any) -> tuple[np.ndarray, list[int] | None]:
    """A table of lists; where these are lists, shorter ones are filled up by -1, and their lengths are told."""
    part = on_host(part, "neighbors")
    array = part.to_numpy() if is_frame(part) else part
    if isinstance(array, np.ndarray) and array.dtype != object:
        return array, None
    lists = [np.asarray(row) for row in array]
    counts = [len(row) for row in lists]
    kind = np.result_type(*(row.dtype for row in lists if len(row))) if any(counts) else np.dtype(np.int64)
    table = np.full((len(lists), max(counts)), -1, dtype=np.int64 if kind.kind == "u" else kind)
    for place, row in enumerate(lists):
        table[place, : len(row)] = row
    return table, counts


def _of_pair(given: np.ndarray, distances: np.ndarray) -> Lists:
    """The lists of a pair, nearest first, without the point itself, everyone once."""
    rows = _rows(given)
    _check_range(given, rows)
    rows[rows == np.arange(len(rows))[:, None]] = -1
    if not _is_ordered(rows, distances):
        order = np.argsort(np.where(rows == -1, np.inf, distances), axis=1, kind="stable")
        rows = np.take_along_axis(rows, order, axis=1)
    return _cut(_once(rows))


def _is_ordered(rows: np.ndarray, distances: np.ndarray) -> bool:
    """Whether all lists rise, or all fall, as similarities such as inner products do: the nearest is then first too."""
    if np.all(rows[:, 1:] != -1):
        # Only the first place is empty, if any.
        before, after = distances[:, :-1][rows[:, :-1] != -1], distances[:, 1:][rows[:, :-1] != -1]
    else:
        kept = rows != -1
        own, flat = np.nonzero(kept)[0], distances[kept]
        same = own[1:] == own[:-1]
        before, after = flat[:-1][same], flat[1:][same]
    return bool(np.all(before <= after) or np.all(before >= after))


def _once(rows: np.ndarray) -> np.ndarray:
    """Without the later ones of those that a list names several times."""
    order = np.argsort(rows, axis=1, kind="stable")
    sorted_rows = np.take_along_axis(rows, order, axis=1)
    again = (sorted_rows[:, 1:] == sorted_rows[:, :-1]) & (sorted_rows[:, 1:] != -1)
    if again.any():
        line, place = np.nonzero(again)
        rows = rows.copy()
        rows[line, order[line, place + 1]] = -1
    return rows


def _cut(rows: np.ndarray) -> Lists:
    """The lists of a table in which -1 is no neighbor."""
    kept = rows != -1
    return np.concatenate([[0], np.cumsum(kept.sum(axis=1))]), rows[kept]


def _rows(array: np.ndarray) -> np.ndarray:
    """Row numbers as 64-bit integers; -1 where there is none."""
    _check_whole(array)
    rows = array.astype(np.int64)
    if array.size and array.dtype.itemsize >= 4:
        rows[array == np.iinfo(array.dtype).max] = -1
    return rows


def _check_range(given: np.ndarray, rows: np.ndarray) -> None:
    """An error, which names the first, where a row number is of no point."""
    bad = (rows < -1) | (rows >= len(rows))
    if bad.any():
        line, place = np.argwhere(bad)[0]
        raise DataError(
            f"neighbors: array position neighbors[{line}, {place}] of the neighbor lists holds {given[line, place]}; "
            f"rows are numbered from 0 to {len(rows) - 1} for {len(rows)} points"
        )


def _whole_numbers(row: Any) -> np.ndarray:
    array = np.asarray(on_host(row, "neighbors"))
    _check_whole(array)
    return array.astype(np.int64).ravel()


def _check_whole(array: np.ndarray) -> None:
    if array.size and array.dtype.kind not in "iu":
        raise DataError(f"neighbor lists hold {array.dtype}, not row numbers; give whole numbers that count from 0")
