"""A sample that one worker can fit: how many rows, and which."""
from __future__ import annotations

import os
from typing import Any

from .. import _native
from ..errors import ParameterError
from ..run import positive
from .cells import Cell
from .tasks import settings

#: The share of a worker's memory that a fit may take; the rest is for chunks and cells.
SHARE = 1 / 3
#: Bytes that a fit holds: for each neighbor of each row, and for each number.
PER_NEIGHBOR, PER_NUMBER = 130, 12
#: More rows than these do not make the large scales of a map better.
MOST = 1_000_000


def size_of(given: Any, shape: tuple[int, int, int | None], client: Any) -> int:
    """The number of rows of a sample, about, for so many rows, columns and neighbors, where the method looks at some.

    Examples
    --------
    >>> size_of("auto", (1000, 3, 12), None), size_of(50, (1000, 3, 12), None)
    (1000, 50)
    """
    rows, columns, k = shape
    least = 3 if k is None else k + 2
    if given != "auto":
        count = positive("sample_size", given, 'choose a larger number, or "auto"')
        if count < min(least, rows):
            why = "a map needs some rows" if k is None else f"each of its rows has {k} neighbors in it"
            raise ParameterError(f"sample_size = {count} is not at least {least}: {why}; choose a larger number")
        return min(rows, count)
    fitting = SHARE * memory_of_a_worker(client) / (PER_NEIGHBOR * ((k or 0) + 1) + PER_NUMBER * columns)
    return int(min(rows, max(fitting, least), MOST))


def memory_of_a_worker(client: Any) -> float:
    """The bytes that the worker with least memory may take; those of this machine where there are no workers."""
    if client is not None:
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        limits = [worker["memory_limit"] for worker in workers if worker["memory_limit"]]
        if limits:
            return float(min(limits))
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return float(4 << 30)


def sampled(cell: Cell, share: float, metric: str) -> Cell:
    """Rows of a cell that are spread as all of them are: this share of them, one at the least."""
    count = max(1, round(share * cell.size))
    if count >= cell.size:
        return Cell(cell.rows, cell.tables[:1])
    chosen = _native.spread(_native.Source.points(cell.tables[0], "X"), count, metric, settings())
    return Cell(cell.rows[chosen], (cell.tables[0][chosen],))
