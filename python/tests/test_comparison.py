"""Comparisons, sweeps and pages from Python."""
import numpy as np
import pytest

import truefold


def without_times(rows):
    """The rows without what differs from run to run."""
    return [{key: value for key, value in row.items() if key not in ("seconds", "stages", "peak_bytes")} for row in rows]


def test_compare_gives_the_tools_rows(roll, tool, save):
    X, _ = roll
    told = tool("compare", save("x", X), "--methods", "psa,ltsa,pca", "--k", "6,10", "--seed", 2, "--format", "json")
    found = truefold.compare(X, ["psa", "ltsa", "pca"], [6, 10], random_state=2)
    # Warnings are worded in the names of each front end.
    for row in (*found.rows, *told["rows"]):
        row.pop("warnings")
    assert without_times(found.rows) == without_times(told["rows"])
    frame = found.to_frame()
    assert len(frame) == 6 and frame["r_n"].tolist() == [row["measures"]["r_n"] for row in found.rows]
    expected = truefold.LTSA(n_neighbors=10, random_state=2).fit_transform(X)
    assert np.array_equal(found.embedding("ltsa", 10), expected)
    assert "psa" in repr(found) and "psa" in found.to_markdown() and found._repr_html_().startswith('<pre style="font-family: monospace;')


def test_methods_by_label_and_parameters(roll):
    X, _ = roll
    found = truefold.compare(X, {"soft": truefold.LLE(reg=0.1), "hard": truefold.LLE(reg=1e-6)}, measures=["r_c"])
    assert [(row["method"], row["parameters"]["reg"]) for row in found.rows] == [("soft", 0.1), ("hard", 1e-6)]
    assert list(found.rows[0]["measures"]) == ["r_c"]
    assert len(truefold.compare(X, n_neighbors=8).rows) > 3
    given = truefold.compare(X, "ltsa", neighbors=truefold.neighbors(X, 9))
    assert given.rows[0]["k"] == 9


def test_wrong_methods_are_refused_before_neighbors_are_searched(roll, monkeypatch):
    for name in ("given_or_found", "search"):
        monkeypatch.setattr(f"truefold.comparison.{name}", lambda *_: pytest.fail("neighbors were searched"))
    for call in (lambda method: truefold.compare(roll[0], [method]), lambda method: truefold.sweep(roll[0], method)):
        with pytest.raises(truefold.UnknownNameError, match="did you mean isomap"):
            call("isomapp")
        with pytest.raises(truefold.ParameterError, match="reg = abc is not a number above 0"):
            call(truefold.LLE(reg="abc"))


def test_a_method_that_fails_is_a_row(roll):
    X, _ = roll
    found = truefold.compare(X, ["hessian-eigenmaps", "pca"], n_neighbors=3)
    assert "error" in found.rows[0] and "measures" in found.rows[1]
    with pytest.raises(truefold.DataError, match="hessian-eigenmaps gave no embedding: "):
        found.embedding("hessian-eigenmaps")
    with pytest.raises(ValueError, match="names 0 rows; name one of"):
        found.embedding("isomap")
    with pytest.raises(KeyError, match="there is no method named 'isomapp'; did you mean isomap"):
        truefold.compare(X, ["isomapp"])
    with pytest.raises(TypeError, match="is no method"):
        truefold.compare(X, [3])


def test_a_comparison_measures_as_the_tool_does(roll, tool, save):
    X, Z = roll
    groups = np.where(Z[:, 0] > 40, "outer", "inner")
    (labels := save("x", X).parent / "labels.csv").write_text("\n".join(groups))
    for options, words in [
        ({"labels": groups, "level": 0.2}, ["--labels", labels, "--level", 0.2]),
        ({"measures": "all", "sample": 50}, ["--measures", "all", "--sample", 50]),
        ({"measures": ["default", "overlap"]}, ["--measures", "default,overlap"]),
        ({"measures": ["r_c", "collapse"], "steps": 3}, ["--measures", "r_c,collapse", "--steps", 3]),
        ({"measures": "trustworthiness", "metric": "manhattan"}, ["--measures", "trustworthiness", "--metric", "manhattan"]),
    ]:
        told = tool("compare", save("x", X), "--methods", "ltsa,pca", *words, "--format", "json")
        found = truefold.compare(X, ["ltsa", "pca"], **options)
        for row in (*found.rows, *told["rows"]):
            row.pop("warnings")
        assert without_times(found.rows) == without_times(told["rows"])
        named = "measures" in options and options["measures"] != "all" and "default" not in options["measures"]
        assert all((row.get("verdict") is None) == named and ("labels" in row) == ("labels" in options) for row in found.rows)
    with pytest.raises(ValueError, match="level = 0.1 has no effect: measures given by name come without a verdict"):
        truefold.compare(X, "pca", measures="r_c", level=0.1)
    assert list(truefold.compare(X, "pca").rows[0]["measures"]) == ["r_n", "r_c", "reverse_r_c", "overlap", "collapse"]


class Shadow:
    """An estimator of another package: it drops columns."""

    def __init__(self, columns=2):
        self.columns, self.fits = columns, 0

    def fit_transform(self, X, y=None):
        self.fits += 1
        return np.asarray(X)[:, : self.columns]


