"""Comparisons of methods, and sweeps of one method over numbers of neighbors and dimensions."""
from __future__ import annotations

import html
import io
import json
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from . import _native
from .choosing import measuring, texts_of
from .contenders import Contender, asked, dimension
from .embedder import Embedder
from .errors import DataError, ParameterError
from .inputs import source
from .neighborhoods import given_or_found, search
from .page import Report, marks_of, words
from .progress import reporting
from .rows import row_index
from .run import RandomState, dimensions, positive, seed_of, threads_of

class _Table:
    """What comparisons and sweeps share: how they show themselves."""

    _native: Any
    #: The index of the data, where they are a frame of pandas.
    _index: Any
    #: The labels that were judged, which a page then shows.
    _labels: list[str] | None = None
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
            As for :func:`truefold.report`; by default the labels with which it was made.
        progress : bool, optional
            Whether to show a bar.

        Returns
        -------
        Report
        """
        shown = self._labels if labels is None else labels
        page = (words(title, images, seed=self._seed), *marks_of(self._index, shown, colors))
        with reporting(progress) as heard:
            return Report(self._native.page(page, (self._seed, threads_of(self._n_jobs), heard)))


class Comparison(_Table):
    """What :func:`truefold.compare` found.

    Attributes
    ----------
    rows : list of dict
        One for each method and number of neighbors: ``method``, ``k``, ``measures``, ``lower_bounds``, ``seconds``,
        ``best`` (``"score"`` and the measures in which it is best for its k), or ``error`` where the method could not do
        it.
    """

    def __init__(
        self, native: _native.Comparison, index: Any, run: tuple[int, int | None], labels: list[str] | None = None
    ) -> None:
        self._native, self._index, self._labels = native, index, labels
        self._seed, self._n_jobs = run
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

    def __init__(self, native: _native.Sweep, index: Any, run: tuple[int, int | None]) -> None:
        self._native, self._index = native, index
        self._seed, self._n_jobs = run
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
    methods: Sequence[Contender] | Mapping[str, Contender] | None = None,
    n_neighbors: int | Sequence[int] = 12,
    *,
    n_components: int | None = None,
    measures: str | Iterable[str] | None = None,
    neighbors: Any = None,
    radius: float | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    center: bool = True,
    sample: int | None = None,
    exact: bool = False,
    steps: int | None = None,
    level: float | None = None,
    labels: Iterable[Any] | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compare methods and embeddings, each for each number of neighbors, beside the best possible.

    Parameters
    ----------
    methods : sequence of names, estimators or arrays, or mapping of labels to them, optional
        What to compare; by default the same methods as in the tool. An estimator of truefold stands for its method with
        the same parameters. Any other object with ``fit_transform``, UMAP or PaCMAP for example, is fitted once to X, and
        an array or a frame is an embedding that is there already; both are the same for every number of neighbors, and
        come below the methods.
    n_neighbors : int or sequence of int, default 12
        The numbers of neighbors; neighbors are searched once.
    n_components : int, optional
        The dimension of the embeddings: that of given ones, otherwise 2.
    measures : "all", a name, or a list of names, optional
        What to measure; by default ``r_n``, ``r_c``, ``reverse_r_c``, ``overlap`` and ``collapse``. Measures given by name
        come without a verdict and its score; ``"default"`` among the names stands for the usual ones of
        :func:`truefold.measure` with it.
    labels : sequence of shape (n_points,), optional
        The group of each point: how often neighbors tell it is then told of every embedding.
    X, neighbors, radius, metric, algorithm, center, sample, exact, steps, level, random_state, n_jobs, progress
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
    >>> [row["method"] for row in truefold.compare(X, {"true": Z, "shadow": X[:, :2]}).rows if "r_n" in row["best"]]
    ['true']
    """
    dim = None if n_components is None else dimensions(n_components)
    how = {"center": center, "sample": sample, "exact": exact, "steps": steps, "level": level}
    texts = texts_of(X, labels)
    measured = measuring(measures, metric, compared=True, **how, labels=texts)
    wanted = None if methods is None else asked(X, methods)
    dim = dim if dim is not None else dimension({} if wanted is None else wanted.given)
    seed = seed_of(random_state)
    made, _, _ = source(X, metric)
    run = (seed, n_jobs, progress)
    several = None if neighbors is not None or radius is not None else _numbers("n_neighbors", n_neighbors)
    most = 1 if several is None else max(several, default=1)
    found = given_or_found(neighbors, made, (most, radius, metric, algorithm), run)
    with reporting(progress) as heard:
        settings = (seed, threads_of(n_jobs), heard)
        methods_and_maps = (None, []) if wanted is None else (wanted.methods, wanted.maps())
        native = _native.compare(made, found._native, (*methods_and_maps, several, dim, measured), settings)
    return Comparison(native, row_index(X), (seed, n_jobs), texts)


def sweep(
    X: Any,
    method: str | Embedder,
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
    if not isinstance(method, (str, Embedder)):
        raise TypeError(f"{method!r} is no method; give the name of one, or an estimator of truefold")
    swept = method._ready() if isinstance(method, Embedder) else _native.Method(method, method, [])
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
        wanted = (ks, dims, reference, bool(center))
        native = _native.sweep(made, found._native, swept, wanted, settings)
    return Sweep(native, row_index(X), (seed, n_jobs))


def _numbers(name: str, values: int | Sequence[int]) -> list[int]:
    """One number or several, as a list."""
    several = values if isinstance(values, Iterable) and not isinstance(values, (str, bytes)) else [values]
    return [positive(name, value, "choose at least 1") for value in several]
