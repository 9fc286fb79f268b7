"""What all estimators share; :mod:`truefold.estimators` has one class per method."""
from __future__ import annotations

import json
import warnings
from typing import Any, ClassVar, TypeVar

import numpy as np

from . import _native
from .base import HAS_SKLEARN, BaseEstimator
from .errors import FitWarning, NotFittedError, ParameterError
from .inputs import PRECOMPUTED, source
from .neighborhoods import given_or_found
from .progress import reporting
from .run import positive, seed_of, threads_of

Self = TypeVar("Self", bound="Embedder")


class Embedder(BaseEstimator):
    """An embedding method as an estimator with scikit-learn's rules.

    The constructor only stores; ``fit`` checks and computes, and a fit that fails leaves a fitted estimator as it was.
    There is no ``transform``: an embedding is one of the points that it was fitted to.
    """

    #: The method's name in the table, and its own parameters.
    _method: ClassVar[str]
    _own: ClassVar[tuple[str, ...]] = ()

    n_components: int
    metric: str
    random_state: Any
    n_jobs: int | None
    progress: bool | None
    embedding_: np.ndarray
    fit_info_: dict[str, Any]
    n_features_in_: int

    def fit(self: Self, X: Any, y: Any = None, *, neighbors: Any = None) -> Self:
        """Embed X.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features), or distances
            The points; with ``metric="precomputed"`` a square table of distances, or a sparse matrix of those known.
        y : None
            Not looked at; it is here for pipelines.
        neighbors : Neighborhoods, sparse matrix, array of rows or list of lists, optional
            Neighborhoods that are known already; ``n_neighbors`` then plays no part.

        Returns
        -------
        self : the fitted estimator
        """
        made, columns, names = source(X, self.metric)
        seed = seed_of(self.random_state)
        found = None
        if hasattr(self, "n_neighbors"):
            run = (seed, self.n_jobs, self.progress)
            found = given_or_found(neighbors, made, self.n_neighbors, None, self.metric, "auto", run)
        elif neighbors is not None:
            raise TypeError(f"{type(self).__name__} looks at no neighbors; leave out neighbors")
        elif self.metric not in ("euclidean", PRECOMPUTED):
            raise ParameterError(
                f"metric = {self.metric!r} has no use here: {self._method} looks at no neighbors; leave it out"
            )
        own = self._settings()
        dimensions = positive("dim", self.n_components, "choose at least one (in Python, dim is n_components)")
        with reporting(self.progress) as report:
            settings = (seed, threads_of(self.n_jobs), report)
            native = None if found is None else found._native
            embedding, rows, info, torn = _native.embed(made, native, self._method, own, dimensions, settings)
        # Nothing is stored before everything is there.
        self.embedding_ = embedding
        self.fit_info_ = json.loads(info)
        self.n_features_in_ = columns
        kept = {"neighborhoods_": found, "rows_": rows, "torn_": torn, "feature_names_in_": names}
        for name, value in kept.items():
            if value is not None:
                setattr(self, name, value)
            elif hasattr(self, name):
                delattr(self, name)
        for warning in self.fit_info_["warnings"]:
            warnings.warn(warning, FitWarning, stacklevel=2)
        return self

    def fit_transform(self, X: Any, y: Any = None, *, neighbors: Any = None) -> np.ndarray:
        """Embed X and return the embedding.

        Parameters
        ----------
        X, y, neighbors
            As for :meth:`fit`.

        Returns
        -------
        embedding : array of shape (n_samples, n_components)
            Or a frame, where ``set_output`` asks for one.
        """
        return self.fit(X, y, neighbors=neighbors).embedding_

    def _settings(self) -> list[tuple[str, str]]:
        """The method's own parameters, and what to do with components, as they would be typed after ``--set``."""
        names = (*self._own, "components") if hasattr(self, "components") else self._own
        return [(name, typed(getattr(self, name))) for name in names]

    @property
    def _n_features_out(self) -> int:
        if not self.__sklearn_is_fitted__():
            raise _not_fitted(f"This {type(self).__name__} is not fitted yet; call fit first")
        return int(self.embedding_.shape[1])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "embedding_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.pairwise = self.metric == PRECOMPUTED
        tags.input_tags.sparse = self.metric == PRECOMPUTED
        return tags


def typed(value: Any) -> str:
    """A parameter as it would be typed after ``--set name=``."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, str) else json.dumps(value)


def _not_fitted(text: str) -> Exception:
    if HAS_SKLEARN:
        from sklearn.exceptions import NotFittedError as Known

        return Known(text)
    return NotFittedError(text)
