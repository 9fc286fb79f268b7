"""Tasks with the names of their stages, and the threads that they use.

They are kept in one plain graph: a search among many chunks has thousands of them, and each names others.
"""
from __future__ import annotations

import operator
import uuid
from contextlib import nullcontext
from typing import Any, Callable, Hashable, Union

import dask
import dask.array as da
from dask.base import tokenize
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

#: How tasks are named that cut results.
CUT = "split-shuffle"

#: The name of a task in the graph.
Key = Union[str, tuple[Hashable, ...]]


class Tasks:
    """The tasks of one computation: the dashboard shows each under the name of its stage.

    The names hold a token of all that the results depend on, so that equal tasks of two calls are one.

    Parameters
    ----------
    inputs : list of dask array, or of results that workers keep
        What is among the arguments.
    identity : anything
        What the results depend on besides.

    Examples
    --------
    >>> tasks = Tasks([], 12)
    >>> three = tasks("sum", sum, [1, 2], place=(3,))
    >>> tasks.delayed(tasks("sum", sum, [three, 4])).compute()
    7
    """

    def __init__(self, inputs: list[Any], *identity: Any) -> None:
        self.inputs = inputs
        self.token: str = tokenize("truefold", [name_of(one) for one in inputs], *identity)
        self._graph: dict[Any, Any] = {}
        # Graphs of equal tokens hold different tasks; where two are joined, none may take the place of the other.
        self._layer = f"truefold-{uuid.uuid4().hex}"

    def named(self, *identity: Any) -> Tasks:
        """Tasks in the same graph that depend on more."""
        made = Tasks.__new__(Tasks)
        made.inputs, made._graph, made._layer = self.inputs, self._graph, self._layer
        made.token = tokenize(self.token, *identity)
        return made

    def joined(self, others: list[Tasks], *identity: Any) -> Tasks:
        """Tasks that may use those of several computations."""
        inputs = {name_of(some): some for one in (self, *others) for some in one.inputs}
        made = Tasks(list(inputs.values()), self.token, [one.token for one in others], *identity)
        for one in (self, *others):
            made._graph.update(one._graph)
        return made

    def known(self, stage: str, value: Any) -> Key:
        """A value that many tasks need, sent to each worker once."""
        key = f"truefold-{stage}-{self.token}"
        self._graph[key] = value
        return key

    def __call__(self, stage: str, function: Callable[..., Any], *arguments: Any, place: tuple[Any, ...] = ()) -> Key:
        """A task of a stage, by its name; arguments may be names of tasks, and lists of them."""
        key = "-".join(["truefold", stage, self.token, *map(str, place)])
        self._graph[key] = (function, *arguments)
        return key

    def part(self, stage: str, whole: Key, part: int | slice, place: tuple[Any, ...]) -> Key:
        """A part of what a task returns as a task of its own, so that only that travels which is needed.

        It is named as dask names those of its own shuffles: the scheduler takes such a task to cost nothing, and never gives it to an
        idle worker, to which it would have to send the whole.
        """
        key = "-".join([CUT, self.token, "truefold", stage, *map(str, place)])
        self._graph[key] = (operator.getitem, whole, part)
        return key

    def parts(self, stage: str, whole: Key, count: int, place: tuple[Any, ...] = ()) -> list[Key]:
        """The parts of what a task returns, each as a task of its own."""
        return [self.part(stage, whole, part, (*place, part)) for part in range(count)]

    def exchanged(self, stage: str, wholes: list[Key], count: int, small: bool) -> list[Any]:
        """For each of so many receivers the parts that all wholes have for it, as an argument of a task.

        Small ones are taken by those who need them: the wholes then go to every worker, and there are far fewer tasks.
        """
        if small:
            return [(picked, wholes, part) for part in range(count)]
        parts = [self.parts(stage, whole, count, (at,)) for at, whole in enumerate(wholes)]
        return [[some[part] for some in parts] for part in range(count)]

    def delayed(self, key: Key) -> Delayed:
        """A task that can be computed."""
        return Delayed(key, HighLevelGraph(*self._layers()), layer=self._layer)

    def kept(self, keys: list[Key], client: Any) -> list[Delayed]:
        """Results that are computed now and stay with the workers; their names stay the same."""
        graph = HighLevelGraph(*self._layers())
        some = [Delayed(key, graph, layer=self._layer) for key in keys]
        return persisted(some, client)

    def array(self, blocks: list[Key], lengths: tuple[int, ...], width: int | None, dtype: Any) -> Any:
        """Blocks of rows as a dask array; of one dimension where there is no width."""
        name = f"truefold-array-{tokenize(blocks, width)}"
        rest = () if width is None else (0,)
        layers, dependencies = self._layers()
        layers[name] = {(name, place, *rest): block for place, block in enumerate(blocks)}
        dependencies[name] = {self._layer}
        chunks = (lengths,) if width is None else (lengths, (width,))
        return da.Array(HighLevelGraph(layers, dependencies), name, chunks, dtype=dtype)

    def _layers(self) -> tuple[dict[str, Any], dict[str, set[str]]]:
        """The graph with those of its inputs, and what depends on what."""
        layers: dict[str, Any] = {}
        dependencies: dict[str, set[str]] = {}
        for some in self.inputs:
            if isinstance(some.dask, HighLevelGraph):
                layers |= some.dask.layers
                dependencies |= some.dask.dependencies
            else:
                layers[name_of(some)] = dict(some.dask)
                dependencies[name_of(some)] = set()
        # What workers keep is not made again.
        again = self._graph.keys() & {name_of(some) for some in self.inputs}
        layers[self._layer] = {key: task for key, task in self._graph.items() if key not in again} if again else self._graph
        dependencies[self._layer] = {name for some in self.inputs for name in some.__dask_layers__()}
        return layers, dependencies


def persisted(some: list[Any], client: Any) -> list[Any]:
    """Collections, computed now and kept by the workers of the client that was given, or else of the current scheduler."""
    with nullcontext() if client is None else client.as_current():
        return list(dask.persist(*some))


def picked(wholes: list[Any], part: int) -> list[Any]:
    """One part of each of some lists.

    Examples
    --------
    >>> picked([[1, 2], [3, 4]], 1)
    [2, 4]
    """
    return [whole[part] for whole in wholes]


def name_of(some: Any) -> Any:
    """The name of a dask array, or of a result that workers keep."""
    return some.name if isinstance(some, da.Array) else some.key


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
