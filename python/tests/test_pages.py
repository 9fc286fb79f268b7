"""Pages of given embeddings: everything that is known of them reaches the page."""
import gc
import json
import re

import numpy as np
import pandas
import pytest

import truefold


def shown(page):
    """What the scripts of a page read, and its facts."""
    def part(name):
        return json.loads(re.search(rf'id="{name}">(.*?)</script>', page.html, re.DOTALL).group(1))

    return part("report"), part("facts")


def names(report):
    return [channel["name"] for channel in report["channels"]]


def test_one_map_is_shown_with_all_that_is_known_of_it(roll):
    X, Z = roll
    groups = (Z[:, 0] // 30).astype(int)
    page = truefold.report(X, X[:, :2], measures=["default", "r_nx"], labels=groups)
    report, facts = shown(page)
    expected = truefold.measure(X, X[:, :2], measures=["default", "r_nx"], labels=groups)
    (panel,) = report["panels"]
    for symbol in ("R", "R_N", "R_C", "R_A", "reverse R_N", "reverse R_C", "false neighbors", "missing neighbors"):
        assert symbol in names(report)
    assert panel["verdicts"]["counts"] == list(expected.verdict.counts.values())
    assert report["neighbors"] is not None and panel["ellipses"] is not None and len(report["charts"]) == 1
    assert facts["judgment"] == expected.to_dict() and repr(page.results["Y"]) == repr(expected)
    # Both tables: that of the measures, and that of the labels.
    assert page.html.count('<section class="table">') == 3 and "whose (%)" in page.html and "Touching in the map" in page.html


def test_the_telling_measure_comes_first(roll):
    X, Z = roll
    assert names(shown(truefold.report(X, Z))[0])[0] == "R_N"
    assert names(shown(truefold.report(X, 9 * Z))[0])[0] == "R_C"


def test_several_maps_are_ranked_by_the_score_and_not_by_r_n(roll):
    X, Z = roll
    # A map of another scale: R_N compares sizes that were never meant to agree.
    page = truefold.report(X, {"flat": X[:, :2], "scaled": 20 * Z})
    report, facts = shown(page)
    flat, scaled = page.results["flat"], page.results["scaled"]
    assert flat.r_n < scaled.r_n and flat.verdict.score < scaled.verdict.score
    assert [panel["title"] for panel in report["panels"]] == ["scaled", "flat"]
    assert [row["method"] for row in facts["comparison"]["rows"] if "score" in row["best"]] == ["scaled"]
    assert f"Best by the score: scaled, {scaled.verdict.score:.3f}" in page.html
    assert all(panel["verdicts"] and panel["ellipses"] for panel in report["panels"]) and report["neighbors"] is not None
    assert {"R_N", "R_C", "overlap", "false neighbors"} < set(names(report))
    for name, Y in {"flat": X[:, :2], "scaled": 20 * Z}.items():
        alone = truefold.measure(X, Y)
        assert page.results[name].verdict.counts == alone.verdict.counts
        assert np.array_equal(page.results[name].per_point["r_c"], alone.per_point["r_c"])


def test_labels_of_several_maps_are_judged_where_they_make_groups(roll):
    X, Z = roll
    maps = {"true": Z, "flat": X[:, :2]}
    groups = np.where(Z[:, 0] > 40, "outer", "inner")
    page = truefold.report(X, maps, labels=groups)
    assert page.results["flat"].labels.to_dict() == truefold.measure(X, X[:, :2], labels=groups).labels.to_dict()
    assert "Labels told" in page.html
    single = truefold.report(X, maps, labels=[f"point {row}" for row in range(500)])
    assert single.results["flat"].labels is None and "point 17" in single.html


def test_named_measures_are_shown_alone(roll):
    X, Z = roll
    page = truefold.report(X, {"true": Z, "flat": X[:, :2]}, measures=["r_nx", "r_c"])
    report, _ = shown(page)
    assert names(report) == ["R_C"] and report["verdicts"] is None and len(report["charts"]) == 1
    assert list(page.results["true"].values) == ["r_nx", "r_c"] and page.results["true"].verdict is None


def test_rows_keep_their_names_and_maps_that_do_not_fit_are_refused(roll):
    X, Z = roll
    index = [f"cell {row}" for row in range(500)]
    for maps in (X[:, :2], {"flat": X[:, :2], "true": Z}):
        page = truefold.report(pandas.DataFrame(X, index=index), maps)
        found = next(iter(page.results.values()))
        assert list(found.per_point_frame().index) == index and "  cell " in repr(found)
    with pytest.raises(ValueError, match="short: .*499"):
        truefold.report(X, {"short": Z[:-1], "whole": Z})
    with pytest.raises(ValueError, match="compare embeddings of one dimension at a time"):
        truefold.report(X, {"a": Z, "b": Z[:, :1]})
    for call in (truefold.report, truefold.compare):
        with pytest.raises(truefold.DataError, match="there are 3 labels for 500 points; give exactly one"):
            call(X, {"a": Z, "b": X[:, :2]}, labels=["a", "a", "b"])
        with pytest.raises(truefold.ParameterError, match="measures = .. leaves nothing to measure"):
            call(X, {"a": Z, "b": X[:, :2]}, measures=[])


def test_data_given_by_distances_have_pages_too(roll):
    X, Z = roll
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    for maps in (Z, {"true": Z, "flat": X[:, :2]}):
        page = truefold.report(distances, maps, metric="precomputed")
        report, _ = shown(page)
        assert report["input"] is None and report["neighbors"] is not None and report["panels"][0]["verdicts"] is not None
        expected = truefold.measure(X, Z).verdict.counts
        assert next(iter(page.results.values())).verdict.counts == expected


def test_a_comparison_shows_neighbors_ellipses_and_its_labels(roll):
    X, Z = roll
    groups = np.where(Z[:, 0] > 40, "outer", "inner")
    given = {"true": Z.copy(), "flat": X[:, :2].copy()}
    found = truefold.compare(X.copy(), given, [8, 12], labels=groups)
    expected = shown(found.report())
    # The page is made from what the comparison owns.
    for values in given.values():
        values[:] = np.nan
    del given
    gc.collect()
    report, facts = shown(found.report())
    assert (report, facts) == expected and report["neighbors"] is not None
    assert len(report["panels"]) == 4 and all(panel["ellipses"] and panel["verdicts"] for panel in report["panels"])
    assert report["labels"]["names"] == ["inner", "outer"] and facts["comparison"]["rows"] == found.rows
    swept, _ = shown(truefold.sweep(X, "ltsa", [8, 12]).report())
    assert swept["panels"][0]["ellipses"] is not None
