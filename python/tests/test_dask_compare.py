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
from truefold.dask.queries import BLOCK  # noqa: E402

GLOBAL = ["r_nx", "trustworthiness", "continuity", "stress"]


def chunked(values, length):
    """A dask array with chunks of so many rows."""
    return da.from_array(values, chunks=(length, -1))


@pytest.fixture(scope="module")
def mapped():
    """A swiss roll, and a map of it with errors."""
    X, Z = truefold.datasets.swiss_roll(600)
    return X, Z + np.random.default_rng(1).normal(scale=1.5, size=Z.shape)


@pytest.fixture(scope="module")
def compared(mapped):
    """Methods and maps of these beside each other, one of which fails."""
    X, Y = (chunked(values, 200) for values in mapped)
    contenders = {"pca": "pca", "psa": truefold.dask.ProcrustesAlignment(sample_size=350), "moved": Y, "wide": truefold.dask.LTSA(sample_size=4)}
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
    lattice = rng.integers(0, 4, size=(200, 3)) * 0.1 + 0.1
    wide = rng.normal(size=(180, 12)).astype(np.float32)
    copies = np.repeat(wide[:45], 4, axis=0)
    return {
        "lattice": (lattice, np.round(lattice[:, :2] * 5), "manhattan"),
        "wide": (wide, wide[:, :2].astype(float), "cosine"),
        "copies": (copies, np.repeat(wide[:45, :2], 4, axis=0), "correlation"),
        "one place": (lattice, np.zeros((200, 2)), "euclidean"),
    }


@pytest.mark.parametrize("name", data_sets())
@pytest.mark.parametrize("sample", [None, 40])
def test_global_measures_are_those_of_one_machine(name, sample):
    X, Y, metric = data_sets()[name]
    how = {"measures": GLOBAL, "metric": metric, "sample": sample, "random_state": 4}
    result = truefold.dask.measure(chunked(X, 75), chunked(Y, 75), 7, **how)
    same(result, truefold.measure(X, Y, 7, **how))


def test_blocks_of_queries_given_lists_and_more_neighbors_change_nothing(mapped):
    X, Y = mapped
    assert len(X) > BLOCK
    lists = truefold.neighbors(X, 80).indices[:, 5:]
    how = {"measures": GLOBAL, "neighbors": lists}
    expected = truefold.measure(X, Y, **how)
    result = truefold.dask.measure(chunked(X, 230), chunked(Y, 230), **{**how, "neighbors": chunked(lists, 230)})
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
    X, Y = (chunked(values, 200) for values in mapped)
    for name in ("residual_variance", "collapse"):
        with pytest.raises(truefold.ParameterError, match=f"measures = '{name}' is not taken of dask arrays, as it walks .* choose from r, "):
            truefold.dask.measure(X, Y, measures=name)
    with pytest.raises(truefold.ParameterError, match="sample = 50 has no effect: only measures of quadratic cost"):
        truefold.dask.measure(X, Y, sample=50)
    with pytest.raises(truefold.ParameterError, match="sample = 1 is less than 2: a standard error needs two points"):
        truefold.dask.measure(X, Y, measures="stress", sample=1)
    with pytest.raises(truefold.ParameterError, match="exclude each other"):
        truefold.dask.measure(X, Y, measures="stress", sample=50, exact=True)
    assert truefold.dask.measure(X, Y, measures="stress", exact=True)._facts.sampled == 600


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
    assert compared.measurement("psa", 6).per_point["r_n"].shape == (600,)
    assert [compared.rows[at]["rank"] for at in range(3)] == [2, 1, 3]


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
    page = compared.report(title="Rolls", drawn=200, colors={"along": da.from_array(mapped[1][:, 0], chunks=150)})
    drawn = int(re.search(r"([\d,]+) of 600 rows, spread evenly, are drawn; the numbers in the tables are of all rows", page.html)[1])
    assert abs(drawn - 200) < 5 and page.html.count("<figure id=\"panel-") == 7
    best = compared.rows[1]
    assert f"Of all rows: score {best['score']:.3f}, R_N " in page.html and "wide, k = 6 failed" in page.html
    assert page.results["psa, k = 6"].values == best["measures"]
    assert page.save(tmp_path / "page.html").read_text() == page.html
    facts = json.loads(re.search(r'id="facts">(.*?)</script>', page.html)[1])
    assert (facts["drawn"], facts["rows"]) == (drawn, 600)


