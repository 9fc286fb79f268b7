"""Global measures, comparisons and pages of ``truefold.dask``: numbers of all rows as on one machine, pictures of some."""
from __future__ import annotations

import json
import re

import numpy as np
import pytest

import truefold

da = pytest.importorskip("dask.array")
pytest.importorskip("distributed")

import dask  # noqa: E402
import truefold.dask  # noqa: E402

GLOBAL = ["r_nx", "trustworthiness", "continuity", "stress"]


def chunked(values, length):
    """A dask array with chunks of so many rows."""
    return da.from_array(values, chunks=(length, -1))


@pytest.fixture(scope="module")
def mapped():
    """A swiss roll, and a map of it with errors."""
    X, Z = truefold.datasets.swiss_roll(300)
    return X, Z + np.random.default_rng(1).normal(scale=1.5, size=Z.shape)


@pytest.fixture(scope="module")
def compared(mapped):
    """Methods and maps of these beside each other, one of which fails."""
    X, Y = (chunked(values, 100) for values in mapped)
    contenders = {"pca": "pca", "psa": truefold.dask.ProcrustesAlignment(sample_size=180), "moved": Y, "wide": truefold.dask.LTSA(sample_size=4)}
    return truefold.dask.compare(X, contenders, [6, 9], measures=["default", "trustworthiness"], sample=50)


def same(result, expected):
    """Whether the global measures are those of one machine."""
    found, rows = result.compute(), dask.compute(result.per_point)[0]
    for name in GLOBAL:
        assert found.values[name] == pytest.approx(expected.values[name], rel=1e-12, abs=1e-12), name
        assert (name in found.standard_errors) == (name in expected.standard_errors)
        if name in found.standard_errors:
            assert found.standard_errors[name] == pytest.approx(expected.standard_errors[name], rel=1e-12, abs=1e-12)
        if name != "stress":
            assert found.chance[name] == pytest.approx(expected.chance[name], rel=1e-12)
            assert found.skill[name] == pytest.approx(expected.skill[name], rel=1e-12)
        assert np.allclose(rows[name], expected.per_point[name], rtol=1e-12, atol=1e-13, equal_nan=True)
    assert found.over_scale["r_nx"] == pytest.approx(expected.over_scale["r_nx"], rel=1e-12)
    assert found.over_scale.keys() == expected.over_scale.keys() and found.over_scale["split"] == expected.over_scale["split"]


def data_sets():
    """Data and map with ties and copies, by several metrics, and of several kinds of numbers."""
    rng = np.random.default_rng(0)
    lattice = rng.integers(0, 4, size=(120, 3)) * 0.1 + 0.1
    wide = rng.normal(size=(100, 12)).astype(np.float32)
    copies = np.repeat(wide[:25], 4, axis=0)
    return {
        "lattice": (lattice, np.round(lattice[:, :2] * 5), "manhattan"),
        "wide": (wide, wide[:, :2].astype(float), "cosine"),
        "copies": (copies, np.repeat(wide[:25, :2], 4, axis=0), "correlation"),
        "one place": (lattice, np.zeros((120, 2)), "euclidean"),
    }


@pytest.mark.parametrize("name", data_sets())
@pytest.mark.parametrize("sample", [None, 40])
def test_global_measures_are_those_of_one_machine(name, sample):
    X, Y, metric = data_sets()[name]
    how = {"measures": GLOBAL, "metric": metric, "sample": sample, "random_state": 4}
    result = truefold.dask.measure(chunked(X, 45), chunked(Y, 45), 7, **how)
    same(result, truefold.measure(X, Y, 7, **how))


def test_blocks_of_queries_given_lists_and_more_neighbors_change_nothing(mapped, monkeypatch):
    X, Y = (values[:200] for values in mapped)
    monkeypatch.setattr(truefold.dask.queries, "BLOCK", 90)
    lists = truefold.neighbors(X, 80).indices[:, 5:]
    how = {"measures": GLOBAL, "neighbors": lists}
    expected = truefold.measure(X, Y, **how)
    result = truefold.dask.measure(chunked(X, 70), chunked(Y, 70), **{**how, "neighbors": chunked(lists, 70)})
    same(result, expected)


def test_two_points_have_the_measures_of_one_machine():
    X = np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 0.0]])
    found = truefold.dask.measure(chunked(X, 1), chunked(X[:, :2], 1), 1, measures=GLOBAL).compute()
    expected = truefold.measure(X, X[:, :2], 1, measures=GLOBAL)
    assert (found.values, found.over_scale) == (expected.values, expected.over_scale)


