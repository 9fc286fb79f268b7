"""The helpers for scanpy."""
from pathlib import Path

import anndata
import numpy as np
import pandas
import pytest
import scipy.sparse

import truefold


def test_scanpy_measure(roll):
    X, Z = roll
    adata = anndata.AnnData(scipy.sparse.csr_matrix(np.ones((500, 4))), obsm={"X_pca": X, "X_umap": Z})
    result = truefold.scanpy.measure(adata, basis="umap")
    assert result.values == truefold.measure(X, Z).values
    assert np.array_equal(adata.obs["truefold_r_n"], result.per_point["r_n"])
    assert adata.uns["truefold"]["measures"]["r_n"] == result.r_n
    assert adata.uns["truefold"]["verdict"]["score"] == result.verdict.score
    truefold.scanpy.measure(adata, key_added="mine", measures="r_c", n_neighbors=5)
    assert list(adata.obs.filter(like="mine")) == ["mine_r_c", "mine_r_c_bound", "mine_r_c_chance"]
    assert np.array_equal(adata.obs["truefold_r_n_bound"], result.per_point_bounds["r_n"])
    assert np.array_equal(adata.obs["truefold_r_n_chance"], result.per_point_chance["r_n"])
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
    with pytest.raises(KeyError, match="there is no method named 'sammon'"):
        truefold.scanpy.embed(adata, "sammon")


def test_neighbors_of_older_files_are_found(roll):
    X, Z = roll
    lists = truefold.neighbors(X, 7).to_csr()
    adata = anndata.AnnData(X, obsm={"X_umap": Z}, obsp={"distances": lists, "mine_distances": lists})
    expected = truefold.measure(X, Z, neighbors=lists).values
    for key in ("neighbors", "mine"):
        adata.uns[key] = {"params": {"n_neighbors": 8}}
        assert truefold.scanpy.measure(adata, neighbors_key=key).values == expected
    del adata.obsp["distances"]
    adata.uns["neighbors"] = {"distances": lists}
    assert truefold.scanpy.measure(adata, neighbors_key="neighbors").values == expected
    adata.uns["neighbors"] = {"params": {}}
    with pytest.raises(KeyError, match="there are no distances of 'neighbors': obsp has no 'distances'"):
        truefold.scanpy.measure(adata, neighbors_key="neighbors")


def test_embed_and_refine_take_the_graph(roll):
    X, Z = roll
    found = truefold.neighbors(X, 7)
    adata = anndata.AnnData(X, obsm={"X_umap": Z * [1.0, 1.3]}, obsp={"distances": found.to_csr()}, uns={"neighbors": {}})
    truefold.scanpy.embed(adata, "ltsa", neighbors_key="neighbors")
    expected = truefold.LTSA().fit(X, neighbors=found.to_csr()).embedding_
    assert np.array_equal(adata.obsm["X_ltsa"], expected)
    refined = truefold.scanpy.refine(adata, "umap", neighbors_key="neighbors", target="R_C")
    assert refined.trace[-1] < refined.trace[0]
    assert np.array_equal(adata.obsm["X_umap_refined"], refined.embedding)
    truefold.scanpy.refine(adata, "umap", key_added="better", iterations=1)
    assert "better" in adata.obsm


def test_compare_and_report(roll):
    X, Z = roll
    obs = pandas.DataFrame({"half": np.where(Z[:, 0] > 40, "outer", "inner"), "along": Z[:, 0]}, index=map(str, range(500)))
    adata = anndata.AnnData(X, obs=obs, obsm={"X_pca": X, "X_umap": Z, "X_tsne": X[:, :2]})
    found = truefold.scanpy.compare(adata, methods=["pca", truefold.LTSA()], labels="half")
    assert all(row["labels"]["accuracy"]["data"] > 0.9 for row in found.rows)
    assert [row["method"] for row in found.rows] == ["pca", "ltsa", "umap", "tsne"]
    assert found.rows[2]["measures"]["r_n"] == truefold.measure(X, Z).r_n
    assert [row["method"] for row in truefold.scanpy.compare(adata, "tsne").rows] == ["tsne"]
    page = truefold.scanpy.report(adata, ["X_umap"], labels="half", colors=["along"])
    assert list(page.results) == ["umap"] and "outer" in page.html
    with pytest.raises(KeyError, match="there is no column named 'cell' in obs; there are half, along"):
        truefold.scanpy.report(adata, labels="cell")
    with pytest.raises(KeyError, match="no entry of obsm has two columns"):
        truefold.scanpy.compare(anndata.AnnData(X))


