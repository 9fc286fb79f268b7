"""Points drawn from a data set, row for row with their true coordinates."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from . import _native
from .run import RandomState, positive, seed_of


class Sample:
    """Points and their true coordinates; ``X, Z = sample`` takes both.

    Attributes
    ----------
    points : array of shape (n_points, n_features)
        The points.
    truth : array of shape (n_points, n_dimensions)
        The true coordinates of each point on the surface, which noise does not touch.
    point_names, truth_names : list of str
        The names of the coordinates.
    labels : array of str or None
        The piece that each point is of, where there are pieces.
    """

    def __init__(
        self,
        points: np.ndarray,
        truth: np.ndarray,
        point_names: list[str],
        truth_names: list[str],
        labels: list[str] | None,
    ) -> None:
        self.points, self.truth = points, truth
        self.point_names, self.truth_names = point_names, truth_names
        self.labels = None if labels is None else np.asarray(labels)

    def __iter__(self) -> Iterator[np.ndarray]:
        yield self.points
        yield self.truth

    def __repr__(self) -> str:
        return f"Sample(points={self.points.shape}, truth={self.truth.shape}, truth_names={self.truth_names})"


def draw(name: str, n_points: int | None, noise: float, random_state: RandomState, settings: dict[str, Any]) -> Sample:
    """Draws from the data set of this name."""
    count = None if n_points is None else positive("n_points", n_points, "choose at least 1")
    typed = [(key, str(value)) for key, value in settings.items()]
    return Sample(*_native.dataset(name, count, float(noise), seed_of(random_state), typed))
