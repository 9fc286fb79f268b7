"""The verdict and what is said of labels, from Python."""
import pickle

import numpy as np
import pandas
import pytest

import truefold


def test_the_verdict_is_the_tools(roll, tool, save):
    X, _ = roll
    Y = X[:, :2]
    told = tool("measure", save("x", X), save("y", Y), "--level", 0.1, "--format", "json")
    found = truefold.measure(X, Y, level=0.1)
    assert found.to_dict()["verdict"] == told["verdict"]
    verdict = found.verdict
    assert (verdict.score, verdict.forward, verdict.reverse) == tuple(told["verdict"][name] for name in ("score", "forward", "reverse"))
    assert verdict.counts == told["verdict"]["counts"] and (found.chance, found.skill) == (told["chance"], told["skill"])
    assert np.bincount(verdict.per_point["code"], minlength=5).tolist() == list(verdict.counts.values())
    assert verdict.level == 0.1 and repr(verdict).startswith(f"Score {verdict.score:.3f}")
    assert repr(verdict).splitlines()[-1].split(":")[0] == "Of 500 points" and "<p>Score" in verdict._repr_html_()


def test_maps_are_told_from_chance(roll):
    X, Z = roll
    true, mixed = truefold.measure(X, Z), truefold.measure(X, np.random.default_rng(0).permutation(Z))
    assert true.verdict.score > 0.98 and true.verdict.counts["faithful"] > 490 and true.skill["r_c"] > 0.98
    assert mixed.verdict.score < 0.1 and mixed.verdict.counts["chance"] > 470 and abs(mixed.skill["r_c"]) < 0.1
    assert true.verdict.telling == "r_n" and truefold.measure(X, 9 * Z).verdict.telling == "r_c"
    assert set(true.per_point_chance) >= {"r_n", "r_c"} and len(true.per_point_chance["r_c"]) == 500


def test_named_measures_have_no_verdict(roll):
    X, Z = roll
    assert truefold.measure(X, Z, measures="r_n").verdict is None
    assert truefold.measure(X, Z, measures="all", sample=100).verdict is not None
    with pytest.raises(ValueError, match="level = 0.1 has no effect: measures given by name come without a verdict"):
        truefold.measure(X, Z, measures=["r_n"], level=0.1)
    with pytest.raises(ValueError, match="there is no verdict in this result"):
        truefold.plot.verdict(Z, truefold.measure(X, Z, measures="r_n"))


def test_frames_keep_the_index_and_results_are_pickled(roll):
    X, Z = roll
    names = [f"c{row}" for row in range(500)]
    found = truefold.measure(pandas.DataFrame(X, index=names), Z, labels=np.where(Z[:, 0] > 40, "a", "b"))
    frame = found.verdict.per_point_frame()
    assert list(frame.index) == names and list(frame["class"]) == list(found.verdict.classes)
    assert list(frame["class"].cat.categories) == found.verdict.names
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found) and again.verdict.counts == found.verdict.counts
    assert again.labels.to_frame().equals(found.labels.to_frame())


def test_labels_are_judged(roll):
    X, Z = roll
    groups = (Z[:, 0] // 30).astype(int)
    found = truefold.measure(X, X[:, :2], labels=groups)
    labels = found.labels
    frame = labels.to_frame()
    assert labels.names == [str(name) for name in np.unique(groups)]
    assert frame["points"].tolist() == np.bincount(groups).tolist()
    assert labels.accuracy["data"] > 0.9 and labels.accuracy["map"] < labels.accuracy["data"]
    matrix = labels.false_neighbors()
    false = found.verdict.per_point["false_share"]
    for place, name in enumerate(labels.names):
        # Every point has 12 neighbors in the map.
        assert matrix.loc[name].sum() == pytest.approx(12 * false[groups == place].sum())
    assert labels.to_dict()["accuracy"] == labels.accuracy and labels._repr_html_().count("<table>") == 1
    assert repr(found).count(repr(labels)) == 1 and "in map" in repr(labels)
    holes = [None if row % 7 == 0 else str(group) for row, group in enumerate(groups)]
    told = truefold.measure(X, Z, labels=holes).labels
    assert told.to_dict()["unlabeled"] == 72 and told.names == labels.names
    assert truefold.measure(X, Z, labels=pandas.Series(holes)).labels.to_dict() == told.to_dict()
    with pytest.raises(ValueError, match="there are 3 labels for 500 points"):
        truefold.measure(X, Z, labels=["a", "a", "b"])


def test_names_may_come_from_a_generator(roll):
    X, Z = roll
    found = truefold.measure(X, Z, measures=(name for name in ("default", "overlap")))
    assert found.verdict is not None and "overlap" in found.values and "reverse_r_c" in found.values
    assert truefold.measure(X, Z, measures=(name for name in ["r_c"])).verdict is None
    assert list(truefold.compare(X, Z, measures=iter(["overlap", "R-C"])).rows[0]["measures"]) == ["overlap", "r_c"]


def test_pairs_of_groups_have_distances_with_intervals(moved):
    X, Y, groups = moved
    labels = truefold.measure(X, Y, labels=groups).labels
    frame = labels.distances()
    assert len(frame) == 6 and set() < set(labels.do_not_compare) <= set(zip(frame["first"], frame["second"]))
    told = labels.to_dict()["distances"]["pairs"]
    for row, pair in zip(frame.to_dict("records"), told):
        assert [row["first"], row["second"]] == pair["pair"]
        assert (row["map"], row["map_low"], row["map_high"]) == tuple(pair["map"][at] for at in ("median", "low", "high"))
        assert row["data_low"] <= row["data"] <= row["data_high"] and row["map_low"] <= row["map"] <= row["map_high"]
        assert row["kept"] + row["reversed"] <= row["decided"]
    touching = labels.touching()
    told = touching[(touching["data"] == "apart") & (touching["map"] == "touch")]
    assert set(zip(told["first"], told["second"])) == set(labels.map_only) == {("a", "d")}
    tiny = truefold.measure(X, Y, labels=["a"] * 320).labels
    assert len(tiny.distances()) == len(tiny.touching()) == 0


def test_verdicts_are_drawn(roll):
    X, _ = roll
    result = truefold.measure(X, X[:, :2])
    ax = truefold.plot.verdict(X[:, :2], result)
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(shown) == sum(count > 0 for count in result.verdict.counts.values())
    assert sum(len(dots.get_offsets()) for dots in ax.collections) == 500
    assert ax.get_title() == f"score {result.verdict.score:.2f}"
