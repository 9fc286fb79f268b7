"""Neighborhoods: which points are compared."""
from __future__ import annotations

import json
from typing import Any, Union

import numpy as np

from . import _native
from .errors import ParameterError
from .given import lists_of
from .inputs import PRECOMPUTED, source
from .progress import reporting
from .run import RandomState, positive, seed_of, threads_of
from .suggestion import Count, is_auto, look_at


class Neighborhoods:
    """For each point one list of rows, the point itself first, which is used for X and for Y.

    Made by :func:`truefold.neighbors` or :meth:`from_lists`, and taken by every function as ``neighbors=``.

    Examples
    --------
    >>> import truefold
    >>> found = truefold.neighbors([[0.0], [1.0], [3.0], [3.5]], n_neighbors=1)
    >>> found
    Neighborhoods(n_points=4, k=1, metric='euclidean', components=2)
    >>> found.indices
    array([[0, 1],
           [1, 0],
           [2, 3],
           [3, 2]])
    """

    def __init__(self, native: _native.Neighborhoods) -> None:
        self._native = native
        #: How they were found: k or the range of k, metric, radius, recall of an approximate search, components.
        self.facts: dict[str, Any] = json.loads(native.facts())

    @classmethod
    def from_lists(cls, lists: Any) -> Neighborhoods:
        """Take neighbors that another program found.

        Parameters
        ----------
        lists : pair of arrays, scipy sparse matrix, array of shape (n_points, k), or sequence of sequences
            Row i holds the neighbors of point i, counted from 0. A pair is row numbers and distances in either order,
            as pynndescent's ``neighbor_graph``, scikit-learn's ``kneighbors`` and ``radius_neighbors``, the searches of
            FAISS, hnswlib, cuML and cuVS and umap's ``precomputed_knn`` give them: lists are put in the order of their
            distances, and who is listed twice stays once. In an array, -1 stands for no neighbor. In a sparse matrix
            every stored entry is a neighbor, whatever its value. A point may be anywhere in its own list, or missing.
            Arrays may lie on a device.

        Returns
        -------
        Neighborhoods

        Examples
        --------
        >>> Neighborhoods.from_lists([[1], [0, 2], [1]]).indices
        array([[ 0,  1, -1],
               [ 1,  0,  2],
               [ 2,  1, -1]])
        >>> from sklearn.neighbors import NearestNeighbors
        >>> X = [[0.0], [1.0], [3.0], [3.5]]
        >>> Neighborhoods.from_lists(NearestNeighbors(n_neighbors=2).fit(X).kneighbors()).indices
        array([[0, 1, 2],
               [1, 0, 2],
               [2, 3, 1],
               [3, 2, 1]])
        """
        offsets, members = lists_of(lists)
        return cls(
            _native.neighbors_from_lists(
                np.ascontiguousarray(offsets, dtype=np.int64), np.ascontiguousarray(members, dtype=np.int64)
            )
        )

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts.items() if value is not None)
        return f"Neighborhoods(n_points={len(self)}, {facts})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (*self._native.lists(), self.facts)

    @property
    def indices(self) -> np.ndarray:
        """One row per point: itself, then its neighbors, nearest first where they were searched; -1 fills up."""
        offsets, members = self._native.lists()
        return _filled(offsets, members, -1)

    def distances(self, X: Any, *, metric: str | None = None, n_jobs: int | None = None) -> np.ndarray:
        """How far the neighbors are, in the places of ``indices``; infinite where there is none.

        ``(found.indices, found.distances(X))`` is what ``umap.UMAP(precomputed_knn=...)`` takes.

        Parameters
        ----------
        X : array or frame of shape (n_points, n_features), or distances
            The points whose neighbors these are.
        metric : str, optional
            The distance; by default that of the search, and "euclidean" where lists were given.
        n_jobs : int, optional
            The number of threads, all cores by default.

        Returns
        -------
        distances : array of shape (n_points, k + 1)

        Examples
        --------
        >>> import truefold
        >>> X = [[0.0], [1.0], [3.0], [3.5]]
        >>> truefold.neighbors(X, n_neighbors=1).distances(X)
        array([[0. , 1. ],
               [0. , 1. ],
               [0. , 0.5],
               [0. , 0.5]])
        """
        metric = metric or self.facts.get("metric") or "euclidean"
        made, _, _ = source(X, metric)
        values = self._native.distances(made, metric, (0, threads_of(n_jobs), None))
        return _filled(self._native.lists()[0], values, np.inf)

    @property
    def components(self) -> np.ndarray:
        """The connected component of each point, numbered by their first points."""
        return self._native.components()

    def to_csr(self) -> Any:
        """The neighbor graph as a matrix of scipy in compressed rows, one at every neighbor.

        Examples
        --------
        >>> Neighborhoods.from_lists([[1], [0, 2], [1]]).to_csr().toarray()
        array([[0., 1., 0.],
               [1., 0., 1.],
               [0., 1., 0.]])
        """
        from scipy.sparse import csr_matrix

        offsets, members = self._native.lists()
        others = np.delete(members, offsets[:-1])
        return csr_matrix(
            (np.ones(len(others)), others, offsets - np.arange(len(offsets))), shape=(len(self), len(self))
        )


