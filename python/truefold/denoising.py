"""Points without their noise."""
from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _native
from .inputs import source
from .progress import reporting
from .run import positive, threads_of


class Denoised:
    """What :func:`truefold.denoise` made.

    Attributes
    ----------
    points : array of shape (n_points, n_features)
        The points, each carried onto the surface along its normal.
    tangent_k : int
        The number of neighbors that tangents were estimated from.
    reason : str
        Why this many.
    moved : float
        The root mean square distance by which points were moved.
    noise : float
        The same in each direction off the surface: an estimate of the deviation of the noise.
    """

    def __init__(self, points: np.ndarray, info: dict[str, Any]) -> None:
        self.points = points
        self.tangent_k: int = info["neighbors"]
        self.reason: str = info["neighbors_reason"]
        self.moved: float = info["moved"]
        self.noise: float = info["noise"]

    def __repr__(self) -> str:
        return f"Denoised({len(self.points)} points, tangent_k={self.tangent_k}, noise={self.noise:.3g})"


def denoise(
    X: Any,
    n_components: int = 2,
    *,
    tangent_k: int | str = "auto",
    rounds: int = 4,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Denoised:
    """Take the noise off X: carry every point, along the normal, onto the surface that it strayed from.

    Parameters
    ----------
    X : array or frame of shape (n_points, n_features)
        The data.
    n_components : int, default 2
        The number of dimensions of the surface.
    tangent_k : int or "auto"
        The number of neighbors that tangents are estimated from; auto: those with which they stand out most.
    rounds : int, default 4
        The rounds in which the surface is learned.
    n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Denoised

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000, noise=0.3)
    >>> found = truefold.denoise(X)
    >>> found.points.shape, 0.2 < found.noise < 0.4
    ((1000, 3), True)
    """
    size = None if tangent_k == "auto" else positive("tangent_k", tangent_k, "choose more, or auto")
    made, _, _ = source(X, "euclidean")
    with reporting(progress) as report:
        settings = (0, threads_of(n_jobs), report)
        points, info = _native.denoise(
            made,
            positive("n_components", n_components, "choose at least 1"),
            size,
            positive("rounds", rounds, "choose at least 1"),
            settings,
        )
    return Denoised(points, json.loads(info))
