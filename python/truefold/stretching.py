"""What a small ball of the data around each point becomes in a map: how far the map stretches, and where to."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from .errors import DataError
from .inputs import source, table
from .neighborhoods import Neighborhoods, given_or_found
from .progress import reporting
from .rows import matched
from .run import RandomState, seed_of, threads_of
from .suggestion import Count

#: The usual half axis as a share of the map's shorter side, at least and at most; in between, 60 usual ellipses would fill
#: half of what the points cover.
USUAL, FILLING = (0.012, 0.03), 60
#: A half axis of more usual ones is long; the longest as a share of the shorter side; the most ellipses that are tried.
LONG, LONGEST, TRIED = 5.0, 0.25, 4000
GOLDEN = 0.6180339887498949


class Ellipses:
    """What :func:`truefold.ellipses` found.

    Attributes
    ----------
    matrices : array of shape (n_points, n_components, n_components)
        The symmetric matrix S of each point: a ball of radius r in the data becomes r S times the unit ball in the map.
    largest, smallest : array of shape (n_points,)
        The largest and the smallest stretch: 1 where lengths are kept, 2 where they are doubled.
    anisotropy : array of shape (n_points,)
        1 - smallest / largest: 0 for a circle, 1 for a line.
    capped : array of bool of shape (n_points,)
        Where the map spreads what the data do not have: the ellipse would have no limit and was cut, or there is none.
    radius : float
        The radius of the usual neighborhood in the data.
    neighborhoods : Neighborhoods
        Those of the linear fits.
    """

    def __init__(self, found: tuple[Any, ...], dim: int, neighborhoods: Neighborhoods) -> None:
        matrices, self.largest, self.smallest, self.capped, self.radius = found
        self.matrices: np.ndarray = matrices.reshape(-1, dim, dim)
        self.neighborhoods = neighborhoods

    @property
    def anisotropy(self) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            share = self.smallest / self.largest
        return np.where(self.largest > 0, 1.0 - share, 0.0)

    def __repr__(self) -> str:
        low, middle, high = np.quantile(self.largest, [0.1, 0.5, 0.9])
        return (
            f"Ellipses(n_points={len(self.largest)}, largest stretch {middle:.3g} ({low:.3g} to {high:.3g} for eight in "
            f"ten points), median anisotropy {np.median(self.anisotropy):.2f}, capped {int(self.capped.sum())})"
        )

    def draw(self, ax: Any, Y: Any, color: str = "0.1") -> Any:
        """Draw ellipses over a map of two dimensions, as many as do not cover each other.

        All are larger or smaller by one factor, so that they can be seen; their sizes relative to each other are those
        of the map. Ellipses longer than a quarter of the map are cut to that, and dashed.

        Parameters
        ----------
        ax : matplotlib Axes
            Where the map is drawn.
        Y : array or frame of shape (n_points, 2)
            The map.
        color : str, default "0.1"
            The color of the outlines.

        Returns
        -------
        ax : matplotlib Axes
        """
        from matplotlib import patheffects
        from matplotlib.collections import LineCollection

        places = table(Y, "Y")[0]
        outlines, cut = self._outlines(places)
        rim = [patheffects.withStroke(linewidth=2.4, foreground="white")]
        for chosen, style in ((~cut, "solid"), (cut, "dashed")):
            lines = LineCollection(
                outlines[chosen], colors=color, linewidths=0.9, linestyles=style, path_effects=rim, zorder=3
            )
            ax.add_collection(lines, autolim=False)
        return ax

    def _outlines(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The outlines that have room, as closed lines, and which of them are cut."""
        count = len(self.matrices)
        if self.matrices.shape[1] != 2 or places.shape != (count, 2):
            raise DataError(
                f"ellipses are drawn over a map of {count} points in two dimensions, but this is one of {len(places)} "
                f"points in {places.shape[1]}; give the map that they were found for, of two dimensions"
            )
        side = float(np.ptp(places, axis=0).min() or np.ptp(places, axis=0).max())
        usual = np.sqrt(self.largest * self.smallest)
        if side == 0.0 or not (usual > 0).any():
            return np.empty((0, 37, 2)), np.empty(0, dtype=bool)
        tried = np.linspace(0, count - 1, min(count, TRIED)).astype(int)
        cell = USUAL[1] * side
        covered = len(np.unique(np.floor(places[tried] / cell), axis=0)) * cell**2
        wanted = np.clip(np.sqrt(0.5 * covered / (FILLING * np.pi)), USUAL[0] * side, USUAL[1] * side)
        factor = wanted / float(np.median(usual[usual > 0]))
        # Long ones come last, or a few of them would take the room of many.
        is_long = self.largest[tried] > LONG * float(np.median(usual[usual > 0]))
        tried = tried[np.lexsort(((tried * GOLDEN) % 1.0, is_long))]
        lengths, axes = np.linalg.eigh(self.matrices[tried] * factor)
        drawn = (axes * np.clip(lengths, 0.002 * side, LONGEST * side)[:, None, :]) @ axes.transpose(0, 2, 1)
        kept: list[int] = []
        for one in np.flatnonzero(lengths[:, 1] > 0):
            between = places[tried[kept]] - places[tried[one]]
            apart = np.hypot(between[:, 0], between[:, 1])
            with np.errstate(invalid="ignore", divide="ignore"):
                towards = between / apart[:, None]
            # How far each reaches towards the other.
            reach = np.linalg.norm(towards @ drawn[one], axis=1)
            other = np.linalg.norm(np.einsum("nij,nj->ni", drawn[kept], towards), axis=1)
            if np.all((apart > 0) & (reach + other < apart)):
                kept.append(int(one))
        angle = np.linspace(0.0, 2.0 * np.pi, 37)
        circle = np.stack([np.cos(angle), np.sin(angle)])
        outlines = places[tried[kept]][:, None, :] + (drawn[kept] @ circle).transpose(0, 2, 1)
        return outlines, lengths[kept, 1] > LONGEST * side


def ellipses(
    X: Any,
    Y: Any,
    n_neighbors: Count = 12,
    *,
    neighbors: Any = None,
    radius: float | None = None,
    metric: str = "euclidean",
    algorithm: str = "auto",
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Ellipses:
    """Tell what a small ball of the data around each point becomes in the map Y.

    The linear map is that of R_A: the one that carries the neighborhood's image in Y best onto the data.

    Parameters
    ----------
    Y : array or frame of shape (n_points, n_components)
        The map, from any program.
    X, n_neighbors, neighbors, radius, metric, algorithm, random_state, n_jobs, progress
        As for :func:`truefold.measure`.

    Returns
    -------
    Ellipses

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(1000)
    >>> found = truefold.ellipses(X, Z * [1.0, 3.0])
    >>> [round(float(value), 1) for value in (found.largest.mean(), found.smallest.mean())]
    [3.0, 1.0]
    """
    seed, (made, _, _) = seed_of(random_state), source(X, metric)
    embedding, _ = table(matched(X, Y, "Y"), "Y")
    found = given_or_found(neighbors, made, (n_neighbors, radius, metric, algorithm), (seed, n_jobs, progress))
    with reporting(progress) as report:
        settings = (seed, threads_of(n_jobs), report)
        stretches = _native.ellipses(made, _native.Source.points(embedding, "Y"), found._native, settings)
    return Ellipses(stretches, embedding.shape[1], found)