@pytest.mark.parametrize("many", [10**6, 0])
def test_a_point_far_away_does_not_make_all_values_travel(monkeypatch, many):
    X = np.random.default_rng(2).normal(size=(300, 3))
    X[7] = 1e9
    listed, limits_of = [], truefold.dask.scales.limits_of

    def counted(ranges, values, sizes):
        listed.append(sum(len(one[0]) for one in values))
        return limits_of(ranges, values, sizes)

    monkeypatch.setattr(truefold.dask.scales, "limits_of", counted)
    monkeypatch.setattr(truefold.dask.scales, "MANY", many)
    how = {"measures": "r_nx", "sample": 30}
    result = truefold.dask.measure(chunked(X, 120), chunked(X[:, :2], 120), 5, **how)
    assert result.compute().over_scale["r_nx"] == pytest.approx(truefold.measure(X, X[:, :2], 5, **how).over_scale["r_nx"], rel=1e-12)
    # The last one inside for each of some 40 sizes, and few others.
    assert len(listed) == 2 and max(listed) < 30 * 60


def test_samples_of_several_sizes_share_no_result(mapped):
    X, Y = (chunked(values[:90], 40) for values in mapped)
    several = [truefold.dask.measure(X, Y, 5, measures="trustworthiness", sample=size) for size in (10, 30)]
    together = dask.compute(*(one._sampled for one in several))
    assert [one["trustworthiness"].value for one in together] == [one.compute().trustworthiness for one in several]
    assert together[0]["trustworthiness"].error != together[1]["trustworthiness"].error


def test_measures_that_need_the_whole_graph_and_useless_options_are_refused(mapped):
    X, Y = (chunked(values, 100) for values in mapped)
    for name in ("residual_variance", "collapse", "distortion"):
        with pytest.raises(truefold.ParameterError, match=f"measures = '{name}' is not taken of dask arrays, as it walks .* choose from r, "):
            truefold.dask.measure(X, Y, measures=name)
    with pytest.raises(truefold.ParameterError, match="sample = 50 has no effect: only measures of quadratic cost"):
        truefold.dask.measure(X, Y, sample=50)
    with pytest.raises(truefold.ParameterError, match="sample = 1 is less than 2: a standard error needs two points"):
        truefold.dask.measure(X, Y, measures="stress", sample=1)
    with pytest.raises(truefold.ParameterError, match="exclude each other"):
        truefold.dask.measure(X, Y, measures="stress", sample=50, exact=True)
    assert truefold.dask.measure(X, Y, measures="stress", exact=True)._facts.sampled == 300


def test_a_comparison_has_the_numbers_of_all_rows(mapped, compared):
    X, Y = mapped
    assert [(row["method"], row["k"]) for row in compared.rows] == [(name, k) for k in (6, 9) for name in ("pca", "psa", "moved", "wide")]
    assert compared.best == "psa"
    names = ["r_n", "r_c", "reverse_r_c", "overlap", "trustworthiness"]
    for k in (6, 9):
        for method in ("pca", "psa", "moved"):
            row = next(row for row in compared.rows if (row["method"], row["k"]) == (method, k))
            expected = truefold.measure(X, compared.embedding(method, k).compute(), k, measures=names, sample=50)
            assert row["measures"] == pytest.approx(expected.values, rel=1e-12)
            assert row["standard_errors"] == pytest.approx(expected.standard_errors, rel=1e-12)
    whole = truefold.compare(X, {"moved": Y}, 9).rows[0]
    assert compared.rows[6]["score"] == pytest.approx(whole["verdict"]["score"], rel=1e-12)
    assert np.array_equal(compared.embedding("moved", 6).compute(), Y)
    assert compared.measurement("psa", 6).per_point["r_n"].shape == (300,)
    assert [compared.rows[at]["rank"] for at in range(3)] == [3, 1, 2]


def test_a_method_that_fails_is_a_row(compared):
    assert "sample_size = 4 is not at least 8" in compared.rows[3]["error"]
    frame = compared.to_frame()
    assert frame.shape[0] == 8 and np.isnan(frame["r_n"][3]) and frame["trustworthiness_error"].notna().sum() == 6
    assert "wide" in repr(compared) and "wide, k = 6 failed: sample_size = 4" in compared.to_markdown()
    assert json.loads(json.dumps(compared.to_dict()))["rows"][0]["best"] == compared.rows[0]["best"]
    with pytest.raises(truefold.DataError, match="wide gave no embedding"):
        compared.embedding("wide", 6)
    with pytest.raises(truefold.ParameterError, match="method = 'psa', k = None names 2 rows"):
        compared.embedding("psa")


