"""Neighbors that other packages found come in as those packages give them."""
import faiss
import numpy as np
import pandas
import pynndescent
import pytest
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

import truefold

K = 10


@pytest.fixture(scope="module")
def cloud():
    """Points without ties, and the lists of their exact neighbors."""
    X = np.random.default_rng(5).normal(size=(400, 6)).astype(np.float32)
    return X, truefold.neighbors(X, K)


def lists(given):
    """The lists of neighbors, nearest first, without the points themselves."""
    return truefold.Neighborhoods.from_lists(given).indices[:, 1:]


def test_scikit_learn_gives_distances_first(cloud):
    X, exact = cloud
    index = NearestNeighbors(n_neighbors=K).fit(X)
    with_itself = index.kneighbors(X, K + 1)
    for given in (index.kneighbors(), with_itself, with_itself[::-1], list(with_itself), index.kneighbors_graph()):
        assert np.array_equal(np.sort(lists(given)), np.sort(exact.indices[:, 1:]))
    assert np.array_equal(lists(index.kneighbors()), exact.indices[:, 1:])
    assert np.array_equal(lists(kneighbors_graph(X, K, mode="distance")), exact.indices[:, 1:])


def test_lists_of_a_radius_are_put_in_order(cloud):
    X, _ = cloud
    index = NearestNeighbors(radius=3.5).fit(X)
    distances, rows = index.radius_neighbors(X)
    found = truefold.neighbors(X, radius=3.5)
    assert any(np.any(np.diff(one) < 0) for one in distances), "nothing to put in order"
    for given in ((distances, rows), (rows, distances), ([*map(list, rows)], [*map(list, distances)])):
        assert np.array_equal(lists(given), found.indices[:, 1:])


def test_pynndescent(cloud):
    X, exact = cloud
    index = pynndescent.NNDescent(X, n_neighbors=K + 1, random_state=0)
    found = lists(index.neighbor_graph)
    assert np.mean(found == exact.indices[:, 1:]) > 0.95
    result = truefold.measure(X, X[:, :2], neighbors=index.neighbor_graph)
    assert result.neighborhoods.facts["k"] == K


def test_faiss_gives_distances_first_and_fills_up(cloud):
    X, exact = cloud
    flat = faiss.IndexFlatL2(6)
    flat.add(X)
    assert np.array_equal(lists(flat.search(X, K + 1)), exact.indices[:, 1:])
    more = flat.search(X, 405)
    assert np.all(more[1][:, 400:] == -1)
    assert truefold.Neighborhoods.from_lists(more).facts["k"] == 399
    inner = faiss.IndexFlatIP(6)
    directions = X / np.linalg.norm(X, axis=1, keepdims=True)
    inner.add(directions)
    # Inner products fall from the nearest on.
    assert np.array_equal(lists(inner.search(directions, K + 1)), truefold.neighbors(X, K, metric="cosine").indices[:, 1:])


def test_hnswlib(cloud):
    hnswlib = pytest.importorskip("hnswlib", reason="hnswlib has no wheels")
    X, exact = cloud
    index = hnswlib.Index(space="l2", dim=6)
    index.init_index(max_elements=400, ef_construction=200, M=16, random_seed=1)
    index.add_items(X)
    index.set_ef(100)
    labels, distances = index.knn_query(X, K + 1)
    assert labels.dtype == np.uint64 and np.mean(lists((labels, distances)) == exact.indices[:, 1:]) > 0.99


def test_umaps_triple_in_and_out(cloud):
    import umap
    from umap.umap_ import nearest_neighbors

    X, exact = cloud
    triple = nearest_neighbors(X, K + 1, "euclidean", {}, False, np.random.RandomState(0))
    assert np.mean(lists(triple) == exact.indices[:, 1:]) > 0.99
    pair = (exact.indices, exact.distances(X))
    # Fewer than 4,096 points: umap would search them exactly, so the same neighbors give the same map.
    with pytest.warns(UserWarning, match="transforming new data"):
        ours = umap.UMAP(n_neighbors=K + 1, precomputed_knn=pair, random_state=0, n_jobs=1, n_epochs=30).fit(X)
    assert np.array_equal(ours._knn_indices, exact.indices)
    own = umap.UMAP(n_neighbors=K + 1, random_state=0, n_jobs=1, n_epochs=30).fit(X)
    assert abs(ours.graph_ - own.graph_).max() < 1e-3


def test_a_point_is_found_anywhere_in_its_list_and_others_once():
    rows = np.array([[1, 0, 2, 1], [2, 2, -1, 0], [1, 0, -1, -1]])
    distances = np.array([[1.0, 0.0, 3.0, 1.0], [2.0, 2.0, 0.0, 1.0], [2.0, 3.0, 0.0, 0.0]])
    for kind in (np.int32, np.int64):
        found = truefold.Neighborhoods.from_lists((rows.astype(kind), distances))
        assert found.indices.tolist() == [[0, 1, 2], [1, 0, 2], [2, 1, 0]]
    for kind in (np.uint32, np.uint64):
        # -1 in a type without a sign is its greatest number.
        assert truefold.Neighborhoods.from_lists((rows.astype(kind), distances)).indices.tolist() == found.indices.tolist()
    greatest = np.where(rows == -1, np.iinfo(np.int64).max, rows)
    assert truefold.Neighborhoods.from_lists((distances, greatest)).indices.tolist() == found.indices.tolist()
    frames = pandas.DataFrame(rows), pandas.DataFrame(distances)
    assert truefold.Neighborhoods.from_lists(frames).indices.tolist() == found.indices.tolist()
    assert truefold.Neighborhoods.from_lists(pandas.DataFrame([[1], [0]])).indices.tolist() == [[0, 1], [1, 0]]


