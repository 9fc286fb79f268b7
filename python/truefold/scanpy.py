"""Helpers for scanpy: they read and write an AnnData object and need neither scanpy nor anndata to be imported."""
from __future__ import annotations

from typing import Any, Iterable, Sequence

from . import estimators
from .cells import column, embedding, embedding_key, embeddings, graph, representation, storable
from .comparison import Comparison
from .comparison import compare as compare_embeddings
from .embedder import Embedder
from .errors import DataError, UnknownNameError
from .measures import Measurement
from .measures import measure as measure_embedding
from .page import Report
from .page import report as report_embeddings
from .refinement import Refinement
from .refinement import refine as refine_embedding
from .verdicts import CLASSES


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

    Writes ``adata.obs["truefold_r_n"]`` and so on, one column per measure that has values per point,
    ``adata.obs["truefold_r_n_bound"]`` and so on, the least value that any embedding could have there,
    ``adata.obs["truefold_r_n_chance"]`` and so on, the value of an embedding unrelated to the data, and
    ``adata.uns["truefold"]``, with the verdict on the whole unless measures are named; :func:`verdict` writes what is said
    of every cell too.

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
    known = graph(adata, neighbors_key)
    result = measure_embedding(
        representation(adata, use_rep), embedding(adata, basis), n_neighbors, neighbors=known, **options
    )
    for name, values in result.per_point_frame().items():
        adata.obs[f"{key_added}_{name}"] = values.to_numpy()
    adata.uns[key_added] = {"basis": basis, **storable(result)}
    return result


def verdict(
    adata: Any,
    basis: str = "X_umap",
    *,
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    n_neighbors: int = 12,
    key_added: str = "truefold",
    labels: str | None = None,
    **options: Any,
) -> Measurement:
    """Judge an embedding of cells both ways and beside chance, and write what is said of every cell.

    Writes what :func:`measure` writes, and besides ``adata.obs["truefold_verdict"]``, one of faithful, shape_lost,
    false_neighbors, neighbors_missing and chance, with colors for ``scanpy.pl``; ``truefold_skill``,
    ``truefold_p_value``, ``truefold_false_share``, ``truefold_missing_share``, ``truefold_farther_in_data`` and
    ``truefold_farther_in_map``; and ``adata.uns["truefold"]["verdict"]``, with ``labels`` also ``["labels"]``: frames of
    what the map does to each group (``groups``), of whose the false and missing neighbors are and of the ``distances`` of
    groups, and the pairs that touch in the map alone (``map_only``), in the data alone (``data_only``), and whose distance
    cannot be read off the map (``do_not_compare``).

    Parameters
    ----------
    adata, basis, use_rep, neighbors_key, n_neighbors, key_added, **options
        As for :func:`measure`.
    labels : str, optional
        The column of ``adata.obs`` with the group of each cell, ``"cell_type"`` for example.

    Returns
    -------
    Measurement
        ``result.verdict`` is the verdict, ``result.labels`` what it says of groups.

    Examples
    --------
    >>> import anndata, truefold
    >>> X, Z = truefold.datasets.swiss_roll(500)
    >>> adata = anndata.AnnData(X, obsm={"X_umap": Z})
    >>> result = truefold.scanpy.verdict(adata)
    >>> int((adata.obs["truefold_verdict"] == "faithful").sum()) == result.verdict.counts["faithful"]
    True
    """
    where = {"use_rep": use_rep, "neighbors_key": neighbors_key, "n_neighbors": n_neighbors, "key_added": key_added}
    groups = None if labels is None else column(adata, labels).to_numpy()
    result = measure(adata, basis, **where, labels=groups, **options)
    found = result.verdict
    if found is None:
        raise DataError("there is no verdict, as measures were named or neighborhoods are too small; leave out measures")
    for name, values in found.per_point_frame().items():
        adata.obs[f"{key_added}_{'verdict' if name == 'class' else name}"] = values.array
    adata.uns[f"{key_added}_verdict_colors"] = [CLASSES[name]["color"] for name in found.names]
    return result


