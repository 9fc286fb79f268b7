"""New points in fitted embeddings: exact on fitted ones, kept by pickles and by the tool's own files."""
import json
import pickle
import zipfile

import numpy as np
import pandas
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import truefold


@pytest.fixture(scope="module")
def halves(roll):
    """Points to fit and points to place; not to be written to."""
    return roll[0][:400], roll[0][400:]


@pytest.fixture(scope="module")
def fitted(halves):
    """An estimator that was fitted; not to be changed."""
    return truefold.LTSA(n_neighbors=10).fit(halves[0])


def test_new_points_come_to_lie_where_they_belong(roll, halves):
    X, new = halves
    estimator = truefold.ProcrustesAlignment(n_neighbors=10).fit(X)
    placed = estimator.place(new)
    assert np.array_equal(placed.embedding, estimator.transform(new)) and len(placed) == 100
    everything = truefold.measure(roll[0], np.vstack([estimator.embedding_, placed.embedding]), 10)
    assert everything.r_n < 3 * truefold.measure(X, estimator.embedding_, 10).r_n
    assert np.all((placed.confidence > 0) & (placed.confidence <= 1))
    assert np.all(placed.support == 1)  # On a surface local maps alone give the places.
    assert np.all(estimator.place(X).confidence == 1)
    assert estimator.place(new + 1000).confidence.max() < 1e-3 < placed.confidence.min()
    assert repr(placed).startswith("Placement(100 points in 2 dimensions; confidence: median 0.")
    frame = placed.to_frame()
    assert frame.shape == (100, 6) and np.array_equal(frame["confidence"], placed.confidence)


def test_fitted_points_keep_their_place(halves, fitted):
    X, _ = halves
    assert np.array_equal(fitted.transform(X), fitted.embedding_)
    assert np.array_equal(fitted.transform(X[::-7]), fitted.embedding_[::-7])
    assert np.all(fitted.place(X).distance == 0)
    for threads in (1, 3):
        estimator = truefold.LTSA(n_neighbors=10, n_jobs=threads).fit(X)
        assert np.array_equal(estimator.place(halves[1]).confidence, fitted.place(halves[1]).confidence)


def test_x_is_not_copied_and_writing_to_it_is_noticed(halves):
    X, new = halves[0].copy(), halves[1]
    estimator = truefold.LTSA().fit(X)
    assert estimator._model._parts[0] is X
    before = estimator.transform(new)
    X[3, 1] += 1e-9
    with pytest.raises(truefold.DataError, match="^X was changed after the fit.*; fit again, or fit a copy of X"):
        estimator.transform(new)
    with pytest.raises(truefold.DataError, match="X was changed"):
        pickle.loads(pickle.dumps(estimator)).transform(new)
    X[:] = halves[0]
    assert np.array_equal(estimator.transform(new), before)
    # What was copied on the way in is the estimator's own.
    whole = (halves[0] * 1000).astype(np.int64)
    estimator.fit(whole)
    before, whole[:] = estimator.transform(new), 0
    assert np.array_equal(estimator.transform(new), before)


def test_the_embedding_is_the_users(halves):
    X, new = halves
    estimator = truefold.LTSA().fit(X)
    before = estimator.embedding_.copy()
    estimator.embedding_ *= -1
    assert np.array_equal(estimator.transform(X), before)


def test_a_failed_refit_places_as_before(halves):
    X, new = halves
    estimator = truefold.LTSA().fit(X)
    before = estimator.transform(new)
    with pytest.raises(ValueError):
        estimator.fit(np.full((30, 5), np.nan))
    assert np.array_equal(estimator.transform(new), before)


@pytest.mark.parametrize("estimator", [
    truefold.LTSA(metric="manhattan"),
    truefold.PCA(),
    truefold.LTSA(components="largest"),
], ids=repr)
@pytest.mark.filterwarnings("ignore::truefold.FitWarning")
def test_pickles_and_files_place_as_before(estimator, halves, tmp_path):
    X, new = halves
    X = np.vstack([X, X[:50] + 1000])
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    estimator.fit(frame)
    expected = estimator.place(pandas.DataFrame(new, columns=["a", "b", "c"]))
    path = estimator.save(tmp_path / "one.truefold")
    again = pickle.loads(pickle.dumps(estimator))
    again.save(tmp_path / "two.truefold")
    assert path.read_bytes() == (tmp_path / "two.truefold").read_bytes()
    loaded = truefold.load(path)
    for other in (again, loaded, pickle.loads(pickle.dumps(loaded))):
        placed = other.place(pandas.DataFrame(new, columns=["a", "b", "c"]))
        assert np.array_equal(placed.embedding, expected.embedding)
        assert np.array_equal(placed.confidence, expected.confidence)
        assert np.array_equal(other.embedding_, estimator.embedding_)
        assert list(other.feature_names_in_) == ["a", "b", "c"] and other.n_features_in_ == 3
    assert type(loaded) is type(estimator) and loaded.metric == estimator.metric
    assert hasattr(loaded, "neighborhoods_") == hasattr(estimator, "neighborhoods_")
    parameters = estimator.fit_info_["parameters"]
    assert loaded.fit_info_ == {"method": estimator._method, "parameters": parameters, "seed": 0}


