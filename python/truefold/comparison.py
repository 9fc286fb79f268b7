"""Comparisons of methods, and sweeps of one method over numbers of neighbors and dimensions."""
from __future__ import annotations

import html
import io
import json
from typing import Any, Iterable, Mapping, Sequence, Union

import numpy as np

from . import _native
from .embedder import Embedder
from .errors import DataError, ParameterError
from .inputs import source
from .measures import sampled
from .neighborhoods import given_or_found, search
from .page import Report, marks_of, words
from .progress import reporting
from .run import RandomState, dimensions, positive, seed_of, threads_of

#: A method by its name, or an estimator, which stands for its method with the same parameters.
MethodLike = Union[str, Embedder]


class _Table:
    """What comparisons and sweeps share: how they show themselves."""

    _native: Any
    _seed: int
    _n_jobs: int | None

    def __repr__(self) -> str:
        return self._native.text()

    def _repr_html_(self) -> str:
        # Not every notebook shows preformatted text in letters of one width, which these columns need.
        style = "font-family: monospace; white-space: pre; overflow-x: auto"
        return f'<pre style="{style}">{html.escape(self._native.text())}</pre>'

    def to_frame(self) -> Any:
        """All rows with all digits, as a frame of pandas."""
        import pandas

        return pandas.read_csv(io.StringIO(self._native.csv()), float_precision="round_trip")

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return self._native.markdown()

    def to_dict(self) -> dict[str, Any]:
        """The result as in the tool's JSON."""
        return json.loads(self._native.json())

    def report(
        self,
        *,
        title: str = "truefold",
        labels: Iterable[Any] | None = None,
        colors: Mapping[str, Any] | None = None,
        images: str | tuple[int, int] | None = None,
        progress: bool | None = None,
    ) -> Report:
        """The interactive page of it.

        Parameters
        ----------
        title, labels, colors, images
            As for :func:`truefold.report`.
        progress : bool, optional
            Whether to show a bar.

        Returns
        -------
        Report
        """
        page = (words(title, images, seed=self._seed), *marks_of(labels, colors))
        with reporting(progress) as heard:
            return Report(self._native.page(page, (self._seed, threads_of(self._n_jobs), heard)))


class Comparison(_Table):
    """What :func:`truefold.compare` found.

    Attributes
    ----------
    rows : list of dict
        One for each method and number of neighbors: ``method``, ``k``, ``measures``, ``lower_bounds``, ``seconds``,
        ``best`` (the measures in which it is best for its k), or ``error`` where the method could not do it.
    """

    def __init__(self, native: _native.Comparison, seed: int, n_jobs: int | None) -> None:
        self._native, self._seed, self._n_jobs = native, seed, n_jobs
        self.rows: list[dict[str, Any]] = self.to_dict()["rows"]

    def embedding(self, method: str, k: int | None = None) -> np.ndarray:
        """The embedding by this method, for this number of neighbors where there are several.

        Parameters
        ----------
        method : str
            The name or label of the method.
        k : int, optional
            The number of neighbors.

        Returns
        -------
        embedding : array of shape (n_points, n_components)
            Of fewer rows where ``components`` left some out.
        """
        places = [
            place
            for place, row in enumerate(self.rows)
            if row["method"] == method and (k is None or row["k"] == k)
        ]
        if len(places) != 1:
            known = ", ".join(f"{row['method']} at k = {row['k']}" for row in self.rows)
            raise ParameterError(
                f"method = {method!r}, k = {k} names {len(places)} rows; name one of {known}"
            )
        kept = self._native.embedding(places[0])
        if kept is None:
            raise DataError(f"{method} gave no embedding: {self.rows[places[0]]['error']}")
        return kept[0]


class Sweep(_Table):
    """What :func:`truefold.sweep` found.

    Attributes
    ----------
    n_neighbors, n_components : int or None
        The recommended numbers; None where the method gave no embedding.
    recommendation : list of str
        What to choose, why, and how sure that is.
    rows : list of dict
        One for each number of neighbors and dimension: ``k``, ``dim``, ``measures`` and ``lower_bounds`` on its own
        neighborhoods, the same on those of the ``reference``, or ``error`` where the method could not do it.
    """

    def __init__(self, native: _native.Sweep, seed: int, n_jobs: int | None) -> None:
        self._native, self._seed, self._n_jobs = native, seed, n_jobs
        self.n_neighbors, self.n_components = native.recommended() or (None, None)
        self.recommendation = native.recommendation()
        self.rows: list[dict[str, Any]] = self.to_dict()["rows"]

    @property
    def embedding(self) -> np.ndarray:
        """The embedding of the recommended choice."""
        kept = None
        if self.n_neighbors is not None and self.n_components is not None:
            kept = self._native.embedding(self.n_neighbors, self.n_components)
        if kept is None:
            raise DataError("the method gave no embedding; the table says why")
        return kept[0]


