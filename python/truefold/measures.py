"""How faithful an embedding is, where it is not, and how far it is from the best possible."""
from __future__ import annotations

import json
from typing import Any, Iterable

import numpy as np

from . import _native
from .choosing import MEASURES, ByName, known_name, measuring, texts_of
from .errors import DataError
from .inputs import source, table
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .rows import matched, row_names
from .run import RandomState, seed_of, threads_of
from .suggestion import Count
from .verdicts import Labels, Verdict
from .wording import html_lines, html_table


class Measurement(ByName):
    """What :func:`truefold.measure` found; ``result.r_n`` and so on are the values.

    Attributes
    ----------
    values, lower_bounds : dict of float
        The value of each measure, and the least value that any embedding could have, where that is known.
    chance, skill : dict of float
        The value that an embedding unrelated to the data would have, where that is known, and how far the value is on the
        way from chance to the best possible: 1 the best possible, 0 chance.
    per_point, per_point_bounds, per_point_chance : dict of array
        The same for each point; NaN where a point has no value, as it was not sampled or all its neighbors coincide.
    chance_errors : dict of float
        The standard errors of those values of ``chance`` that were drawn.
    verdict : Verdict or None
        Both directions in one score, what happens to neighbors, and a class for every point; None where measures were
        named, or nothing can be told.
    standard_errors : dict of float
        The standard errors of values that were estimated on a sample.
    over_scale : dict or None
        The neighborhoods of every size that are kept, where ``r_nx`` was measured: the curve of R_NX over ``k``, the
        ``area`` under it, its ``local`` and ``global`` half and the ``split`` between them, with standard errors.
    along_paths : dict or None
        What the embedding does to the lengths of shortest paths, where ``distortion`` was measured: the ``median`` and the
        ``largest`` distortion of a point, the Lipschitz constants ``stretch`` and ``shrink``, and the number of ``sources``.
    warnings : list of str
        What a reader should know.
    n_points, input_dim, output_dim : int
        The shape of the problem; ``input_dim`` is None for given distances.
    neighborhoods : Neighborhoods
        The neighborhoods in which X and Y were compared.
    center : bool
        Whether each neighborhood included its own point.
    labels : Labels or None
        What the embedding does to groups of points, where labels were given.
    index : pandas Index or None
        The names of the rows, where X or Y is a frame of pandas with an index that does more than count; the text then
        names rows by it. Otherwise a row is its position, counted from 0.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> result = truefold.measure(X, Z)
    >>> print(result)
    1,000 points in 3 dimensions, embedded in 2 dimensions
    12 neighbors each (euclidean); 1 connected component, center included
    <BLANKLINE>
    measure         value  best possible  times best           chance  skill
    R              0.1410         0.1372        1.03  60.25 +- 0.1251  1.000
    R_N          0.002871       0.002799        1.03            1.348  1.000
    R_PCA        0.003813              0              60.29 +- 0.1261  1.000
    R_C          0.002835       0.002799        1.01           0.8777  1.000
    R_A          0.002813       0.002799        1.00           0.8333  1.000
    reverse R_N  0.002842       0.002772        1.03            1.347  1.000
    reverse R_C  0.002808       0.002772        1.01           0.8777  1.000
    reverse R_A  0.002785       0.002772        1.00           0.8333  1.000
    <BLANKLINE>
    Y keeps 99.7 % of the shape of an average neighborhood; the best possible is
      99.7 %.
    Score 1.000 of 1 (1 the best possible, 0 chance): the data's neighborhoods keep
      1.000 of their shape, the map's own 1.000.
    The map keeps 100 % of the neighbors (chance 1.2 %); 0 % of those that it shows
      are false (chance 96 %), 0 % of the true ones are missing (chance 96 %).
    Its neighbors are 1.000 times as far away in the data as the true ones; the true
      ones are 1.000 times as far away in the map as its own.
    Of 1,000 points: 1,000 faithful. Points are told from chance at a false
      discovery rate of 5.0 %.
    The worst tenth of the neighborhoods holds 59 % of R_N above its bound; the
      worst are
      row 96 (0.01746), row 468 (0.02093), row 991 (0.01974), row 773 (0.02158).
    >>> round(result.r_n, 6)
    0.002871
    """

    def __init__(
        self,
        scores: dict[str, dict[str, Any]],
        told: dict[str, Any],
        neighborhoods: Neighborhoods,
        verdict: Verdict | None = None,
        index: Any = None,
    ) -> None:
        def pick(key: str) -> dict[str, Any]:
            return {name: score[key] for name, score in scores.items() if score[key] is not None}

        facts = told["facts"]
        self.values: dict[str, float] = pick("value")
        self.lower_bounds: dict[str, float] = pick("lower_bound")
        self.chance: dict[str, float] = pick("chance")
        self.chance_errors: dict[str, float] = pick("chance_error")
        self.skill: dict[str, float] = pick("skill")
        self.per_point: dict[str, np.ndarray] = pick("per_point")
        self.per_point_chance: dict[str, np.ndarray] = pick("per_point_chance")
        self.per_point_bounds: dict[str, np.ndarray] = pick("per_point_bound")
        self.standard_errors: dict[str, float] = pick("standard_error")
        self.n_points: int = facts["points"]
        self.input_dim: int | None = facts["input_dim"]
        self.output_dim: int = facts["output_dim"]
        self.neighborhoods = neighborhoods
        self.center: bool = facts["neighborhoods"]["center"]
        self.over_scale: dict[str, Any] | None = facts.get("over_scale")
        self.along_paths: dict[str, Any] | None = facts.get("along_paths")
        self.warnings: list[str] = facts["warnings"]
        self.verdict, self.index = verdict, index
        self.labels = Labels(told["labels"]) if "labels" in told else None
        self._best: dict[str, float] = pick("best")
        self._times_best, self._told = pick("times_best"), told

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.values]

    def times_best(self, name: str) -> float | None:
        """How many times the best possible value this is, where there is a bound above zero.

        Examples
        --------
        >>> import truefold
        >>> X, Z = truefold.datasets.swiss_roll(1000)
        >>> round(truefold.measure(X, Z).times_best("r_n"), 2)
        1.03
        """
        return self._times_best.get(known_name(name))

    @property
    def telling(self) -> str | None:
        """The measure to read: R_C for a map that has a scale of its own, otherwise R_N; where it was not taken, the first
        that has values per point, and None where none has.

        Examples
        --------
        >>> import truefold
        >>> X, Z = truefold.datasets.swiss_roll(1000)
        >>> truefold.measure(X, Z).telling, truefold.measure(X, 9 * Z).telling
        ('r_n', 'r_c')
        """
        return next((name for name in (self._told["telling"], "r_n", *self.per_point) if name in self.per_point), None)

    def to_frame(self) -> Any:
        """One row per measure, as a frame of pandas: value, lower bound, times best, chance, skill, standard error."""
        import pandas

        found = (
            self.values, self.lower_bounds, self._times_best, self.chance, self.skill, self.standard_errors
        )
        rows = [[values.get(name) for values in found] for name in self.values]
        columns = ["value", "lower_bound", "times_best", "chance", "skill", "standard_error"]
        names = pandas.Index(list(self.values), name="measure")
        return pandas.DataFrame(rows, index=names, columns=columns, dtype=float)

    def per_point_frame(self) -> Any:
        """One row per point, as a frame of pandas with the index of the data: each measure, its bound and its chance."""
        import pandas

        columns: dict[str, np.ndarray] = {}
        for name, values in self.per_point.items():
            columns[name] = values
            if np.any(self.per_point_bounds.get(name, 0)):
                columns[f"{name}_bound"] = self.per_point_bounds[name]
            if name in self.per_point_chance:
                columns[f"{name}_chance"] = self.per_point_chance[name]
        return pandas.DataFrame(columns, index=pandas.RangeIndex(self.n_points) if self.index is None else self.index)

    def to_dict(self) -> dict[str, Any]:
        """The result as in the tool's JSON, without the times."""
        return json.loads(json.dumps(self._told["facts"]))

    def __repr__(self) -> str:
        return self._told["text"]

    def _repr_html_(self) -> str:
        told = self._told
        lines = html_lines(told["findings"] + told["notes"])
        labels = "" if self.labels is None else self.labels._repr_html_()
        return html_lines(told["setting"]) + html_table(told["table"]) + lines + labels

    def worst(self, count: int = 10, measure: str | None = None) -> np.ndarray:
        """The positions, counted from 0, of the rows where a measure is farthest from its best, the worst first.

        By default of the :attr:`telling` measure.

        ``X.iloc[result.worst()]`` are these rows of a frame, and ``result.index[result.worst()]`` their names.

        Examples
        --------
        >>> import truefold
        >>> X, Z = truefold.datasets.swiss_roll(1000)
        >>> truefold.measure(X, Z).worst(2)
        array([ 96, 468])
        """
        name = self._shown(measure)
        values = self.per_point[name] - self.per_point_bounds.get(name, 0.0)
        sign = -1.0 if MEASURES[name]["lower_is_better"] else 1.0
        # NaN sorts last whatever its sign, so points without a value come last.
        return np.argsort(sign * values, kind="stable")[:count]

    def _shown(self, measure: str | None) -> str:
        """The name of a measure that has values per point; the telling one where none is named."""
        name = self.telling if measure is None else known_name(measure)
        if name not in self.per_point:
            known = ", ".join(self.per_point) or "none"
            raise DataError(f"this result has no values per point of {name or 'any measure'}; there are {known}")
        return name


