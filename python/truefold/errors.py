"""The exceptions of truefold: each is a kind of the one that Python programs expect.

Every message is one sentence that says what was wrong, the value, the limit, and what to do.

Examples
--------
>>> import truefold
>>> try:
...     truefold.measure([[0.0], [1.0], [2.0]], [[0.0], [1.0], [2.0]], n_neighbors=3)
... except ValueError as error:
...     print(error)
k = 3 is too large: 3 points allow at most k = 2; choose a smaller k (in Python, k is n_neighbors)
"""
from __future__ import annotations


class TruefoldError(Exception):
    """What all exceptions of truefold are."""


class ParameterError(TruefoldError, ValueError):
    """A parameter has a value that it cannot have."""


class DataError(TruefoldError, ValueError):
    """The data cannot be used as they are."""


class TooFewPointsError(DataError):
    """There are fewer points than the task needs."""


class NotConnectedError(DataError):
    """The neighborhood graph falls into pieces and the task needs it whole."""


class RankDeficientError(DataError):
    """The neighborhoods span fewer directions than the embedding is to have."""


class SolverError(TruefoldError, RuntimeError):
    """An iteration ended too far from the solution to be of use."""


class UnknownNameError(TruefoldError, KeyError, ValueError):
    """A name that is not in its table; the sentence tells the nearest ones."""

    def __str__(self) -> str:
        # A plain KeyError would show its sentence in quotes.
        return str(self.args[0]) if self.args else ""


class MemoryLimitError(TruefoldError, MemoryError, ValueError):
    """The task needs more memory than the parameter ``memory`` allows."""


class FileError(TruefoldError, OSError):
    """A file could not be read or written."""


class NotFittedError(TruefoldError, ValueError, AttributeError):
    """An estimator was asked for what only a fit can tell."""


class FitWarning(UserWarning):
    """What a reader should know before trusting an embedding."""
