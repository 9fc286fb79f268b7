"""NeighborsTransformer keeps scikit-learn's rules, and other packages take its graphs."""
import pickle

import anndata
import numpy as np
import pandas
import pytest
import scanpy
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.manifold import TSNE, Isomap, SpectralEmbedding
from sklearn.neighbors import KNeighborsTransformer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import truefold
from truefold import NeighborsTransformer


@pytest.fixture(scope="module")
def cloud():
    """Points without ties, and new ones."""
    points = np.random.default_rng(8).normal(size=(360, 5))
    return points[:300], points[300:]


@parametrize_with_checks([NeighborsTransformer(n_neighbors=5), NeighborsTransformer(3, mode="connectivity")])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("mode", ["distance", "connectivity"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "correlation"])
@pytest.mark.parametrize("algorithm", ["auto", "tree", "brute"])
def test_graphs_are_those_of_scikit_learn(cloud, mode, metric, algorithm):
    X, new = cloud
    ours = NeighborsTransformer(7, mode=mode, metric=metric, algorithm=algorithm)
    theirs = KNeighborsTransformer(n_neighbors=7, mode=mode, metric=metric, algorithm="brute")
    for one, other in ((ours.fit_transform(X), theirs.fit_transform(X)), (ours.transform(new), theirs.transform(new))):
        assert one.format == other.format == "csr" and one.shape == other.shape and one.dtype == other.dtype
        assert np.array_equal(one.indptr, other.indptr) and np.array_equal(one.indices, other.indices)
        # scikit-learn sums products, which leaves about the root of the precision of a point to itself.
        assert np.allclose(one.data, other.data, atol=1e-6)
    assert one.nnz == len(new) * (8 if mode == "distance" else 7)


def test_every_row_begins_with_its_own_point_at_zero(cloud):
    X, _ = cloud
    graph = NeighborsTransformer(6).fit_transform(np.vstack([X, X]))
    rows, distances = graph.indices.reshape(600, 7), graph.data.reshape(600, 7)
    # Also where there is a copy of every point.
    assert np.array_equal(rows[:, 0], np.arange(600)) and not distances[:, :2].any() and distances[:, 2].all()
    assert np.array_equal(np.sort(rows[:, :2]), np.sort(np.column_stack([np.arange(600), (np.arange(600) + 300) % 600])))
    alone = NeighborsTransformer(1, mode="connectivity").fit_transform(X)
    assert np.array_equal(alone.toarray(), np.eye(300))


def test_neighbors_of_fitted_and_new_points(cloud):
    X, new = cloud
    graph = NeighborsTransformer(4).fit(X)
    theirs = KNeighborsTransformer(n_neighbors=4).fit(X)
    for given in (None, new):
        for count in (None, 9):
            (distances, rows), expected = graph.kneighbors(given, count), theirs.kneighbors(given, count)
            assert np.array_equal(rows, expected[1]) and np.allclose(distances, expected[0])
            assert np.array_equal(graph.kneighbors(given, count, return_distance=False), rows)
    assert (graph.n_samples_fit_, graph.n_features_in_) == (300, 5)
    assert list(graph.get_feature_names_out())[:2] == ["neighborstransformer0", "neighborstransformer1"]
    assert len(graph.get_feature_names_out()) == 300


def test_threads_copies_pickles_and_frames_change_nothing(cloud):
    X, new = cloud
    graph = NeighborsTransformer(4, n_jobs=1).fit(X)
    expected = graph.transform(new)
    for other in (clone(graph).set_params(n_jobs=3).fit(X), pickle.loads(pickle.dumps(graph))):
        assert (abs(other.transform(new) - expected)).nnz == 0
    frame = pandas.DataFrame(X, columns=list("abcde"))
    named = NeighborsTransformer(4).fit(frame)
    assert list(named.feature_names_in_) == list("abcde")
    assert (abs(named.transform(pandas.DataFrame(new, columns=list("abcde"))) - expected)).nnz == 0
    with pytest.raises(ValueError, match="feature names"):
        named.transform(pandas.DataFrame(new, columns=list("abcdf")))


def test_approximate_graphs():
    # Thirty dimensions and enough points that an exact search is not as fast.
    X = np.random.default_rng(0).normal(size=(20000, 6)) @ np.random.default_rng(1).normal(size=(6, 30))
    X = X.astype(np.float32)
    exact = NeighborsTransformer(10).fit_transform(X)
    for recall in (None, 0.9):
        found = NeighborsTransformer(10, algorithm="approximate", recall=recall, random_state=1).fit_transform(X)
        share = (found.minimum(exact) > 0).sum() / (20000 * 10)
        assert found.nnz == exact.nnz and share > (recall or 0.99) - 0.01
    told = truefold.neighbors(X, 10, algorithm="approximate", recall=0.9).facts
    assert told.get("approximate", {}).get("wanted") == 0.9 or told["exact_instead"]["reason"] == "as_fast"


