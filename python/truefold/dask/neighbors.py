"""Neighbors of the rows of dask arrays: the lists of one machine, bit for bit."""
from __future__ import annotations

import operator
from typing import Any

import dask.array as da
import numpy as np

from .. import _native
from .. import neighborhoods as local
from ..base import BaseEstimator, NotFittedError
from ..errors import DataError, ParameterError, TooFewPointsError
from ..run import positive
from .cells import bring_back, sort_into_cells
from .chunks import Chunks, Look, compute_light, looks
from .components import components
from .search import search
from .tasks import Key, Tasks
from .tree import Tree, prepared

METRICS = ("euclidean", "manhattan", "cosine", "correlation")


class Neighborhoods:
    """For each row of a dask array itself and its neighbors, nearest first; computed when asked for.

    Made by :func:`truefold.dask.neighbors`, and taken by :func:`truefold.dask.measure` as ``neighbors=``.

    Attributes
    ----------
    indices : dask array of shape (n_points, k + 1)
        One row per point: itself, then its neighbors, ties by row number.
    distances : dask array of shape (n_points, k + 1)
        How far they are.

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

    def __init__(self, field: Field, k: int) -> None:
        self.field, self.k, self.metric = field, k, field.metric
        tasks = field.tasks.named(k)
        lists = bring_back(field.lists(k), field.chunks, tasks, "lists-back")
        rows, values = rows_and_values(lists, field.chunks, k, tasks)
        own = da.arange(len(field.chunks), chunks=(field.chunks.lengths,), dtype=np.int64)
        self.indices = da.concatenate([own[:, None], rows], axis=1).rechunk({1: -1})
        distances = values.map_blocks(_native.distances_of, field.metric, dtype=np.float64)
        zeros = da.zeros((len(field.chunks), 1), chunks=(field.chunks.lengths, 1))
        self.distances = da.concatenate([zeros, distances], axis=1).rechunk({1: -1})

    def __len__(self) -> int:
        return len(self.field.chunks)

    def __repr__(self) -> str:
        return f"Neighborhoods(n_points={len(self)}, k={self.k}, metric={self.metric!r}, chunks={len(self.field.chunks.blocks)})"

    @property
    def components(self) -> Any:
        """The connected component of each point, numbered by their first points, as a dask array."""
        return components(self.field.lists(self.k), self.field.chunks, self.field.tasks.named(self.k))

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
        return local.Neighborhoods.from_lists(self.indices.compute())


class Field:
    """The rows of an array, looked at and sorted into cells: what searches and measures share."""

    def __init__(self, chunks: Chunks, metric: str, client: Any, more: tuple[Chunks, ...] = ()) -> None:
        if metric not in METRICS:
            known = ", ".join(METRICS)
            raise ParameterError(f"metric = {metric!r} is not one of {known}; choose one of them")
        self.chunks, self.metric, self.more = chunks, metric, more
        self.tasks = Tasks([one.array for one in (chunks, *more)], metric)
        seen = [(one, looks(one, self.tasks)) for one in (chunks, *more)]
        plan = self.tasks("plan", planned, [each for _, each in seen], (metric, len(chunks.blocks)))
        self.tree: Tree = compute_light(plan, seen, self.tasks, client)
        self.cells = sort_into_cells(self.tree, [chunks, *more], metric, self.tasks)

    def lists(self, k: int) -> list[Key]:
        """The lists of each cell."""
        return search(self.tree, self.cells, None, (k, self.metric), self.tasks.named(k))

    def lists_of(self, queries: Chunks, k: int, tasks: Tasks) -> list[Key]:
        """The lists of the rows of another array, cell by cell."""
        asking = sort_into_cells(self.tree, [queries], self.metric, tasks)
        return search(self.tree, self.cells, asking, (k, self.metric), tasks)

    def check(self, k: Any) -> int:
        """A number of neighbors that rows can have."""
        count = positive("n_neighbors", k, "choose 1 or more")
        if len(self.chunks) < 2:
            raise TooFewPointsError("a search for neighbors needs at least 2 points, but there is 1; give more points")
        if not 1 <= count < len(self.chunks):
            most = len(self.chunks) - 1
            raise ParameterError(
                f"n_neighbors = {count} is not from 1 to {most:,}: {len(self.chunks):,} points have {most:,} neighbors each; "
                f"choose a {'larger' if count < 1 else 'smaller'} n_neighbors"
            )
        return count


def rows_and_values(tables: list[Key], chunks: Chunks, k: int, tasks: Tasks) -> tuple[Any, Any]:
    """The rows of neighbors and what orders them as dask arrays, from the tables of each chunk."""

    def array(stage: str, part: int, dtype: Any) -> Any:
        blocks = [tasks(stage, operator.getitem, one, part, place=(at,)) for at, one in enumerate(tables)]
        return tasks.array(blocks, chunks.lengths, k, dtype)

    return array("rows", 0, np.int64), array("values", 1, np.float64)


def planned(seen: list[list[Look]], how: tuple[str, int]) -> Tree:
    """The cells, from a look at all chunks; an error says what cannot be used."""
    problems = [look.problem for each in seen for look in each if look.problem]
    if problems:
        others = f" (and {len(problems) - 1} more chunks)" if len(problems) > 1 else ""
        raise DataError(problems[0] + others)
    metric, cells = how
    return Tree.cut(prepared(np.concatenate([look.sample for look in seen[0]]), metric), cells)


def neighbors(X: Any, n_neighbors: int = 12, *, metric: str = "euclidean", client: Any = None) -> Neighborhoods:
    """Find the neighbors of each row.

    Parameters
    ----------
    X : dask array or frame of shape (n_points, n_features), or AnnData that holds one
        The points. They are looked at once now, and read again when results are computed.
    n_neighbors : int, default 12
        The number of nearest other points, ties by row number.
    metric : {"euclidean", "manhattan", "cosine", "correlation"}
        The distance.
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
    field = Field(Chunks(X, "X"), metric, client)
    return Neighborhoods(field, field.check(n_neighbors))


