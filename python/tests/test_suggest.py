"""What the data call for, from Python: the tool's answer, and estimators that ask for it."""
import pickle

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_digits

import truefold


def test_the_suggestion_is_the_tools(roll, tool, save, tmp_path):
    X, _ = roll
    words = ["--format", "json", "--per-point", tmp_path / "map.csv", "--metric", "manhattan", "--sample", 200]
    told = tool("suggest", save("x", X), *words)
    found = truefold.suggest(X, metric="manhattan", sample=200, per_point=True, n_jobs=1)
    assert {"version": 1, **found.to_dict()} == told
    table = pandas.read_csv(tmp_path / "map.csv", float_precision="round_trip")
    assert list(found.per_point) == ["dimension", "radius", "off_tangent", "sidedness"]
    for name, values in found.per_point.items():
        assert np.array_equal(values, table[name]), name
    assert np.array_equal(found.per_point_frame()["radius"], table["radius"])


def test_fields_and_how_it_shows_itself(roll):
    X, _ = roll
    found = truefold.suggest(X)
    assert (found.n_components, found.components, found.closed) == (2, 1, False)
    assert set(found.reasons) == {"n_components", "n_neighbors", "tangent_k"}
    for value, low, high in found.estimates.values():
        assert low <= value <= high
    assert found.to_frame().loc["two-nearest"].tolist() == list(found.estimates["two-nearest"])
    assert found.per_point == {} and len(found.per_point_frame()) == 500
    assert found.spectrum[0] == max(found.spectrum) and found.neighborhood_radius > 0
    text = repr(found)
    assert "500 points in 3 dimensions" in text and f"n_neighbors   {found.n_neighbors}  3 d + 6" in text
    assert "The surface has an edge" in text and "The graph is connected from" in text
    shown = found._repr_html_()
    assert shown.count("<table>") == 3 and "maximum likelihood" in shown and "<p>500 points" in shown
    assert repr(pickle.loads(pickle.dumps(found))) == text


