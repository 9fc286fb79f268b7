"""Pictures by matplotlib, and the helpers for scanpy."""
import anndata
import numpy as np
import pytest
import scipy.sparse
from matplotlib import pyplot

import truefold


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def test_scatter(roll, tmp_path):
    X, Z = roll
    ax = truefold.plot.scatter(Z, Z[:, 0])
    assert ax.collections[0].get_offsets().shape == (500, 2) and len(ax.figure.axes) == 2
    labels = np.where(Z[:, 0] > Z[:, 0].mean(), "right", "left")
    ax = truefold.plot.scatter(Z, labels, title="halves")
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"left", "right"}
    _, given = pyplot.subplots()
    assert truefold.plot.scatter(Z[:, :1], ax=given) is given
    given.figure.savefig(tmp_path / "dots.png")


def test_distortion_shows_the_worst_on_top(roll):
    X, Z = roll
    result = truefold.measure(X, X[:, :2])
    ax = truefold.plot.distortion(X[:, :2], result)
    dots = ax.collections[-1]
    assert np.all(np.diff(dots.get_array()) >= 0) and len(dots.get_array()) == 500
    assert ax.get_title() == f"R_N {result.r_n:.2g}"


def test_grid_has_one_scale(roll):
    X, Z = roll
    figure = truefold.plot.grid(X, {"true": Z, "flat": X[:, :2], "other": X[:, 1:]}, measure="r_c", columns=2)
    maps = [ax for ax in figure.axes if ax.get_title()]
    assert [ax.get_title().split(":")[0] for ax in maps] == ["true", "flat", "other"]
    assert len({ax.collections[-1].get_clim() for ax in maps}) == 1


def test_scanpy_measure(roll):
    X, Z = roll
    adata = anndata.AnnData(scipy.sparse.csr_matrix(np.ones((500, 4))), obsm={"X_pca": X, "X_umap": Z})
    result = truefold.scanpy.measure(adata, basis="umap")
    assert result.values == truefold.measure(X, Z).values
    assert np.array_equal(adata.obs["truefold_r_n"], result.per_point["r_n"])
    assert adata.uns["truefold"]["measures"]["r_n"] == result.r_n
    truefold.scanpy.measure(adata, key_added="mine", measures="r_c", n_neighbors=5)
    assert list(adata.obs.filter(like="mine")) == ["mine_r_c"]
    adata.uns["neighbors"] = {"distances_key": "distances"}
    adata.obsp["distances"] = truefold.neighbors(X, 7).to_csr()
    assert truefold.scanpy.measure(adata, neighbors_key="neighbors").neighborhoods.facts["k"] == 7
    with pytest.raises(KeyError, match="there is no embedding named 'X_tsne' in obsm; there are X_pca, X_umap"):
        truefold.scanpy.measure(adata, basis="X_tsne")
    with pytest.raises(KeyError, match="no representation named 'Z'"):
        truefold.scanpy.measure(adata, use_rep="Z")
    with pytest.raises(KeyError, match="run scanpy.pp.neighbors first"):
        truefold.scanpy.measure(adata, neighbors_key="n")


def test_scanpy_results_can_be_written(roll, tmp_path):
    X, Z = roll
    adata = anndata.AnnData(X, obsm={"X_umap": Z})
    truefold.scanpy.measure(adata)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    assert np.array_equal(again.obs["truefold_r_n"], adata.obs["truefold_r_n"])


def test_scanpy_embed(roll):
    X, _ = roll
    adata = anndata.AnnData(X)
    estimator = truefold.scanpy.embed(adata, "modified-lle", n_neighbors=9)
    assert np.array_equal(adata.obsm["X_modified_lle"], estimator.embedding_)
    with pytest.raises(KeyError, match="there is no method named 'umap'"):
        truefold.scanpy.embed(adata, "umap")