def embed(
    adata: Any,
    method: str = "psa",
    *,
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    key_added: str | None = None,
    **parameters: Any,
) -> Embedder:
    """Embed cells, and write the embedding.

    Writes ``adata.obsm["X_psa"]``, by the name of the method, for ``scanpy.pl.embedding(adata, "psa")``.

    Parameters
    ----------
    adata : AnnData
        The cells.
    method : str, default "psa"
        The method, as ``truefold methods`` names it.
    use_rep, neighbors_key : str, optional
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
    neighbors = graph(adata, neighbors_key)
    estimator = known[method](**parameters).fit(representation(adata, use_rep), neighbors=neighbors)
    if hasattr(estimator, "rows_"):
        raise DataError(
            f"components = largest left out {adata.n_obs - len(estimator.rows_)} cells, and every cell needs a place; "
            "leave it out"
        )
    adata.obsm[key_added or f"X_{method.replace('-', '_')}"] = estimator.embedding_
    return estimator


def refine(
    adata: Any,
    basis: str = "X_umap",
    *,
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    n_neighbors: int = 12,
    key_added: str | None = None,
    **options: Any,
) -> Refinement:
    """Improve an embedding of cells, and write the improved one beside it.

    Writes ``adata.obsm["X_umap_refined"]``, by the name of the embedding.

    Parameters
    ----------
    adata, basis, use_rep, neighbors_key, n_neighbors
        As for :func:`measure`.
    key_added : str, optional
        The key in ``adata.obsm``; by default that of the embedding and ``_refined``.
    **options
        Passed on to :func:`truefold.refine`, which improves a map of cells in both directions unless ``target`` names one.

    Returns
    -------
    Refinement

    Examples
    --------
    >>> import anndata, truefold
    >>> X, Z = truefold.datasets.swiss_roll(500)
    >>> adata = anndata.AnnData(X, obsm={"X_umap": Z * [1.0, 1.3]})
    >>> refined = truefold.scanpy.refine(adata)
    >>> adata.obsm["X_umap_refined"].shape
    (500, 2)
    """
    key = embedding_key(adata, basis)
    known = graph(adata, neighbors_key)
    refined = refine_embedding(
        representation(adata, use_rep), adata.obsm[key], n_neighbors, neighbors=known, **options
    )
    adata.obsm[key_added or f"{key}_refined"] = refined.embedding
    return refined


def compare(
    adata: Any,
    bases: str | Iterable[str] | None = None,
    methods: Sequence[Any] = (),
    *,
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    n_neighbors: int | Sequence[int] = 12,
    labels: str | None = None,
    **options: Any,
) -> Comparison:
    """Compare embeddings of cells, beside the best possible.

    Parameters
    ----------
    adata, use_rep, neighbors_key
        As for :func:`measure`.
    bases : str or sequence of str, optional
        The keys of the embeddings in ``adata.obsm``; by default all of two columns.
    methods : sequence of names or estimators, optional
        Methods to compare them with.
    n_neighbors : int or sequence of int, default 12
        The numbers of neighbors.
    labels : str, optional
        The column of ``adata.obs`` with the group of each cell.
    **options
        Passed on to :func:`truefold.compare`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import anndata, truefold
    >>> X, Z = truefold.datasets.swiss_roll(500)
    >>> adata = anndata.AnnData(X, obsm={"X_umap": Z, "X_tsne": X[:, :2]})
    >>> [row["method"] for row in truefold.scanpy.compare(adata, methods=["pca"]).rows]
    ['pca', 'umap', 'tsne']
    """
    known = graph(adata, neighbors_key)
    named = {**embeddings(adata, bases), **{_label(method): method for method in methods}}
    groups = None if labels is None else column(adata, labels).to_numpy()
    return compare_embeddings(
        representation(adata, use_rep), named, n_neighbors, neighbors=known, labels=groups, **options
    )


def report(
    adata: Any,
    bases: str | Iterable[str] | None = None,
    *,
    labels: str | None = None,
    colors: str | Iterable[str] = (),
    use_rep: str | None = None,
    neighbors_key: str | None = None,
    n_neighbors: int = 12,
    **options: Any,
) -> Report:
    """Make an interactive page that judges embeddings of cells.

    Parameters
    ----------
    adata, use_rep, neighbors_key, n_neighbors
        As for :func:`measure`.
    bases : str or sequence of str, optional
        The keys of the embeddings in ``adata.obsm``; by default all of two columns.
    labels : str, optional
        The column of ``adata.obs`` with the class of each cell.
    colors : str or sequence of str, optional
        Columns of ``adata.obs`` with numbers to color by.
    **options
        Passed on to :func:`truefold.report`.

    Returns
    -------
    Report

    Examples
    --------
    >>> import anndata, pandas, truefold
    >>> X, Z = truefold.datasets.swiss_roll(300)
    >>> adata = anndata.AnnData(X, obsm={"X_umap": Z}, obs=pandas.DataFrame({"n_counts": X[:, 0]}))
    >>> sorted(truefold.scanpy.report(adata, colors="n_counts").results)
    ['umap']
    """
    names = [colors] if isinstance(colors, str) else list(colors)
    marks = {
        "labels": None if labels is None else column(adata, labels).to_numpy(),
        "colors": {name: column(adata, name).to_numpy() for name in names},
    }
    known = graph(adata, neighbors_key)
    return report_embeddings(
        representation(adata, use_rep), embeddings(adata, bases), n_neighbors, neighbors=known, **marks, **options
    )


def _label(method: Any) -> str:
    """The name of a method in a comparison."""
    if isinstance(method, str):
        return method
    return method._method if isinstance(method, Embedder) else type(method).__name__
