"""The methods that scikit-learn has too: the columns of both span the same space.

Both sides get the same neighbors. Without that, data with ties (the digits are small integers) would be compared on
different graphs, because scikit-learn breaks ties by no fixed rule.
"""
import json

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn import datasets, decomposition, manifold
from sklearn.neighbors import NearestNeighbors

ALIKE = 1e-6


def s_curve():
    return datasets.make_s_curve(1500, random_state=0)[0]


def swiss_roll():
    return datasets.make_swiss_roll(1500, random_state=0)[0]


def digits():
    return datasets.load_digits().data


def linear(method):
    """Locally linear embedding in one of its forms; dense, because ARPACK stops at 1e-6."""
    return lambda x, k: manifold.LocallyLinearEmbedding(
        n_neighbors=k, n_components=2, method=method, eigen_solver="dense"
    ).fit_transform(x)


# name: (what scikit-learn does, the k of the digits). In smaller neighborhoods some digits are in no neighbor list, and
# the matrices of LTSA and Hessian eigenmaps then have one null vector for each of them in scikit-learn.
METHODS = {
    "pca": (lambda x, k: decomposition.PCA(2).fit_transform(x), 12),
    # Classical scaling is kernel PCA of -D^2 / 2.
    "mds": (
        lambda x, k: decomposition.KernelPCA(2, kernel="precomputed").fit_transform(-0.5 * cdist(x, x) ** 2),
        12,
    ),
    "isomap": (lambda x, k: manifold.Isomap(n_neighbors=k, n_components=2).fit_transform(x), 12),
    "lle": (linear("standard"), 12),
    "modified-lle": (linear("modified"), 12),
    "ltsa": (linear("ltsa"), 30),
    "hessian-eigenmaps": (linear("hessian"), 30),
    # In scikit-learn a point is one of its own neighbors.
    "laplacian-eigenmaps": (
        lambda x, k: manifold.SpectralEmbedding(
            n_components=2, affinity="nearest_neighbors", n_neighbors=k + 1
        ).fit_transform(x),
        12,
    ),
}


@pytest.fixture
def embed(run, save, tmp_path):
    """Embeds x by a method of the tool; the coordinates and the JSON."""

    def embed(x, method, *words):
        output = tmp_path / "y.npy"
        done = run("embed", save("x", x), "--method", method, *words, "--output", output, "--format", "json")
        return np.load(output), json.loads(done.stdout)

    return embed


