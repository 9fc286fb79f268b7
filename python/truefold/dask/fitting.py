"""What workers do for an estimator: one fits the sample, all place their rows in its map."""
from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from .. import _native
from ..embedder import Embedder
from ..errors import MemoryLimitError, OutOfMemoryError
from ..model import FACTS
from .cells import Cell
from .chunks import table
from .tasks import settings, threads_here

#: The measures that cells improve their rows by, as methods that refine name them.
TARGETS = ("r", "r_n", "r_c", "r_pca")


class Fitted(NamedTuple):
    """The fitted estimator of a sample, and the rows that are in it, in order."""

    estimator: Embedder
    rows: np.ndarray


class Told(NamedTuple):
    """What the client learns of a fit: rows, dimensions, neighbors, what refinement lowered, if it did, and all other facts."""

    rows: np.ndarray
    dim: int
    k: int | None
    target: str | None
    info: dict[str, Any]


def fit_sample(pieces: list[Cell], asked: Embedder) -> Fitted:
    """Fit the rows of all pieces, in their order; half of them where they are too many for the method."""
    rows = np.concatenate([piece.rows for piece in pieces])
    order = np.argsort(rows)
    rows, points = rows[order], np.concatenate([piece.tables[0] for piece in pieces])[order]
    while True:
        estimator = type(asked)(**{**asked.get_params(), "n_jobs": threads_here(), "progress": False})
        try:
            with warnings.catch_warnings():
                # The client tells them.
                warnings.simplefilter("ignore")
                return Fitted(estimator.fit(points), rows)
        except OutOfMemoryError:
            # Another task of this worker may have taken it, and the sample must not depend on that.
            raise
        except MemoryLimitError:
            if len(rows) < 2:
                raise
            rows, points = rows[::2], np.ascontiguousarray(points[::2])


def told_of(fitted: Fitted) -> Told:
    """What the client learns of a fit."""
    estimator, info = fitted.estimator, fitted.estimator.fit_info_
    found = getattr(estimator, "neighborhoods_", None)
    lowered = [trace["objective"] for trace in info["traces"]] if not hasattr(estimator, "torn_") else []
    target = next((name for name in lowered if name in TARGETS), None)
    k = None if found is None else int(found.facts["k"])
    return Told(fitted.rows, int(estimator.embedding_.shape[1]), k, target, info)


def estimator_of(fitted: Fitted) -> Embedder:
    """The estimator of the sample."""
    return fitted.estimator


def place_cell(cell: Cell, fitted: Fitted) -> Cell:
    """The places of the rows of a cell; those of the sample have theirs."""
    embedding = fitted.estimator.embedding_
    at = np.minimum(np.searchsorted(fitted.rows, cell.rows), len(fitted.rows) - 1)
    known = fitted.rows[at] == cell.rows
    places = embedding[at]
    if not known.all():
        places[~known] = placed_rows(cell.tables[0][~known], fitted)[0]
    return Cell(cell.rows, (places,))


def placed_rows(block: Any, fitted: Fitted) -> tuple[np.ndarray, ...]:
    """The places of rows, and what is told of each."""
    model = fitted.estimator._fitted_model()
    source = _native.Source.points(table(block), "X")
    found = model.place(source, None, settings())
    return (found.embedding, *(getattr(found, name) for name in FACTS))
