"""A fitted embedding that takes new points."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _native
from .neighborhoods import Neighborhoods
from .wording import counted, shown


class Placement:
    """Where :meth:`Embedder.place` put new points, and how far to trust that.

    The confidence is made of the other four, see ``docs/transform.md``: 1 on a fitted point whose neighborhood the
    embedding keeps, near 0 far from all fitted points, off their surface, and where the embedding is torn or folded.

    Attributes
    ----------
    embedding : array of shape (n_points, n_components)
        The places.
    confidence : array of shape (n_points,)
        The confidence of each, from 0 to 1; a number to rank by, not a probability.
    distance : array of shape (n_points,)
        The distance to the nearest fitted point, in radii of its neighborhood.
    off_tangent : array of shape (n_points,)
        The part of it that is off the tangent space there, in the same units.
    disagreement : array of shape (n_points,)
        How far the local maps that were asked are apart, in radii of the embedded neighborhood.
    misfit : array of shape (n_points,)
        The share of the shape of the embedded neighborhood that its map does not explain, from 0 to 1.
    """

    def __init__(self, embedding: np.ndarray, parts: dict[str, np.ndarray]) -> None:
        self.embedding = embedding
        self.confidence = parts["confidence"]
        self.distance = parts["distance"]
        self.off_tangent = parts["off_tangent"]
        self.disagreement = parts["disagreement"]
        self.misfit = parts["misfit"]

    def __len__(self) -> int:
        return len(self.embedding)

    def to_frame(self) -> Any:
        """One row per point, as a frame of pandas: the confidence and its parts."""
        import pandas

        names = ("confidence", "distance", "off_tangent", "disagreement", "misfit")
        return pandas.DataFrame({name: getattr(self, name) for name in names})

    def __repr__(self) -> str:
        low, middle = np.quantile(self.confidence, [0, 0.5])
        where = f"{counted(len(self), 'point')} in {counted(self.embedding.shape[1], 'dimension')}"
        return f"Placement({where}; confidence: median {shown(middle)}, least {shown(low)})"


class Model:
    """What an estimator keeps of its fit: the points where they are, their images, and who neighbors whom.

    Points that the user holds are not copied, so that a change to them is noticed and refused; the images are, as
    ``embedding_`` is the user's to turn and to shift. Local maps are fitted when the first points are placed.
    """

    def __init__(
        self,
        made: _native.Source,
        embedding: np.ndarray,
        neighborhoods: Neighborhoods | None,
        rows: np.ndarray | None,
        torn: np.ndarray | None,
        names: np.ndarray | None,
        metric: str,
        origin: str,
        fingerprint: int | None = None,
    ) -> None:
        images = embedding.copy()
        images.flags.writeable = False
        self._parts = (made.array, images, neighborhoods, rows, torn, names, metric, origin)
        self._native = _native.Model(
            made,
            _native.Source.points(images, "Y"),
            None if neighborhoods is None else neighborhoods._native,
            None if rows is None else rows.tolist(),
            None if torn is None else [tuple(pair) for pair in torn.tolist()],
            None if names is None else names.tolist(),
            metric,
            origin,
            fingerprint,
        )

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
