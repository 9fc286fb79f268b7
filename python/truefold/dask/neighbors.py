"""Neighbors of the rows of dask arrays: the lists of one machine, bit for bit, or a promised share of them."""
from __future__ import annotations

import operator
from typing import Any, NamedTuple

import dask.array as da
import numpy as np

from .. import neighborhoods as local
from ..run import RandomState, seed_of
from .approximate import Approximate
from .approximate import check as check_recall
from .cells import bring_back
from .chunks import Chunks
from .components import components
from .field import Field, distances_of
from .lists import beside_rows, located
from .tasks import Key, Tasks
from .tree import FEW


class Neighborhoods:
    """For each row of a dask array itself and its neighbors, nearest first; computed when asked for.

    Made by :func:`truefold.dask.neighbors`, and taken by :func:`truefold.dask.measure` as ``neighbors=``.

    Attributes
    ----------
    indices : dask array of shape (n_points, k + 1)
        One row per point: itself, then its neighbors, ties by row number.
    distances : dask array of shape (n_points, k + 1)
        How far they are.
    facts : dict
        ``k`` and ``metric``; where a ``recall`` was asked for, the share of the true neighbors of ``checked`` sampled rows that lie
        ``together`` with them in a cell, its ``standard_error``, and how many ``cells`` there are and how many hold a row on average,
        ``copies``; or ``instead``: why the search is exact.

    Examples
    --------
    >>> import dask.array as da
    >>> import truefold.dask
    >>> X = da.from_array(np.array([[0.0], [1.0], [3.0], [3.5]]), chunks=(2, 1))
    >>> found = truefold.dask.neighbors(X, n_neighbors=1)
    >>> found.indices.compute()
    array([[0, 1],
           [1, 0],
           [2, 3],
           [3, 2]])
    >>> found.distances.compute()
    array([[0. , 1. ],
           [0. , 1. ],
           [0. , 0.5],
           [0. , 0.5]])
    >>> found.components.compute()
    array([0, 0, 1, 1])
    """

    def __init__(self, field: Field, k: int, promise: Promise | None = None) -> None:
        self.field, self.k, self.metric = field, k, field.metric
        self.facts: dict[str, Any] = {"k": k, "metric": field.metric}
        self._lists, tasks = lists_in_chunks(field, k, promise, self.facts)
        rows, values = rows_and_values(self._lists, field.chunks, k, tasks)
        self._tasks = tasks
        own = da.arange(len(field.chunks), chunks=(field.chunks.lengths,), dtype=np.int64)
        self.indices = da.concatenate([own[:, None], rows], axis=1).rechunk({1: -1})
        distances = values.map_blocks(distances_of, field.metric, dtype=np.float64)
        zeros = da.zeros((len(field.chunks), 1), chunks=(field.chunks.lengths, 1))
        self.distances = da.concatenate([zeros, distances], axis=1).rechunk({1: -1})

    def __len__(self) -> int:
        return len(self.field.chunks)

    def __repr__(self) -> str:
        return f"Neighborhoods(n_points={len(self)}, k={self.k}, metric={self.metric!r}, chunks={len(self.field.chunks.blocks)})"

    @property
    def components(self) -> Any:
        """The connected component of each point, numbered by their first points, as a dask array."""
        chunks, tasks = self.field.chunks, self._tasks.named("components")
        if "cells" not in self.facts:
            lists = self.field.lists(self.k, values=False)
            return components(lists, located(lists, tasks), chunks, tasks)
        by_chunk = [
            tasks("list-rows", beside_rows, one, int(first), place=(at,))
            for at, (one, first) in enumerate(zip(self._lists, chunks.offsets))
        ]
        return components(by_chunk, located(by_chunk, tasks), chunks, tasks)

    def to_local(self) -> local.Neighborhoods:
        """The same in the memory of this process, for the functions of truefold itself.

        Examples
        --------
        >>> import dask.array as da
        >>> import truefold.dask
        >>> X = da.from_array(np.array([[0.0], [1.0], [3.0], [3.5]]), chunks=(2, 1))
        >>> truefold.dask.neighbors(X, n_neighbors=1).to_local().indices[2]
        array([2, 3])
        """
        made = local.Neighborhoods.from_lists(self.indices.compute())
        made.facts["metric"] = self.metric
        return made