def test_a_page_of_given_maps_needs_no_sample_where_all_rows_fit(mapped):
    X, Y = (chunked(values, 200) for values in mapped)
    page = truefold.dask.report(X, Y, labels=(Y[:, 0] // 30).astype(int), measures=["r_n", "r_nx"], sample=60)
    assert "all rows are drawn" in page.html and 'id="drawn"' not in page.html
    expected = truefold.measure(*mapped, measures=["r_n", "r_nx"], sample=60)
    assert page.results["Y"].values == pytest.approx(expected.values, rel=1e-12)
    assert "Neighborhoods kept at every scale" in page.html
    both = truefold.dask.report(X, {"Y": Y, "flat": X[:, :2]}, drawn=100)
    assert sorted(both.results) == ["Y", "flat"]
    assert '<th scope="col">score</th>' in both.html and '<th scope="col">s</th>' not in both.html


def test_what_cannot_be_compared_or_drawn_is_told(mapped):
    X, Y = (chunked(values, 200) for values in mapped)
    with pytest.raises(KeyError, match="there is no method named 'pcaa'; did you mean pca"):
        truefold.dask.compare(X, ["pcaa"])
    with pytest.raises(truefold.ParameterError, match="'pca' is given twice"):
        truefold.dask.compare(X, ["pca", truefold.dask.PCA()])
    with pytest.raises(TypeError, match="is no method; give the name of one"):
        truefold.dask.compare(X, [7])
    with pytest.raises(truefold.DataError, match="short has 500 rows and X 600"):
        truefold.dask.compare(X, {"short": Y[:500]})
    hole = da.where(da.arange(600, chunks=200)[:, None] == 201, np.nan, Y)
    with pytest.raises(truefold.DataError, match=r"row 201 of hole \(chunk 1, row 1\) holds nan"):
        truefold.dask.compare(X, {"psa": "psa", "hole": hole})
    with pytest.raises(truefold.DataError, match=r"row 201 of X \(chunk 1, row 1\) holds nan"):
        truefold.dask.compare(da.where(da.arange(600, chunks=200)[:, None] == 201, np.nan, X), ["pca"])
    with pytest.raises(truefold.ParameterError, match="drawn = 300000 is not at most 200,000"):
        truefold.dask.report(X, Y, drawn=300_000)
    with pytest.raises(truefold.DataError, match=r"the labels have the shape \(500,\), but there are 600 rows"):
        truefold.dask.report(X, Y, measures="r_n", labels=Y[:500, 0])
    with pytest.raises(truefold.DataError, match="there are no embeddings"):
        truefold.dask.report(X, {})


def test_workers_change_no_bit(mapped, client):
    # At the end: from here on the workers compute whatever is asked for.
    X, Y = (chunked(values, 300) for values in mapped)
    result = truefold.dask.measure(X, Y, 8, measures=["r_n", *GLOBAL], sample=120, random_state=2)
    rows = [result.per_point[name] for name in GLOBAL]
    with dask.config.set(scheduler="synchronous"):
        alone = dask.compute(result._sampled, *rows)
    there, *on_workers = dask.compute(result._sampled, *rows)
    for one, other in zip(alone[1:], on_workers):
        assert np.count_nonzero(~np.isnan(one)) == 120 and np.array_equal(one, other, equal_nan=True)
    kept = result.persist()
    values = kept.compute()
    for name in GLOBAL:
        assert (alone[0][name].value, alone[0][name].error) == (there[name].value, there[name].error)
        assert (values.values[name], values.standard_errors[name]) == (there[name].value, there[name].error)
    assert values.n_sampled == 120 and "120 of the points compared with all others" in repr(values)
    assert values.to_frame().loc["stress", "standard_error"] == values.standard_errors["stress"]
    found = truefold.dask.compare(X, {"Y": Y, "pca": truefold.dask.PCA(sample_size=200)}, 8, measures="r_n", random_state=2, client=client)
    assert found.rows[0]["measures"]["r_n"] == values.r_n
    page = found.report(drawn=50)
    assert page.results["Y"].r_n == values.r_n and re.search(r"\d\d of 600 rows, spread evenly, are drawn", page.html)
