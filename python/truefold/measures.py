"""How faithful an embedding is, where it is not, and how far it is from the best possible."""
from __future__ import annotations

import json
from typing import Any, Iterable

import numpy as np

from . import _native
from .errors import ParameterError
from .inputs import PRECOMPUTED, source, table
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .run import RandomState, positive, seed_of, threads_of
from .suggestion import Count
from .wording import aligned, counted, html_lines, html_table, shown

#: Every measure by name: symbol, summary, range, whether lower is better, whether its cost is quadratic.
MEASURES: dict[str, dict[str, Any]] = {row["name"]: row for row in json.loads(_native.tables())["measures"]}


class Measurement:
    """What :func:`truefold.measure` found; ``result.r_n`` and so on are the values.

    Attributes
    ----------
    values, lower_bounds : dict of float
        The value of each measure, and the least value that any embedding could have, where that is known.
    per_point, per_point_bounds : dict of array
        The same for each point; NaN where a point has none, as it was not sampled or all its neighbors coincide.
    standard_errors : dict of float
        Of values that were estimated on a sample.
    warnings : list of str
        What a reader should know.
    n_points, input_dim, output_dim : int
        The shape of the problem; ``input_dim`` is None for given distances.
    neighborhoods : Neighborhoods
        Those in which X and Y were compared.
    center : bool
        Whether each neighborhood included its own point.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> result = truefold.measure(X, Z)
    >>> print(result)
    1,000 points in 3 dimensions, embedded in 2 dimensions
    12 neighbors each (euclidean); 1 connected component, center included
    <BLANKLINE>
    measure     value  best possible  times best
    R          0.1410         0.1372        1.03  lower is better
    R_N      0.002871       0.002799        1.03  lower is better
    R_PCA    0.003813              0              lower is better
    R_C      0.002835       0.002799        1.01  lower is better
    R_A      0.002813       0.002799        1.00  lower is better
    <BLANKLINE>
    Y keeps 99.7 % of the shape of an average neighborhood; the best possible is 99.7 %.
    The worst rows: 773 (0.02158), 468 (0.02093), 991 (0.01974), 995 (0.01909).
    >>> round(result.r_n, 6)
    0.002871
    """

    def __init__(
        self,
        scores: dict[str, dict[str, Any]],
        undetermined: int,
        neighborhoods: Neighborhoods,
        shape: tuple[int, int | None, int],
        center: bool,
    ) -> None:
        def pick(key: str) -> dict[str, Any]:
            return {name: score[key] for name, score in scores.items() if score[key] is not None}

        self.values: dict[str, float] = pick("value")
        self.lower_bounds: dict[str, float] = pick("lower_bound")
        self.per_point: dict[str, np.ndarray] = pick("per_point")
        self.per_point_bounds: dict[str, np.ndarray] = pick("per_point_bound")
        self.standard_errors: dict[str, float] = pick("standard_error")
        self.n_points, self.input_dim, self.output_dim = shape
        self.neighborhoods = neighborhoods
        self.center = center
        self.warnings = _warnings(scores, undetermined, neighborhoods)

    def __getattr__(self, name: str) -> float:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            known = ", ".join(self.__dict__.get("values", ()))
            raise AttributeError(f"there is no measure '{name}' in this result; there are {known}") from None

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
        bound = self.lower_bounds.get(name)
        return self.values[name] / bound if bound else None

    def to_frame(self) -> Any:
        """One row per measure, as a frame of pandas: value, lower bound, times best, standard error."""
        import pandas

        rows = [
            [self.values[name], self.lower_bounds.get(name), self.times_best(name), self.standard_errors.get(name)]
            for name in self.values
        ]
        columns = ["value", "lower_bound", "times_best", "standard_error"]
        names = pandas.Index(list(self.values), name="measure")
        return pandas.DataFrame(rows, index=names, columns=columns, dtype=float)

    def per_point_frame(self) -> Any:
        """One row per point, as a frame of pandas: each measure and its bound."""
        import pandas

        columns: dict[str, np.ndarray] = {}
        for name, values in self.per_point.items():
            columns[name] = values
            if np.any(self.per_point_bounds.get(name, 0)):
                columns[f"{name}_bound"] = self.per_point_bounds[name]
        return pandas.DataFrame(columns)

    def to_dict(self) -> dict[str, Any]:
        """The result as the tool's JSON has it, without times."""
        result: dict[str, Any] = {
            "points": self.n_points,
            "input_dim": self.input_dim,
            "output_dim": self.output_dim,
            "neighborhoods": {**self.neighborhoods.facts, "center": self.center},
            "measures": dict(self.values),
            "lower_bounds": dict(self.lower_bounds),
            "warnings": list(self.warnings),
        }
        if self.standard_errors:
            result["standard_errors"] = dict(self.standard_errors)
        return result

    def __repr__(self) -> str:
        lines = [*self._setting(), "", *aligned(self._rows(), [1, 2, 3])]
        findings = self._findings()
        if findings:
            lines += ["", *findings]
        return "\n".join([*lines, *(f"Note: {warning}." for warning in self.warnings)])

    def _repr_html_(self) -> str:
        notes = [*self._findings(), *(f"Note: {warning}." for warning in self.warnings)]
        return html_lines(self._setting()) + html_table(self._rows(), [0, 4]) + html_lines(notes)

    def _setting(self) -> list[str]:
        facts = self.neighborhoods.facts
        given = "given by their distances" if self.input_dim is None else f"in {counted(self.input_dim, 'dimension')}"
        if facts["k"] is None:
            counts = (self.neighborhoods.indices >= 0).sum(axis=1) - 1
            size = f"{counts.min():,} to {counts.max():,} neighbors"
        else:
            size = f"{counted(facts['k'], 'neighbor')} each"
        how = facts.get("metric", "given")
        if "radius" in facts:
            how += f", within {shown(facts['radius'])}"
        if "approximate" in facts:
            how += f", approximate: {100 * facts['approximate']['recall']:.2f} % of the true ones found"
        pieces = counted(facts["components"], "connected component")
        center = "included" if self.center else "left out"
        return [
            f"{counted(self.n_points, 'point')} {given}, embedded in {counted(self.output_dim, 'dimension')}",
            f"{size} ({how}); {pieces}, center {center}",
        ]

    def _rows(self) -> list[tuple[str, ...]]:
        rows = [("measure", "value", "best possible", "times best", "")]
        for name, value in self.values.items():
            info, times = MEASURES[name], self.times_best(name)
            error = self.standard_errors.get(name)
            lower = info["lower_is_better"]
            best = shown(self.lower_bounds[name]) if name in self.lower_bounds else ("0" if lower else "1")
            rows.append((
                info["symbol"],
                shown(value) + ("" if error is None else f" +- {shown(error)}"),
                best,
                "" if times is None else "> 9999" if times >= 1e4 else f"{times:.2f}",
                "lower is better" if lower else "higher is better",
            ))
        return rows

    def _findings(self) -> list[str]:
        if "r_n" not in self.values:
            return []

        def kept(share: float) -> str:
            return f"{100 * max(0.0, 1 - share):.1f} %"

        lines = [
            f"Y keeps {kept(self.r_n)} of the shape of an average neighborhood; "
            f"the best possible is {kept(self.lower_bounds['r_n'])}."
        ]
        if "r_c" in self.values and self.r_c < 0.5 * self.r_n and self.r_n > 0.01:
            share = kept(self.r_c)
            lines.append(f"With a scale of its own for each neighborhood it is {share}: Y is right up to scale.")
        if self.r_n > 1e-12 and self.n_points >= 10:
            worst = ", ".join(f"{row} ({shown(self.per_point['r_n'][row])})" for row in self.worst(4))
            lines.append(f"The worst rows: {worst}.")
        return lines

    def worst(self, count: int = 10, measure: str = "r_n") -> np.ndarray:
        """The rows, counted from 0, where the measure is worst, the worst first.

        Examples
        --------
        >>> import truefold
        >>> X, Z = truefold.datasets.swiss_roll(1000)
        >>> truefold.measure(X, Z).worst(2)
        array([773, 468])
        """
        values = self.per_point[measure]
        sign = -1.0 if MEASURES[measure]["lower_is_better"] else 1.0
        # NaN sorts last whatever its sign, so points without a value come last.
        return np.argsort(sign * values, kind="stable")[:count]


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
    steps: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Measurement:
    """Tell how faithful the embedding Y of X is, where it is not, and how far it is from the best possible.

    Parameters
    ----------
    X : array or frame of shape (n_points, n_features), or distances
        The data; with ``metric="precomputed"`` a square table of distances, or a sparse matrix of those known.
    Y : array or frame of shape (n_points, n_components)
        The embedding, from any program: row i of Y belongs to row i of X.
    n_neighbors : int or "auto", default 12
        The number of neighbors in which X and Y are compared.
    measures : "all", a name, or a list of names, optional
        What to measure; by default the Procrustes measures. ``truefold.MEASURES`` tells the names.
    neighbors : Neighborhoods, sparse matrix, array of rows or list of lists, optional
        Neighborhoods that are known already; ``n_neighbors`` then plays no part.
    radius : float, optional
        Compare with all points within this distance instead.
    metric : {"euclidean", "manhattan", "cosine", "correlation", "precomputed"}
        The distance by which neighbors are found.
    algorithm : {"auto", "tree", "brute", "approximate"}
        How neighbors are searched.
    center : bool, default True
        Whether a neighborhood includes its own point; the tables of the paper leave it out.
    sample : int, optional
        Look at this many random points only where a measure's cost is quadratic, and tell the standard error.
    steps : int, optional
        Steps on the neighborhood graph from which on two points count as distant, for ``collapse``; 4.
    random_state : int, numpy generator or None
        The seed of the sample and of an approximate search; None is 0.
    n_jobs : int, optional
        The number of threads, all cores where none is given; the result does not depend on it.
    progress : bool, optional
        Whether to show a bar; by default only where somebody watches.

    Returns
    -------
    Measurement

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> truefold.measure(X, Z, n_neighbors=12).r_n < 0.003
    True
    >>> truefold.measure(X, X[:, :2], measures=["trustworthiness"]).trustworthiness < 0.95
    True
    """
    names = _chosen(measures)
    _native.check_measures(names)
    _check_use(names, sample, steps)
    run = (seed_of(random_state), n_jobs, progress)
    made, columns, _ = source(X, metric)
    embedding, _ = table(Y, "Y")
    found = given_or_found(neighbors, made, n_neighbors, radius, metric, algorithm, run)
    choice = (
        names,
        bool(center),
        None if sample is None else positive("sample", sample, "choose at least 2"),
        4 if steps is None else positive("steps", steps, "choose at least 2"),
        metric,
    )
    with reporting(progress) as report:
        settings = (run[0], threads_of(n_jobs), report)
        scores, undetermined = _native.measure(
            made, _native.Source.points(embedding, "Y"), found._native, choice, settings
        )
    input_dim = None if metric == PRECOMPUTED else columns
    return Measurement(scores, undetermined, found, (len(made), input_dim, embedding.shape[1]), bool(center))