def test_lists_of_two_and_three_points_are_no_pairs():
    assert truefold.Neighborhoods.from_lists([[1], [0]]).indices.tolist() == [[0, 1], [1, 0]]
    assert truefold.Neighborhoods.from_lists(([1], [0, 2], [1])).indices.tolist() == [[0, 1, -1], [1, 0, 2], [2, 1, -1]]
    assert truefold.Neighborhoods.from_lists((np.array([1]), np.array([0]))).indices.tolist() == [[0, 1], [1, 0]]
    assert truefold.Neighborhoods.from_lists(([[1], [0]], [[0.5], [0.5]])).indices.tolist() == [[0, 1], [1, 0]]


def test_every_function_takes_a_pair(roll):
    X, Z = roll
    X, Z = X[:200], Z[:200]
    pair = NearestNeighbors(n_neighbors=12).fit(X).kneighbors()
    same = truefold.neighbors(X, 12)
    assert truefold.measure(X, Z, neighbors=pair).r_n == truefold.measure(X, Z, neighbors=same).r_n
    for estimator in (truefold.LTSA(), truefold.Isomap()):
        one, other = (estimator.fit(X, neighbors=given).embedding_ for given in (pair, same))
        assert np.allclose(one, other)
    assert truefold.refine(X, Z, neighbors=pair).neighborhoods.facts["k"] == 12
    assert len(truefold.compare(X, ["pca", "lle"], neighbors=pair).rows) == 2
    assert "Y" in truefold.report(X, Z, neighbors=pair).results
    assert truefold.stability(X, [Z, X[:, :2]], neighbors=pair) is not None
    assert truefold.ellipses(X, Z, neighbors=pair).neighborhoods.facts["k"] == 12


@pytest.mark.parametrize("given, told", [
    ((np.array([[1], [2]]), np.array([[1.0], [1.0]])), r"^neighbors: array position neighbors\[1, 0\] .* holds 2; rows are numbered from 0 to 1 for 2 points$"),
    ((np.array([[1], [-2]]), np.array([[1.0], [1.0]])), r"neighbors\[1, 0\] of the neighbor lists holds -2; rows"),
    (np.array([[1], [7]]), r"neighbors\[1, 0\] of the neighbor lists holds 7; rows"),
    ((np.array([[1], [0]]), np.array([[1], [1]])), "both tables hold whole numbers"),
    ((np.array([[1.0], [0.0]]), np.array([[1.0], [1.0]])), "row numbers are whole numbers"),
    ((np.array([[1], [0]]), np.array([[1.0, 2.0], [1.0, 2.0]])), r"have the shape \(2, 1\) and the distances \(2, 2\)"),
    (([[1, 2], [0], [0]], [[1.0], [1.0, 2.0], [1.0]]), "differ in length"),
    ((np.array([[0], [0]]), np.array([[0.0], [1.0]])), r"position neighbors\[0\] of the neighbor lists names no other point"),
    (np.array([[0.5], [0.0]]), "neighbor lists hold float64, not row numbers"),
    (np.array([[1, 1], [0, 0]]), "holds 1 twice"),
])
def test_what_cannot_be_used_is_told_in_a_sentence(given, told):
    with pytest.raises(truefold.DataError, match=told):
        truefold.Neighborhoods.from_lists(given)


def test_distances_of_neighborhoods(cloud):
    from sklearn.metrics import pairwise_distances

    X, exact = cloud
    for metric in ("euclidean", "manhattan", "cosine", "correlation"):
        found = truefold.neighbors(X, K, metric=metric)
        expected = np.take_along_axis(pairwise_distances(X, metric=metric), found.indices, axis=1)
        distances = found.distances(X)
        assert np.allclose(distances, expected, atol=1e-6) and np.all(np.diff(distances) >= 0) and not distances[:, 0].any()
    table = pairwise_distances(X.astype(float))
    table = (table + table.T) / 2
    known = truefold.neighbors(table, K, metric="precomputed")
    assert np.array_equal(known.distances(table), np.take_along_axis(table, known.indices, axis=1))
    ragged = truefold.Neighborhoods.from_lists([[1], [0, 2], [1]])
    assert ragged.distances([[0.0], [1.0], [3.0]]).tolist() == [[0.0, 1.0, np.inf], [0.0, 1.0, 2.0], [0.0, 2.0, np.inf]]
    assert ragged.distances([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]], metric="manhattan")[2, 1] == 4.0
    with pytest.raises(truefold.DataError, match="3 neighborhoods for 400 points"):
        ragged.distances(X)
