"""A fitted embedding that takes new points."""
from __future__ import annotations

import dataclasses
import os
from typing import Any

import numpy as np

from . import _native
from .neighborhoods import Neighborhoods

#: What is told of a place beside itself.
FACTS = ("confidence", "distance", "off_tangent", "disagreement", "misfit", "support")


class Placement:
    """Where :meth:`Embedder.place` put new points, and how far to trust each place.

    The confidence is the share of places like this one that are right, learned from fitted points that were left out and
    placed as if they were new, see ``docs/transform.md``. A place is right if it is no farther from where the fit itself
    puts the point than half of the point's neighbors are in the map. The other five are what likeness is judged by.

    Attributes
    ----------
    embedding : array of shape (n_points, n_components)
        The places.
    confidence : array of shape (n_points,)
        The share of places like this one that are right: 1 on a fitted point, near 0 far from all of them.
    distance : array of shape (n_points,)
        The distance to the nearest fitted point, in radii of its neighborhood.
    off_tangent : array of shape (n_points,)
        The part of it that is off the tangent space there, in the same units.
    disagreement : array of shape (n_points,)
        How far the places by several local maps are apart, in radii of the embedded neighborhood.
    misfit : array of shape (n_points,)
        The share of the shape of the embedded neighborhood that its local map does not explain, from 0 to 1.
    support : array of shape (n_points,)
        How far the images of the nearest fitted points agree on the place, from 0 to 1, where they voted; 1 where the
        local maps alone gave it.
    """

    confidence: np.ndarray
    distance: np.ndarray
    off_tangent: np.ndarray
    disagreement: np.ndarray
    misfit: np.ndarray
    support: np.ndarray

    def __init__(self, embedding: np.ndarray, parts: dict[str, np.ndarray]) -> None:
        self.embedding = embedding
        vars(self).update((name, parts[name]) for name in FACTS)

    def __len__(self) -> int:
        return len(self.embedding)

    def to_frame(self) -> Any:
        """One row per point, as a frame of pandas: the confidence and what it is judged by."""
        import pandas

        return pandas.DataFrame({name: getattr(self, name) for name in FACTS})

    def __repr__(self) -> str:
        low, middle = np.quantile(self.confidence, [0, 0.5])
        where = f"{_native.points_in_words(len(self))} in {_native.dimensions_in_words(self.embedding.shape[1])}"
        return f"Placement({where}; confidence: median {_native.number(middle)}, least {_native.number(low)})"


@dataclasses.dataclass(frozen=True)
class Fit:
    """What a fit leaves beside its coordinates.

    The rows of X that were embedded, where not all were; the torn pairs of rows, where some were; the names of the
    columns; the metric; and how the embedding was made, as JSON.
    """

    rows: np.ndarray | None
    torn: np.ndarray | None
    names: np.ndarray | None
    metric: str
    origin: str

    def plain(self) -> tuple[Any, ...]:
        """As the compiled part takes it."""
        rows = None if self.rows is None else self.rows.tolist()
        torn = None if self.torn is None else [tuple(pair) for pair in self.torn.tolist()]
        names = None if self.names is None else self.names.tolist()
        return rows, torn, names, self.metric, self.origin


class Model:
    """What an estimator keeps of its fit: the points, their images, and the neighborhoods.

    The points are not copied, so that a change to them is noticed and refused. The images are copied, as users may turn
    or shift ``embedding_``. Local maps are fitted when the first points are placed.
    """

    def __init__(
        self,
        made: _native.Source,
        embedding: np.ndarray,
        neighborhoods: Neighborhoods | None,
        fit: Fit,
        fingerprint: int | None = None,
    ) -> None:
        images = embedding.copy()
        images.flags.writeable = False
        self._parts = (made.array, images, neighborhoods, fit)
        native = None if neighborhoods is None else neighborhoods._native
        self._native = _native.Model(made, _native.Source.points(images, "Y"), native, fit.plain(), fingerprint)

    def place(self, made: _native.Source, names: np.ndarray | None, settings: tuple[int, int | None, Any]) -> Placement:
        """Places new points."""
        return Placement(*self._native.place(made, None if names is None else names.tolist(), settings))

    def save(self, path: str | os.PathLike[str], settings: tuple[int, int | None, Any]) -> None:
        """Writes the tool's own file."""
        self._native.save(os.fspath(path), settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (*self._parts, self._native.fingerprint)


def _restored(points: np.ndarray, *others: Any) -> Model:
    """A model as it was when it was pickled."""
    return Model(_native.Source.points(np.ascontiguousarray(points), "X"), *others)