def test_single_precision_is_not_copied(cloud):
    X = cloud[0].astype(np.float32)
    graph = NeighborsTransformer(4).fit(X)
    assert np.shares_memory(graph._points, X)
    wide = NeighborsTransformer(4).fit(X.astype(float))
    assert (abs(graph.transform(cloud[1]) - wide.transform(cloud[1]))).nnz == 0
    assert (abs(graph.fit_transform(X) - wide.fit_transform(X.astype(float)))).nnz == 0


@pytest.mark.parametrize("parameters, told", [
    ({"mode": "distances"}, "mode = 'distances' is not one of distance, connectivity"),
    ({"recall": 0.9}, "recall = 0.9 has no effect: algorithm = 'auto' finds all neighbors"),
    ({"recall": 1.5, "algorithm": "approximate"}, "recall = 1.5 is more than 1"),
    ({"n_neighbors": 0}, "n_neighbors = 0 is less than 1"),
    ({"n_neighbors": -2}, "n_neighbors = -2 is negative"),
    ({"n_neighbors": 300}, "n_neighbors = 300 is more than 299: 300 points have 299 neighbors each"),
    ({"metric": "hamming"}, "hamming"),
    ({"algorithm": "kd_tree"}, "algorithm = 'kd_tree' is not one of auto, tree, brute, approximate"),
])
def test_faults_are_named(cloud, parameters, told):
    with pytest.raises(ValueError, match=told):
        NeighborsTransformer(**parameters).fit_transform(cloud[0])


def test_new_points_that_do_not_fit_are_named(cloud):
    X, new = cloud
    graph = NeighborsTransformer(4).fit(X)
    with pytest.raises(ValueError, match="has 4 features, but NeighborsTransformer is expecting 5"):
        graph.transform(new[:, :4])
    with pytest.raises(ValueError, match="n_neighbors = 301 is more than 300: there are 300 fitted points"):
        graph.kneighbors(new, 301)
    with pytest.raises(truefold.NotFittedError):
        NeighborsTransformer().transform(X)


def test_isomap_of_scikit_learn(cloud):
    X, new = make_blobs(260, 4, centers=1, random_state=3)[0][:200], make_blobs(260, 4, centers=1, random_state=3)[0][200:]
    chained = make_pipeline(NeighborsTransformer(8), Isomap(n_neighbors=8, metric="precomputed"))
    plain = Isomap(n_neighbors=8)
    assert np.allclose(chained.fit_transform(X), plain.fit_transform(X), atol=1e-6)
    assert np.allclose(chained.transform(new), plain.transform(new), atol=1e-6)


def test_tsne_and_spectral_embedding_of_scikit_learn(cloud):
    X, _ = cloud
    both = [
        make_pipeline(graph, TSNE(metric="precomputed", init="random", random_state=0, perplexity=10, max_iter=250))
        for graph in (NeighborsTransformer(31), KNeighborsTransformer(n_neighbors=31))
    ]
    one, other = (pipeline.fit_transform(X) for pipeline in both)
    assert np.allclose(one, other, atol=1e-3 * np.ptp(other))
    spectral = [
        make_pipeline(graph, SpectralEmbedding(affinity="precomputed_nearest_neighbors", n_neighbors=9, random_state=0))
        for graph in (NeighborsTransformer(9), KNeighborsTransformer(n_neighbors=9))
    ]
    one, other = (pipeline.fit_transform(X) for pipeline in spectral)
    assert np.allclose(one, other, atol=1e-6)


def test_scanpy(cloud):
    X, _ = cloud
    ours, theirs = anndata.AnnData(X.copy()), anndata.AnnData(X.copy())
    for adata, transformer in ((ours, NeighborsTransformer(12)), (theirs, KNeighborsTransformer(n_neighbors=12))):
        scanpy.pp.neighbors(adata, transformer=transformer, use_rep="X")
    for key in ("distances", "connectivities"):
        assert abs(ours.obsp[key] - theirs.obsp[key]).max() < 1e-5
    scanpy.tl.umap(ours, maxiter=10, random_state=0)
    assert truefold.scanpy.measure(ours, neighbors_key="neighbors").neighborhoods.facts["k"] == 12
