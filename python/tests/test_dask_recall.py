"""Approximate neighbors of dask arrays: the promised share is found, the same on any workers, or all are."""
from __future__ import annotations

import re

import numpy as np
import pytest

import truefold

da = pytest.importorskip("dask.array")
pytest.importorskip("distributed")

import dask  # noqa: E402
import truefold.dask  # noqa: E402
from truefold.dask import approximate, cells, cuts, search  # noqa: E402


@pytest.fixture(autouse=True)
def small_cells(monkeypatch):
    """Cells of some 1,500 rows, so that small data have several."""
    monkeypatch.setattr(approximate, "CELL", 1500 * 16 * 10)
    monkeypatch.setattr(approximate, "MEASURED", 1500 * 16 * 10)


def curved(count, hidden, dim, seed=0):
    """Rows that are smooth functions of a few hidden numbers, in single precision."""
    rng = np.random.default_rng(seed)
    place, turn, shift = rng.uniform(size=(count, hidden)), rng.normal(size=(hidden, dim)), rng.uniform(0, 6, dim)
    return (np.sin(2 * place @ turn + shift) + 0.3 * place @ turn).astype(np.float32)


def recall(found, X, k, metric):
    """The share of the true neighbors that lists hold."""
    true = truefold.neighbors(X, k, metric=metric).indices[:, 1:]
    return np.mean([len(np.intersect1d(*pair)) / k for pair in zip(found[:, 1:], true)])


@pytest.mark.parametrize(("metric", "wanted"), [("euclidean", 0.9), ("euclidean", 0.99), ("cosine", 0.95)])
def test_the_promised_share_is_found(metric, wanted):
    X = curved(12_000, 5, 16)
    found = truefold.dask.neighbors(da.from_array(X, chunks=(2500, -1)), 10, metric=metric, recall=wanted)
    assert found.facts["cells"] > 4 and 1 < found.facts["copies"] < 3 and found.facts["recall"] == wanted
    lists, distances = dask.compute(found.indices, found.distances)
    assert (lists[:, 0] == np.arange(12_000)).all() and lists.min() >= 0
    assert all(len(set(row)) == 11 for row in lists)
    assert recall(lists, X, 10, metric) >= wanted - 0.005
    assert (np.diff(distances, axis=1) >= 0).all()
    # The distances of the pairs that were found are those of one machine.
    own = truefold.Neighborhoods.from_lists(lists)
    assert np.array_equal(distances, own.distances(X, metric=metric))


def test_what_cells_may_miss_is_what_borders_leave(monkeypatch):
    # In cells of so many rows an approximate search is faster than an exact one.
    monkeypatch.setattr(approximate, "CELL", 20_000 * 16 * 10)
    asked = []

    def watched(cell, queries, wanted, recall=None, seed=0, how="auto"):
        asked.append((cell.size, recall))
        return search.nearest(cell, queries, wanted, recall, seed, how)

    monkeypatch.setattr(approximate, "nearest", watched)
    X = curved(60_000, 5, 16)
    with dask.config.set(scheduler="synchronous"):
        found = truefold.dask.neighbors(da.from_array(X, chunks=(20_000, -1)), 10, recall=0.9)
        lists = found.indices.compute()
    assert {share for _, share in asked if share is not None} == {found.facts["in_cells"]}
    # What lies in no cell together and what the searches miss are less than a tenth, together.
    together = found.facts["together"] - found.facts["standard_error"]
    assert 0.9 < together <= 1 and 0.8 < found.facts["in_cells"] < 1 and found.facts["copies"] > 1
    reached = recall(lists, X, 10, "euclidean")
    assert 0.9 <= reached < 1


def test_lists_of_cells_that_overlap_are_the_same_on_the_way_of_many_pieces(monkeypatch):
    X = da.from_array(curved(9000, 4, 16), chunks=(1500, -1))
    with dask.config.set(scheduler="synchronous"):
        found = truefold.dask.neighbors(X, 10, recall=0.95)
        assert found.facts["cells"] > 4
        alone = found.indices.compute()
        monkeypatch.setattr(cells, "FEW_PIECES", 1)
        grouped = truefold.dask.neighbors(X, 10, recall=0.95)
        assert len(grouped.indices.__dask_graph__()) != len(found.indices.__dask_graph__())
        assert np.array_equal(grouped.indices.compute(), alone)


def test_more_is_checked_where_more_is_promised():
    count = [len(approximate.checked_rows(10_000_000, 12, share, 0)) for share in (0.5, 0.99, 0.999, 0.9999, 0.99999)]
    assert count == sorted(count) and count[1] == 1000
    # What may be missed of the neighbors of these rows is not left to chance.
    assert all(12 * rows * (1 - share) >= 12 - 1e-6 for rows, share in zip(count[1:], (0.99, 0.999, 0.9999, 0.99999)))
    rows = approximate.checked_rows(100_000, 12, 0.99, 1)
    assert len(np.unique(rows)) == len(rows) and rows.max() < 100_000
    assert approximate.checked_rows(100_000, 12, 0.99999, 0) is None


def test_lists_of_other_numbers_are_measured_in_cells_of_these():
    X = curved(6000, 4, 16)
    found = truefold.dask.neighbors(da.from_array(X, chunks=(1500, -1)), 8, recall=0.95)
    assert "cells" in found.facts
    other, Y = np.concatenate([100.0 * X, X + 7], axis=1), X[:, :2].astype(float)
    expected = truefold.measure(other, Y, neighbors=truefold.Neighborhoods.from_lists(found.indices.compute()), measures=["r_n"])
    result = truefold.dask.measure(da.from_array(other, chunks=(1500, -1)), da.from_array(Y, chunks=(1500, -1)), neighbors=found)
    assert np.array_equal(result.per_point["r_n"].compute(), expected.per_point["r_n"])