def compare(
    X: Any,
    methods: Sequence[MethodLike] | Mapping[str, MethodLike] | None = None,
    n_neighbors: int | Sequence[int] = 12,
    *,
    n_components: int = 2,
    measures: str | Sequence[str] | None = None,
    neighbors: Any = None,
    radius: float | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    center: bool = True,
    sample: int | None = None,
    exact: bool = False,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compare methods, each for each number of neighbors, beside the best possible.

    Parameters
    ----------
    methods : sequence of names or estimators, or mapping of labels to them, optional
        The methods; by default the same as in the tool. An estimator stands for its method with the same parameters.
    n_neighbors : int or sequence of int, default 12
        The numbers of neighbors; neighbors are searched once.
    n_components : int, default 2
        The dimension of the embeddings.
    measures : a name or list of names, optional
        What to measure; by default R_N, R_C, overlap and collapse.
    X, neighbors, radius, metric, algorithm, center, sample, exact, random_state, n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> found = truefold.compare(X, ["psa", truefold.LTSA(), "pca"], n_neighbors=[8, 12])
    >>> [row["method"] for row in found.rows if "r_n" in row["best"]]
    ['psa', 'psa']
    >>> found.embedding("pca", 8).shape
    (1000, 2)
    """
    asked, dim = None if methods is None else _asked(methods), dimensions(n_components)
    names = [measures] if isinstance(measures, str) else None if measures is None else list(measures)
    _native.check_measures(names or [])
    measuring = (names, bool(center), sampled(sample, exact))
    seed = seed_of(random_state)
    made, _, _ = source(X, metric)
    run = (seed, n_jobs, progress)
    several = None if neighbors is not None or radius is not None else _numbers("n_neighbors", n_neighbors)
    most = 1 if several is None else max(several, default=1)
    found = given_or_found(neighbors, made, (most, radius, metric, algorithm), run)
    with reporting(progress) as heard:
        settings = (seed, threads_of(n_jobs), heard)
        native = _native.compare(made, found._native, (asked, several, dim, measuring), settings)
    return Comparison(native, seed, n_jobs)


def sweep(
    X: Any,
    method: MethodLike,
    n_neighbors: Sequence[int] = (6, 8, 10, 12, 15, 20, 25, 30),
    *,
    n_components: int | Sequence[int] = 2,
    reference_n_neighbors: int | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    center: bool = True,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Sweep:
    """Run one method over numbers of neighbors and dimensions, and tell which to choose.

    Parameters
    ----------
    X : array or frame of shape (n_points, n_features), or distances
        The data; with ``metric="precomputed"`` a square table of distances, or a sparse matrix of those known.
    method : name or estimator
        The method; an estimator stands for its method with the same parameters.
    n_neighbors : sequence of int
        The numbers of neighbors to try.
    n_components : int or sequence of int, default 2
        The dimensions to try.
    reference_n_neighbors : int, optional
        The number of neighbors in which all embeddings are compared; the largest by default.
    metric, algorithm, center, random_state, n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Sweep

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(600)
    >>> found = truefold.sweep(X, "ltsa", [8, 10, 12], n_components=[1, 2])
    >>> found.n_components, found.embedding.shape
    (2, (600, 2))
    """
    (asked,) = _asked([method])
    seed = seed_of(random_state)
    ks, dims = _numbers("n_neighbors", n_neighbors), _numbers("n_components", n_components)
    reference = None
    if reference_n_neighbors is not None:
        reference = positive("reference_n_neighbors", reference_n_neighbors, "choose 1 or more")
    made, _, _ = source(X, metric)
    most = max([*ks, reference or 1])
    found = search(made, (most, None, metric, algorithm), (seed, n_jobs, progress))
    with reporting(progress) as heard:
        settings = (seed, threads_of(n_jobs), heard)
        wanted = (ks, dims, reference, (None, bool(center), None))
        native = _native.sweep(made, found._native, asked, wanted, settings)
    return Sweep(native, seed, n_jobs)


def _asked(methods: Sequence[MethodLike] | Mapping[str, MethodLike]) -> list[_native.Method]:
    """The methods, each under its label."""
    if isinstance(methods, (str, Embedder)):
        methods = [methods]
    pairs = methods.items() if isinstance(methods, Mapping) else ((None, method) for method in methods)
    asked = []
    for label, method in pairs:
        if isinstance(method, Embedder):
            asked.append(method._ready(label))
        elif isinstance(method, str):
            asked.append(_native.Method(label or method, method, []))
        else:
            raise TypeError(f"{method!r} is no method; give the name of one, or an estimator of truefold")
    return asked


def _numbers(name: str, values: int | Sequence[int]) -> list[int]:
    """One number or several, as a list."""
    several = values if isinstance(values, Iterable) and not isinstance(values, (str, bytes)) else [values]
    return [positive(name, value, "choose at least 1") for value in several]
