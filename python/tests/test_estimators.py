"""The estimators keep scikit-learn's rules, and give the tool's bits."""
import pickle
import warnings

import anndata
import numpy as np
import pandas
import polars
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import truefold
from truefold.estimators import METHODS

#: scikit-learn's checks use a dozen points or so; the default of 12 neighbors is for real data.
SMALL = {"n_neighbors": 5}
#: Methods that need more neighbors than that for two dimensions.
MORE = {"hessian-eigenmaps": {"n_neighbors": 7}}

#: Checks that a method cannot pass, and why.
FAILING = {}


def small(name):
    """An estimator that suits the checks' small data."""
    own = MORE.get(name, SMALL)
    return METHODS[name](**own) if "n_neighbors" in METHODS[name]().get_params() else METHODS[name]()


@pytest.mark.filterwarnings("ignore::truefold.FitWarning")
@parametrize_with_checks(
    [small(name) for name in METHODS],
    expected_failed_checks=lambda estimator: FAILING.get(estimator._method, {}),
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", METHODS)
def test_the_tool_gives_the_same_bits(name, roll, tool, save, tmp_path):
    X, new = (roll[0][:150], roll[0][150:]) if name == "sde" else (roll[0][:450], roll[0][450:])
    estimator = METHODS[name](random_state=5)
    words = ["--method", name, "--seed", 5, "--save-model", tmp_path / "tool.truefold", "--format", "json"]
    if "n_neighbors" in estimator.get_params():
        estimator.set_params(n_neighbors=10)
        words += ["--k", 10]
    told = tool("embed", save("x", X), *words, "--output", tmp_path / "y.npy")
    for threads in (1, None):
        assert np.array_equal(estimator.set_params(n_jobs=threads).fit_transform(X), np.load(tmp_path / "y.npy"))
    info = estimator.fit_info_
    assert (info["method"], info["parameters"], info["seed"]) == (name, told["parameters"], 5)
    assert (info["stop"], info["facts"]) == (told["stop"], told["facts"])
    # The model is one file, whoever wrote it, and places new points alike.
    model = estimator.save(tmp_path / "python.truefold")
    assert model.read_bytes() == (tmp_path / "tool.truefold").read_bytes()
    trust = tmp_path / "trust.csv"
    tool("transform", model, save("new", new), "--output", tmp_path / "placed.npy", "--confidence", trust)
    for other in (estimator, truefold.load(tmp_path / "tool.truefold")):
        placed = other.place(new)
        assert np.array_equal(placed.embedding, np.load(tmp_path / "placed.npy"))
        table = pandas.read_csv(trust, float_precision="round_trip")
        assert np.array_equal(placed.to_frame(), table[placed.to_frame().columns])
        assert np.array_equal(other.transform(X), estimator.embedding_)


@pytest.mark.parametrize("name", METHODS)
def test_parameters_are_stored_and_shown(name):
    estimator = METHODS[name]()
    params = estimator.get_params()
    assert set(METHODS[name]._own) <= set(params)
    assert {"n_components", "metric", "random_state", "n_jobs"} <= set(params)
    assert clone(estimator).get_params() == params
    assert repr(estimator) == f"{type(estimator).__name__}()"
    for parameter in params:
        assert f"\n    {parameter} : " in METHODS[name].__doc__


@pytest.mark.parametrize(
    "estimator, reason",
    [
        (truefold.LLE(reg=-1.0), "reg = -1 is not a positive number"),
        (truefold.GreedyProcrustes(start="middle"), "start = middle is not one of center, random"),
        (truefold.ProcrustesAlignment(sweeps=0, alignment="annealing"), "sweeps = 0 is less than 1"),
        (truefold.LandmarkIsomap(4, landmarks=3), "landmarks = 3 is not above 4"),
        (truefold.Isomap(components="both"), "components = both is not one of side-by-side, largest, error"),
        (truefold.LTSA(-1), "n_components = -1 is negative"),
    ],
)
def test_wrong_parameters_are_refused_before_neighbors_are_searched(roll, monkeypatch, estimator, reason):
    monkeypatch.setattr("truefold.embedder.given_or_found", lambda *_: pytest.fail("neighbors were searched"))
    with pytest.raises(truefold.ParameterError, match=reason):
        estimator.fit(roll[0])


def test_own_parameters_reach_the_method(roll):
    X, _ = roll
    exact = truefold.LLE(reg=1e-2).fit(X)
    assert exact.fit_info_["parameters"] == {"reg": 0.01}
    assert not np.allclose(exact.embedding_, truefold.LLE().fit(X).embedding_)
    assert truefold.LTSA(center=np.bool_(False)).fit(X).fit_info_["parameters"] == {"center": False}
    with pytest.raises(ValueError, match="reg = abc is not a number above 0"):
        truefold.LLE(reg="abc").fit(X)
    with pytest.raises(ValueError, match="components = both is not one of side-by-side, largest, error"):
        truefold.LLE(components="both").fit(X)
    with pytest.raises(ValueError, match="metric = 'cosine' has no effect"):
        truefold.PCA(metric="cosine").fit(X)
    with pytest.raises(TypeError, match="PCA looks at no neighbors"):
        truefold.PCA().fit(X, neighbors=truefold.neighbors(X))
    with pytest.raises(ValueError, match="n_components = 4 is not from 1 to 3"):
        truefold.LTSA(n_components=4).fit(X)


def test_seeds(roll):
    X, _ = roll

    def fitted(random_state):
        return truefold.GreedyProcrustes(start="random", refine="none", random_state=random_state).fit(X).fit_info_["seed"]

    assert (fitted(None), fitted(7), fitted(np.int64(7))) == (0, 7, 7)
    assert fitted(np.random.default_rng(1)) == fitted(np.random.default_rng(1)) != fitted(np.random.default_rng(2))
    state = np.random.RandomState(1)
    assert fitted(state) != fitted(state)


def test_a_failed_refit_changes_nothing(roll):
    X, _ = roll
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    estimator = truefold.LTSA().fit(frame)
    before = dict(vars(estimator))
    bad = X.copy()
    bad[4, 0] = np.nan
    for X_bad, params in [(bad, {}), (X[:5], {}), (X, {"n_components": 9}), (X, {"center": "maybe"})]:
        kept = estimator.get_params()
        with pytest.raises(ValueError):
            estimator.set_params(**params).fit(X_bad)
        estimator.set_params(**kept)
        assert vars(estimator).keys() == before.keys()
        assert all(vars(estimator)[name] is before[name] for name in before)


def test_names_and_frames(roll):
    X, _ = roll
    frame = pandas.DataFrame(X, columns=["a", "b", "c"], index=np.arange(500) + 7)
    estimator = truefold.LTSA().set_output(transform="pandas")
    out = estimator.fit_transform(frame)
    assert isinstance(out, pandas.DataFrame) and list(out.columns) == ["ltsa0", "ltsa1"] and list(out.index)[0] == 7
    assert list(estimator.feature_names_in_) == ["a", "b", "c"] and estimator.n_features_in_ == 3
    assert list(estimator.get_feature_names_out()) == ["ltsa0", "ltsa1"]
    assert not hasattr(estimator.fit(X), "feature_names_in_")
    out = truefold.LTSA().set_output(transform="polars").fit_transform(polars.DataFrame(X, schema=["a", "b", "c"]))
    assert isinstance(out, polars.DataFrame) and out.columns == ["ltsa0", "ltsa1"]
    with pytest.raises(ValueError, match="not fitted"):
        truefold.LTSA().get_feature_names_out()


def test_pipelines_pickles_and_searches():
    X, _ = truefold.datasets.s_curve(500)
    pipeline = make_pipeline(StandardScaler(with_std=False), truefold.GreedyProcrustes(n_neighbors=8))
    Y = pipeline.fit_transform(X)
    assert Y.shape == (500, 2)
    again = pickle.loads(pickle.dumps(pipeline))
    assert np.array_equal(again[-1].embedding_, Y) and len(again[-1].neighborhoods_) == 500
    search = GridSearchCV(
        pipeline,
        {"greedyprocrustes__n_neighbors": [4, 8, 60]},
        scoring=truefold.EmbeddingScorer(),
        cv=truefold.AllRows(),
        error_score="raise",
    ).fit(X)
    scores = search.cv_results_["mean_test_score"]
    assert search.best_params_["greedyprocrustes__n_neighbors"] != 60 and np.all(scores <= 0)
    assert search.best_score_ == -truefold.measure(X - X.mean(axis=0), search.best_estimator_[-1].embedding_).r_n
    with pytest.raises(ValueError, match="cv=truefold.AllRows"):
        search.set_params(cv=5).fit(X)
    with pytest.raises(KeyError, match="there is no measure named 'r_m'"):
        truefold.EmbeddingScorer("r_m")


def test_warnings_point_at_the_line_of_the_caller(roll):
    two = np.vstack([roll[0], roll[0][:100] + 1000])
    estimator = truefold.LTSA()
    pipeline = make_pipeline(StandardScaler(with_std=False), estimator)
    calls = [
        lambda: estimator.fit(two),
        lambda: estimator.fit_transform(two),
        lambda: estimator.set_output(transform="pandas").fit_transform(two),
        lambda: pipeline.fit_transform(two),
        lambda: pipeline.fit(two),
        lambda: truefold.scanpy.embed(anndata.AnnData(two), "ltsa"),
    ]
    for call in calls:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            call()
        (one,) = [warning for warning in told if warning.category is truefold.FitWarning]
        assert (one.filename, one.lineno) == (__file__, call.__code__.co_firstlineno)


def test_several_components(roll):
    X, _ = roll
    two = np.vstack([X, X[:100] + 1000])
    with pytest.warns(truefold.FitWarning, match="2 connected components"):
        whole = truefold.LTSA().fit(two)
    assert whole.embedding_.shape == (600, 2) and not hasattr(whole, "rows_")
    with pytest.warns(truefold.FitWarning, match="only the largest"):
        largest = truefold.LTSA(components="largest").fit(two)
    assert np.array_equal(largest.rows_, np.arange(500)) and largest.embedding_.shape == (500, 2)


def test_a_closed_surface_is_torn():
    X, _ = truefold.datasets.cylinder(500)
    with pytest.warns(truefold.FitWarning, match="were torn"):
        torn = truefold.ProcrustesAlignment().fit(X)
    tear = torn.fit_info_["tear"]
    assert torn.torn_.shape == (tear["pairs"], 2) and 0 < tear["share"] < 0.04
    assert np.all(torn.torn_[:, 0] < torn.torn_[:, 1]) and torn.torn_.max() < 500
    whole = torn.set_params(tear=False).fit(X)
    assert not hasattr(whole, "torn_") and "tear" not in whole.fit_info_