def test_a_loaded_estimator_can_be_fitted_again(halves, tmp_path):
    X, _ = halves
    first = truefold.LLE(n_neighbors=9, reg=0.01, random_state=7).fit(X)
    again = truefold.load(first.save(tmp_path / "m.truefold"))
    assert repr(again) == "LLE(n_neighbors=9, random_state=7, reg=0.01)"
    assert np.array_equal(again.fit(X).embedding_, first.embedding_)


def test_models_of_other_programs_embeddings(halves, fitted, tmp_path):
    X, new = halves
    path = fitted.save(tmp_path / "m.truefold")
    foreign = tmp_path / "foreign.truefold"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(foreign, "w") as made:
        for name in old.namelist():
            text = old.read(name)
            if name == "manifest.json":
                text = json.dumps({**json.loads(text), "method": "given", "parameters": None}).encode()
            made.writestr(name, text)
    given = truefold.load(foreign)
    assert isinstance(given, truefold.GivenEmbedding) and given.fit_info_["method"] == "given"
    assert np.array_equal(given.transform(X), fitted.embedding_) and given.transform(new).shape == (100, 2)
    with pytest.raises(TypeError, match="came from another program"):
        given.fit(X)


def test_the_tool_and_the_estimator_know_each_others_columns(halves, tool, tmp_path):
    X, new = halves
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    estimator = truefold.LTSA().fit(frame)
    path = estimator.save(tmp_path / "m.truefold")
    pandas.DataFrame(new, columns=["a", "b", "z"]).to_csv(tmp_path / "new.csv", index=False)
    told = tool("transform", path, "new.csv", "--output", tmp_path / "y.npy", fails=True)
    assert "column 3 is 'z' in the new points and 'c' in the fitted ones" in told
    with pytest.raises(ValueError, match="feature names should match"):
        estimator.transform(pandas.DataFrame(new, columns=["a", "b", "z"]))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        estimator.transform(new)
    nameless = truefold.LTSA().fit(X)
    with pytest.raises(ValueError, match="X has 2 features, but LTSA is expecting 3 features"):
        nameless.transform(new[:, :2])
    with pytest.raises(ValueError, match=r"^X: array position X\[1, 0\] holds NaN"):
        nameless.transform([[1.0, 2.0, 3.0], [np.nan, 2.0, 3.0]])


def test_pipelines_and_frames(halves):
    X, new = halves
    pipeline = make_pipeline(StandardScaler(with_std=False), truefold.LTSA()).set_output(transform="pandas")
    Y = pipeline.fit_transform(pandas.DataFrame(X, columns=["a", "b", "c"]))
    placed = pipeline.transform(pandas.DataFrame(new, columns=["a", "b", "c"], index=np.arange(100) + 9))
    assert list(placed.columns) == ["ltsa0", "ltsa1"] and placed.index[0] == 9
    direct = truefold.LTSA().fit(X - X.mean(axis=0))
    assert np.allclose(direct.transform(new - X.mean(axis=0)), placed) and np.allclose(direct.embedding_, Y)


def test_what_cannot_be_placed_or_saved_is_told_in_one_sentence(halves, fitted, tool, save, tmp_path):
    X, new = halves
    for error in (NotFittedError, truefold.NotFittedError):
        for call in (truefold.LTSA().transform, truefold.LTSA().place, truefold.LTSA().save):
            with pytest.raises(error, match="^This LTSA is not fitted yet; call fit first$"):
                call(new)
    distances = np.linalg.norm(X[:80, None] - X[:80], axis=2)
    estimator = truefold.Isomap(metric="precomputed").fit(distances)
    words = ["--method", "isomap", "--metric", "precomputed", "--save-model", tmp_path / "m.truefold"]
    told = tool("embed", save("d", distances), *words, "--output", tmp_path / "y.npy", fails=True)
    for call in (estimator.transform, estimator.place, estimator.save):
        with pytest.raises(truefold.DataError) as caught:
            call(distances)
        assert str(caught.value) == told
    for path, sentence in [
        (tmp_path / "m.npz", "a model is written as .truefold; choose this ending"),
        (tmp_path / "no" / "m.truefold", "does not exist; create it first"),
    ]:
        with pytest.raises(OSError, match=sentence):
            fitted.save(path)
    assert not list(tmp_path.glob("*.truefold"))
    with pytest.raises(OSError, match="nowhere.truefold"):
        truefold.load(tmp_path / "nowhere.truefold")
    (tmp_path / "text.truefold").write_text("something else")
    with pytest.raises(truefold.FileError, match="is not a truefold model"):
        truefold.load(tmp_path / "text.truefold")
