"""What is compared: methods by name, estimators of truefold and of other packages, and embeddings that are there already."""
from __future__ import annotations

import time
from typing import Any, Iterator, Mapping, NamedTuple, Sequence, Union

import numpy as np

from . import _native
from .embedder import Embedder
from .errors import ParameterError
from .host import is_foreign
from .inputs import is_frame, table
from .rows import matched

#: A method by its name; an estimator of truefold, which stands for its method with the same parameters; any object with
#: ``fit_transform``; or an embedding as an array or a frame.
Contender = Union[str, Embedder, Any]


class Asked(NamedTuple):
    """What is compared, ready for the compiled part."""

    methods: list[_native.Method]
    #: The embeddings of other programs by label, and the seconds that they took where they were made here.
    given: dict[str, np.ndarray]
    seconds: dict[str, float]

    def maps(self) -> list[tuple[str, _native.Source, float | None]]:
        """The embeddings of other programs."""
        return [
            (name, _native.Source.points(values, name), self.seconds.get(name)) for name, values in self.given.items()
        ]


def asked(X: Any, contenders: Sequence[Contender] | Mapping[str, Contender]) -> Asked:
    """Everything to compare; estimators of other packages are fitted here, after all others are checked."""
    methods: list[_native.Method] = []
    others: list[tuple[str, Contender]] = []
    given: dict[str, np.ndarray] = {}
    seconds: dict[str, float] = {}
    for place, (label, one) in enumerate(_pairs(contenders)):
        if isinstance(one, Embedder):
            methods.append(one._ready(label))
        elif isinstance(one, str):
            methods.append(_native.Method(label or one, one, []))
        elif _is_table(one):
            others.append((label or f"map {place + 1}", one))
        elif hasattr(one, "fit_transform"):
            others.append((label or type(one).__name__, one))
        else:
            raise TypeError(
                f"{one!r} is no method; give the name of one, an estimator with fit_transform, or an embedding as an array"
            )
    for name, one in others:
        if name in given:
            raise ParameterError(f"methods = '{name}' is given twice; give a mapping with a name for each")
        if not _is_table(one):
            start = time.perf_counter()
            one = one.fit_transform(X)
            seconds[name] = time.perf_counter() - start
        given[name] = table(matched(X, one, name), name)[0]
    return Asked(methods, given, seconds)


def dimension(given: dict[str, np.ndarray]) -> int:
    """The dimension of the given embeddings; 2 where there is none."""
    return next((values.shape[1] for values in given.values()), 2)


def _pairs(contenders: Any) -> Iterator[tuple[str | None, Contender]]:
    """Each with its label, where it has one."""
    if isinstance(contenders, (str, Embedder)) or hasattr(contenders, "fit_transform") or _is_table(contenders):
        contenders = [contenders]
    if isinstance(contenders, Mapping):
        return ((str(label), one) for label, one in contenders.items())
    return ((None, one) for one in contenders)


def _is_table(one: Any) -> bool:
    """Whether this is an embedding: an array, a frame, or rows of numbers."""
    if isinstance(one, np.ndarray) or is_frame(one) or is_foreign(one):
        return True
    return isinstance(one, (list, tuple)) and len(one) > 0 and np.ndim(one[0]) == 1