def _chosen(measures: str | Iterable[str] | None) -> list[str]:
    """The names: the default ones where there are none, every one for ``all``, each once."""
    if measures is None:
        return [name for name, info in MEASURES.items() if info["default"]]
    if isinstance(measures, str):
        return list(MEASURES) if measures == "all" else [measures]
    return list(dict.fromkeys(measures))


def _check_use(names: list[str], sample: int | None, steps: int | None) -> None:
    """An error for an option that none of the chosen measures heeds."""
    advice = "leave it out, or choose such a measure"
    if sample is not None and not any(MEASURES.get(name, {}).get("quadratic", True) for name in names):
        raise ParameterError(
            f"sample = {sample} has no use here: only measures of quadratic cost look at a sample; {advice}"
        )
    if steps is not None and "collapse" not in names:
        raise ParameterError(f"steps = {steps} has no use here: only the measure collapse counts steps; {advice}")


def _warnings(scores: dict[str, dict[str, Any]], undetermined: int, neighborhoods: Neighborhoods) -> list[str]:
    warnings = []
    pieces = neighborhoods.facts["components"]
    if pieces > 1:
        warnings.append(
            f"the neighborhood graph has {pieces} connected components: how they lie to each other is not measured"
        )
    if undetermined:
        warnings.append(
            f"in {counted(undetermined, 'neighborhood')} X and Y leave the rotation open in some direction; "
            "it was completed, which changes no value"
        )
    for name, score in scores.items():
        if score["left_out"] and score["per_point_bound"] is not None:
            were = "neighborhood was" if score["left_out"] == 1 else "neighborhoods were"
            warnings.append(
                f"{MEASURES[name]['symbol']}: {score['left_out']:,} {were} left out, as all their points of X coincide"
            )
    return warnings
