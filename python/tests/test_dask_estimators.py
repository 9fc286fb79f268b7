"""Estimators of ``truefold.dask``: one worker fits a sample, all place their rows, and rounds bring the whole to its bound."""
from __future__ import annotations

import os
import signal
import threading
import time
from unittest import mock

import numpy as np
import pytest

import truefold

da = pytest.importorskip("dask.array")
pytest.importorskip("distributed")

import dask  # noqa: E402
import truefold.dask  # noqa: E402
from truefold.dask.cells import Cell  # noqa: E402
from truefold.dask.fitting import fit_sample  # noqa: E402
from truefold.dask.sampling import sampled, size_of  # noqa: E402


@pytest.fixture(scope="module")
def roll():
    """A swiss roll and its true coordinates."""
    X, Z = truefold.datasets.swiss_roll(6000)
    return X, Z


def chunked(values, length):
    """A dask array with chunks of so many rows."""
    return da.from_array(values, chunks=(length, -1))


def error(Y, Z):
    """How far a map is from the truth after the best rigid motion, relative to its extent."""
    Y, Z = Y - Y.mean(axis=0), Z - Z.mean(axis=0)
    left, _, right = np.linalg.svd(Y.T @ Z)
    return np.linalg.norm(Y @ left @ right - Z) / np.linalg.norm(Z)


def test_a_sample_of_all_rows_gives_the_map_of_one_machine(roll):
    X = roll[0][:1500]
    for kind in ("ProcrustesAlignment", "LTSA", "PCA"):
        fitted = getattr(truefold.dask, kind)().fit(chunked(X, 400))
        expected = getattr(truefold, kind)().fit(X)
        assert fitted.embedding_.chunks == ((400, 400, 400, 300), (2,))
        assert np.array_equal(fitted.embedding_.compute(), expected.embedding_)
        assert np.array_equal(fitted.sample_, np.arange(1500)) and "rounds" not in fitted.fit_info_


def test_rounds_bring_a_map_from_a_sample_near_its_bound(roll):
    X, Z = roll
    few = truefold.dask.ProcrustesAlignment(sample_size=900, max_rounds=0).fit(chunked(X, 1000))
    fitted = truefold.dask.ProcrustesAlignment(sample_size=900).fit(chunked(X, 1000))
    before, after = (truefold.measure(X, one.embedding_.compute(), 12, measures=["r_n"]) for one in (few, fitted))
    rounds = fitted.fit_info_["rounds"]
    assert rounds["measure"] == "r_n" and len(rounds["values"]) > 1
    assert rounds["values"] == sorted(rounds["values"], reverse=True)
    # What the rounds tell of all rows is what one machine measures.
    assert rounds["values"][0] == pytest.approx(before.r_n, rel=1e-12)
    assert rounds["values"][-1] == pytest.approx(after.r_n, rel=1e-12)
    assert rounds["lower_bound"] == pytest.approx(after.lower_bounds["r_n"], rel=1e-12)
    assert before.times_best("r_n") > 1.1 > 1.05 >= after.times_best("r_n")
    assert error(fitted.embedding_.compute(), Z) < 0.02
    # The sample has the large scales: rows that were fitted hardly move.
    assert len(fitted.sample_) == pytest.approx(900, abs=6)
    assert error(fitted.embedding_.compute()[fitted.sample_], fitted.to_local().embedding_) < 0.01


def test_other_methods_place_the_rest_and_are_not_refined(roll):
    X = roll[0][:2000]
    for kind, more in (("LLE", {}), ("TSNE", {"iterations": 60}), ("PCA", {}), ("GreedyProcrustes", {"refine": "none"})):
        fitted = getattr(truefold.dask, kind)(sample_size=700, **more).fit(chunked(X, 600))
        assert "rounds" not in fitted.fit_info_ and fitted.fit_info_["method"]
        assert np.array_equal(fitted.embedding_.compute(), fitted.to_local().transform(X)), kind
        assert np.array_equal(fitted.embedding_.compute()[fitted.sample_], fitted.to_local().embedding_)


def test_what_must_not_be_refined_is_left_as_it_was_placed():
    closed = truefold.datasets.sphere(2500).points
    noisy = truefold.datasets.swiss_roll(2500, noise=0.6).points
    for X, message in ((closed, "were torn"), (noisy, "noise")):
        with pytest.warns(truefold.FitWarning, match=message):
            fitted = truefold.dask.ProcrustesAlignment(sample_size=1200).fit(chunked(X, 600))
        assert "rounds" not in fitted.fit_info_
        assert np.array_equal(fitted.embedding_.compute(), fitted.to_local().transform(X))


