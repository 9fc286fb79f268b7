"""The measures from Python: the tool's numbers bit for bit, and a result that is good to work with."""
import math
import pickle

import numpy as np
import pandas
import pytest

import truefold


@pytest.mark.parametrize("options, words", [
    ({}, []),
    ({"n_neighbors": 7, "center": False}, ["--k", 7, "--without-center"]),
    ({"radius": 6.0}, ["--radius", 6.0]),
    ({"metric": "manhattan", "measures": "all"}, ["--metric", "manhattan", "--measures", "all"]),
    ({"measures": ["trustworthiness", "stress"], "sample": 50, "random_state": 9},
     ["--measures", "trustworthiness,stress", "--sample", 50, "--seed", 9]),
    ({"measures": ["r_nx"], "exact": True}, ["--measures", "r_nx", "--exact"]),
    ({"measures": ["r_nx"], "sample": 60, "random_state": 2}, ["--measures", "r_nx", "--sample", 60, "--seed", 2]),
    ({"measures": "distortion", "sample": 40, "random_state": 3}, ["--measures", "distortion", "--sample", 40, "--seed", 3]),
    ({"measures": "collapse", "steps": 3}, ["--measures", "collapse", "--steps", 3]),
])
def test_the_tool_finds_the_same_bits(roll, tool, save, options, words):
    X, Z = roll
    Y = Z * [1.0, 1.2]
    told = tool("measure", save("x", X), save("y", Y), *words, "--format", "json")
    result = truefold.measure(X, Y, **options)
    assert result.values == told["measures"]
    assert result.lower_bounds == told["lower_bounds"]
    assert result.standard_errors == told.get("standard_errors", {})
    assert result.warnings == told["warnings"]
    assert (result.n_points, result.input_dim, result.output_dim) == (500, 3, 2)
    given = {key: told["neighborhoods"][key] for key in result.neighborhoods.facts}
    assert {**result.neighborhoods.facts} == given


def test_along_paths_are_the_facts_of_distortion(roll):
    X, Z = roll
    result = truefold.measure(X, Z * [1.0, 2.0], measures="distortion")
    paths = result.along_paths
    assert result.distortion == paths["median"] <= paths["largest"] <= paths["stretch"] * paths["shrink"] * (1 + 1e-12)
    assert (paths["sources"], paths["error"], paths["merged"]) == (500, None, 0)
    assert result.distortion == pytest.approx(np.median(result.per_point["distortion"]), rel=1e-12)
    assert truefold.measure(X, Z, measures="r_n").along_paths is None


def test_values_are_floats_and_attributes(roll):
    result = truefold.measure(*roll)
    assert type(result.r_n) is float and result.r_n == result.values["r_n"]
    assert "r_n" in dir(result)
    assert result.r_n == pytest.approx(np.nanmean(result.per_point["r_n"]), rel=1e-12)
    assert np.all(result.per_point["r_n"] >= result.per_point_bounds["r_n"] * (1 - 1e-9))
    assert result.times_best("r_n") == result.r_n / result.lower_bounds["r_n"]
    assert result.times_best("r_pca") is None
    with pytest.raises(AttributeError, match="there is no measure 'stress' in this result; there are r, r_n"):
        result.stress


def test_frames_and_dictionaries(roll):
    result = truefold.measure(*roll)
    frame = result.to_frame()
    assert list(frame.index) == ["r", "r_n", "r_pca", "r_c", "r_a", "reverse_r_n", "reverse_r_c", "reverse_r_a"]
    assert frame.loc["r_c", "chance"] == result.chance["r_c"] and frame.loc["r_c", "skill"] == result.skill["r_c"] > 0.9
    assert frame.loc["r_n", "value"] == result.r_n and frame.loc["r_n", "lower_bound"] == result.lower_bounds["r_n"]
    assert np.isnan(frame.loc["r_pca", "times_best"])
    points = result.per_point_frame()
    assert len(points) == 500 and list(points.columns)[:2] == ["r", "r_bound"]
    assert "r_pca_bound" not in points
    assert np.array_equal(points["r_c_chance"], result.per_point_chance["r_c"])
    assert {name for name in points if name.endswith("_chance")} == {f"{name}_chance" for name in result.per_point_chance}
    assert result.to_dict()["measures"]["r_n"] == result.r_n


def test_a_result_shows_itself_and_can_be_pickled(roll):
    X, Z = roll
    result = truefold.measure(np.vstack([X, X + 1000]), np.vstack([Z, Z]))
    assert "Note: the neighborhood graph has 2 connected components" in repr(result)
    shown = result._repr_html_()
    assert shown.count("<tr>") == 9 and "R_N" in shown and "skill" in shown and "&gt;" not in repr(result)
    again = pickle.loads(pickle.dumps(result))
    assert again.values == result.values and repr(again) == repr(result)


