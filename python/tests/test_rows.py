"""Rows that belong together by name, and names however they are typed."""
import numpy as np
import pandas
import pytest

import truefold


@pytest.fixture
def named(roll):
    """The roll and its true coordinates as frames whose rows have names."""
    X, Z = roll
    names = [f"cell {row}" for row in range(len(X))]
    return pandas.DataFrame(X, index=names), pandas.DataFrame(Z, index=names)


def shuffled(values):
    return values.iloc[np.random.default_rng(0).permutation(len(values))]


def test_frames_are_matched_by_index(named):
    X, Z = named
    expected = truefold.measure(X, Z)
    found = truefold.measure(X, shuffled(Z))
    assert found.values == expected.values
    assert np.array_equal(truefold.refine(X, shuffled(Z), iterations=2).embedding, truefold.refine(X, Z, iterations=2).embedding)
    frame = found.per_point_frame()
    assert frame.index.equals(X.index) and np.array_equal(frame["r_n"], expected.per_point["r_n"])
    worst = X.index[found.worst(1)[0]]
    assert frame["r_n"].idxmax() == worst and f"  {worst} (" in repr(found)


def test_maps_labels_and_colors_are_matched_too(named):
    X, Z = named
    labels = pandas.Series(np.where(Z[0] > 40, "outer", "inner"), index=X.index)
    plain = truefold.report(X, {"true": Z}, labels=labels, colors={"along": Z[0]})
    mixed = truefold.report(X, {"true": shuffled(Z)}, labels=shuffled(labels), colors={"along": shuffled(Z[0])})
    assert plain.html == mixed.html
    found = truefold.compare(X, {"true": shuffled(Z)}, measures="r_n")
    assert found.rows[0]["measures"]["r_n"] == pytest.approx(truefold.measure(X, Z).r_n, rel=1e-9)
    assert found.report(labels=shuffled(labels)).html == found.report(labels=labels).html


def test_what_cannot_be_matched_is_refused(named, roll):
    X, Z = named
    other = Z.rename(index={"cell 3": "cell x"})
    with pytest.raises(truefold.DataError, match="'cell 3' is in the index of X and not in that of Y; give Y.to_numpy()"):
        truefold.measure(X, other)
    twice = Z.rename(index={"cell 3": "cell 4"})
    with pytest.raises(truefold.DataError, match="'cell 4' occurs more than once in the index of Y"):
        truefold.measure(X, twice)
    with pytest.raises(truefold.DataError, match="'cell 3' is in the index of X and not in that of labels"):
        truefold.report(X, Z, labels=other[0])
    numbered = pandas.DataFrame(roll[1]).sample(frac=1.0, random_state=0)
    with pytest.raises(truefold.DataError, match="the index of Y holds the row numbers of X in another order; give Y.loc.X.index. if these"):
        truefold.measure(pandas.DataFrame(roll[0]), numbered)


def test_an_index_that_only_counts_names_nothing(named, roll):
    X, Z = named
    expected = truefold.measure(*roll).values
    for x, y in [(X, roll[1]), (roll[0], Z), (X, pandas.DataFrame(roll[1])), (pandas.DataFrame(roll[0]), Z), (X, Z)]:
        assert truefold.measure(x, y).values == expected
    assert truefold.measure(roll[0], Z).per_point_frame().index.equals(Z.index)
    assert truefold.measure(*roll).index is None and "row " in repr(truefold.measure(*roll))
    # A frame that was shuffled, and a map of it that nobody named.
    mixed = pandas.DataFrame(roll[0]).sample(frac=1.0, random_state=0)
    assert truefold.measure(mixed, pandas.DataFrame(roll[1][mixed.index])).r_n == pytest.approx(expected["r_n"], rel=1e-9)
    # The same names twice on both sides, in the same order, leave nothing to match.
    twins = [frame.set_axis(["a"] * len(frame)) for frame in named]
    assert truefold.measure(*twins).values == expected


@pytest.mark.parametrize("typed", ["r_c", "R_C", "r-c", "R-C"])
def test_names_of_measures_are_taken_however_they_are_typed(roll, typed):
    X, Z = roll
    found = truefold.measure(X, Z, measures=typed)
    assert list(found.values) == ["r_c"] and np.array_equal(found.worst(3, typed), found.worst(3, "r_c"))
    assert found.times_best(typed) == found.times_best("r_c") is not None
    assert list(truefold.measure(X, Z, measures=[typed, "r_c"]).values) == ["r_c"]
    refined = truefold.refine(X, Z * [1.0, 1.3], target=typed, iterations=2)
    assert refined.info["parameters"]["target"] == "r-c"
    assert list(truefold.compare(X, ["pca"], measures=[typed, "overlap"]).rows[0]["measures"]) == ["r_c", "overlap"]
    assert truefold.EmbeddingScorer(typed).measure == "r_c"


def test_pictures_are_told_how_to_become_rows():
    pictures = np.zeros((30, 4, 5))
    with pytest.raises(truefold.DataError, match=r"X has 3 dimensions \(30 x 4 x 5\), but .* give X.reshape\(len\(X\), -1\)"):
        truefold.suggest(pictures)
    with pytest.raises(truefold.DataError, match=r"Y has 1 dimension, but .* give Y.reshape\(-1, 1\)"):
        truefold.measure(pictures.reshape(30, -1), np.zeros(30))


def test_a_refinement_shows_itself(roll):
    X, Z = roll
    refined = truefold.refine(X, Z * [1.0, 1.3], target="r_c", iterations=7)
    assert "500 points in 2 dimensions, refined\nR_C from " in repr(refined) and " in 7 steps; " in repr(refined)
    shown = refined._repr_html_()
    assert shown.count("<table>") == 1 and ">R_C<" in shown and ">7<" in shown
