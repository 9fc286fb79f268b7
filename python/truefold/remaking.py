"""Maps of the same data made again: by other seeds, and of other samples of the rows."""
from __future__ import annotations

import copy
from typing import Any, Iterable, Union

import numpy as np

from .errors import DataError, ParameterError
from .inputs import is_frame, is_sparse
from .run import positive

#: The number of seeds, from 0, or the seeds themselves.
Seeds = Union[int, Iterable[int]]


def is_estimator(given: Any) -> bool:
    """Whether this makes maps: it has ``fit_transform``, or ``fit`` as openTSNE has it."""
    return not isinstance(given, type) and (hasattr(given, "fit_transform") or hasattr(given, "fit"))


def made_again(
    X: Any, estimator: Any, seeds: Seeds, bootstrap: int, share: float, precomputed: bool
) -> list[tuple[Any, np.ndarray | None]]:
    """The maps, and the rows that each of them shows where not all."""
    numbers = list(range(positive("seeds", seeds, "choose 0 or more"))) if _is_number(seeds) else [int(s) for s in seeds]
    samples = positive("bootstrap", bootstrap, "choose 0 or more")
    if not 0.0 < share < 1.0:
        raise ParameterError(f"share = {share} is not between 0 and 1; choose such a share of the rows, such as 0.8")
    if len(numbers) + samples < 2:
        raise ParameterError(
            f"seeds and bootstrap ask for {len(numbers) + samples} maps, and agreement needs two; ask for more of them"
        )
    if len(numbers) > 1 and not _has_seed(estimator):
        raise ParameterError(
            f"{type(estimator).__name__} has no random_state, so every seed gives the same map; "
            "give seeds=1 and, for maps of samples of the rows, bootstrap=5"
        )
    count = len(X) if not is_sparse(X) else X.shape[0]
    maps: list[tuple[Any, np.ndarray | None]] = [(_fitted(estimator, seed, X), None) for seed in numbers]
    for sample in range(samples):
        rows = np.sort(np.random.default_rng(sample).choice(count, size=max(2, round(share * count)), replace=False))
        maps.append((_fitted(estimator, sample, _part(X, rows, precomputed)), rows.astype(np.int64)))
    return maps


def _is_number(seeds: Any) -> bool:
    return isinstance(seeds, (int, np.integer))


def _has_seed(estimator: Any) -> bool:
    if hasattr(estimator, "get_params"):
        return "random_state" in estimator.get_params(deep=False)
    return hasattr(estimator, "random_state")


def _fitted(estimator: Any, seed: int, X: Any) -> Any:
    """The map that a fresh copy of the estimator makes of X."""
    fresh = _copied(estimator)
    if _has_seed(fresh):
        if hasattr(fresh, "set_params"):
            fresh.set_params(random_state=seed)
        else:
            fresh.random_state = seed
    made = fresh.fit_transform(X) if hasattr(fresh, "fit_transform") else fresh.fit(X)
    if not is_frame(made) and np.ndim(made) != 2:
        raise TypeError(
            f"{type(estimator).__name__} makes no map; give an estimator whose fit_transform(X), or fit(X) as openTSNE has "
            "it, returns one row per point"
        )
    if len(made) != (len(X) if not is_sparse(X) else X.shape[0]):
        raise DataError(
            f"{type(estimator).__name__} made a map of {len(made)} rows of {len(X)} points; give one that keeps all rows"
        )
    return made


def _copied(estimator: Any) -> Any:
    if hasattr(estimator, "get_params"):
        try:
            from sklearn.base import clone

            return clone(estimator)
        except ImportError:
            return type(estimator)(**estimator.get_params(deep=False))
    return copy.deepcopy(estimator)


def _part(X: Any, rows: np.ndarray, precomputed: bool) -> Any:
    """Some rows of X, and of distances the same columns."""
    if is_sparse(X):
        X = X.tocsr()
    if hasattr(X, "iloc"):
        return X.iloc[rows, rows] if precomputed else X.iloc[rows]
    X = X if is_frame(X) or is_sparse(X) else np.asarray(X)
    return X[rows][:, rows] if precomputed else X[rows]
