"""The exceptions of truefold: each also is one of the exceptions that Python programs expect.

Every message is one sentence that says what was wrong, the value, the limit, and what to do.

Examples
--------
>>> import truefold
>>> try:
...     truefold.measure([[0.0], [1.0], [2.0]], [[0.0], [1.0], [2.0]], n_neighbors=3)
... except ValueError as error:
...     print(error)
n_neighbors = 3 is more than 2: 3 points have 2 neighbors each; choose a smaller n_neighbors
"""
from __future__ import annotations


class TruefoldError(Exception):
    """The base of all exceptions of truefold."""


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
    """A name that does not exist; the message suggests similar ones."""

    def __str__(self) -> str:
        # A plain KeyError would show its sentence in quotes.
        return str(self.args[0]) if self.args else ""


class MemoryLimitError(TruefoldError, MemoryError, ValueError):
    """The task needs more memory than there is, or than the parameter ``memory`` allows."""


class OutOfMemoryError(MemoryLimitError):
    """Memory ran out in the middle of a call, or of another one in the same process."""


class FileError(TruefoldError, OSError):
    """A file could not be read or written."""


class NotFittedError(TruefoldError, ValueError, AttributeError):
    """An estimator is not fitted yet."""


class FitWarning(UserWarning):
    """What a reader should know before trusting an embedding."""
