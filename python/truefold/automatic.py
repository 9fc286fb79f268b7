"""An embedding by the method that suits the data."""
from __future__ import annotations

from typing import Any

from . import _native
from .embedder import Embedder, typed
from .errors import UnknownNameError
from .estimators import METHODS
from .inputs import PRECOMPUTED, source
from .neighborhoods import given_or_found
from .progress import reporting
from .run import RandomState, dimensions, seed_of, threads_of
from .suggestion import Count, is_auto


def embed(
    X: Any,
    n_components: Count = 2,
    n_neighbors: Count = 12,
    *,
    method: str = "auto",
    metric: str = "euclidean",
    neighbors: Any = None,
    device: str = "auto",
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    **parameters: Any,
) -> Embedder:
    """Embed X by the method that suits it, and tell which one that is and why.

    Parameters
    ----------
    X : array or frame of shape (n_samples, n_features), or distances
        The points; with ``metric="precomputed"`` a square table of distances, or a sparse matrix of those known.
    n_components : int or "auto", default 2
        The number of dimensions: 2 for a picture; "auto" gives as many coordinates as the data have dimensions.
    n_neighbors : int or "auto", default 12
        The number of neighbors of each point.
    method : str, default "auto"
        A method by name, or "auto": the one that :func:`truefold.suggest` gives for this number of dimensions.
    metric, neighbors, device, random_state, n_jobs, progress
        As for the estimators.
    **parameters
        Parameters of the method; an error where the method that was chosen does not have them.

    Returns
    -------
    fitted : the fitted estimator
        ``fitted.embedding_`` is the embedding; ``fitted.fit_info_["chosen"]["method"]`` says which method was chosen and why.

    Examples
    --------
    >>> import truefold
    >>> X, Z = truefold.datasets.swiss_roll(500)
    >>> fitted = truefold.embed(X)
    >>> type(fitted).__name__, fitted.embedding_.shape
    ('ProcrustesAlignment', (500, 2))
    >>> fitted.fit_info_["chosen"]["method"]["reason"]
    'the data are a surface of 2 dimensions, whose lengths this keeps'
    """
    seed = seed_of(random_state)
    chosen = None
    if is_auto(method):
        dim = None if is_auto(n_components) else dimensions(n_components)
        made, _, _ = source(X, metric)
        settings = [(name, typed(value)) for name, value in parameters.items()]
        # Of distances nothing but their neighborhoods tells how many dimensions there are.
        found = None
        if metric == PRECOMPUTED and not is_auto(n_neighbors):
            found = given_or_found(neighbors, made, (n_neighbors, None, metric, "auto"), (seed, n_jobs, progress), device)
        with reporting(progress) as report:
            native, run = None if found is None else found._native, (seed, threads_of(n_jobs), report, device)
            method, reason = _native.choose(made, native, (metric, dim), settings, run)
        chosen = {"value": method, "reason": reason}
    if method not in METHODS:
        raise UnknownNameError(f"there is no method named {method!r}; choose one of auto, {', '.join(METHODS)}")
    own: dict[str, Any] = {**parameters, "n_components": n_components, "random_state": seed, "n_jobs": n_jobs, "progress": progress}
    looks = hasattr(METHODS[method](), "n_neighbors")
    if looks:
        own.update(n_neighbors=n_neighbors, metric=metric, device=device)
    elif metric == PRECOMPUTED or chosen is None:
        own.update(metric=metric)
    fitted = METHODS[method](**own).fit(X, neighbors=neighbors if looks or chosen is None else None)
    if chosen is not None:
        fitted.fit_info_["chosen"] = {"method": chosen, **fitted.fit_info_.get("chosen", {})}
    return fitted
