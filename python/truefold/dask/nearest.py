"""Nearest rows by the names of scikit-learn."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..base import NotFittedError, Parameters
from ..run import RandomState, seed_of
from .approximate import check as check_recall
from .cells import bring_back
from .chunks import Chunks, check_columns
from .field import Field, current_client, distances_of, look
from .neighbors import Promise, lists_in_chunks, rows_and_values
from .tasks import Tasks


class NearestNeighbors(Parameters):
    """The nearest rows of a dask array, with the names of ``sklearn.neighbors.NearestNeighbors``.

    Parameters
    ----------
    n_neighbors : int, default 12
        The number of nearest points, ties by row number.
    metric : {"euclidean", "manhattan", "cosine", "correlation"}
        The distance.
    recall : float, optional
        The share of the true neighbors of fitted points that must be found, as for :func:`truefold.dask.neighbors`; those of other
        points are all found.
    random_state : int, numpy generator or None
        The seed of a search with ``recall``; None is 0.
    client : distributed.Client, optional
        Who looks at the points; by default the current client, or else the scheduler of this machine.

    Attributes
    ----------
    n_samples_fit_, n_features_in_ : int
        The shape of X.
    facts_ : dict
        What was found about ``recall`` by :meth:`kneighbors`, as in :class:`truefold.dask.Neighborhoods`.
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
    facts_: dict[str, Any]
    _field: Field

    def __init__(
        self,
        n_neighbors: int = 12,
        *,
        metric: str = "euclidean",
        recall: float | None = None,
        random_state: RandomState = None,
        client: Any = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.recall = recall
        self.random_state = random_state
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
        if self.recall is not None:
            check_recall(self.recall)
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
            promise = None
            if self.recall is not None:
                promise = Promise(check_recall(self.recall), seed_of(self.random_state), self.client_)
            self.facts_ = {"k": k, "metric": field.metric}
            tables, tasks, _ = lists_in_chunks(field, k, promise, self.facts_)
        else:
            chunks = Chunks(X, "X")
            check_columns(chunks, field.chunks.dim)
            look(([chunks], [field.metric]), self.client)
            tasks = field.tasks.joined([Tasks([chunks.array])], k)
            tables = bring_back(field.lists_of(chunks, k, tasks), chunks, tasks, "lists-back")
        rows, values = rows_and_values(tables, chunks, k, tasks)
        if not return_distance:
            return rows
        return values.map_blocks(distances_of, field.metric, dtype=np.float64), rows