def test_products_are_summed_in_one_order():
    rng = np.random.default_rng(4)
    points, direction = rng.normal(size=(400, 60)), rng.normal(size=60)
    together = cuts.projected(points, direction)
    assert np.array_equal(together, np.concatenate([cuts.projected(points[at : at + 5], direction) for at in range(0, 400, 5)]))


@pytest.mark.parametrize("metric", ["euclidean", "correlation"])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.uint8, np.int32, ">f4"])
def test_a_row_lies_in_one_cell_and_goes_to_those_that_are_near(metric, kind):
    rows = (40 * curved(3000, 4, 16) + 90).astype(kind)
    points = cuts.table(rows)
    seen = cuts.prepared(points, metric)
    cut = cuts.cut_between(seen, seen[:50], seen[50:100, None], 5, 0)
    assert cut.count == 5
    own = cut.cells_of(points, metric)
    assert np.array_equal(own, cut.cells_of(seen))
    far = cut.beyond(seen)
    assert (far[np.arange(3000), own] == 0).all() and np.bincount(own).min() > 400
    # By the definition: the farthest that a row is on the wrong side of a border on the way to a cell.
    below = cut.borders - seen @ cut.directions.T
    wrong = np.zeros((3000, 5))
    ways = [(0, [])]
    while ways:
        at, way = ways.pop()
        if at < 0:
            for border, is_above in way:
                wrong[:, ~at] = np.maximum(wrong[:, ~at], below[:, border] * (1 if is_above else -1))
            continue
        ways += [(side, [*way, (at, is_above)]) for is_above, side in enumerate(cut.sides[at])]
    assert np.allclose(far, wrong, rtol=1e-9, atol=1e-9)
    width = np.median(far[far > 0])
    for cell, (reached, _) in enumerate(cut.reached(points, width, metric)):
        assert np.array_equal(reached, np.flatnonzero(far[:, cell] <= width))
    assert [len(rows) for rows, _ in cut.reached(points[:0], width, metric)] == [0] * 5


def test_what_cannot_be_promised_is_searched_exactly(monkeypatch):
    monkeypatch.setattr(approximate, "CELL", 500 * 60 * 4)
    X = np.random.default_rng(2).uniform(size=(3000, 60)).astype(np.float32)
    found = truefold.dask.neighbors(da.from_array(X, chunks=(1000, -1)), 10, recall=0.999)
    assert re.search(r"cells that hold [0-9.]+ % of the neighbors together with their rows would hold each row \d.\d times", found.facts["instead"])
    assert np.array_equal(found.indices.compute(), truefold.neighbors(X, 10).indices)
    few = truefold.datasets.swiss_roll(900).points
    found = truefold.dask.neighbors(da.from_array(few, chunks=(300, -1)), 6, recall=0.9)
    assert found.facts["instead"] == "in 3 dimensions an exact search is as fast"
    assert np.array_equal(found.indices.compute(), truefold.neighbors(few, 6).indices)


def test_copies_do_not_end_in_one_cell():
    X = curved(9000, 4, 16)
    X[1000:] = X[7]
    found = truefold.dask.neighbors(da.from_array(X, chunks=(3000, -1)), 6, recall=0.95)
    assert "instead" in found.facts


def test_a_recall_that_is_no_share_is_refused():
    X = da.from_array(curved(500, 3, 16), chunks=(100, -1))
    for wrong in (0, 1, -0.5, 1.5, "high", float("nan")):
        with pytest.raises(ValueError, match="recall = .* is not between 0 and 1; choose 0.99"):
            truefold.dask.neighbors(X, 5, recall=wrong)


def test_no_bit_depends_on_workers_and_components_are_those_of_the_lists(client):
    # At the end: from here on the workers compute whatever is asked for.
    X = np.concatenate([curved(2600, 4, 16), curved(2400, 4, 16, seed=1) + 40])
    made = [
        truefold.dask.neighbors(da.from_array(X, chunks=(1700, -1)), 8, recall=0.95, client=one) for one in (None, client)
    ]
    with dask.config.set(scheduler="synchronous"):
        alone = made[0].indices.compute()
    assert np.array_equal(alone, made[1].indices.compute())
    assert np.array_equal(made[1].components.compute(), truefold.Neighborhoods.from_lists(alone).components)
    search = truefold.dask.NearestNeighbors(8, recall=0.95).fit(da.from_array(X, chunks=(1700, -1)))
    assert np.array_equal(search.kneighbors(return_distance=False).compute(), alone[:, 1:])
    assert search.facts_["copies"] == made[1].facts["copies"]
    expected = truefold.measure(X, X[:, :2], neighbors=truefold.Neighborhoods.from_lists(alone), measures=["r_n", "overlap"])
    assert made[1]._cut.count > 1
    # In cells where neighbors lie together, of lists that are kept too, and in others.
    for lists in (made[1], made[1].persist(), made[1].indices):
        result = truefold.dask.measure(da.from_array(X, chunks=(1700, -1)), da.from_array(X[:, :2], chunks=(1700, -1)), neighbors=lists)
        values = result.compute()
        assert values.r_n == pytest.approx(expected.r_n, rel=1e-12)
        assert np.array_equal(result.per_point["r_n"].compute(), expected.per_point["r_n"])
        assert values.overlap == pytest.approx(expected.overlap, rel=1e-12)
        assert values.n_components_of_graph == len(np.unique(made[1].components.compute()))
