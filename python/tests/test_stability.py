"""Where maps disagree, and what balls of the data become in a map."""
import numpy as np
import pytest
import truefold


@pytest.fixture(scope="module")
def roll():
    return truefold.datasets.swiss_roll(600)


class Shaky:
    """A map that depends on its seed in the rows from 300 on."""

    def __init__(self, Z, random_state=None):
        self.Z, self.random_state = Z, random_state

    def fit_transform(self, X):
        places = self.Z[X[:, -1].astype(int)]
        late = np.flatnonzero(X[:, -1] >= 300)
        places[late] = np.random.default_rng(self.random_state).permutation(places[late])
        return places


class Returning:
    """As openTSNE has it: fit returns the map."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X):
        return X[:, :2] + 0.001 * np.random.default_rng(self.random_state).normal(size=(len(X), 2))


def numbered(X):
    """The data with the number of each row, so small that no neighbor changes."""
    return np.column_stack([X * 1e6, np.arange(len(X))])


def test_similar_maps_agree_and_the_result_shows_itself(roll):
    X, Z = roll
    found = truefold.stability(X, {"true": Z, "turned": 3 * Z[:, ::-1]}, n_neighbors=10)
    assert found.shape["value"] < 1e-12 and found.neighbors["skill"] == 1.0
    assert found.counts == {"faithful": 600, "wrong": 0, "unstable": 0, "unknown": 0}
    assert list(found.maps) == ["true", "turned"] and found.rows == {}
    assert repr(found).startswith("600 points in 3 dimensions, 2 maps in 2 dimensions")
    assert "<table>" in found._repr_html_() and found.to_dict()["pairs"] == 1
    frame = found.to_frame()
    assert frame.loc["r_c", "value"] == pytest.approx(truefold.measure(X, Z, 10).r_c, abs=1e-12)


def test_what_the_tool_calls_unstable_is_what_was_scrambled(roll):
    pandas = pytest.importorskip("pandas")
    X, Z = roll
    maps = []
    for seed in range(3):
        Y = Z.copy()
        Y[:200] = np.random.default_rng(seed).permutation(Z[:200])
        maps.append(Y)
    names = pandas.Index([f"p{row}" for row in range(600)])
    found = truefold.stability(pandas.DataFrame(X, index=names), maps)
    assert (found.per_point["kind"][:200] == "unstable").all()
    frame = found.per_point_frame()
    assert frame.index.equals(names) and frame["shape"].notna().all()
    assert (found.worst(5) < 600).all() and found.per_point["shape"][found.worst(1)[0]] == frame["shape"].max()


def test_estimators_are_made_again_by_seeds_and_by_samples(roll):
    X, Z = roll
    estimator = Shaky(Z)
    found = truefold.stability(numbered(X), estimator, seeds=3, bootstrap=2, share=0.9)
    assert len(found.maps) == 5 and estimator.random_state is None
    assert [len(rows) for rows in found.rows.values()] == [540, 540]
    same = truefold.stability(numbered(X), estimator, seeds=[0, 1, 2], bootstrap=2, share=0.9)
    assert same.to_dict() == found.to_dict()
    assert found.counts["unstable"] > 250
    returned = truefold.stability(X, Returning(), seeds=2)
    assert returned.counts["unstable"] == 0


def test_estimators_of_others(roll):
    manifold = pytest.importorskip("sklearn.manifold")
    X, Z = roll
    isomap = manifold.Isomap(n_neighbors=10)
    with pytest.raises(truefold.ParameterError, match="Isomap has no random_state"):
        truefold.stability(X, isomap)
    found = truefold.stability(X, isomap, seeds=1, bootstrap=2)
    assert found.shape["skill"] > 0.6 and [len(rows) for rows in found.rows.values()] == [480, 480]
    own = truefold.stability(X, truefold.ProcrustesAlignment(n_neighbors=10), seeds=2)
    assert own.shape["skill"] > 0.99


def test_what_cannot_be_compared_is_told(roll):
    X, Z = roll
    with pytest.raises(truefold.ParameterError, match="maps = 1 is less than 2"):
        truefold.stability(X, [Z])
    with pytest.raises(TypeError, match="this is one map"):
        truefold.stability(X, Z)
    with pytest.raises(TypeError, match="leave them out"):
        truefold.stability(X, [Z, Z], bootstrap=2)
    with pytest.raises(truefold.ParameterError, match="agreement needs two"):
        truefold.stability(X, Returning(), seeds=1)
    with pytest.raises(truefold.ParameterError, match="share = 1.0 is not between"):
        truefold.stability(X, Returning(), bootstrap=2, share=1.0)
    with pytest.raises(truefold.DataError, match="Y2 names row 5 twice"):
        truefold.stability(X, [Z, (Z[:3], [5, 5, 6])])
    with pytest.raises(truefold.DataError, match="no list of row numbers"):
        truefold.stability(X, [Z, (Z[:3], [0.5, 1.5, 2.5])])


def test_ellipses_are_those_of_a_linear_map(roll):
    X, Z = roll
    A = np.array([[1.0, 0.4], [-0.3, 2.0]])
    found = truefold.ellipses(Z, Z @ A, n_neighbors=10)
    assert np.allclose(found.matrices @ found.matrices, A.T @ A, atol=1e-8)
    assert np.allclose(found.largest * found.smallest, np.linalg.det(A)) and not found.capped.any()
    assert np.allclose(found.anisotropy, 1 - found.smallest / found.largest) and "Ellipses(n_points=600" in repr(found)


def test_ellipses_are_drawn_and_do_not_overlap(roll):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, Z = roll
    found = truefold.ellipses(X, Z)
    ax = truefold.plot.scatter(Z, ellipses=found)
    solid, dashed = ax.collections[-2:]
    outlines = np.array([path.vertices for path in solid.get_paths()])
    assert len(outlines) > 30 and len(dashed.get_paths()) == 0
    centers = outlines[:, :-1].mean(axis=1)
    radii = np.linalg.norm(outlines - centers[:, None], axis=2).min(axis=1)
    apart = np.linalg.norm(centers[:, None] - centers[None], axis=2)
    assert ((apart >= radii[:, None] + radii[None]) | np.eye(len(apart), dtype=bool)).all()
    figure = truefold.plot.grid(X, {"true": Z}, ellipses=True)
    assert len(figure.axes[0].collections) > 2
    with pytest.raises(truefold.DataError, match="two dimensions"):
        truefold.plot.scatter(Z[:, :1], ellipses=truefold.ellipses(X, Z[:, :1]))