def neighbors(
    X: Any,
    n_neighbors: Count = 12,
    *,
    radius: float | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    recall: float | None = None,
    device: str = "auto",
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Neighborhoods:
    """Find the neighbors of each point.

    Parameters
    ----------
    X : array or frame of shape (n_points, n_features), or distances
        The points; with ``metric="precomputed"`` a square table of distances, or a sparse matrix of those known.
    n_neighbors : int or "auto", default 12
        The number of nearest other points, ties by row number; "auto" is what :func:`truefold.suggest` suggests.
    radius : float, optional
        All other points within this distance instead.
    metric : {"euclidean", "manhattan", "cosine", "correlation", "precomputed"}
        The distance.
    algorithm : {"auto", "tree", "brute", "approximate"}
        How to search; the first three find the same neighbors. The last is much faster on large data of many
        dimensions; ``facts`` tells the share of neighbors that it found, or why it searched exactly instead.
    recall : float, optional
        The share of the true neighbors that an approximate search must find, 0.99 by default.
    device : {"auto", "cpu", "gpu"}
        Where to search exactly; the neighbors are the same. "auto" takes a graphics processor of NVIDIA where there is one
        and it is faster, "gpu" says what is missing.
    random_state : int, numpy generator or None
        The seed of the approximate search; None is 0.
    n_jobs : int, optional
        The number of threads, all cores by default; the result does not depend on it.
    progress : bool, optional
        Whether to show a bar; by default in a notebook or a terminal.

    Returns
    -------
    Neighborhoods

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(500)
    >>> truefold.neighbors(X, 8)
    Neighborhoods(n_points=500, k=8, metric='euclidean', components=1)
    """
    made, _, _ = source(X, metric)
    return search(made, (n_neighbors, radius, metric, algorithm), (random_state, n_jobs, progress), recall, device)


#: The number of neighbors or "auto", the radius where there is one, the metric, and the algorithm.
Wanted = tuple[Count, Union[float, None], str, str]


def search(
    made: _native.Source,
    wanted: Wanted,
    run: tuple[RandomState, int | None, bool | None],
    recall: float | None = None,
    device: str = "auto",
) -> Neighborhoods:
    """Find the neighbors in data that were read already."""
    n_neighbors, radius, metric, algorithm = wanted
    check_recall(recall, algorithm)
    if metric == PRECOMPUTED and algorithm != "auto":
        raise ParameterError(
            f"metric = {PRECOMPUTED} leaves nothing to search for; leave out algorithm = {algorithm!r}"
        )
    if metric == PRECOMPUTED and device != "auto":
        raise ParameterError(f"metric = {PRECOMPUTED} leaves nothing to search for; leave out device = {device!r}")
    random_state, n_jobs, progress = run
    seed = seed_of(random_state)
    if is_auto(n_neighbors):
        # With a radius the number is not used.
        n_neighbors = look_at(made, metric, (seed, n_jobs, progress), device=device).n_neighbors if radius is None else 1
    count = positive("n_neighbors", n_neighbors, "choose 1 or more")
    with reporting(progress) as report:
        settings = (seed, threads_of(n_jobs), report, device)
        return Neighborhoods(_native.neighbors(made, (count, radius, metric, algorithm), settings, recall))


def check_recall(recall: float | None, algorithm: str) -> None:
    """An error where a share of neighbors is asked of a search that finds all."""
    if recall is not None and algorithm != "approximate":
        raise ParameterError(
            f"recall = {recall} has no effect: algorithm = {algorithm!r} finds all neighbors; "
            'leave it out, or choose algorithm="approximate"'
        )


def given_or_found(
    given: Any,
    made: _native.Source,
    wanted: Wanted,
    run: tuple[RandomState, int | None, bool | None],
    device: str = "auto",
) -> Neighborhoods:
    """The neighborhoods that the user gave, or else those found in the data."""
    if given is None:
        return search(made, wanted, run, device=device)
    _, radius, _, algorithm = wanted
    if radius is not None or algorithm != "auto":
        raise ParameterError("neighbors are given, so there is nothing to search for; leave out radius and algorithm")
    return given if isinstance(given, Neighborhoods) else Neighborhoods.from_lists(given)


def _filled(offsets: np.ndarray, values: np.ndarray, missing: float) -> np.ndarray:
    """Lists as a table; shorter ones are filled up."""
    counts = np.diff(offsets)
    table = np.full((len(counts), counts.max()), missing, dtype=values.dtype)
    table[np.arange(counts.max()) < counts[:, None]] = values
    return table


def _restored(offsets: np.ndarray, members: np.ndarray, facts: dict[str, Any]) -> Neighborhoods:
    """Neighborhoods as they were when they were pickled."""
    made = Neighborhoods(_native.neighbors_from_lists(offsets, members))
    made.facts = facts
    return made