def test_higher_is_better_sorts_the_other_way(roll):
    X, Z = roll
    result = truefold.measure(X, X[:, :2], measures=["r_n", "overlap"])
    overlap = result.per_point["overlap"]
    assert overlap[result.worst(1, "overlap")[0]] == overlap.min()
    assert result.per_point["r_n"][result.worst(1)[0]] == result.per_point["r_n"].max()


def test_neighborhoods_are_found_once_and_used_often(roll):
    X, Z = roll
    found = truefold.neighbors(X, 9)
    assert truefold.measure(X, Z, neighbors=found).values == truefold.measure(X, Z, 9).values
    again = pickle.loads(pickle.dumps(found))
    assert truefold.measure(X, Z, neighbors=again).values == truefold.measure(X, Z, 9).values
    assert truefold.measure(X, Z, neighbors=found.indices).values == truefold.measure(X, Z, 9).values
    graph = truefold.measure(X, Z, neighbors=found.to_csr())
    assert graph.r_n == pytest.approx(truefold.measure(X, Z, 9).r_n, rel=1e-12)


def test_neighbors_are_the_tools(roll, tool, save, tmp_path):
    X, _ = roll
    for options, words in [({"n_neighbors": 5}, ["--k", 5]), ({"radius": 6.0}, ["--radius", 6.0]),
                           ({"n_neighbors": 5, "metric": "cosine"}, ["--k", 5, "--metric", "cosine"])]:
        tool("neighbors", save("x", X), *words, "--output", tmp_path / "n.npy")
        assert np.array_equal(truefold.neighbors(X, **options).indices, np.load(tmp_path / "n.npy"))
    approximate = truefold.neighbors(X, 5, algorithm="approximate")
    assert approximate.facts["exact_instead"]["reason"] == "as_fast"


def test_refine_gives_the_tools_bits_and_never_raises_its_target(roll, tool, save, tmp_path):
    X, Z = roll
    Y = Z * [1.0, 1.3]
    tool("refine", save("x", X), save("y", Y), "--target", "r-c", "--iterations", 7, "--output", tmp_path / "out.npy")
    refined = truefold.refine(X, Y, target="r-c", iterations=7)
    assert np.array_equal(refined.embedding, np.load(tmp_path / "out.npy"))
    assert len(refined.trace) == 8 and np.all(np.diff(refined.trace) <= 0)
    with pytest.raises(truefold.ParameterError, match="target = r-x is not one of auto, both, r, r-n, r-c, r-pca"):
        truefold.refine(X, Y, target="r-x")


def test_a_map_of_many_dimensions_is_refined_in_both_directions(tool, save, tmp_path):
    X = np.random.default_rng(0).normal(size=(400, 8)) + 5 * np.eye(8)[np.arange(400) % 3]
    Y = X[:, [0, 4]]
    refined = truefold.refine(X, Y, iterations=100)
    assert refined.info["facts"]["target"] == "both" and refined.trace[-1] < refined.trace[0]
    assert refined.info["after"]["score"] > refined.info["before"]["score"] + 0.1
    assert f"in {refined.info['facts']['steps']} steps" in repr(refined)
    tool("refine", save("x", X), save("y", Y), "--iterations", 100, "--output", tmp_path / "out.npy")
    assert np.array_equal(refined.embedding, np.load(tmp_path / "out.npy"))
    with pytest.raises(truefold.ParameterError, match="target = both cannot go with step"):
        truefold.refine(X, Y, target="both", step="simple")
    endless = truefold.refine(X, Y, slack=math.inf, iterations=1)
    assert endless.info["parameters"]["slack"] is None
    with pytest.raises(truefold.ParameterError, match="slack = -1 is less than 0"):
        truefold.refine(X, Y, slack=-1)


def test_wrong_names_and_limits_are_refused_before_neighbors_are_searched(roll, monkeypatch):
    X, Z = roll
    for module in ("measures", "comparison", "refinement"):
        monkeypatch.setattr(f"truefold.{module}.given_or_found", lambda *_: pytest.fail("neighbors were searched"))
    for call in (lambda: truefold.measure(X, Z, measures=["trust"]), lambda: truefold.compare(X, measures="trust")):
        with pytest.raises(truefold.UnknownNameError, match="trust"):
            call()
    for wrong in ({"target": "r-x"}, {"tolerance": 2.0}, {"penalty": -1.0}):
        with pytest.raises(truefold.ParameterError, match="|".join(wrong)):
            truefold.refine(X, Z, **wrong)


