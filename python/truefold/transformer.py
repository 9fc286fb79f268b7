"""The search for neighbors as a transformer with the rules of scikit-learn's KNeighborsTransformer."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from .base import BaseEstimator, NotFittedError, check_columns
from .errors import ParameterError
from .inputs import is_frame, table
from .neighborhoods import Neighborhoods, check_recall, search
from .progress import reporting
from .run import positive, seed_of, threads_of

MODES = ("distance", "connectivity")


class NeighborsTransformer(BaseEstimator):
    """Points in, the sparse graph of their nearest neighbors out.

    It keeps the rules of ``sklearn.neighbors.KNeighborsTransformer``, so it can stand wherever that can: in
    ``scanpy.pp.neighbors(transformer=...)``, and in a pipeline before ``Isomap(metric="precomputed")``,
    ``TSNE(metric="precomputed")``, ``SpectralEmbedding(affinity="precomputed_nearest_neighbors")`` and the like.

    Parameters
    ----------
    n_neighbors : int, default 12
        The number of nearest points, ties by row number. In mode "distance" the point itself comes on top; in mode
        "connectivity" it is one of them.
    mode : {"distance", "connectivity"}
        What the graph holds: distances, or ones.
    metric : {"euclidean", "manhattan", "cosine", "correlation"}
        The distance.
    algorithm : {"auto", "tree", "brute", "approximate"}
        How to search among the fitted points, as for :func:`truefold.neighbors`; those nearest to new points are always
        found exactly.
    recall : float, optional
        The share of the true neighbors that the approximate search must find, 0.99 by default.
    device : {"auto", "cpu", "gpu"}
        Where the fitted points are searched among themselves; the neighbors are the same. Those of new points are searched on
        the processor.
    random_state : int, numpy generator or None
        The seed of the approximate search; None is 0.
    n_jobs : int, optional
        The number of threads, all cores by default; the result does not depend on it.
    progress : bool, optional
        Whether to show a bar; by default in a notebook or a terminal.

    Attributes
    ----------
    n_samples_fit_ : int
        The number of fitted points.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : array of str
        Their names, where X is a frame whose columns have strings for names.

    Examples
    --------
    >>> import truefold
    >>> X = [[0.0], [1.0], [3.0], [3.5]]
    >>> graph = truefold.NeighborsTransformer(n_neighbors=1)
    >>> graph.fit_transform(X).toarray()
    array([[0. , 1. , 0. , 0. ],
           [1. , 0. , 0. , 0. ],
           [0. , 0. , 0. , 0.5],
           [0. , 0. , 0.5, 0. ]])
    >>> graph.kneighbors([[3.25]], 2)
    (array([[0.25, 0.25]]), array([[2, 3]]))
    """

    n_samples_fit_: int
    n_features_in_: int
    _points: np.ndarray

    def __init__(
        self,
        n_neighbors: int = 12,
        *,
        mode: str = "distance",
        metric: str = "euclidean",
        algorithm: str = "auto",
        recall: float | None = None,
        device: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.mode = mode
        self.metric = metric
        self.algorithm = algorithm
        self.recall = recall
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> NeighborsTransformer:
        """Keep the points among which neighbors are searched.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The points; an array that can be read where it is is not copied, and must not be changed afterwards.
        y : None
            Not used; pipelines pass it.

        Returns
        -------
        self : the fitted transformer
        """
        self._wanted()
        array, names = table(X, "X", kept=True)
        # Refuses what is not finite and what is empty.
        _native.Source.points(array, "X")
        vars(self).pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names
        self.n_features_in_, self.n_samples_fit_, self._points = array.shape[1], array.shape[0], array
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return the graph of the fitted points: each is its own first neighbor.

        Parameters
        ----------
        X, y
            As for :meth:`fit`.

        Returns
        -------
        graph : sparse matrix of scipy of shape (n_samples, n_samples), in compressed rows
            The entries of a row are nearest first; those of the diagonal are stored, distances of zero too.
        """
        count = self._wanted()
        self.fit(X, y)
        if count == 1:
            own = np.arange(self.n_samples_fit_)[:, None]
            return self._graph(np.zeros(own.shape), own)
        found = self._found(count - 1)
        return self._graph(found.distances(self._points, metric=self.metric, n_jobs=self.n_jobs), found.indices)

    def transform(self, X: Any) -> Any:
        """The graph from new points to the fitted ones.

        Parameters
        ----------
        X : array or frame of shape (n_new, n_features)
            The new points, with the columns of the fit. A fitted point among them finds itself.

        Returns
        -------
        graph : sparse matrix of scipy of shape (n_new, n_samples), in compressed rows
            The entries of a row are nearest first; distances of zero are stored.
        """
        self._check_fitted()
        return self._graph(*self._nearest(X, self._wanted()))

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """Distances and rows of the fitted points nearest to new ones.

        Parameters
        ----------
        X : array or frame of shape (n_new, n_features), optional
            The new points; by default the fitted ones, each without itself.
        n_neighbors : int, optional
            The number of neighbors, by default that of the transformer.
        return_distance : bool, default True
            Whether to return distances too.

        Returns
        -------
        distances : array of shape (n_new, n_neighbors)
            Only where ``return_distance`` is true.
        indices : array of shape (n_new, n_neighbors)
            Rows of the fitted points, nearest first.
        """
        self._check_fitted()
        count = positive("n_neighbors", self.n_neighbors if n_neighbors is None else n_neighbors, "choose 1 or more")
        if X is not None:
            distances, indices = self._nearest(X, count)
            return (distances, indices) if return_distance else indices
        found = self._found(count)
        indices = found.indices[:, 1:]
        if not return_distance:
            return indices
        return found.distances(self._points, metric=self.metric, n_jobs=self.n_jobs)[:, 1:], indices

    def _wanted(self) -> int:
        """The number of entries in a row of the graph."""
        if self.mode not in MODES:
            raise ParameterError(f"mode = {self.mode!r} is not one of {', '.join(MODES)}; choose one of them")
        check_recall(self.recall, self.algorithm)
        count = positive("n_neighbors", self.n_neighbors, "choose 1 or more")
        if count == 0:
            raise ParameterError("n_neighbors = 0 is less than 1: every point needs a neighbor; choose a larger n_neighbors")
        return count + 1 if self.mode == "distance" else count

    def _found(self, count: int) -> Neighborhoods:
        """The neighbors of the fitted points among themselves."""
        made = _native.Source.points(self._points, "X")
        wanted = (count, None, self.metric, self.algorithm)
        return search(made, wanted, (self.random_state, self.n_jobs, self.progress), self.recall, self.device)

    def _nearest(self, X: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Distances and rows of the fitted points nearest to new ones."""
        array, _ = table(X, "X", kept=True)
        check_columns(self, X if is_frame(X) else array)
        fitted, new = _native.Source.points(self._points, "X"), _native.Source.points(array, "X")
        with reporting(self.progress) as report:
            settings = (seed_of(self.random_state), threads_of(self.n_jobs), report)
            wanted = (count, None, self.metric, self.algorithm)
            rows, distances = _native.neighbors_of_new(fitted, new, wanted, settings)
        return distances, rows

    def _graph(self, distances: np.ndarray, rows: np.ndarray) -> Any:
        """The lists as a sparse matrix."""
        from scipy.sparse import csr_matrix

        values = distances.ravel() if self.mode == "distance" else np.ones(rows.size)
        offsets = np.arange(0, rows.size + 1, rows.shape[1])
        return csr_matrix((values, rows.ravel(), offsets), shape=(len(rows), self.n_samples_fit_))

    @property
    def _n_features_out(self) -> int:
        self._check_fitted()
        return self.n_samples_fit_

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"This {type(self).__name__} is not fitted yet; call fit first")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_points")