def test_a_page_names_its_sample_and_has_the_numbers_of_all_rows(mapped, compared, tmp_path):
    page = compared.report(title="Rolls", drawn=100, colors={"along": da.from_array(mapped[1][:, 0], chunks=80)})
    drawn = int(re.search(r"([\d,]+) of 300 rows, spread evenly, are drawn; the numbers in the tables are of all rows", page.html)[1])
    assert 95 < drawn <= 100 and page.html.count("<figure id=\"panel-") == 7
    best = compared.rows[1]
    assert f"Of all rows: score {best['score']:.3f}, R_N " in page.html and "wide, k = 6 failed" in page.html
    assert page.results["psa, k = 6"].values == best["measures"]
    assert page.save(tmp_path / "page.html").read_text() == page.html
    facts = json.loads(re.search(r'id="facts">(.*?)</script>', page.html)[1])
    assert (facts["drawn"], facts["rows"]) == (drawn, 300)


def test_a_page_of_given_maps_needs_no_sample_where_all_rows_fit(mapped):
    X, Y = (chunked(values, 100) for values in mapped)
    page = truefold.dask.report(X, Y, labels=(Y[:, 0] // 30).astype(int), measures=["r_n", "r_nx"], sample=60)
    assert "all rows are drawn" in page.html and 'id="drawn"' not in page.html
    expected = truefold.measure(*mapped, measures=["r_n", "r_nx"], sample=60)
    assert page.results["Y"].values == pytest.approx(expected.values, rel=1e-12)
    assert "Neighborhoods kept at every scale" in page.html
    both = truefold.dask.report(X, {"Y": Y, "flat": X[:, :2]}, drawn=60)
    assert sorted(both.results) == ["Y", "flat"]
    assert '<th scope="col">score</th>' in both.html and '<th scope="col">s</th>' not in both.html


def test_what_cannot_be_compared_or_drawn_is_told(mapped):
    X, Y = (chunked(values, 100) for values in mapped)
    with pytest.raises(KeyError, match="there is no method named 'pcaa'; did you mean pca"):
        truefold.dask.compare(X, ["pcaa"])
    with pytest.raises(truefold.ParameterError, match="'pca' is given twice"):
        truefold.dask.compare(X, ["pca", truefold.dask.PCA()])
    with pytest.raises(TypeError, match="is no method; give the name of one"):
        truefold.dask.compare(X, [7])
    with pytest.raises(truefold.DataError, match="short has 250 rows and X 300"):
        truefold.dask.compare(X, {"short": Y[:250]})
    hole = da.where(da.arange(300, chunks=100)[:, None] == 101, np.nan, Y)
    with pytest.raises(truefold.DataError, match=r"row 101 of hole \(chunk 1, row 1\) holds nan"):
        truefold.dask.compare(X, {"psa": "psa", "hole": hole})
    with pytest.raises(truefold.DataError, match=r"row 101 of X \(chunk 1, row 1\) holds nan"):
        truefold.dask.compare(da.where(da.arange(300, chunks=100)[:, None] == 101, np.nan, X), ["pca"])
    with pytest.raises(truefold.ParameterError, match="drawn = 300000 is not from 1 to 200,000, which a page can draw; choose a smaller"):
        truefold.dask.report(X, Y, drawn=300_000)
    with pytest.raises(truefold.DataError, match=r"the labels have the shape \(250,\), but there are 300 rows"):
        truefold.dask.report(X, Y, measures="r_n", labels=Y[:250, 0])
    with pytest.raises(truefold.DataError, match="there are no embeddings"):
        truefold.dask.report(X, {})


def test_what_would_fail_for_all_is_told_before_anything_is_fitted(mapped):
    X, Y = (chunked(values, 100) for values in mapped)

    def refused(error, match, methods=("pca",), **options):
        with pytest.raises(error, match=match):
            truefold.dask.compare(X, methods, **options)

    refused(truefold.ParameterError, "n_neighbors = 5 is given twice; give every number once", n_neighbors=[5, 5])
    refused(truefold.ParameterError, "n_neighbors = 0 is less than 1", n_neighbors=[5, 0])
    refused(truefold.ParameterError, "n_neighbors = 1 is less than 2: without its center", n_neighbors=1, center=False)
    refused(truefold.ParameterError, "sample = 1 is less than 2", measures="stress", sample=1)
    refused(truefold.ParameterError, "n_components = 4 is not from 1 to 3", n_components=4)
    refused(truefold.ParameterError, "n_components = 3 but the embeddings have 2 columns", {"Y": Y}, n_components=3)
    refused(truefold.DataError, "neighbors has 90 rows and X 300", neighbors=chunked(np.ones((90, 4), dtype=int), 50))
    refused(truefold.DataError, r"list 0 of neighbors \(chunk 0, row 0\) names a row", neighbors=chunked(np.full((300, 4), 777), 50))
    refused(TypeError, r"Y is a numpy.ndarray, not a dask array or frame; give dask.array.from_array\(Y", {"Y": mapped[1]})
    refused(TypeError, "truefold.PCA fits all rows in this process.*; give truefold.dask.PCA", [truefold.PCA()])
    refused(truefold.DataError, "dot has 0 dimensions, but a table has 2", {"dot": Y[0, 0]})
    with pytest.raises(TypeError, match="flat is a builtins.str, not a dask array"):
        truefold.dask.report(X, {"Y": Y, "flat": "pca"})


def test_a_page_draws_no_more_than_it_was_told_and_takes_numbers_as_colors(mapped):
    X, Y = (chunked(values[:60], 5) for values in mapped)
    page = truefold.dask.report(X, Y, 4, measures="r_n", drawn=8)
    assert "8 of 60 rows, spread evenly, are drawn" in page.html
    for options, match in (
        ({"drawn": 0}, "drawn = 0 is not from 1 to 200,000"),
        ({"labels": Y[Y[:, 0] > 0][:, 0]}, "the chunks of the labels have unknown lengths"),
        ({"colors": {"kind": da.from_array(np.array(["a"] * 60), chunks=30)}}, "the colors 'kind' hold <U1, not numbers"),
    ):
        with pytest.raises(ValueError, match=match):
            truefold.dask.report(X, Y, 4, measures="r_n", **options)
    with pytest.raises(TypeError, match="colors has the type Array, which is no mapping"):
        truefold.dask.report(X, Y, 4, measures="r_n", colors=Y[:, 0])


def test_nothing_is_ranked_by_measures_that_rank_nothing(mapped):
    X, Y = (chunked(values[:60], 30) for values in mapped)
    found = truefold.dask.compare(X, {"Y": Y, "flat": X[:, :2]}, 5, measures="overlap")
    assert found.best is None and [row["rank"] for row in found.rows] == [None, None]
    found = truefold.dask.compare(X, {"far": X[:, :2] * 0.4, "near": X[:, :2]}, 5, measures="r_n")
    assert found.best == "near" and [row["rank"] for row in found.rows] == [2, 1]


def test_names_are_escaped_in_markdown(mapped):
    X, Y = (chunked(values[:60], 30) for values in mapped)
    told = truefold.dask.compare(X, {"a|b": Y * 9.0}, 5).to_markdown()
    assert "| a\\|b\\* |" in told and "\n- \\* has a scale of its own" in told


def test_workers_change_no_bit(mapped, client):
    # At the end: from here on the workers compute whatever is asked for.
    X, Y = (chunked(values, 150) for values in mapped)
    result = truefold.dask.measure(X, Y, 8, measures=["r_n", *GLOBAL], sample=60, random_state=2)
    with dask.config.set(scheduler="synchronous"):
        alone = dask.compute(result._sampled, *(result.per_point[name] for name in GLOBAL))
    kept = result.persist()
    there, *on_workers = dask.compute(kept._sampled, *(kept.per_point[name] for name in GLOBAL))
    for one, other in zip(alone[1:], on_workers):
        assert np.count_nonzero(~np.isnan(one)) == 60 and np.array_equal(one, other, equal_nan=True)
    values = kept.compute()
    for name in GLOBAL:
        assert (alone[0][name].value, alone[0][name].error) == (there[name].value, there[name].error)
        assert (values.values[name], values.standard_errors[name]) == (there[name].value, there[name].error)
    assert values.n_sampled == 60 and "60 of the points compared with all others" in repr(values)
    assert values.to_frame().loc["stress", "standard_error"] == values.standard_errors["stress"]
    found = truefold.dask.compare(X, {"Y": Y, "pca": truefold.dask.PCA(sample_size=100)}, 8, measures="r_n", random_state=2, client=client)
    assert found.rows[0]["measures"]["r_n"] == values.r_n
    page = found.report(drawn=50)
    assert page.results["Y"].r_n == values.r_n and re.search(r"\d\d of 300 rows, spread evenly, are drawn", page.html)