def test_a_penalty_tells_what_it_did_and_leaves_a_good_map_alone():
    X, Z = truefold.datasets.swiss_roll(1000)
    facts = truefold.refine(X, Z * [1.0, 1.3], iterations=5, penalty=1).info["facts"]
    assert facts["collapse_before"] == facts["collapse_after"] == 0 and not facts["unfolded"]
    assert facts["penalty_before"] == facts["penalty_after"] == 0
    plain, penalized = (truefold.refine(X, Z * [1.0, 1.3], iterations=5, penalty=penalty) for penalty in (0, 1))
    assert np.array_equal(plain.embedding, penalized.embedding)


def test_datasets_are_the_tools(tool, tmp_path):
    words = ["--points", 60, "--noise", 0.1, "--seed", 4, "--set", "height=3"]
    tool("generate", "swiss-roll", *words, "--output", tmp_path / "x.npy", "--truth", tmp_path / "z.npy")
    X, Z = truefold.datasets.swiss_roll(60, noise=0.1, random_state=4, height=3)
    assert np.array_equal(X, np.load(tmp_path / "x.npy")) and np.array_equal(Z, np.load(tmp_path / "z.npy"))
    pieces = truefold.datasets.two_pieces(50)
    assert len(set(pieces.labels)) == 2
    with pytest.raises(ValueError, match="^height = -1 is not from 0.001 to 1000"):
        truefold.datasets.swiss_roll(10, height=-1)
    with pytest.raises(ValueError, match="^dim = 1 is not a whole number from 2 "):
        truefold.datasets.plane(10, dim=1)


def test_an_index_matters_on_both_sides_alone(roll):
    X, Z = roll
    frame = pandas.DataFrame(X, index=np.arange(500)[::-1])
    assert truefold.measure(frame, pandas.DataFrame(Z)).values == truefold.measure(X, Z).values


def test_denoise_gives_the_tools_bits(tool, save, tmp_path):
    X, _ = truefold.datasets.swiss_roll(800, noise=0.4)
    tool("denoise", save("x", X), "--rounds", 2, "--output", tmp_path / "out.npy")
    found = truefold.denoise(X, rounds=2)
    assert np.array_equal(found.points, np.load(tmp_path / "out.npy"))
    assert 0.25 < found.noise < 0.55 and found.tangent_k > 12 and repr(found).startswith("Denoised(800 points")
    with pytest.raises(truefold.ParameterError, match="n_components = 3 is not from 1 to 2"):
        truefold.denoise(X, 3)


def test_alignment_looks_past_noise():
    X, _ = truefold.datasets.swiss_roll(1200, noise=0.5)
    with pytest.warns(truefold.FitWarning, match="the data are noisy"):
        fitted = truefold.ProcrustesAlignment().fit(X)
    assert fitted.fit_info_["facts"]["tangent_k"] > 12
    asked = truefold.ProcrustesAlignment(tangent_k=40, denoise=0).fit(X)
    assert "noise" not in asked.fit_info_["facts"]


def test_over_scale_is_the_curve_and_a_sample_is_not_exact(roll):
    X, Z = roll
    curve = truefold.measure(X, Z, measures="r_nx").over_scale
    assert curve["k"][0] == 1 and len(curve["r_nx"]) == len(curve["k"]) and curve["area"] > 0.5
    assert truefold.measure(X, Z).over_scale is None
    for call in (truefold.measure, lambda *words, **options: truefold.compare(X, ["pca"], **options)):
        with pytest.raises(truefold.ParameterError, match="sample = 10 and exact = True exclude each other"):
            call(X, Z, measures="stress", sample=10, exact=True)
        for words in ({"exact": True}, {"sample": 10}, {"exact": True, "measures": ["r_n", "overlap"]}):
            with pytest.raises(truefold.ParameterError, match="(exact = True|sample = 10) has no effect: only measures of quadratic"):
                call(X, Z, **words)
        assert call(X, Z, measures=["stress"], exact=True) is not None


def test_the_telling_measure_is_one_that_was_taken(roll):
    X, Z = roll
    assert truefold.measure(X, Z).telling == "r_n" and truefold.measure(X, 9 * Z).telling == "r_c"
    assert truefold.measure(X, 9 * Z, measures="r_n").telling == "r_n"
    overlap = truefold.measure(X, 9 * Z, measures="overlap")
    assert overlap.telling == "overlap" and np.array_equal(overlap.worst(3), overlap.worst(3, "overlap"))
    with pytest.raises(truefold.DataError, match="no values per point of r_n; there are overlap"):
        overlap.worst(measure="R_N")