class Promise(NamedTuple):
    """The share of the true neighbors that a search must find, its seed, and who plans it."""

    recall: float
    seed: int
    client: Any


def lists_in_chunks(field: Field, k: int, promise: Promise | None, facts: dict[str, Any]) -> tuple[list[Key], Tasks]:
    """The lists of each chunk, and the tasks that they are among; what was found about a promise goes to the facts."""
    if promise is not None and field.chunks.dim <= FEW:
        facts["instead"] = f"in {field.chunks.dim} dimensions an exact search is as fast"
    elif promise is not None:
        search = Approximate(field.chunks, k, field.metric, *promise)
        plan = search.plan
        if plan is not None and search.instead is None:
            facts |= {"together": plan.share, "standard_error": plan.error, "checked": plan.checked}
            facts |= {"cells": plan.cut.count, "copies": plan.copies, "recall": promise.recall}
            tasks = Tasks([field.chunks.array], "approximate", k, field.metric, promise.recall, promise.seed)
            return search.lists(tasks), tasks
        facts["instead"] = search.instead
    tasks = field.tasks.named(k)
    return bring_back(field.lists(k), field.chunks, tasks, "lists-back"), tasks


def rows_and_values(tables: list[Key], chunks: Chunks, k: int, tasks: Tasks) -> tuple[Any, Any]:
    """The rows of neighbors and what orders them as dask arrays, from the tables of each chunk."""

    def array(stage: str, part: int, dtype: Any) -> Any:
        blocks = [tasks(stage, operator.getitem, one, part, place=(at,)) for at, one in enumerate(tables)]
        return tasks.array(blocks, chunks.lengths, k, dtype)

    return array("rows", 0, np.int64), array("values", 1, np.float64)


def neighbors(
    X: Any,
    n_neighbors: int = 12,
    *,
    metric: str = "euclidean",
    recall: float | None = None,
    random_state: RandomState = None,
    client: Any = None,
) -> Neighborhoods:
    """Find the neighbors of each row.

    Parameters
    ----------
    X : dask array or frame of shape (n_points, n_features), or AnnData that holds one
        The points. They are looked at once now, with ``recall`` twice, and read again when results are computed.
    n_neighbors : int, default 12
        The number of nearest other points, ties by row number.
    metric : {"euclidean", "manhattan", "cosine", "correlation"}
        The distance.
    recall : float, optional
        The share of the true neighbors that must be found, 0.99 for example; by default all are. Of many rows in many dimensions that is
        faster. ``facts`` tells how it is promised, or why the search is exact nevertheless.
    random_state : int, numpy generator or None
        The seed of a search with ``recall``; None is 0.
    client : distributed.Client, optional
        Who looks at the points; by default the current client, or else the scheduler of this machine.

    Returns
    -------
    Neighborhoods

    Examples
    --------
    >>> import dask.array as da
    >>> import truefold.dask
    >>> X, _ = truefold.datasets.swiss_roll(500)
    >>> found = truefold.dask.neighbors(da.from_array(X, chunks=(200, 3)), 8)
    >>> found
    Neighborhoods(n_points=500, k=8, metric='euclidean', chunks=3)
    >>> bool((found.indices.compute() == truefold.neighbors(X, 8).indices).all())
    True
    """
    promise = None if recall is None else Promise(check_recall(recall), seed_of(random_state), client)
    field = Field.of(Chunks(X, "X"), metric, client)
    return Neighborhoods(field, field.check(n_neighbors), promise)