def test_new_rows_are_placed_chunk_by_chunk_and_models_are_saved(roll, tmp_path):
    X, new = roll[0][:1500], roll[0][1500:2600]
    fitted = truefold.dask.ProcrustesAlignment(sample_size=900).fit(chunked(X, 500))
    told, expected = fitted.place(chunked(new, 400)), fitted.to_local().place(new)
    assert told.embedding.chunks == ((400, 400, 300), (2,)) and told.confidence.chunks == ((400, 400, 300),)
    for name in ("embedding", "confidence", "distance", "off_tangent", "disagreement", "misfit", "support"):
        assert np.array_equal(getattr(told, name).compute(), getattr(expected, name)), name
    again = truefold.dask.load(fitted.save(tmp_path / "roll.truefold"))
    assert type(again) is truefold.dask.ProcrustesAlignment and again.n_samples_fit_ == len(fitted.sample_)
    assert np.array_equal(again.transform(chunked(new, 300)).compute(), expected.embedding)
    assert repr(told) == "Placement(n_points=1100, n_components=2, chunks=3)"


def test_numbers_are_left_to_the_sample(roll):
    X = roll[0][:3000]
    fitted = truefold.dask.ProcrustesAlignment("auto", "auto", sample_size=1500).fit(chunked(X, 1000))
    assert fitted.embedding_.shape == (3000, 2)
    assert fitted.fit_info_["chosen"]["dim"]["value"] == 2
    assert fitted.fit_info_["rounds"]["measure"] == "r_n"


def test_a_method_that_has_too_little_memory_gets_half_of_the_sample():
    class Narrow(truefold.PCA):
        def fit(self, X, y=None, *, neighbors=None):
            if len(X) > 30:
                raise truefold.MemoryLimitError("too many")
            return super().fit(X)

    X = np.random.default_rng(1).normal(size=(100, 3))
    fitted = fit_sample([Cell(np.arange(50, 100), (X[50:],)), Cell(np.arange(50), (X[:50],))], Narrow())
    assert np.array_equal(fitted.rows, np.arange(0, 100, 4))
    assert np.array_equal(fitted.estimator.embedding_, truefold.PCA().fit(X[::4]).embedding_)


def test_memory_that_ran_out_leaves_the_sample_as_it_is():
    class Short(truefold.PCA):
        def fit(self, X, y=None, *, neighbors=None):
            raise truefold.OutOfMemoryError("another task took it")

    X = np.random.default_rng(1).normal(size=(100, 3))
    with pytest.raises(truefold.OutOfMemoryError, match="another task"):
        fit_sample([Cell(np.arange(100), (X,))], Short())


def test_estimators_have_the_parameters_of_those_of_one_machine(roll):
    for name in truefold.estimators.__all__:
        known = set(getattr(truefold, name)().get_params()) - {"n_jobs", "progress"}
        assert set(getattr(truefold.dask, name)().get_params()) == known | {"sample_size", "max_rounds", "client"}
    made = truefold.dask.LTSA(3, n_neighbors=9, sample_size=50)
    assert (made.n_components, made.n_neighbors, made.sample_size, made.max_rounds) == (3, 9, 50, 8)
    assert made.set_params(n_neighbors=5).n_neighbors == 5
    with pytest.raises(TypeError, match="LTSA: got an unexpected keyword argument 'n_jobs'"):
        truefold.dask.LTSA(n_jobs=2)


def test_what_is_wrong_is_told_before_anything_is_fitted(roll):
    X = chunked(roll[0], 2000)
    wrong = [
        ({"metric": "precomputed"}, "metric = 'precomputed' needs a table of distances"),
        ({"components": "largest"}, "components = 'largest' would leave rows out"),
        ({"sample_size": 10}, "sample_size = 10 is not at least 14: each of its rows has 12 neighbors in it"),
        ({"max_rounds": -1}, "max_rounds = -1 is not at least 0"),
        ({"n_neighbors": 6000}, "n_neighbors = 6000 is not from 1 to 5,999"),
        ({"n_components": 0}, "dim = 0|n_components = 0"),
        ({"alignment": "none"}, "alignment = none"),
    ]
    for parameters, message in wrong:
        with pytest.raises(ValueError, match=message):
            truefold.dask.ProcrustesAlignment(**parameters).fit(X)
    with pytest.raises(truefold.NotFittedError, match="This LTSA is not fitted yet; call fit first"):
        truefold.dask.LTSA().transform(X)
    fitted = truefold.dask.PCA().fit(X)
    with pytest.raises(ValueError, match="X has 2 columns, but the fitted points have 3"):
        fitted.transform(chunked(roll[1], 2000))
    with pytest.raises(ValueError, match=r"row 4001 of X \(chunk 2, row 1\) holds nan in column 1"):
        broken = roll[0].copy()
        broken[4001, 1] = np.nan
        fitted.place(chunked(broken, 2000))