def test_cells_given_as_they_are_are_told_what_to_call(roll):
    X, Z = roll
    adata = anndata.AnnData(X, obsm={"X_umap": Z})
    for call in (lambda: truefold.measure(adata, Z), lambda: truefold.suggest(adata), lambda: truefold.LTSA().fit(adata)):
        with pytest.raises(TypeError, match="X is an AnnData object; call truefold.scanpy.verdict, measure, embed, refine"):
            call()


@pytest.fixture(scope="module")
def pbmc():
    """700 blood cells that come with scanpy."""
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed, and its cells come with it")
    return anndata.read_h5ad(Path(scanpy.__file__).parent / "datasets" / "10x_pbmc68k_reduced.h5ad")


def test_real_cells(pbmc):
    adata = pbmc.copy()
    result = truefold.scanpy.measure(adata, neighbors_key="neighbors")
    assert result.neighborhoods.facts["k"] == 9 and adata.obs["truefold_r_c_bound"].notna().all()
    suggestion = truefold.suggest(adata.obsm["X_pca"])
    assert suggestion.estimates["charts"][0] is None and suggestion.n_components >= 8
    swept = truefold.sweep(adata.obsm["X_pca"], "pca", [12], n_components=[1, 2, 3])
    assert swept.n_components == 3 and not swept.to_dict()["recommendation"]["dimension"]["determined"]
    assert "No d of this sweep holds the neighborhoods" in swept.recommendation[0]


def test_a_verdict_is_written(roll, tmp_path):
    X, Z = roll
    obs = pandas.DataFrame({"half": pandas.Categorical(np.where(Z[:, 0] > 40, "outer", "inner"))}, index=map(str, range(500)))
    adata = anndata.AnnData(X, obs=obs, obsm={"X_umap": Z, "X_flat": X[:, :2]})
    result = truefold.scanpy.verdict(adata, "flat", labels="half")
    expected = truefold.measure(X, X[:, :2], labels=obs["half"].to_numpy())
    assert result.verdict.counts == expected.verdict.counts and repr(result) == repr(expected)
    told = adata.obs["truefold_verdict"]
    assert list(told.cat.categories) == result.verdict.names and list(told) == list(result.verdict.classes)
    assert told.value_counts().to_dict() == result.verdict.counts
    for name in ("skill", "p_value", "false_share", "missing_share", "farther_in_data", "farther_in_map"):
        assert np.array_equal(adata.obs[f"truefold_{name}"], result.verdict.per_point[name], equal_nan=True)
    assert len(adata.uns["truefold_verdict_colors"]) == 5
    adata.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad").uns["truefold"]
    assert again["verdict"]["score"] == result.verdict.score
    assert again["labels"]["false_neighbors"].equals(result.labels.false_neighbors())
    for name in ("map_only", "data_only", "do_not_compare"):
        assert [tuple(pair) for pair in again["labels"][name]] == getattr(result.labels, name)
    assert again["labels"]["distances"]["map_low"].tolist() == result.labels.distances()["map_low"].tolist()
    with pytest.raises(ValueError, match="there is no verdict"):
        truefold.scanpy.verdict(adata, measures="r_n")


def test_pairs_of_groups_are_written(moved, tmp_path):
    X, Y, names = moved
    adata = anndata.AnnData(X, obs=pandas.DataFrame({"part": names}, index=map(str, range(320))), obsm={"X_flat": Y})
    labels = truefold.scanpy.verdict(adata, "flat", labels="part").labels
    assert labels.map_only == [("a", "d")] and labels.do_not_compare
    adata.write_h5ad(tmp_path / "cells.h5ad")
    kept = anndata.read_h5ad(tmp_path / "cells.h5ad").uns["truefold"]["labels"]
    for name in ("map_only", "data_only", "do_not_compare"):
        assert [tuple(pair) for pair in kept[name]] == getattr(labels, name)


def test_the_verdict_on_real_cells(pbmc):
    adata = pbmc.copy()
    result = truefold.scanpy.verdict(adata, "umap", labels="bulk_labels", neighbors_key="neighbors")
    verdict, labels = result.verdict, result.labels
    assert 0.2 < verdict.score < 0.4 and verdict.out_of_reach > 0.5 and sum(verdict.counts.values()) == 700
    assert labels.accuracy["map"] > 0.7 > labels.accuracy["chance"] and len(labels.to_frame()) == 10
    shuffled = np.random.default_rng(0).permutation(adata.obsm["X_umap"])
    chance = truefold.measure(adata.obsm["X_pca"], shuffled, neighbors=adata.obsp["distances"]).verdict
    assert chance.score < 0.05 and chance.counts["chance"] > 650
