"""A better embedding from one that any program made."""
from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from . import _native
from .inputs import source, table
from .choosing import MEASURES
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .rows import matched
from .run import RandomState, positive, seed_of, threads_of
from .suggestion import Count
from .wording import html_lines, html_table


class Refinement:
    """What :func:`truefold.refine` made.

    Attributes
    ----------
    embedding : array of shape (n_points, n_components)
        The refined embedding.
    info : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings, and the verdict
        both ways ``before`` and ``after``.
    trace : array
        The target, with the penalty where there is one, after every step, the start first; it never rises. Of both
        directions the first and the last value alone.
    neighborhoods : Neighborhoods
        Those that the target looks at.
    """

    def __init__(self, embedding: np.ndarray, info: dict[str, Any], neighborhoods: Neighborhoods) -> None:
        self.embedding = embedding
        self.info = info
        self.trace = np.asarray(info["traces"][0]["values"])
        self.neighborhoods = neighborhoods

    def __repr__(self) -> str:
        return "\n".join([self._setting(), *self._lines()])

    def _repr_html_(self) -> str:
        header = ["", "before", "after", "steps", "stop"]
        row = [self._objective(), *map(_native.number, (self.trace[0], self.trace[-1])), *self._end()]
        table = {"header": header, "rows": [row], "text_columns": [0, 4]}
        return html_lines([self._setting()]) + html_table(table) + html_lines(self._notes())

    def _setting(self) -> str:
        count, dim = self.embedding.shape
        return f"{_native.points_in_words(count)} in {_native.dimensions_in_words(dim)}, refined"

    def _objective(self) -> str:
        name = self.info["traces"][0]["objective"]
        return str(MEASURES.get(name, {}).get("symbol", name))

    def _end(self) -> tuple[str, str]:
        steps = self.info["facts"].get("steps", len(self.trace) - 1)
        return str(steps), str(self.info["stop"]).replace("-", " ")

    def _lines(self) -> list[str]:
        steps, stop = self._end()
        first, last = map(_native.number, (self.trace[0], self.trace[-1]))
        told = f"{self._objective()} from {first} to {last} in {steps} step{'' if steps == '1' else 's'}; {stop}"
        return [told, *self._notes()]

    def _notes(self) -> list[str]:
        both_ways = self.info["both_ways"]
        return [*([both_ways] if both_ways else []), *(f"Note: {warning}." for warning in self.info["warnings"])]


def refine(
    X: Any,
    Y: Any,
    n_neighbors: Count = 12,
    *,
    target: str = "auto",
    step: str = "exact",
    acceleration: str = "quasi-newton",
    penalty: float = 0.0,
    solver: str = "auto",
    iterations: int = 200,
    tolerance: float = 1e-5,
    time_limit: float | None = None,
    slack: float | None = 0.02,
    neighbors: Any = None,
    radius: float | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Refinement:
    """Improve the embedding Y of X, which may come from any program.

    It finds the nearest minimum: a tear in Y stays, and so does a fold unless there is a ``penalty``.

    Parameters
    ----------
    Y : array or frame of shape (n_points, n_components)
        The embedding to improve.
    target : {"auto", "both", "r_n", "r", "r_c", "r_pca"}
        The measure to lower; it never rises. ``"R_C"`` and ``"r-c"`` are ``"r_c"``. ``"both"`` is R_C on the neighborhoods of
        the data and of the map, with neighbors kept together; ``"auto"`` is that where the data have more dimensions than
        the map, else ``"r_n"``.
    step, acceleration, solver : {"exact", "simple"}, {"quasi-newton", "none"}, {"auto", "cholesky", "iterative"}
        The step, whether earlier steps change its direction, and how the exact step factors the Laplacian.
    penalty : float, default 0
        Weight of a penalty on distant points that Y puts together, as a fold does; 1 unfolds most maps.
    iterations, tolerance, time_limit : int, float, float
        The largest number of steps; the share of the target below which two steps in a row end it; the most seconds.
    slack : float or None, default 0.02
        How far reverse R_C may rise, and R_C where the target is both directions, in maps of up to three dimensions; None
        is without limit.
    X, n_neighbors, neighbors, radius, metric, algorithm, random_state, n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Refinement

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> trace = truefold.refine(X, Z * [1.0, 1.3]).trace
    >>> bool(trace[-1] < 0.5 * trace[0])
    True
    """
    parameters = _parameters([target, step, acceleration, solver], penalty, iterations, tolerance, time_limit, slack)
    seed, (made, _, _) = seed_of(random_state), source(X, metric)
    start = _native.Source.points(table(matched(X, Y, "Y"), "Y")[0], "Y")
    found = given_or_found(neighbors, made, (n_neighbors, radius, metric, algorithm), (seed, n_jobs, progress))
    with reporting(progress) as report:
        settings = (seed, threads_of(n_jobs), report)
        embedding, info = _native.refine(made, start, found._native, parameters, settings)
    return Refinement(embedding, json.loads(info), found)


def _parameters(
    words: list[str],
    penalty: float,
    iterations: int,
    tolerance: float,
    time_limit: float | None,
    slack: float | None,
) -> str:
    """The parameters as JSON; an error if they can refine nothing."""
    parameters = json.dumps({
        **dict(zip(("target", "step", "acceleration", "solver"), words)),
        "penalty": float(penalty),
        "iterations": positive("iterations", iterations, "choose 0 or more"),
        "tolerance": float(tolerance),
        "time_limit": None if time_limit is None else float(time_limit),
        "slack": None if slack is None or slack == math.inf else float(slack),
    })
    _native.check_refinement(parameters)
    return parameters
