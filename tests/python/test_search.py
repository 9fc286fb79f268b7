"""The neighbors that the tool finds, against scipy and scikit-learn."""
import numpy as np
import pytest
from scipy.spatial import cKDTree
from sklearn.neighbors import NearestNeighbors

import reference

METRICS = ("euclidean", "manhattan", "cosine", "correlation")


def cloud(points, width, seed=11):
    """Points without ties, away from the origin so that cosine and correlation are defined."""
    return np.random.default_rng(seed).normal(size=(points, width)) + 0.5


@pytest.mark.parametrize("algorithm", ["auto", "tree", "brute"])
@pytest.mark.parametrize("width, k", [(2, 5), (3, 12), (10, 8), (60, 10)])
def test_euclidean_neighbors_are_those_of_scipy(neighbors, width, k, algorithm):
    x = cloud(1500, width)
    found = neighbors(x, "--k", k, "--algorithm", algorithm)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, cKDTree(x).query(x, k=k + 1)[1])


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_finds_the_neighbors_of_scikit_learn(neighbors, metric):
    x = cloud(800, 6)
    found = neighbors(x, "--k", 9, "--metric", metric)
    expected = NearestNeighbors(n_neighbors=9, algorithm="brute", metric=metric).fit(x).kneighbors(return_distance=False)
    np.testing.assert_array_equal(found[:, 0], np.arange(len(x)))
    np.testing.assert_array_equal(found[:, 1:], expected)


@pytest.mark.parametrize("metric", METRICS)
def test_single_precision_finds_the_same(neighbors, metric):
    x = cloud(500, 20).astype(np.float32)
    found = neighbors(x, "--k", 6, "--metric", metric)
    np.testing.assert_array_equal(found, reference.nearest(x.astype(float), 6, metric))


@pytest.mark.parametrize("algorithm", ["tree", "brute"])
def test_ties_go_to_the_lower_row(neighbors, algorithm):
    grid = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0)), axis=-1).reshape(-1, 2)
    x = np.concatenate([grid, grid[:30]])
    np.testing.assert_array_equal(neighbors(x, "--k", 8, "--algorithm", algorithm), reference.nearest(x, 8))


def test_a_radius_finds_everybody_within(neighbors):
    x = cloud(600, 3)
    radius = 1.8
    # A far point may have no neighbor within the radius; another test covers such data.
    x = x[[len(rows) > 1 for rows in cKDTree(x).query_ball_point(x, radius)]]
    expected = cKDTree(x).query_ball_point(x, radius)
    # Short rows are padded with -1.
    found = [row[row >= 0] for row in neighbors(x, "--radius", radius)]
    assert [row[0] for row in found] == list(range(len(x)))
    assert [sorted(row) for row in found] == [sorted(rows) for rows in expected]


def test_the_approximate_search_finds_nearly_all(neighbors):
    x = cloud(3000, 20)
    found = neighbors(x, "--k", 10, "--approximate")
    expected = reference.nearest(x, 10)
    shared = [len(set(a[1:]) & set(b[1:])) for a, b in zip(found, expected)]
    assert np.sum(shared) / (10 * len(x)) > 0.9


def test_found_neighbors_measure_like_searched_ones(neighbors, measure, tmp_path):
    x = cloud(300, 5)
    neighbors(x, "--k", 7)
    given = measure(x, x[:, :2], "--neighbors", tmp_path / "n.npy").values
    assert given == measure(x, x[:, :2], "--k", 7).values
