"""Choosing parameters by a measure, in scikit-learn's searches."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from .choosing import MEASURES, known_name
from .errors import DataError
from .measures import measure


class AllRows:
    """The one split in which all rows are fitted and all rows are judged.

    A search over the parameters of an embedding judges the embedding itself, so it has nothing to hold out.

    Examples
    --------
    >>> [(train.tolist(), test.tolist()) for train, test in AllRows().split([[1.0], [2.0]])]
    [([0, 1], [0, 1])]
    """

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The split: all rows, twice."""
        rows = np.arange(np.shape(X)[0])
        yield rows, rows

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """One."""
        return 1


class EmbeddingScorer:
    """Scores a fitted estimator by a measure of its ``embedding_``; larger is better, so R_N and similar measures are negated.

    Works for every estimator that has an ``embedding_``, those of umap-learn and scikit-learn too, and for pipelines
    that end in one, whose embedding is compared with what the steps before it gave.

    Parameters
    ----------
    measure : str, default "r_n"
        The measure.
    n_neighbors : int, default 12
        The number of neighbors in which it compares; the same for all candidates, so that they can be compared.
    **options
        Passed on to :func:`truefold.measure`.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(400)
    >>> score = truefold.EmbeddingScorer("r_n")
    >>> score(truefold.LTSA().fit(X), X) < score(truefold.GreedyProcrustes().fit(X), X)
    True
    """

    def __init__(self, measure: str = "r_n", n_neighbors: int = 12, **options: Any) -> None:
        self.measure, self.n_neighbors, self.options = known_name(measure), n_neighbors, options

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        last = estimator
        if hasattr(estimator, "steps"):
            last = estimator.steps[-1][1]
            X = estimator[:-1].transform(X) if len(estimator.steps) > 1 else X
        embedding = last.embedding_
        if len(embedding) != np.shape(X)[0]:
            raise DataError(
                f"the embedding is of {len(embedding)} points, but {np.shape(X)[0]} are to be judged; "
                "search with cv=truefold.AllRows()"
            )
        value = getattr(
            measure(X, embedding, self.n_neighbors, measures=self.measure, **self.options), self.measure
        )
        return -value if MEASURES[self.measure]["lower_is_better"] else value

    def __repr__(self) -> str:
        return f"EmbeddingScorer({self.measure!r}, n_neighbors={self.n_neighbors})"
