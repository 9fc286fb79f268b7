"""The seed, the threads and the progress of a call."""
from __future__ import annotations

import operator
import os
from typing import Any, Union

import numpy as np

from .errors import ParameterError

RandomState = Union[int, np.integer, np.random.RandomState, np.random.Generator, None]

#: Seed, threads (all cores where there is no number), ``report(stage, total, done)``; and the device of searches, "auto" where
#: it is left out.
Settings = Union[tuple[int, Union[int, None], Any], tuple[int, Union[int, None], Any, str]]


def seed_of(random_state: RandomState) -> int:
    """The seed that ``random_state`` stands for.

    An integer is the seed itself; None is 0, so that a call gives the same result every time; a generator gives its next
    number.

    Examples
    --------
    >>> seed_of(7), seed_of(None)
    (7, 0)
    """
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    try:
        seed = operator.index(random_state)
    except TypeError:
        raise TypeError(
            f"random_state = {random_state!r} is no seed; give a whole number, a numpy generator or None"
        ) from None
    if not 0 <= seed < 2**64:
        raise ParameterError(f"random_state = {seed} is not from 0 to 2**64 - 1; choose such a number")
    return seed


def threads_of(n_jobs: int | None) -> int | None:
    """The number of threads that ``n_jobs`` stands for, none for all cores; -2 leaves one core free.

    Examples
    --------
    >>> threads_of(3), threads_of(None), threads_of(-1)
    (3, None, None)
    """
    if n_jobs is None:
        return None
    count = whole("n_jobs", n_jobs)
    if count == -1:
        return None
    return count if count >= 0 else max(1, (os.cpu_count() or 1) + 1 + count)


def whole(name: str, value: Any) -> int:
    """``value`` as a whole number, or an error that names the parameter."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {value} is not a whole number; give one")
    try:
        number = operator.index(value)
        if -(2**63) <= number < 2**64:
            return number
        raise ParameterError(f"{name} = {number} is beyond what a machine counts; give a smaller number")
    except TypeError:
        raise TypeError(f"{name} = {value!r} is not a whole number; give one") from None


def positive(name: str, value: Any, advice: str) -> int:
    """``value`` as a whole number that is not negative."""
    number = whole(name, value)
    if number < 0:
        raise ParameterError(f"{name} = {number} is negative; {advice}")
    return number


def dimensions(n_components: Any) -> int:
    """The number of dimensions of an embedding."""
    return positive("n_components", n_components, "choose at least one")