class NearestNeighbors(BaseEstimator):
    """The nearest rows of a dask array, with the names of ``sklearn.neighbors.NearestNeighbors``.

    Parameters
    ----------
    n_neighbors : int, default 12
        The number of nearest points, ties by row number.
    metric : {"euclidean", "manhattan", "cosine", "correlation"}
        The distance.
    client : distributed.Client, optional
        Who looks at the points; by default the current client, or else the scheduler of this machine.

    Attributes
    ----------
    n_samples_fit_, n_features_in_ : int
        The shape of X.
    client_ : distributed.Client or None
        The client that was used.

    Examples
    --------
    >>> import dask.array as da
    >>> import truefold.dask
    >>> X = da.from_array(np.array([[0.0], [1.0], [3.0], [3.5]]), chunks=(2, 1))
    >>> search = truefold.dask.NearestNeighbors(n_neighbors=1).fit(X)
    >>> distances, rows = search.kneighbors()
    >>> rows.compute().ravel(), distances.compute().ravel()
    (array([1, 0, 3, 2]), array([1. , 1. , 0.5, 0.5]))
    >>> search.kneighbors(da.from_array(np.array([[3.2]])), return_distance=False).compute()
    array([[2]])
    """

    n_samples_fit_: int
    n_features_in_: int
    client_: Any
    _field: Field

    def __init__(self, n_neighbors: int = 12, *, metric: str = "euclidean", client: Any = None) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.client = client

    def fit(self, X: Any, y: Any = None) -> NearestNeighbors:
        """Look at the points, and cut the cells in which they will be searched.

        Parameters
        ----------
        X : dask array or frame of shape (n_samples, n_features), or AnnData that holds one
            The points.
        y : None
            Not used; pipelines pass it.

        Returns
        -------
        self : the fitted search
        """
        self._field = Field(Chunks(X, "X"), self.metric, self.client)
        self.client_ = self.client or current_client()
        self.n_samples_fit_, self.n_features_in_ = len(self._field.chunks), self._field.chunks.dim
        return self

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The fitted points nearest to the rows of X, or to each fitted point among the others.

        Parameters
        ----------
        X : dask array or frame of shape (n_new, n_features), optional
            New points. A fitted point among them finds itself.
        n_neighbors : int, optional
            The number of nearest points, by default that of the constructor.
        return_distance : bool, default True
            Whether distances are wanted too.

        Returns
        -------
        distances, rows : dask arrays of shape (n_new, n_neighbors)
            Chunked like X; computed when asked for.
        """
        if not hasattr(self, "_field"):
            raise NotFittedError("this NearestNeighbors is not fitted yet; call fit first")
        field = self._field
        k = field.check(self.n_neighbors if n_neighbors is None else n_neighbors)
        chunks = field.chunks
        if X is None:
            tasks = field.tasks.named(k)
            tables = bring_back(field.lists(k), chunks, tasks, "lists-back")
        else:
            chunks = Chunks(X, "X")
            if chunks.dim != field.chunks.dim:
                raise DataError(
                    f"X has {chunks.dim} columns, but the fitted points have {field.chunks.dim}; give the columns of the fit"
                )
            tasks = field.tasks.joined([Tasks([chunks.array])], k)
            each = looks(chunks, tasks)
            all_seen = tasks("look", planned, [each], (field.metric, 1), place=("all",))
            compute_light(all_seen, [(chunks, each)], tasks, self.client)
            tables = bring_back(field.lists_of(chunks, k, tasks), chunks, tasks, "lists-back")
        rows, values = rows_and_values(tables, chunks, k, tasks)
        if not return_distance:
            return rows
        return values.map_blocks(_native.distances_of, field.metric, dtype=np.float64), rows


def current_client() -> Any:
    """The client that dask uses at the moment; nothing where it computes on this machine alone."""
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        return None

