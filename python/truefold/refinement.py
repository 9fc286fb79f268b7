"""A better embedding from one that any program made."""
from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _native
from .inputs import source, table
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .run import RandomState, positive, seed_of, threads_of
from .suggestion import Count


class Refinement:
    """What :func:`truefold.refine` made.

    Attributes
    ----------
    embedding : array of shape (n_points, n_components)
        The refined embedding.
    info : dict
        What happened: parameters, seed, stop, stages with their seconds, traces, facts, warnings.
    trace : array
        The target, with the penalty where there is one, after every step, the start first; it never rises.
    neighborhoods : Neighborhoods
        Those that the target looks at.
    """

    def __init__(self, embedding: np.ndarray, info: dict[str, Any], neighborhoods: Neighborhoods) -> None:
        self.embedding = embedding
        self.info = info
        self.trace = np.asarray(info["traces"][0]["values"])
        self.neighborhoods = neighborhoods

    def __repr__(self) -> str:
        steps = len(self.trace) - 1
        return (
            f"Refinement({self.info['traces'][0]['objective']} from {self.trace[0]:.4g} to {self.trace[-1]:.4g} "
            f"in {steps} step{'' if steps == 1 else 's'}, stop={self.info['stop']!r})"
        )


def refine(
    X: Any,
    Y: Any,
    n_neighbors: Count = 12,
    *,
    target: str = "r-n",
    step: str = "exact",
    acceleration: str = "quasi-newton",
    penalty: float = 0.0,
    solver: str = "auto",
    iterations: int = 200,
    tolerance: float = 1e-5,
    time_limit: float | None = None,
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
    target : {"r-n", "r", "r-c", "r-pca"}
        The measure to lower; it never rises.
    step, acceleration, solver : {"exact", "simple"}, {"quasi-newton", "none"}, {"auto", "cholesky", "iterative"}
        The step, whether earlier steps change its direction, and how the exact step factors the Laplacian.
    penalty : float, default 0
        Weight of a penalty on distant points that Y puts together, as a fold does; 1 unfolds most maps.
    iterations, tolerance, time_limit : int, float, float
        The largest number of steps; the share of the target below which two steps in a row end it; the most seconds.
    X, n_neighbors, neighbors, radius, metric, algorithm, random_state, n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Refinement

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(500)
    >>> refined = truefold.refine(X, Z * [1.0, 1.3])
    >>> bool(refined.trace[-1] < 0.5 * refined.trace[0])
    True
    """
    words = {"target": target, "step": step, "acceleration": acceleration, "solver": solver}
    parameters = _parameters(words, penalty, iterations, tolerance, time_limit)
    seed = seed_of(random_state)
    made, _, _ = source(X, metric)
    start = _native.Source.points(table(Y, "Y")[0], "Y")
    found = given_or_found(neighbors, made, (n_neighbors, radius, metric, algorithm), (seed, n_jobs, progress))
    with reporting(progress) as report:
        settings = (seed, threads_of(n_jobs), report)
        embedding, info = _native.refine(made, start, found._native, parameters, settings)
    return Refinement(embedding, json.loads(info), found)


def _parameters(
    words: dict[str, str], penalty: float, iterations: int, tolerance: float, time_limit: float | None
) -> str:
    """The parameters as JSON; an error if they can refine nothing."""
    parameters = json.dumps({
        **words,
        "penalty": float(penalty),
        "iterations": positive("iterations", iterations, "choose 0 or more"),
        "tolerance": float(tolerance),
        "time_limit": None if time_limit is None else float(time_limit),
    })
    _native.check_refinement(parameters)
    return parameters