def test_copies_pieces_and_other_types_are_taken(roll):
    copies = np.concatenate([roll[0][:2500], np.tile([[60.0, 0.0, 0.0]], (500, 1))])
    found = truefold.dask.ProcrustesAlignment(sample_size=1200).fit(chunked(copies, 500))
    assert np.isfinite(found.embedding_.compute()).all()
    # All rows are fitted, copies among them: every one has the place that the fit gave it.
    few = np.concatenate([roll[0][:400], roll[0][:100]]).astype(np.float32)
    fitted = truefold.dask.TSNE(iterations=60).fit(chunked(few, 200))
    assert np.array_equal(fitted.embedding_.compute(), truefold.TSNE(iterations=60).fit(few).embedding_)
    whole = np.round(roll[0][:2000] * 50).astype(np.int64)
    fitted = truefold.dask.GreedyProcrustes(sample_size=700, refine="r-c").fit(chunked(whole, 500))
    assert fitted.fit_info_["rounds"]["measure"] == "r_c"
    angles = truefold.dask.ProcrustesAlignment(sample_size=900, metric="cosine").fit(chunked(roll[0][:2000] + 30, 500))
    assert angles.embedding_.shape == (2000, 2)


def test_a_generator_gives_each_fit_another_seed(roll):
    X, rng = chunked(roll[0][:600], 300), np.random.default_rng(7)
    seeds = [truefold.dask.TSNE(iterations=20, random_state=rng).fit(X).fit_info_["seed"] for _ in range(2)]
    assert seeds[0] != seeds[1]


def test_columns_of_frames_keep_their_order(roll):
    frames, pandas = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
    frame = frames.from_pandas(pandas.DataFrame(roll[0][:900], columns=list("abc")), npartitions=3)
    fitted = truefold.dask.LTSA().fit(frame)
    assert np.array_equal(fitted.transform(frame).compute(), fitted.embedding_.compute())
    with pytest.raises(ValueError, match="the columns of X are c, b, a, but those of the fit were a, b, c"):
        fitted.transform(frame[["c", "b", "a"]])


def test_no_bit_depends_on_workers_or_on_one_that_dies(roll, client):
    # At the end: from here on the workers compute whatever is asked for.
    rows, asked = roll[0][:4000], {"sample_size": 800, "max_rounds": 3, "random_state": 4}
    X = chunked(rows, 800)
    with dask.config.set(scheduler="synchronous"):
        # The current client would be taken otherwise.
        with mock.patch("truefold.dask.estimators.current_client", lambda: None):
            expected = truefold.dask.ProcrustesAlignment(**asked).fit(X).embedding_.compute()
    fitted = truefold.dask.ProcrustesAlignment(**asked, client=client).fit(X)
    assert fitted.client_ is client
    assert np.array_equal(fitted.embedding_.compute(), expected)
    placed = fitted.to_local().transform(rows)
    # Or equal tasks would not run again.
    del fitted

    def kill():
        time.sleep(1.0)
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    again = truefold.dask.ProcrustesAlignment(**asked).fit(X)
    killer.join()
    assert np.array_equal(again.embedding_.compute(), expected)
    assert np.array_equal(again.transform(X).compute(), placed)


def test_samples_are_spread_and_as_large_as_a_worker_can_hold(client):
    assert size_of("auto", (10**9, 3, 12), client) == pytest.approx(1e9 / 3 / (130 * 13 + 36), rel=0.01)
    assert size_of("auto", (5000, 3, 12), client) == 5000
    X = np.random.default_rng(1).uniform(size=(4000, 2))
    chosen = sampled(Cell(np.arange(4000) * 3, (X,)), 0.05, "euclidean")
    assert chosen.size == 200 and (chosen.rows % 3 == 0).all() and (np.diff(chosen.rows) > 0).all()
    assert np.array_equal(chosen.tables[0], X[chosen.rows // 3])
    counts = np.histogram2d(*chosen.tables[0].T, bins=4, range=[[0, 1], [0, 1]])[0]
    assert counts.min() >= 9 and counts.max() <= 16


def test_methods_with_equal_parameters_have_maps_of_their_own(roll, client):
    X = chunked(roll[0][:800], 300)
    for names in (("PCA", "ClassicalMDS"), ("Isomap", "ConformalIsomap")):
        fitted = [getattr(truefold.dask, name)(random_state=1).fit(X) for name in names]
        found = dask.compute(*(one.embedding_ for one in fitted))
        for one, name in zip(found, names):
            assert np.array_equal(one, getattr(truefold, name)(random_state=1).fit(roll[0][:800]).embedding_), name
