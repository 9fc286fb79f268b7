"""Pictures by matplotlib."""
import numpy as np
import pandas
import pytest
from matplotlib import pyplot

import truefold


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def test_scatter(roll, tmp_path):
    X, Z = roll
    ax = truefold.plot.scatter(Z, Z[:, 0])
    assert ax.collections[0].get_offsets().shape == (500, 2) and len(ax.figure.axes) == 2
    labels = np.where(Z[:, 0] > Z[:, 0].mean(), "right", "left")
    ax = truefold.plot.scatter(Z, labels, title="halves")
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"left", "right"}
    _, given = pyplot.subplots()
    assert truefold.plot.scatter(Z[:, :1], ax=given) is given
    given.figure.savefig(tmp_path / "dots.png")


def test_distortion_shows_the_worst_on_top(roll):
    X, Z = roll
    result = truefold.measure(X, X[:, :2])
    ax = truefold.plot.distortion(X[:, :2], result)
    dots = ax.collections[-1]
    assert np.all(np.diff(dots.get_array()) >= 0) and len(dots.get_array()) == 500
    assert ax.get_title() == f"R_N {result.r_n:.2g}"


def test_colors_run_from_the_best_possible_to_chance(roll):
    X, Z = roll
    result = truefold.measure(X, 9 * X[:, :2])
    dots = truefold.plot.distortion(X[:, :2], result).collections[-1]
    # The map has a scale of its own.
    assert dots.get_clim() == (result.lower_bounds["r_c"], result.chance["r_c"])
    assert np.array_equal(np.sort(dots.get_array()), np.sort(result.per_point["r_c"]))
    assert truefold.plot.distortion(X[:, :2], result, limit=0.3).collections[-1].get_clim()[1] == 0.3
    overlap = truefold.measure(X, X[:, :2], measures="overlap")
    dots = truefold.plot.distortion(X[:, :2], overlap).collections[-1]
    # Higher is better: dark is still faithful, and the worst still lie on top.
    assert dots.get_clim() == (overlap.chance["overlap"], 1.0) and np.all(np.diff(dots.get_array()) <= 0)
    assert sum(dots.cmap(1.0)[:3]) < sum(dots.cmap(0.0)[:3])


def test_grid_has_one_scale(roll):
    X, Z = roll
    figure = truefold.plot.grid(X, {"true": Z, "flat": X[:, :2], "other": X[:, 1:]}, measure="r_c", columns=2)
    maps = [ax for ax in figure.axes if ax.get_title()]
    assert [ax.get_title().split(":")[0] for ax in maps] == ["true", "flat", "other"]
    assert len({ax.collections[-1].get_clim() for ax in maps}) == 1
    for factor, symbol in ((1, "R_N"), (9, "R_C")):
        figure = truefold.plot.grid(X, {"true": factor * Z, "flat": X[:, :2]})
        assert [ax.get_title().split()[1] for ax in figure.axes[:2]] == [symbol, symbol]


def test_a_legend_of_many_labels_covers_no_point(roll):
    _, Z = roll
    for count in (2, 40):
        ax = truefold.plot.scatter(Z, np.array([f"group {row % count}" for row in range(len(Z))]))
        ax.figure.canvas.draw()
        legend, dots = ax.get_legend().get_window_extent(), ax.transData.transform(Z)
        covered = [legend.contains(x, y) for x, y in dots]
        assert not any(covered) and len(ax.get_legend().get_texts()) == count
        assert ax.figure.bbox.fully_overlaps(legend) and legend.x1 <= ax.figure.bbox.x1


def test_colors_and_maps_are_matched_by_index(roll):
    X, Z = roll
    names = [f"c{row}" for row in range(500)]
    places = pandas.DataFrame(Z, index=names)
    color = pandas.Series(Z[:, 0], index=names)
    drawn = truefold.plot.scatter(places, color[::-1]).collections[0].get_array()
    assert np.array_equal(drawn, Z[:, 0])
    result = truefold.measure(pandas.DataFrame(X, index=names), Z)
    order = np.argsort(result.per_point["r_c"], kind="stable")
    for given in (places, places[::-1]):
        dots = truefold.plot.distortion(given, result, measure="R_C").collections[-1]
        assert np.array_equal(dots.get_offsets(), Z[order])
