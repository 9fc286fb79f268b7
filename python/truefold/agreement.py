"""Where maps of the same data disagree: what is chance in a map, and what all of them get wrong."""
from __future__ import annotations

import json
from typing import Any, Mapping

import numpy as np

from . import _native
from .errors import DataError
from .inputs import PRECOMPUTED, is_frame, source, table
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .remaking import Seeds, is_estimator, made_again
from .rows import matched, row_names
from .run import RandomState, seed_of, threads_of
from .suggestion import Count
from .wording import html_lines, html_table


class Stability:
    """What :func:`truefold.stability` found.

    Attributes
    ----------
    shape, neighbors, r_c : dict of float
        How much the maps disagree in the shape of the data's neighborhoods and in their own nearest points, and how
        badly they keep the data's shape, each as ``value``, ``best``, ``chance``, ``chance_error``, ``skill`` (1 for the
        best possible, 0 for chance) and ``skill_error``.
    per_point : dict of array
        The same for each point: ``shape``, ``shape_chance``, ``shape_skill`` and so on; NaN where there is no value.
        ``kind`` is what can be said: ``"faithful"`` (stable and right), ``"wrong"`` (the maps agree on a distortion),
        ``"unstable"`` (the maps disagree in shape or in neighbors) or ``"unknown"``.
    counts : dict of int
        The number of points of each kind.
    maps : dict of array
        The maps by name.
    rows : dict of array
        The rows of X that a map shows, for those that do not show all.
    level : float
        The skill from which a point counts as stable, and as faithful.
    neighborhoods : Neighborhoods
        Those of the data.
    """

    def __init__(self, per_point: dict[str, Any], told: dict[str, Any], compared: _Compared) -> None:
        facts = told["facts"]
        self.shape: dict[str, float | None] = facts["shape"]
        self.neighbors: dict[str, float | None] = facts["neighbors"]
        self.r_c: dict[str, float | None] = facts["r_c"]
        self.per_point: dict[str, np.ndarray] = {**per_point, "kind": np.asarray(per_point["kind"])}
        self.counts: dict[str, int] = facts["counts"]
        self.level: float = facts["level"]
        self.maps, self.rows = compared.maps, compared.rows
        self.neighborhoods = compared.neighborhoods
        self._index, self._told = compared.index, told

    def to_frame(self) -> Any:
        """One row for shape, neighbors and R_C, as a frame of pandas."""
        import pandas

        rows = {"shape": self.shape, "neighbors": self.neighbors, "r_c": self.r_c}
        return pandas.DataFrame.from_dict(rows, orient="index")

    def per_point_frame(self) -> Any:
        """One row per point, as a frame of pandas, with the index of X where X has one."""
        import pandas

        return pandas.DataFrame(self.per_point, index=self._index)

    def worst(self, count: int = 10) -> np.ndarray:
        """The rows, counted from 0, where the maps disagree most in shape, the worst first."""
        return np.argsort(-self.per_point["shape"], kind="stable")[:count]

    def to_dict(self) -> dict[str, Any]:
        """The result as in the tool's JSON, without the times."""
        return json.loads(json.dumps(self._told["facts"]))

    def __repr__(self) -> str:
        return self._told["text"]

    def _repr_html_(self) -> str:
        told = self._told
        return html_lines(told["setting"]) + html_table(told["table"]) + html_lines(told["findings"])


class _Compared:
    """The maps by name, the rows that they show, and the data's neighborhoods."""

    def __init__(self, X: Any, given: dict[str, tuple[Any, Any]]) -> None:
        self.maps = {
            name: table(matched(X, values, name) if rows is None else values, name)[0]
            for name, (values, rows) in given.items()
        }
        self.rows = {name: _rows(rows, name) for name, (_, rows) in given.items() if rows is not None}
        self.index = row_names(X)
        self.neighborhoods: Neighborhoods

    def sources(self) -> list[tuple[_native.Source, np.ndarray | None]]:
        return [(_native.Source.points(values, name), self.rows.get(name)) for name, values in self.maps.items()]


def stability(
    X: Any,
    maps: Any,
    n_neighbors: Count = 12,
    *,
    seeds: Seeds | None = None,
    bootstrap: int = 0,
    share: float = 0.8,
    level: float = 0.5,
    neighbors: Any = None,
    radius: float | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Stability:
    """Tell where maps of the same data disagree, point by point, beside chance and beside what they get wrong.

    Parameters
    ----------
    maps : list or mapping of arrays or frames, or an estimator
        Two or more maps of X: row i of each belongs to row i of X. A pair ``(Y, rows)`` is a map of these rows alone.
        Or an estimator that makes maps: anything with ``fit_transform(X)``, such as ``umap.UMAP()``, the estimators of
        scikit-learn and of truefold, or with ``fit(X)`` that returns the map, as ``openTSNE.TSNE()`` has it. Each map
        is made by a fresh copy.
    seeds : int or list of int, optional
        For an estimator: this many maps of all rows, 5 by default, by ``random_state`` = 0, 1, ..., or by these seeds.
    bootstrap : int, default 0
        For an estimator: this many maps more, each of a sample of the rows without replacement. Maps are compared on the
        rows that they share. It tells how much a map depends on which points were drawn.
    share : float, default 0.8
        The share of the rows in a sample.
    level : float, default 0.5
        The skill from which a point counts as stable, and as faithful: halfway from chance to the best possible.
    X, n_neighbors, neighbors, radius, metric, algorithm, random_state, n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Stability

    Examples
    --------
    >>> import numpy, truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> scrambled = Z.copy()
    >>> scrambled[:200] = numpy.random.default_rng(0).permutation(Z[:200])
    >>> found = truefold.stability(X, [Z, scrambled])
    >>> found.counts["faithful"] + found.counts["unstable"] + found.counts["wrong"]
    1000
    >>> truefold.stability(X, [Z, 2 * Z[:, ::-1]]).counts
    {'faithful': 1000, 'wrong': 0, 'unstable': 0, 'unknown': 0}
    """
    seed, (made, _, _) = seed_of(random_state), source(X, metric)
    if is_estimator(maps):
        again = made_again(X, maps, 5 if seeds is None else seeds, bootstrap, share, metric == PRECOMPUTED)
        given = {f"map {place + 1}": one for place, one in enumerate(again)}
    else:
        if seeds is not None or bootstrap:
            raise TypeError("seeds and bootstrap are for an estimator that makes maps, but maps were given; leave them out")
        given = _given(maps)
    compared = _Compared(X, given)
    found = given_or_found(neighbors, made, (n_neighbors, radius, metric, algorithm), (seed, n_jobs, progress))
    compared.neighborhoods = found
    with reporting(progress) as report:
        settings = (seed, threads_of(n_jobs), report)
        per_point, told = _native.stability(made, found._native, compared.sources(), float(level), settings)
    return Stability(per_point, json.loads(told), compared)


def _given(maps: Any) -> dict[str, tuple[Any, Any]]:
    """The maps by name, each with the rows that it shows or None."""
    if is_frame(maps) or (isinstance(maps, np.ndarray) and maps.ndim == 2):
        raise TypeError("this is one map; give a list of two or more, such as [Y1, Y2]")
    named = maps if isinstance(maps, Mapping) else {f"map {place + 1}": one for place, one in enumerate(maps)}
    pair = {str(name): one if isinstance(one, tuple) and len(one) == 2 else (one, None) for name, one in named.items()}
    return pair


def _rows(rows: Any, name: str) -> np.ndarray:
    array = np.asarray(rows)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise DataError(f"the rows of {name} are no list of row numbers; give whole numbers that count from 0")
    return array.astype(np.int64)
