"""Tasks with the names of their stages, and the threads that they use."""
from __future__ import annotations

import operator
from typing import Any, Callable

from dask import delayed
from dask.base import tokenize
from dask.delayed import Delayed


class Tasks:
    """The tasks of one computation: the dashboard shows each under the name of its stage.

    The names hold a token of all that the results depend on, so that equal tasks of two calls are one.

    Examples
    --------
    >>> tasks = Tasks("X", 12)
    >>> tasks("sum", sum, [1, 2], place=(3,)).compute()
    3
    """

    def __init__(self, *identity: Any) -> None:
        self.token: str = tokenize("truefold", *identity)

    def __call__(self, stage: str, function: Callable[..., Any], *arguments: Any, place: tuple[Any, ...] = ()) -> Delayed:
        key = "-".join(["truefold", stage, self.token, *map(str, place)])
        return delayed(function, pure=True)(*arguments, dask_key_name=key)

    def parts(self, stage: str, whole: Delayed, count: int, place: tuple[Any, ...] = ()) -> list[Delayed]:
        """The parts of what a task returns, each as a task of its own, so that only those travel that are needed."""
        return [self(stage, operator.getitem, whole, part, place=(*place, part)) for part in range(count)]


def threads_here() -> int:
    """The threads of a task: those of the worker, shared by the tasks that it runs at the moment; results do not depend on it.

    Examples
    --------
    >>> threads_here()
    1
    """
    try:
        from distributed import get_worker

        state = get_worker().state
    except (ImportError, ValueError):
        # The schedulers of one machine run one task on each core.
        return 1
    return max(1, state.nthreads // max(1, len(state.executing)))


def settings(seed: int = 0) -> tuple[int, int, None]:
    """Seed, threads and no progress of its own: that is dask's."""
    return seed, threads_here(), None