def measure(
    X: Any,
    Y: Any,
    n_neighbors: Count = 12,
    *,
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
) -> Measurement:
    """Tell how faithful the embedding Y of X is, where it is not, and how far it is from the best possible.

    Parameters
    ----------
    X, n_neighbors, radius, metric, algorithm, random_state, n_jobs, progress
        The data and which points are neighbors, as for :func:`truefold.neighbors`.
    Y : array or frame of shape (n_points, n_components)
        The embedding, from any program: row i of Y belongs to row i of X. Where both are frames of pandas whose indexes
        name their rows, rows belong together by name.
    measures : "all", a name, or a list of names, optional
        What to measure; by default the Procrustes measures, both ways. ``truefold.MEASURES`` lists the names. Measures
        given by name come without a verdict; ``"default"`` among the names stands for the usual ones with it.
    neighbors : Neighborhoods, (indices, distances), sparse matrix, array of rows or list of lists, optional
        Neighborhoods that are known already, see :meth:`truefold.Neighborhoods.from_lists`; ``n_neighbors`` is then
        not used.
    center : bool, default True
        Whether a neighborhood includes its own point; the tables of the paper leave it out.
    sample : int, optional
        The number of random points that measures of quadratic cost look at; by default all of up to 20,000 points,
        and 1,000 of more. For ``distortion`` the number of sources; by default 32,000,000 / n, at least 16.
    exact : bool, default False
        Whether measures of quadratic cost look at all points, however many.
    steps : int, optional
        The number of steps on the neighborhood graph, 4 by default, from which two points are distant for
        ``collapse``.
    level : float, optional
        The false discovery rate at which points are told from chance, 0.05 by default.
    labels : sequence of shape (n_points,), optional
        The group of each point: what the embedding does to groups is then told too. None, NaN and "" are no group.

    Returns
    -------
    Measurement

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> truefold.measure(X, Z, n_neighbors=12).r_n < 0.003
    True
    """
    how = {"center": center, "sample": sample, "exact": exact, "steps": steps, "level": level}
    wanted = measuring(measures, metric, **how, labels=texts_of(X, labels))
    run = (seed_of(random_state), n_jobs, progress)
    made, _, _ = source(X, metric)
    embedding, _ = table(matched(X, Y, "Y"), "Y")
    found = given_or_found(neighbors, made, (n_neighbors, radius, metric, algorithm), run)
    with reporting(progress) as heard:
        settings = (run[0], threads_of(n_jobs), heard)
        judged = _native.measure(made, _native.Source.points(embedding, "Y"), found._native, wanted, settings)
    return measurement(judged, found, row_names(X, Y))


def measurement(judged: _native.Judged, neighborhoods: Neighborhoods, index: Any) -> Measurement:
    """What the compiled part found, with the names of the rows."""
    told = json.loads(judged.told(row_texts(index)))
    points = judged.points()
    verdict = None if points is None else Verdict(told, points, index)
    return Measurement(judged.scores(), told, neighborhoods, verdict, index)


def row_texts(index: Any) -> list[str] | None:
    """The names of the rows as text."""
    return None if index is None else [str(name) for name in index]