def test_other_surfaces_are_told_of():
    sphere = truefold.suggest(truefold.datasets.sphere(1500).points)
    assert sphere.closed and "No edge was found" in repr(sphere)
    pieces = truefold.suggest(truefold.datasets.two_pieces(400).points)
    assert pieces.components == 2 and "2 components" in repr(pieces)
    filled = truefold.suggest(np.random.default_rng(0).random((300, 2)))
    assert (filled.noise, filled.curvature_radius) == (None, None) and "By local PCA the points fill all 2 dimensions." in repr(filled)
    flat = truefold.suggest(np.random.default_rng(0).random((300, 2)) @ [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    assert flat.curvature_radius is None and flat.noise == 0.0 and "The surface is flat." in repr(flat)
    noisy = truefold.suggest(truefold.datasets.swiss_roll(1500, noise=0.5).points)
    assert noisy.noise > 0.2 and "The noise off the surface is about" in repr(noisy)


def test_more_dimensions_than_charts_can_tell_are_not_made_up():
    random = np.random.default_rng(0)
    for X in (random.normal(size=(1500, 50)), load_digits().data):
        found = truefold.suggest(X)
        text = repr(found)
        assert found.estimates["charts"] == (None, 8.0, None) and found.n_components >= 8, text
        assert found.n_components == max(8, round(min(found.estimates[name][0] for name in ("maximum-likelihood", "two-nearest"))))
        assert (found.closed, found.edge_share, found.noise, found.curvature_radius) == (None, None, None, None)
        assert found.neighborhood_radius > 0 and np.isnan(found.to_frame().loc["charts", "value"])
        assert "charts              at least 8  not determined" in text and "the distances alone suggest it" in text
        assert "flat" not in text and "8.000" not in text and "too high for a surface to be seen" in text
        assert "not determined" in found._repr_html_() and found.to_dict()["surface"] is None
    filled = truefold.suggest(random.normal(size=(1500, 12)))
    assert filled.estimates["charts"][0] == 12.0 and 9 <= filled.n_components <= 12
    assert "flat" not in repr(filled) and "the points fill all 12 dimensions" in repr(filled)


def test_copies_are_left_out(roll):
    X, _ = roll
    found = truefold.suggest(np.vstack([X, X[:3]]), per_point=True)
    assert found.copies == 3 and "Note: 3 points are copies of others and were left out." in repr(found)
    assert np.isnan(found.per_point["dimension"][500:]).all() and np.isfinite(found.per_point["dimension"][:500]).all()


@pytest.mark.parametrize("words, options", [
    (["--metric", "euclid"], {"metric": "euclid"}),
    (["--sample", 0], {"sample": 0}),
])
def test_the_sentences_are_the_tools(roll, tool, save, words, options):
    X, _ = roll
    with pytest.raises(ValueError) as caught:
        truefold.suggest(X, **options)
    told = tool("suggest", save("x", X), *words, fails=True)
    assert str(caught.value) == told.replace("--sample 0", "sample = 0")
    with pytest.raises(truefold.TooFewPointsError, match="a suggestion needs at least 20 points, but there are 5"):
        truefold.suggest(X[:5])


def test_estimators_ask_for_what_they_are_not_told(roll, tool, save, tmp_path):
    X, _ = roll
    words = ["--method", "ltsa", "--k", "auto", "--dim", "auto", "--output", tmp_path / "y.npy", "--format", "json"]
    told = tool("embed", save("x", X), *words)
    estimator = truefold.LTSA(n_components="auto", n_neighbors="auto").fit(X)
    assert np.array_equal(estimator.embedding_, np.load(tmp_path / "y.npy"))
    assert estimator.fit_info_["chosen"] == told["chosen"]
    assert estimator.suggestion_.n_neighbors == estimator.neighborhoods_.facts["k"] == told["chosen"]["k"]["value"]
    assert list(estimator.get_feature_names_out()) == ["ltsa0", "ltsa1"]
    one = truefold.LTSA(n_neighbors="auto", n_components=1).fit(X)
    assert list(one.fit_info_["chosen"]) == ["k"] and one.embedding_.shape[1] == 1
    assert not hasattr(one.set_params(n_neighbors=9).fit(X), "suggestion_") and "chosen" not in one.fit_info_
    assert truefold.PCA(n_components="auto").fit(X).embedding_.shape[1] == estimator.suggestion_.n_components
    given = truefold.LTSA(n_neighbors="auto").fit(X, neighbors=truefold.neighbors(X, 8))
    assert not hasattr(given, "suggestion_")


def test_neighbors_may_be_left_to_the_data_wherever_they_are_searched(roll, tool, save):
    X, Z = roll
    told = tool("measure", save("x", X), save("z", Z), "--k", "auto", "--format", "json")
    assert truefold.measure(X, Z, "auto").values == told["measures"]
    assert truefold.neighbors(X, "auto").facts["k"] == told["neighborhoods"]["k"]
    assert truefold.neighbors(X, "auto", radius=6.0).facts["radius"] == 6.0
    with pytest.raises(TypeError, match="n_neighbors = 'some' is not a whole number"):
        truefold.neighbors(X, "some")
    distances = np.linalg.norm(X[:50, None] - X[:50], axis=2)
    with pytest.raises(truefold.DataError, match="auto needs the coordinates .* give numbers for n_neighbors"):
        truefold.Isomap(n_neighbors="auto", metric="precomputed").fit(distances)


def test_the_method_is_left_to_the_data(roll, tool, save, tmp_path):
    X, _ = roll
    told = tool("embed", save("x", X), "--method", "auto", "--output", tmp_path / "y.npy", "--format", "json")
    fitted = truefold.embed(X)
    assert fitted.fit_info_["chosen"] == told["chosen"] and isinstance(fitted, truefold.ProcrustesAlignment)
    assert np.array_equal(fitted.embedding_, np.load(tmp_path / "y.npy"))
    found = truefold.suggest(X, n_components=3)
    assert (found.picture["method"], found.coordinates["dim"], found.asked["method"]) == ("psa", 2, "pca")
    assert found.asked["reason"] in " ".join(repr(found).split())
    auto = truefold.embed(X, "auto", "auto", tear=False)
    assert list(auto.fit_info_["chosen"]) == ["method", "dim", "k"] and auto.tear is False
    with pytest.raises(truefold.ParameterError, match="belongs to another method: psa was chosen"):
        truefold.embed(X, perplexity=20)
    with pytest.raises(ValueError, match="no method named 'isomapp'"):
        truefold.embed(X, method="isomapp")
    assert isinstance(truefold.embed(X, method="ltsa"), truefold.LTSA)
    assert isinstance(truefold.embed(X[:10], n_neighbors=4, metric="manhattan"), truefold.PCA)
    distances = np.linalg.norm(X[:200, None] - X[:200], axis=2)
    assert truefold.embed(distances, metric="precomputed").fit_info_["chosen"]["method"]["value"] == "gp"
    with pytest.raises(truefold.DataError, match="auto needs the coordinates"):
        truefold.embed(distances, "auto", metric="precomputed")
