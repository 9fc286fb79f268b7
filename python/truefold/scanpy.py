"""Helpers for scanpy: they read and write an AnnData object and need neither scanpy nor anndata to be imported."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import estimators
from .embedder import Embedder
from .errors import DataError, UnknownNameError
from .inputs import is_sparse
from .measures import Measurement
from .measures import measure as measure_embedding


def measure(
    adata: Any,
    basis: str = "X_umap",
    *,
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    n_neighbors: int = 12,
    key_added: str = "truefold",
    **options: Any,
) -> Measurement:
    """Judge an embedding of cells, and write the values at every cell.

    Writes ``adata.obs["truefold_r_n"]`` and so on, one column per measure that has values per point, and
    ``adata.uns["truefold"]``.

    Parameters
    ----------
    adata : AnnData
        The cells.
    basis : str, default "X_umap"
        The key of the embedding in ``adata.obsm``; ``"umap"`` is understood too.
    use_rep : str, optional
        The key in ``adata.obsm`` of the data that was embedded, or ``"X"``. By default ``X_pca`` where it is there,
        which scanpy's own neighbors and UMAP start from, and ``adata.X`` otherwise.
    neighbors_key : str, optional
        Compare in the graph that ``scanpy.pp.neighbors`` left under this key (``"neighbors"`` is its default name)
        instead of a search of ``n_neighbors``.
    n_neighbors : int, default 12
        The number of neighbors in which data and embedding are compared.
    key_added : str, default "truefold"
        What the names of the columns begin with.
    **options
        Passed on to :func:`truefold.measure`.

    Returns
    -------
    Measurement

    Examples
    --------
    >>> import anndata, truefold
    >>> X, Z = truefold.datasets.swiss_roll(500)
    >>> adata = anndata.AnnData(X, obsm={"X_umap": Z})
    >>> result = truefold.scanpy.measure(adata, basis="X_umap")
    >>> bool(abs(adata.obs["truefold_r_n"].mean() - result.r_n) < 1e-12)
    True
    """
    graph = None if neighbors_key is None else _graph(adata, neighbors_key)
    result = measure_embedding(
        _representation(adata, use_rep), _embedding(adata, basis), n_neighbors, neighbors=graph, **options
    )
    for name, values in result.per_point.items():
        adata.obs[f"{key_added}_{name}"] = values
    adata.uns[key_added] = {"basis": basis, **_facts(result)}
    return result


def _facts(result: Measurement) -> dict[str, Any]:
    """What AnnData can store of a judgment."""
    told = result.to_dict()
    neighborhoods = {
        name: value for name, value in told["neighborhoods"].items() if isinstance(value, (int, float, str))
    }
    return {**{name: told[name] for name in ("measures", "lower_bounds", "warnings")}, "neighborhoods": neighborhoods}


def embed(
    adata: Any, method: str = "psa", *, use_rep: str | None = None, key_added: str | None = None, **parameters: Any
) -> Embedder:
    """Embed cells, and write the embedding.

    Writes ``adata.obsm["X_psa"]``, by the name of the method, for ``scanpy.pl.embedding(adata, "psa")``.

    Parameters
    ----------
    adata : AnnData
        The cells.
    method : str, default "psa"
        The method, as ``truefold methods`` names it.
    use_rep : str, optional
        As for :func:`measure`.
    key_added : str, optional
        The key in ``adata.obsm``; by default ``X_`` and the name of the method.
    **parameters
        Those of the method's estimator.

    Returns
    -------
    Embedder
        The fitted estimator.

    Examples
    --------
    >>> import anndata, truefold
    >>> adata = anndata.AnnData(truefold.datasets.swiss_roll(500).points)
    >>> estimator = truefold.scanpy.embed(adata, "ltsa", n_neighbors=10)
    >>> adata.obsm["X_ltsa"].shape
    (500, 2)
    """
    known = estimators.METHODS
    if method not in known:
        raise UnknownNameError(f"there is no method named '{method}'; there are {', '.join(known)}")
    estimator = known[method](**parameters).fit(_representation(adata, use_rep))
    if hasattr(estimator, "rows_"):
        raise DataError(
            f"components = largest left out {adata.n_obs - len(estimator.rows_)} cells, and every cell needs a place; "
            "leave it out"
        )
    adata.obsm[key_added or f"X_{method.replace('-', '_')}"] = estimator.embedding_
    return estimator


def _representation(adata: Any, use_rep: str | None) -> np.ndarray:
    if use_rep is None:
        use_rep = "X_pca" if "X_pca" in adata.obsm else "X"
    if use_rep != "X" and use_rep not in adata.obsm:
        raise UnknownNameError(f"there is no representation named '{use_rep}'; there are {_names(adata, 'X')}")
    values = adata.X if use_rep == "X" else adata.obsm[use_rep]
    return values.toarray() if is_sparse(values) else values


def _embedding(adata: Any, basis: str) -> Any:
    for key in (basis, f"X_{basis}"):
        if key in adata.obsm:
            return adata.obsm[key]
    raise UnknownNameError(f"there is no embedding named '{basis}' in obsm; there are {_names(adata)}")


def _graph(adata: Any, key: str) -> Any:
    if key not in adata.uns:
        raise UnknownNameError(f"there are no neighbors under '{key}' in uns; run scanpy.pp.neighbors first")
    return adata.obsp[adata.uns[key]["distances_key"]]


def _names(adata: Any, *more: str) -> str:
    return ", ".join([*more, *adata.obsm.keys()]) or "none"
