"""What all estimators share; :mod:`truefold.estimators` has one class per method."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from . import _native
from .base import BaseEstimator, NotFittedError, check_columns
from .errors import FitWarning, ParameterError
from .inputs import PRECOMPUTED, is_frame, source, table
from .model import Fit, Model, Placement
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .run import Settings, dimensions, seed_of, threads_of
from .suggestion import Count, Suggestion, is_auto, look_at
from .warn import tell

Self = TypeVar("Self", bound="Embedder")


class Embedder(BaseEstimator):
    """An embedding method as an estimator with scikit-learn's rules.

    The constructor only stores; ``fit`` checks and computes, and a fit that fails leaves a fitted estimator as it was.
    ``transform`` places new points by the neighborhoods of the fitted ones, whose places do not change. For that the
    estimator keeps X: no copy of it, where X is an array of 64-bit floats in C order.
    """

    #: The method's name in the table, and its own parameters.
    _method: ClassVar[str]
    _own: ClassVar[tuple[str, ...]] = ()

    n_components: Count
    metric: str
    random_state: Any
    n_jobs: int | None
    progress: bool | None
    embedding_: np.ndarray
    fit_info_: dict[str, Any]
    n_features_in_: int
    _model: Model | None

    def fit(self: Self, X: Any, y: Any = None, *, neighbors: Any = None) -> Self:
        """Embed X.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features), or distances
            The points; with ``metric="precomputed"`` a square table of distances, or a sparse matrix of those known.
        y : None
            Not used; pipelines pass it.
        neighbors : Neighborhoods, (indices, distances), sparse matrix, array of rows or list of lists, optional
            Neighborhoods that are known already, see :meth:`truefold.Neighborhoods.from_lists`; ``n_neighbors`` is then
            not used.

        Returns
        -------
        self : the fitted estimator
        """
        # Wrong parameters are reported before neighbors are searched.
        method, asked = self._ready(), None if is_auto(self.n_components) else dimensions(self.n_components)
        if asked is not None:
            method.check(asked)
        made, columns, names = source(X, self.metric)
        seed = seed_of(self.random_state)
        run = (seed, self.n_jobs, self.progress)
        suggestion = self._suggested(made, neighbors, run)
        found = self._neighborhoods(made, neighbors, suggestion, run)
        dim = suggestion.n_components if suggestion and asked is None else dimensions(asked)
        with reporting(self.progress) as report:
            settings = (seed, threads_of(self.n_jobs), report, self._device())
            native = None if found is None else found._native
            embedding, rows, told, torn = _native.embed(made, native, method, dim, settings)
        info = json.loads(told)
        if suggestion:
            info["chosen"] = self._chosen(suggestion, neighbors is not None)
        model = None
        if self.metric != PRECOMPUTED:
            # Neighbors that were given or found in distances say nothing about how near new points are.
            known = PRECOMPUTED if found is None else found.facts.get("metric", PRECOMPUTED)
            metric = "euclidean" if known == PRECOMPUTED else known
            model = Model(made, embedding, found, Fit(rows, torn, names, metric, told))
        # Stored only now, so that a fit that fails changes nothing.
        self._keep(
            embedding_=embedding,
            fit_info_=info,
            n_features_in_=columns,
            feature_names_in_=names,
            neighborhoods_=found,
            rows_=rows,
            torn_=torn,
            suggestion_=suggestion,
            _model=model,
        )
        tell(info["warnings"], FitWarning)
        return self

    def _neighborhoods(
        self, made: _native.Source, given: Any, suggestion: Suggestion | None, run: tuple[int, int | None, bool | None]
    ) -> Neighborhoods | None:
        """The neighborhoods that the method looks at; none for methods that look at none."""
        if hasattr(self, "n_neighbors"):
            count = suggestion.n_neighbors if suggestion and is_auto(self.n_neighbors) else self.n_neighbors
            return given_or_found(given, made, (count, None, self.metric, "auto"), run, self._device())
        if given is not None:
            raise TypeError(f"{type(self).__name__} looks at no neighbors; leave out neighbors")
        if self.metric not in ("euclidean", PRECOMPUTED):
            raise ParameterError(
                f"metric = {self.metric!r} has no effect: {self._method} looks at no neighbors; leave it out"
            )
        return None

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

    def transform(self, X: Any) -> np.ndarray:
        """Place new points in the embedding.

        A point that was fitted keeps its place, bit for bit; any other is placed by the local maps of the fitted
        points that are nearest to it, which takes microseconds. :meth:`place` tells how far to trust each.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The new points, with the columns of the fit.

        Returns
        -------
        embedding : array of shape (n_samples, n_components)
            Or a frame, where ``set_output`` asks for one.

        Examples
        --------
        >>> import truefold
        >>> X, Z = truefold.datasets.swiss_roll(500)
        >>> fitted = truefold.LTSA().fit(X[:450])
        >>> fitted.transform(X[450:]).shape
        (50, 2)
        >>> bool((fitted.transform(X[:450]) == fitted.embedding_).all())
        True
        """
        return self.place(X).embedding

    def place(self, X: Any) -> Placement:
        """Place new points as :meth:`transform` does, and tell how far to trust each.

        Parameters
        ----------
        X
            As for :meth:`transform`.

        Returns
        -------
        Placement
            ``embedding``, ``confidence`` and facts about each place.

        Examples
        --------
        >>> import truefold
        >>> X, Z = truefold.datasets.swiss_roll(500)
        >>> fitted = truefold.LTSA().fit(X)
        >>> near, far = fitted.place(X + 0.01), fitted.place(X + 100)
        >>> bool(near.confidence.min() > far.confidence.max())
        True
        """
        model = self._fitted_model()
        array, names = table(X, "X", kept=True)
        check_columns(self, X if is_frame(X) else array)
        with reporting(self.progress) as report:
            return model.place(_native.Source.points(array, "X"), names, self._run(report))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the fitted embedding as a model of the tool, which ``truefold transform`` and :func:`load` read.

        Parameters
        ----------
        path : str or path
            The file, ``map.truefold`` for example; it appears whole or not at all.

        Returns
        -------
        path : Path

        Examples
        --------
        >>> import os, tempfile, truefold
        >>> X, Z = truefold.datasets.swiss_roll(300)
        >>> path = truefold.LTSA().fit(X).save(os.path.join(tempfile.mkdtemp(), "roll.truefold"))
        >>> truefold.load(path).transform(X[:5]).shape
        (5, 2)
        """
        model = self._fitted_model()
        with reporting(self.progress) as report:
            model.save(path, self._run(report))
        return Path(path)

    def _fitted_model(self) -> Model:
        self._check_fitted()
        if self._model is None:
            _native.refuse_distances()
        return self._model  # type: ignore[return-value]

    def _run(self, report: Any) -> Settings:
        return 0, threads_of(self.n_jobs), report

    def _suggested(
        self, made: _native.Source, neighbors: Any, run: tuple[int, int | None, bool | None]
    ) -> Suggestion | None:
        """What suits the data, where a number is left to them."""
        of_neighbors = neighbors is None and is_auto(getattr(self, "n_neighbors", None))
        if not of_neighbors and not is_auto(self.n_components):
            return None
        return look_at(made, self.metric, run, device=self._device())

    def _device(self) -> str:
        """Where neighbors are searched; methods that look at none do not ask."""
        return getattr(self, "device", "auto")

    def _chosen(self, suggestion: Suggestion, given: bool) -> dict[str, Any]:
        """What was left to the data, as the tool's JSON has it."""
        chosen: dict[str, Any] = {}
        if is_auto(self.n_components):
            chosen["dim"] = {"value": suggestion.n_components, "reason": suggestion.reasons["n_components"]}
        if not given and is_auto(getattr(self, "n_neighbors", None)):
            chosen["k"] = {"value": suggestion.n_neighbors, "reason": suggestion.reasons["n_neighbors"]}
        return chosen

    def _keep(self, **fitted: Any) -> None:
        """Makes these the attributes of the fit; one that is None is not there, but for the model."""
        for name in ("feature_names_in_", "neighborhoods_", "rows_", "suggestion_", "torn_"):
            if fitted.get(name) is None:
                fitted.pop(name, None)
                vars(self).pop(name, None)
        vars(self).update(fitted)

    def _ready(self, label: str | None = None) -> _native.Method:
        """The method with its own parameters, and what to do with components, as typed after ``--set``."""
        names = (*self._own, "components") if hasattr(self, "components") else self._own
        return _native.Method(label or self._method, self._method, [(name, typed(getattr(self, name))) for name in names])

    @property
    def _n_features_out(self) -> int:
        self._check_fitted()
        return int(self.embedding_.shape[1])

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"This {type(self).__name__} is not fitted yet; call fit first")

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
