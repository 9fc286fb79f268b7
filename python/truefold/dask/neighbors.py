"""Neighbors of the rows of dask arrays: the lists of one machine, bit for bit."""
from __future__ import annotations

import operator
from typing import Any

import dask.array as da
import numpy as np

from .. import _native
from .. import neighborhoods as local
from ..base import NotFittedError, Parameters
from ..errors import DataError, ParameterError, TooFewPointsError
from ..run import positive
from .cells import bring_back, sort_into_cells
from .chunks import SMALLEST, Chunks, Look, compute_light, looks
from .components import components
from .search import search
from .tasks import Key, Tasks
from .tree import Tree, prepared


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
        made = local.Neighborhoods.from_lists(self.indices.compute())
        made.facts["metric"] = self.metric
        return made


class Field:
    """The rows of an array, looked at and sorted into cells: what searches and measures share."""

    def __init__(self, tree: Tree, tables: list[Chunks], metric: str) -> None:
        self.tree, self.chunks, self.more, self.metric = tree, tables[0], tables[1:], metric
        self.tasks = _tasks_of(tables, metric)
        self.cells = sort_into_cells(tree, tables, metric, self.tasks)

    @classmethod
    def of(cls, chunks: Chunks, metric: str, client: Any) -> Field:
        """The rows of one array."""
        return cls(look(([chunks], [metric]), client)[0], [chunks], metric)

    def lists(self, k: int) -> list[Key]:
        """The lists of each cell."""
        return search(self.tree, self.cells, None, (k, self.metric), self.tasks.named(k))

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


def rows_and_values(tables: list[Key], chunks: Chunks, k: int, tasks: Tasks) -> tuple[Any, Any]:
    """The rows of neighbors and what orders them as dask arrays, from the tables of each chunk."""

    def array(stage: str, part: int, dtype: Any) -> Any:
        blocks = [tasks(stage, operator.getitem, one, part, place=(at,)) for at, one in enumerate(tables)]
        return tasks.array(blocks, chunks.lengths, k, dtype)

    return array("rows", 0, np.int64), array("values", 1, np.float64)


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
    field = Field.of(Chunks(X, "X"), metric, client)
    return Neighborhoods(field, field.check(n_neighbors))


class NearestNeighbors(Parameters):
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
        self._field = Field.of(Chunks(X, "X"), self.metric, self.client)
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
        k = field.check(self.n_neighbors if n_neighbors is None else n_neighbors, X is not None)
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
            look(([chunks], [field.metric]), self.client)
            tasks = field.tasks.joined([Tasks([chunks.array])], k)
            tables = bring_back(field.lists_of(chunks, k, tasks), chunks, tasks, "lists-back")
        rows, values = rows_and_values(tables, chunks, k, tasks)
        if not return_distance:
            return rows
        return values.map_blocks(distances_of, field.metric, dtype=np.float64), rows


def current_client() -> Any:
    """The client that dask uses at the moment; nothing where it computes on this machine alone."""
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        return None

