"""Estimators from the files that ``Embedder.save`` and the tool's ``embed --save-model`` write."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from . import _native
from .embedder import Embedder
from .estimators import METHODS
from .model import Fit, Model
from .neighborhoods import Neighborhoods


class GivenEmbedding(Embedder):
    """An embedding that another program made, from a model of truefold's Rust library: it places new points."""

    _method = "given"

    def __init__(
        self, n_components: int = 2, *, metric: str = "euclidean", n_jobs: int | None = None, progress: bool | None = None
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any = None, *, neighbors: Any = None) -> Any:
        """Always fails: there is no method to fit with."""
        raise TypeError("this embedding came from another program, so it cannot be fitted; load it again")


def load(path: str | os.PathLike[str]) -> Embedder:
    """Read a fitted estimator from a model file.

    Parameters
    ----------
    path : str or path
        A file that ``estimator.save(path)`` or ``truefold embed --save-model`` wrote.

    Returns
    -------
    Embedder
        An estimator of the method that made the embedding, with its parameters, fitted: ``embedding_``, ``transform``
        and ``place`` are as they were, bit for bit. ``fit_info_`` holds the method, its parameters and the seed.

    Examples
    --------
    >>> import os, tempfile, truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> fitted = truefold.LTSA(n_neighbors=10).fit(X)
    >>> path = os.path.join(tempfile.mkdtemp(), "roll.truefold")
    >>> _ = fitted.save(path)
    >>> again = truefold.load(path)
    >>> again
    LTSA(n_neighbors=10, random_state=0)
    >>> bool((again.transform(X) == fitted.embedding_).all())
    True
    """
    points, embedding, native, names, metric, origin = _native.load_model(os.fspath(path), (0, None, None))
    info, found = json.loads(origin), Neighborhoods(native)
    kind = METHODS.get(info["method"], GivenEmbedding)
    known = kind().get_params()
    own = info["parameters"] if isinstance(info["parameters"], dict) else {}
    params: dict[str, Any] = {"n_components": embedding.shape[1], "metric": metric, "random_state": info["seed"]}
    if found.facts["k"] is not None:
        params["n_neighbors"] = found.facts["k"]
    params.update((name, own[name]) for name in kind._own if name in own)
    estimator = kind(**{name: value for name, value in params.items() if name in known})
    columns = None if names is None else np.asarray(names, dtype=object)
    estimator._keep(
        embedding_=embedding,
        fit_info_=info,
        n_features_in_=points.shape[1],
        feature_names_in_=columns,
        neighborhoods_=found if "n_neighbors" in known else None,
        _model=Model(
            _native.Source.points(points, "X"), embedding, found, Fit(None, None, columns, metric, origin)
        ),
    )
    return estimator