def test_embeddings_and_estimators_of_others_are_compared(roll):
    X, Z = roll
    shadow = Shadow()
    found = truefold.compare(X, {"true": Z, "shadow": shadow, "ltsa": "ltsa"}, [6, 10])
    # Methods come first.
    expected = [("ltsa", 6), ("ltsa", 10), ("true", 6), ("true", 10), ("shadow", 6), ("shadow", 10)]
    assert [(row["method"], row["k"]) for row in found.rows] == expected
    assert shadow.fits == 1 and np.array_equal(found.embedding("true", 6), Z)
    assert np.array_equal(found.embedding("shadow", 10), X[:, :2]) and found.rows[4]["seconds"] > 0
    for name, Y in {"true": Z, "shadow": X[:, :2]}.items():
        for k in (6, 10):
            (row,) = [row for row in found.rows if (row["method"], row["k"]) == (name, k)]
            assert row["measures"]["r_c"] == pytest.approx(truefold.measure(X, Y, k).r_c, rel=1e-9)
    assert "true" in found.report().html
    unnamed = truefold.compare(X, [Z, Shadow(), "pca"])
    assert [row["method"] for row in unnamed.rows] == ["pca", "map 1", "Shadow"]
    assert [row["method"] for row in truefold.compare(X, Z).rows] == ["map 1"]
    assert truefold.compare(X, [X[:, :1], X[:, 1:2]]).to_dict()["rows"][0]["lower_bounds"]["r_n"] > 0


def test_embeddings_that_do_not_fit_are_refused(roll):
    X, Z = roll
    with pytest.raises(ValueError, match="a has 2 columns and b has 1: .* compare embeddings of one dimension at a time"):
        truefold.compare(X, {"a": Z, "b": Z[:, :1]})
    rows = truefold.compare(X, {"short": Z[:-1], "whole": Z}).rows
    assert "499" in rows[0]["error"] and "measures" in rows[1]
    with pytest.raises(ValueError, match="n_components = 1 but the embeddings have 2 columns"):
        truefold.compare(X, {"a": Z, "pca": "pca"}, n_components=1)
    with pytest.raises(ValueError, match="methods = 'Shadow' is given twice; give a mapping"):
        truefold.compare(X, [Shadow(), Shadow()])
    with pytest.raises(ValueError, match="a: "):
        truefold.compare(X, {"a": np.full((500, 2), np.nan)})
    with pytest.raises(TypeError, match="give the name of one, an estimator with fit_transform, or an embedding"):
        truefold.compare(X, [Shadow(), object()])
    with pytest.raises(TypeError, match="is no method"):
        truefold.sweep(X, Shadow())


def test_sweep_gives_the_tools_rows(roll, tool, save):
    X, _ = roll
    told = tool("sweep", save("x", X), "--method", "ltsa", "--k", "6,9,12", "--dim", "1,2", "--format", "json")
    found = truefold.sweep(X, "ltsa", [6, 9, 12], n_components=[1, 2])
    assert without_times(found.rows) == without_times(told["rows"])
    assert (found.n_neighbors, found.n_components) == (told["recommendation"]["k"], told["recommendation"]["dim"])
    assert found.recommendation == told["recommendation"]["text"]
    expected = truefold.LTSA(n_components=2, n_neighbors=found.n_neighbors).fit_transform(X)
    assert np.array_equal(found.embedding, expected)
    assert len(found.to_frame()) == 6
    other = truefold.sweep(X, truefold.LTSA(center=False), [6, 9], reference_n_neighbors=15)
    assert other.to_dict()["reference_k"] == 15 and other.to_dict()["parameters"] == {"center": False}


def test_pages(roll, tmp_path):
    X, Z = roll
    labels = np.where(Z[:, 0] > 50, "a<b", "c")
    marks = {"labels": labels, "colors": {"along": Z[:, 0]}}
    page = truefold.report(X, {"true": Z, "flat": X[:, :2]}, title="A <title>", **marks)
    assert "A &lt;title&gt;" in page.html and page.results["true"].r_n == truefold.measure(X, Z).r_n
    path = page.save(tmp_path / "page.html")
    assert path.read_text(encoding="utf-8") == page.html and len(list(tmp_path.iterdir())) == 1
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "<script" not in shown and 'height="1200"' in shown
    page.height = 500
    assert page._repr_html_().count('height="500"') == 1
    with pytest.raises(OSError, match="nowhere"):
        page.save(tmp_path / "nowhere" / "page.html")
    assert truefold.report(X, Z).results.keys() == {"Y"}
    for found in (truefold.compare(X, ["ltsa", "pca"]), truefold.sweep(X, "ltsa", [8, 12])):
        assert "ltsa" in found.report(title="Compared", colors={"along": Z[:, 0]}).html
    with pytest.raises(ValueError, match="images = 2x2|image shape"):
        truefold.report(X, Z, images=(2, 2))
    with pytest.raises(ValueError, match="labels"):
        truefold.report(X, Z, labels=["a"])
    with pytest.raises(ValueError, match="no embeddings"):
        truefold.report(X, {})
