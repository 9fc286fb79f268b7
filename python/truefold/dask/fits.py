"""What the measures say of the rows of a cell or chunk, and the sums over all of them."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _native
from .cells import Cell
from .lists import native_lists
from .tasks import settings

OVERLAP = "overlap"
#: What is known of a row by each measure.
KINDS = ("per_point", "per_point_bound", "per_point_chance")


class Total(NamedTuple):
    """Sums over rows, and over how many: of values, of bounds and of what chance gives; the variance of the last sum."""

    sums: np.ndarray
    counts: np.ndarray
    variance: float

    def mean(self, kind: int) -> float:
        """The mean over the rows that have a value."""
        return float(self.sums[kind] / max(self.counts[kind], 1))


class Fitted(NamedTuple):
    """What measures say of the rows of a cell: for each measure three columns, and the variance of what was drawn."""

    rows: np.ndarray
    names: list[str]
    columns: list[np.ndarray]
    variances: list[float]

    def given(self) -> Cell:
        """The columns, to be brought back."""
        return Cell(self.rows, tuple(self.columns))

    def summed(self) -> dict[str, Total]:
        """The sums of each measure."""
        return {
            name: _total(self.columns[3 * place : 3 * place + 3], self.variances[place])
            for place, name in enumerate(self.names)
        }


def _total(columns: list[np.ndarray], variance: float) -> Total:
    known = [column[~np.isnan(column)] for column in columns]
    return Total(np.array([some.sum() for some in known]), np.array([len(some) for some in known]), variance)


def fitted(
    cell: Cell, lists: tuple[np.ndarray, np.ndarray], beyond: tuple[np.ndarray, ...], asked: tuple[Any, ...]
) -> Fitted:
    """What the measures say of the rows of a cell; without a seed not what chance gives."""
    names, told, reverse, (center, seed) = asked
    own = cell.size
    if own == 0:
        return Fitted(cell.rows, told, [np.empty(0)] * (3 * len(names)), [0.0] * len(names))
    rows = np.concatenate([cell.rows, lists[0]]).astype(np.uint64)
    tables = [np.concatenate(pair) for pair in zip(cell.tables[:2], beyond)]
    x, y = tables[::-1] if reverse else tables
    sources = (_native.Source.points(x, "X"), _native.Source.points(np.ascontiguousarray(y, dtype=np.float64), "Y"))
    wanted = {
        "measures": names, "center": center, "sample": None, "steps": None, "metric": "euclidean", "level": None, "labels": None,
        "chance": seed is not None,
    }
    scores = _native.measure_part(sources, native_lists(lists[1], len(rows)), wanted, rows, settings(seed or 0))
    columns, variances = [], []
    for name in names:
        score = scores[name]
        columns += [np.full(own, np.nan) if score[kind] is None else score[kind][:own] for kind in KINDS]
        # The error is that of the mean of all rows that have a value, those beyond the cell included.
        used = 0 if score["per_point_chance"] is None else np.count_nonzero(~np.isnan(score["per_point_chance"]))
        variances.append(((score["chance_error"] or 0.0) * used) ** 2)
    return Fitted(cell.rows, told, columns, variances)


def added(each: list[dict[str, Total]], names: list[str]) -> dict[str, Total]:
    """The sums over all rows, in the order of the cells."""
    found: dict[str, Total] = {}
    for totals in each:
        for name, total in totals.items():
            known = found.get(name)
            found[name] = total if known is None else Total(*(a + b for a, b in zip(known, total)))
    return {name: found[name] for name in names}


def overlap_of(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...]) -> np.ndarray:
    """The share of the entries of each list that are in the other one.

    Examples
    --------
    >>> overlap_of((np.array([[1, 2]]),), (np.array([[2, 3]]),))
    array([0.5])
    """
    a, b = np.sort(one[0], axis=1), np.sort(other[0], axis=1)
    both = np.sort(np.concatenate([a, b], axis=1), axis=1)
    return (both[:, 1:] == both[:, :-1]).sum(axis=1) / a.shape[1]


def overlap_sum(shares: np.ndarray, chance: float) -> dict[str, Total]:
    """The sums of the overlap over a chunk; no bound is known."""
    count = len(shares)
    return {OVERLAP: Total(np.array([shares.sum(), 0.0, count * chance]), np.array([count, 0, count]), 0.0)}
