"""The rows of an array, looked at and sorted into cells."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from ..errors import DataError, ParameterError, TooFewPointsError
from ..run import positive
from .cells import sort_into_cells
from .chunks import SMALLEST, Chunks, Look, compute_light, looks
from .cuts import Cut
from .search import search
from .tasks import Key, Tasks
from .tree import Tree, prepared


class Field:
    """The rows of an array, looked at and sorted into cells: what searches and measures share.

    Parameters
    ----------
    tree : Tree or Cut
        The cells; those of a cut serve lists that are known.
    tables : list of Chunks
        The rows, and what travels with them.
    metric : str
        The distance.
    identity : anything
        What the cells depend on besides.
    """

    def __init__(self, tree: Tree | Cut, tables: list[Chunks], metric: str, *identity: Any) -> None:
        self.tree, self.chunks, self.more, self.metric = tree, tables[0], tables[1:], metric
        self.tasks = _tasks_of(tables, metric, *identity)
        self.cells = sort_into_cells(tree, tables, metric, self.tasks)

    @classmethod
    def of(cls, chunks: Chunks, metric: str, client: Any) -> Field:
        """The rows of one array."""
        return cls(look(([chunks], [metric]), client)[0], [chunks], metric)

    def lists(self, k: int, values: bool = True) -> list[Key]:
        """The lists of each cell, with what orders them if that is wanted."""
        return search(self.tree, self.cells, None, (k, self.metric), self.tasks.named(k), values)

    def lists_of(self, queries: Chunks, k: int, tasks: Tasks) -> list[Key]:
        """The lists of the rows of another array, cell by cell."""
        asking = sort_into_cells(self.tree, [queries], self.metric, tasks)
        return search(self.tree, self.cells, asking, (k, self.metric), tasks)

    def check(self, k: Any, new: bool = False) -> int:
        """A number of neighbors that rows, or new points, can have."""
        count, points = positive("n_neighbors", k, "choose 1 or more"), len(self.chunks)
        if points < 2 and not new:
            raise TooFewPointsError("a search for neighbors needs at least 2 points, but there is 1; give more points")
        most = points if new else points - 1
        if not 1 <= count <= most:
            why = f"there are {points:,} fitted points" if new else f"{points:,} points have {most:,} neighbors each"
            raise ParameterError(
                f"n_neighbors = {count} is not from 1 to {most:,}: {why}; "
                f"choose a {'larger' if count < 1 else 'smaller'} n_neighbors"
            )
        return count


def look(tables: tuple[list[Chunks], list[str | None]], client: Any) -> list[Tree]:
    """Look at all chunks once; the cells of those tables that have a metric."""
    for metric in tables[1]:
        if metric is not None:
            # An error where there is no such metric.
            distances_of(np.empty(0), metric)
    tasks = _tasks_of(*tables)
    seen = [(chunks, looks(chunks, metric, tasks)) for chunks, metric in zip(*tables)]
    cells = len(tables[0][0].blocks)
    return compute_light(tasks("plan", planned, [each for _, each in seen], tables[1], cells), seen, tasks, client)


def planned(seen: list[list[Look]], metrics: list[str | None], cells: int) -> list[Tree]:
    """The cells, from a look at all chunks; an error says what cannot be used."""
    problems = [look.problem for each in seen for look in each if look.problem]
    if problems:
        others = f" (and {len(problems) - 1} more chunks)" if len(problems) > 1 else ""
        raise DataError(problems[0] + others)
    for each, metric in zip(seen, metrics):
        largest = max(look.largest for look in each)
        if metric in ("euclidean", "manhattan") and 0 < largest < SMALLEST:
            raise DataError(
                f"the largest number of all is {largest:g}, and squares of numbers below {SMALLEST:g} vanish; rescale the data"
            )
    return [
        Tree.cut(prepared(np.concatenate([look.sample for look in each]), metric), cells)
        for each, metric in zip(seen, metrics)
        if metric
    ]


def _tasks_of(tables: list[Chunks], *identity: Any) -> Tasks:
    """Tasks that read these tables."""
    return Tasks([one.array for one in tables], [one.name for one in tables], *identity)


def distances_of(values: np.ndarray, metric: str) -> np.ndarray:
    """The distances that values stand for; arrays that were spilled to a disk may come back at odd places in memory."""
    return _native.distances_of(np.require(values, np.float64, ["C", "A"]), metric)


def current_client() -> Any:
    """The client that dask uses at the moment; nothing where it computes on this machine alone."""
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        return None