def misfit(a, b):
    """The part of b that no linear map of a explains, relative to b."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    return np.linalg.norm(a @ np.linalg.lstsq(a, b, rcond=None)[0] - b) / np.linalg.norm(b)


@pytest.mark.parametrize("data", [s_curve, swiss_roll, digits])
@pytest.mark.parametrize("name", METHODS)
def test_columns_span_those_of_scikit_learn(embed, save, name, data):
    theirs, k = METHODS[name]
    k = k if data is digits else 12
    x = data()
    rows = NearestNeighbors(n_neighbors=k + 1).fit(x).kneighbors(x, return_distance=False)
    rows = np.column_stack([np.arange(len(x)), rows[:, 1:]])
    found, report = embed(x, name, "--neighbors", save("rows", rows.astype(np.int64)))
    expected = theirs(x, k)
    # The threshold of modified LLE is a median: one of 1,797 digits is on it, and rounding decides on which side.
    limit = 1e-3 if (name, data) == ("modified-lle", digits) else ALIKE
    assert misfit(found, expected) < limit
    assert misfit(expected, found) < limit
    assert report["facts"].get("eigen_residual", 0.0) < 1e-8


@pytest.mark.parametrize("name", ["pca", "mds", "isomap"])
def test_metric_methods_keep_the_scale_of_scikit_learn(embed, name):
    x = s_curve()
    found, _ = embed(x, name, "--k", 12)
    expected = METHODS[name][0](x, 12)
    expected = expected - expected.mean(axis=0)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("factors", [1, 2, 4])
@pytest.mark.parametrize("data", [digits, lambda: datasets.load_wine().data, lambda: datasets.load_breast_cancer().data])
def test_factor_analysis_has_the_likelihood_and_the_factors_of_scikit_learn(embed, data, factors):
    x = data()
    x = x[:, x.std(axis=0) > 0]
    # In equal units, where scikit-learn converges; these units do not change the factors.
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    theirs = decomposition.FactorAnalysis(factors, svd_method="lapack", tol=1e-9, max_iter=20000).fit(scaled)
    expected = theirs.score(scaled) - np.log(x.std(axis=0)).sum()
    found, report = embed(x, "factor-analysis", "--dim", factors)
    # It may find a greater maximum, and scikit-learn ends early where noise goes to zero.
    assert report["facts"]["log_likelihood"] > expected - 1e-6 * abs(expected)
    if report["facts"]["noiseless_variables"] == 0:
        assert report["facts"]["log_likelihood"] == pytest.approx(expected, rel=1e-6)
        assert misfit(found, theirs.transform(scaled)) < 1e-3
    np.testing.assert_allclose(np.cov(found.T, bias=True).reshape(factors, factors), np.diag(found.var(axis=0)), atol=1e-6)


def test_methods_that_normalize_have_variance_one(embed):
    for name in ("lle", "ltsa", "hessian-eigenmaps", "modified-lle"):
        found, _ = embed(s_curve(), name, "--k", 12)
        np.testing.assert_allclose(found.T @ found / len(found), np.eye(2), atol=1e-8)


def test_the_hessian_estimator_of_the_paper(embed):
    """M from the definition: an orthonormal basis of the products of tangent coordinates, one neighborhood at a time."""
    x, k = s_curve()[:600], 14
    rows = NearestNeighbors(n_neighbors=k + 1).fit(x).kneighbors(x, return_distance=False)[:, 1:]
    matrix = np.zeros((len(x), len(x)))
    for members in rows:
        part = x[members] - x[members].mean(axis=0)
        u = np.linalg.svd(part, full_matrices=False)[0][:, :2]
        functions = np.column_stack([np.ones(k), u, u[:, 0] ** 2, u[:, 0] * u[:, 1], u[:, 1] ** 2])
        basis = np.linalg.qr(functions)[0][:, 3:]
        matrix[np.ix_(members, members)] += basis @ basis.T
    expected = np.linalg.eigh(matrix)[1][:, 1:3]
    found, _ = embed(x, "hessian-eigenmaps", "--k", k, "--set", "estimator=hessian")
    assert misfit(found, expected) < ALIKE


def test_diffusion_maps_from_their_definition(embed):
    x, k = s_curve()[:500], 10
    rows = NearestNeighbors(n_neighbors=k + 1).fit(x).kneighbors(x, return_distance=False)[:, 1:]
    squares = ((x[:, None] - x[None]) ** 2).sum(axis=-1)
    edges = np.zeros_like(squares, dtype=bool)
    edges[np.repeat(np.arange(len(x)), k), rows.ravel()] = True
    edges |= edges.T
    width = squares[edges].mean()
    kernel = np.where(edges | np.eye(len(x), dtype=bool), np.exp(-squares / width), 0.0)
    kernel /= np.outer(kernel.sum(axis=1), kernel.sum(axis=1))
    values, vectors = np.linalg.eig(kernel / kernel.sum(axis=1, keepdims=True))
    order = np.argsort(-values.real)[1:3]
    expected = vectors.real[:, order] * values.real[order]
    found, report = embed(x, "diffusion-maps", "--k", k)
    assert misfit(found, expected) < ALIKE
    assert report["facts"]["width"] == pytest.approx(width)
    np.testing.assert_allclose(report["facts"]["walk_eigenvalues"], values.real[order], rtol=1e-8)


def test_where_scikit_learn_makes_a_cluster_a_point_the_pieces_stay_apart(embed):
    random = np.random.default_rng(3)
    x = np.concatenate([random.random((200, 3)), random.random((200, 3)) + 50])
    for name in ("lle", "ltsa", "modified-lle", "laplacian-eigenmaps"):
        found, report = embed(x, name, "--k", 12)
        assert found[:200].std(axis=0).min() > 0.1 and found[200:].std(axis=0).min() > 0.1
        assert any("2 connected components" in warning for warning in report["warnings"])


def test_equal_points_are_refused_or_said(run, save, tmp_path):
    equal = save("x", np.ones((60, 3)))
    for name in ("ltsa", "modified-lle", "hessian-eigenmaps"):
        done = run("embed", equal, "--method", name, "--output", tmp_path / "y.npy", succeeds=False)
        assert done.returncode == 1 and "0 directions" in done.stderr


def test_full_isomap_names_its_limit(run, save, tmp_path):
    x = save("x", np.random.default_rng(0).random((2000, 3)))
    words = ("embed", x, "--method", "isomap", "--set", "memory=0.001", "--output", tmp_path / "y.npy")
    done = run(*words, succeeds=False)
    assert done.returncode == 2 and "landmark-isomap" in done.stderr
