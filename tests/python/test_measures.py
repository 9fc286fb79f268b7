"""The measures that the tool prints, against references that share no code with it."""
import csv
import json

import numpy as np
import pytest
from sklearn.manifold import trustworthiness

import reference

PROCRUSTES = ("r", "r_n", "r_pca", "r_c", "r_a")

# The tool puts input distances into 2^16 bins, whose width depends on which row is the first; pairs in one bin count as
# tied, so its stress is exact only up to about this much (measured: 1e-5 at 200 points).
STRESS_RESOLUTION = 1e-4


def roll(points, seed=3):
    """A swiss roll and a distorted flat map of it: stretched, bent and noisy, so that no measure is zero."""
    random = np.random.default_rng(seed)
    angle, height = 1.5 * np.pi * (1 + 2 * random.random(points)), 21 * random.random(points)
    x = np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)])
    y = np.column_stack([0.05 * angle**2 + 0.3 * height, height + np.sin(angle)])
    return x, y + random.normal(scale=0.1, size=y.shape)


def cloud(points, width, dim, seed=5):
    """Normal points and a linear map of them, with noise."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(points, width))
    return x, x @ random.normal(size=(width, dim)) + 0.3 * random.normal(size=(points, dim))


# name: (X, Y, k). They cover q > k + 1, q = d, d = 1, d >= k (charts of lower rank than d), and a far origin.
CASES = {
    "roll": (*roll(400), 12),
    "roll, small k": (*roll(150), 4),
    "one dimension": (*cloud(200, 4, 1), 7),
    "same dimension": (*cloud(120, 3, 3), 9),
    "many dimensions": (*cloud(150, 40, 3), 8),
    "more dimensions than neighbors": (*cloud(80, 30, 6), 4),
    "far from the origin": (cloud(100, 5, 2)[0] + 1000, cloud(100, 5, 2)[1] - 1000, 10),
}


@pytest.mark.parametrize("center", [True, False], ids=["with center", "without center"])
@pytest.mark.parametrize("name", CASES)
def test_procrustes_measures_and_bounds_agree_with_numpy(measure, name, center):
    x, y, k = CASES[name]
    found = measure(x, y, "--k", k, *([] if center else ["--without-center"]))
    expected = reference.procrustes_measures(x, y, reference.nearest(x, k)[:, 0 if center else 1 :])
    # The reference takes differences of squares, so its zeros have rounding errors.
    floor = 1e-9 * np.mean(expected["r"])
    for measure_name in PROCRUSTES:
        assert found.values[measure_name] == pytest.approx(expected[measure_name], rel=1e-7, abs=floor), measure_name
    assert found.bounds["r"] == pytest.approx(expected["bound"], rel=1e-7, abs=floor)
    for measure_name in ("r_n", "r_c", "r_a"):
        assert found.bounds[measure_name] == pytest.approx(expected["bound_n"], rel=1e-7, abs=1e-9), measure_name
    assert found.bounds.get("r_pca", 0.0) == 0.0


def test_the_report_tells_what_was_measured(measure):
    x, y = roll(200)
    report = measure(x, y, "--k", 8).report
    assert (report["points"], report["input_dim"], report["output_dim"]) == (200, 3, 2)
    assert report["neighborhoods"]["k"] == 8
    assert report["neighborhoods"]["center"] is True


def test_single_precision_input_is_measured_as_stored(measure):
    x, y = (part.astype(np.float32) for part in roll(200))
    expected = reference.procrustes_measures(*(part.astype(float) for part in (x, y)), reference.nearest(x.astype(float), 9))
    assert measure(x, y, "--k", 9).values["r_n"] == pytest.approx(expected["r_n"], rel=1e-7)


def test_given_neighborhoods_are_used(measure, save):
    x, y = roll(200)
    rows = reference.nearest(y, 6)
    found = measure(x, y, "--neighbors", save("given", rows.astype(np.int64)))
    expected = reference.procrustes_measures(x, y, rows)
    assert found.values["r_n"] == pytest.approx(expected["r_n"], rel=1e-7)


def test_values_point_by_point_average_to_the_measure(measure, tmp_path):
    x, y = roll(200)
    found = measure(x, y, "--k", 10, "--per-point", tmp_path / "points.csv")
    with open(tmp_path / "points.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    expected = reference.procrustes_measures(x, y, reference.nearest(x, 10))
    values = np.array([float(row["r_n"]) for row in rows])
    np.testing.assert_allclose(values, expected["per_point_r_n"], rtol=1e-7)
    assert values.mean() == pytest.approx(found.values["r_n"], rel=1e-12)


def test_an_isometry_scores_zero(measure):
    random = np.random.default_rng(1)
    y = random.random((150, 2))
    turn = np.linalg.qr(random.normal(size=(5, 5)))[0][:, :2]
    values = measure(y @ turn.T + 4, y, "--k", 8).values
    assert max(values[name] for name in PROCRUSTES) < 1e-20


def test_rigid_motions_change_nothing_and_scaling_only_r(measure):
    x, y = roll(200)
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    before, after = (measure(*pair, "--k", 9).values for pair in ((x, y), (5 + 2 * x @ turn, 2 * y[:, ::-1] - 3)))
    for name, factor in (("r", 4), ("r_pca", 4), ("r_n", 1), ("r_c", 1), ("r_a", 1)):
        assert after[name] == pytest.approx(factor * before[name], rel=1e-8), name


@pytest.mark.parametrize("points, k", [(300, 5), (300, 12), (60, 29)])
def test_trustworthiness_and_continuity_agree_with_scikit_learn(measure, points, k):
    x, y = roll(points)
    values = measure(x, y, "--k", k, "--measures", "trustworthiness,continuity").values
    assert values["trustworthiness"] == pytest.approx(trustworthiness(x, y, n_neighbors=k), abs=1e-12)
    assert values["continuity"] == pytest.approx(trustworthiness(y, x, n_neighbors=k), abs=1e-12)


def test_overlap_counts_shared_neighbors(measure):
    x, y = roll(300)
    value = measure(x, y, "--k", 10, "--measures", "overlap").values["overlap"]
    assert value == pytest.approx(reference.overlap(x, y, 10), abs=1e-12)


def test_neighborhoods_kept_at_every_scale_agree_with_the_co_ranking_matrix(measure):
    x, y = roll(300)
    report = measure(x, y, "--k", 10, "--measures", "r_nx").report
    found, (q, r) = report["over_scale"], reference.kept_over_scale(x, y)
    at = np.array(found["k"]) - 1
    assert (at[0], at[-1]) == (0, 297)
    np.testing.assert_allclose(found["q_nx"], q[at], rtol=1e-12)
    np.testing.assert_allclose(found["r_nx"], r[at], rtol=1e-9)
    sizes = np.arange(1, 299)
    split = found["split"]
    assert split == max(k for k in found["k"] if k <= np.sqrt(299))
    # Between the K of the curve the tool takes the line in log K.
    line = np.interp(np.log(sizes), np.log(found["k"]), found["r_nx"])
    for name, part in (("area", sizes > 0), ("local", sizes <= split), ("global", sizes > split)):
        mean = np.average(line[part], weights=1 / sizes[part])
        assert found[name] == pytest.approx(mean, abs=1e-12), name
        assert found[name] == pytest.approx(np.average(r[part], weights=1 / sizes[part]), abs=2e-3), name
    assert report["measures"]["r_nx"] == found["area"]
    assert (found["area_error"], found["sampled"], report["chance"]["r_nx"]) == (None, 300, 0.0)


def test_a_sample_of_points_stands_for_all_and_all_can_be_asked_for(measure):
    x, y = roll(300)
    words = ["--k", 10, "--measures", "r_nx,trustworthiness"]
    whole = measure(x, y, *words)
    assert measure(x, y, *words, "--exact").values == whole.values
    part = measure(x, y, *words, "--sample", 60).report
    for name, value in whole.values.items():
        assert abs(part["measures"][name] - value) < 4 * part["standard_errors"][name], name
    assert (part["sample"], part["over_scale"]["sampled"]) == (60, 60)
    assert len(part["over_scale"]["standard_error"]) == len(part["over_scale"]["k"])


def test_many_points_are_sampled_by_themselves(measure):
    x, y = roll(20_001)
    report = measure(x, y, "--k", 5, "--measures", "continuity").report
    assert (report["sample"], 0 < report["standard_errors"]["continuity"] < 0.01) == (1000, True)


def test_residual_variance_agrees_with_shortest_paths(measure):
    x, y = roll(300)
    value = measure(x, y, "--k", 10, "--measures", "residual_variance").values["residual_variance"]
    assert value == pytest.approx(reference.residual_variance(x, y, 10), rel=1e-7)


def test_distortion_agrees_with_shortest_paths(measure):
    x, y = roll(300)
    report = measure(x, y, "--k", 10, "--measures", "distortion").report
    each, stretch, shrink = reference.distortion(x, y, 10)
    found = report["along_paths"]
    assert report["measures"]["distortion"] == found["median"] == pytest.approx(np.median(each), rel=1e-9)
    assert (found["largest"], found["stretch"], found["shrink"]) == pytest.approx((each.max(), stretch, shrink), rel=1e-9)
    assert (found["sources"], found["error"], report["lower_bounds"]["distortion"]) == (300, None, 1.0)


def test_stress_agrees_with_isotonic_regression(measure):
    x, y = roll(200)
    value = measure(x, y, "--k", 10, "--measures", "stress").values["stress"]
    assert value == pytest.approx(reference.kruskal_stress(x, y), abs=STRESS_RESOLUTION)


def test_only_the_measures_asked_for_are_given(measure):
    x, y = roll(100)
    assert list(measure(x, y, "--k", 6, "--measures", "r_c,overlap").values) == ["r_c", "overlap"]
    names = {*PROCRUSTES, "trustworthiness", "continuity", "overlap", "residual_variance", "stress", "collapse", "r_nx", "distortion"}
    assert names <= set(measure(x, y, "--k", 6, "--measures", "all").values)


def test_the_order_of_the_rows_does_not_matter(measure):
    x, y = roll(200)
    shuffle = np.random.default_rng(4).permutation(200)
    before, after = (measure(*pair, "--k", 7, "--measures", "all").values for pair in ((x, y), (x[shuffle], y[shuffle])))
    for name, value in before.items():
        resolution = 1e-9 if name == "stress" else 1e-12
        assert after[name] == pytest.approx(value, rel=1e-9, abs=resolution), name


@pytest.mark.parametrize(
    "words, named",
    [
        (["--k", 200], "199"),
        (["--k", 5, "--measures", "trustworthines"], "trustworthiness"),
    ],
    ids=["k too large", "measure misspelled"],
)
def test_errors_name_the_way_out(run, save, words, named):
    x, y = roll(200)
    done = run("measure", save("x", x), save("y", y), *words, succeeds=False)
    assert done.returncode in (1, 2)
    assert named in done.stderr
    assert done.stdout == ""


def test_the_shared_cases_agree(measure, save, shared):
    folders = sorted((shared / "oracle" / "cases").glob("*/"))
    assert folders
    for folder in folders:
        x, y, rows = (np.load(folder / f"{name}.npy") for name in ("x", "y", "neighbours"))
        expected = json.loads((folder / "expected.json").read_text())
        for key, words in (("with_centre", []), ("without_centre", ["--without-center"])):
            found = measure(x, y, "--neighbors", save("given", rows.astype(np.int64)), *words)
            # R is zero for an isometry, so it is compared with the extent of the neighborhoods of X.
            extent = np.mean([np.sum(reference.centered(x[row]) ** 2) for row in rows])
            for name, theirs, scale in (
                ("r", "R", extent), ("r_n", "R_N", 1), ("r_pca", "R_PCA", extent), ("r_c", "R_C", 1)
            ):
                about = pytest.approx(expected[key][theirs], rel=1e-6, abs=1e-11 * scale)
                assert found.values[name] == about, (folder.name, key, name)
            for name, theirs, scale in (("r", "lower_bound", extent), ("r_n", "lower_bound_N", 1)):
                about = pytest.approx(expected[key][theirs], rel=1e-6, abs=1e-11 * scale)
                assert found.bounds[name] == about, (folder.name, key, name)
