"""Neighbors of the rows of dask arrays: the lists of one machine, bit for bit, or a promised share of them."""
from __future__ import annotations

import copy
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
from .cuts import Cut
from .field import Field, distances_of
from .lists import located, others_beside_rows
from .tasks import Key, Tasks, persisted
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
        ``together`` with them in a cell, its ``standard_error``, how many ``cells`` there are and how many hold a row on average,
        ``copies``, and the share of the neighbors ``in_cells`` that their searches find; or ``instead``: why the search is exact.

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

    def __init__(self, field: Field, k: int, promise: Promise | None = None, client: Any = None) -> None:
        self.field, self.k, self.metric, self._client, self._are_kept = field, k, field.metric, client, False
        self.facts: dict[str, Any] = {"k": k, "metric": field.metric}
        lists, tasks, self._cut = lists_in_chunks(field, k, promise, self.facts)
        rows, values = rows_and_values(lists, field.chunks, k, tasks)
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
        chunks = self.field.chunks
        if "cells" not in self.facts and not self._are_kept:
            tasks = self.field.tasks.named(self.k, "components")
            lists = self.field.lists(self.k, values=False)
            return components(lists, located(lists, tasks), chunks, tasks)
        tasks = Tasks([self.indices], "components")
        blocks = [line[0] for line in self.indices.__dask_keys__()]
        by_chunk = [
            tasks("list-rows", others_beside_rows, block, int(first), place=(at,))
            for at, (block, first) in enumerate(zip(blocks, chunks.offsets))
        ]
        return components(by_chunk, located(by_chunk, tasks), chunks, tasks)

    def persist(self) -> Neighborhoods:
        """The same, computed now and kept by the workers: for several uses of one search.

        Examples
        --------
        >>> import dask.array as da
        >>> import truefold.dask
        >>> X = da.from_array(np.array([[0.0], [1.0], [3.0], [3.5]]), chunks=(2, 1))
        >>> found = truefold.dask.neighbors(X, n_neighbors=1).persist()
        >>> truefold.dask.measure(X, X, neighbors=found).compute().r_n
        0.0
        """
        made = copy.copy(self)
        made.indices, made.distances = persisted([self.indices, self.distances], self._client)
        made._are_kept = True
        return made

    def __getstate__(self) -> dict[str, Any]:
        # A client belongs to its process.
        return self.__dict__ | {"_client": None}

    def cells(self, field: Field) -> Field:
        """The rows of a field in cells where neighbors lie together, if they are the rows that were searched and such cells are known."""
        searched = self.field.chunks.array.name, self.metric
        if self._cut is None or (field.chunks.array.name, field.metric) != searched:
            return field
        return Field(self._cut, [field.chunks, *field.more], field.metric, self.indices.name)

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


def lists_in_chunks(
    field: Field, k: int, promise: Promise | None, facts: dict[str, Any]
) -> tuple[list[Key], Tasks, Cut | None]:
    """The lists of each chunk, the tasks that they are among, and cells to measure in, where a search found them; what was found about a
    promise goes to the facts."""
    if promise is not None and field.chunks.dim <= FEW:
        facts["instead"] = f"in {field.chunks.dim} dimensions an exact search is as fast"
    elif promise is not None:
        search = Approximate(field.chunks, k, field.metric, *promise)
        plan = search.plan
        if plan is not None and search.instead is None:
            facts |= {"together": plan.share, "standard_error": plan.error, "checked": plan.checked}
            facts |= {"cells": plan.cut.count, "copies": plan.copies, "in_cells": plan.in_cells, "recall": promise.recall}
            tasks = Tasks([field.chunks.array], "approximate", k, field.metric, promise.recall, promise.seed)
            return search.lists(tasks), tasks, search.cut
        facts["instead"] = search.instead
    tasks = field.tasks.named(k)
    return bring_back(field.lists(k), field.chunks, tasks, "lists-back"), tasks, None


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
    return Neighborhoods(field, field.check(n_neighbors), promise, client)
