"""``truefold.dask``: the lists and values of one machine, on real workers too, and what cannot be used named by chunk and row."""
from __future__ import annotations

import os
import re
import signal
import time

import numpy as np
import pytest

import truefold

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

import dask  # noqa: E402
import truefold.dask  # noqa: E402
from dask import delayed  # noqa: E402
from truefold.dask import tasks  # noqa: E402

#: By which metrics some rows have no direction.
UNDIRECTED = {
    "lattice": ["correlation"], "pieces": ["correlation"], "whole cells of tiny numbers": ["correlation"], "whole numbers": ["cosine", "correlation"],
}
METRICS = ["euclidean", "manhattan", "cosine", "correlation"]


@pytest.fixture(scope="module")
def roll():
    """A swiss roll, and a map of it with errors."""
    X, Z = truefold.datasets.swiss_roll(2400)
    return X, Z + np.random.default_rng(1).normal(scale=0.3, size=Z.shape)


def chunked(values, length):
    """A dask array with chunks of so many rows."""
    return da.from_array(values, chunks=(length, -1))


def data_sets():
    """Points of few and of many dimensions, of several types, with ties, copies and pieces."""
    rng = np.random.default_rng(0)
    lattice = rng.integers(0, 4, size=(700, 3)) * 0.1 + 0.1
    pieces = np.concatenate([rng.normal(size=(250, 2)), rng.normal(size=(250, 2)) + 50, np.full((40, 2), 9.0)])
    return {
        "roll": truefold.datasets.swiss_roll(1500).points,
        "lattice": lattice,
        "pieces": pieces,
        "many dimensions": rng.normal(size=(600, 20)).astype(np.float32),
        "bytes": rng.integers(1, 255, size=(400, 30)).astype(np.uint8),
        "whole numbers": rng.integers(-50, 50, size=(500, 2)),
        "whole cells of tiny numbers": np.concatenate([rng.normal(size=(200, 2)) * 1e-130, rng.normal(size=(200, 2)) + 9]),
        "far from the origin": 1.7e9 + rng.normal(size=(600, 3)),
        "extremes": rng.normal(size=(400, 3)) * 10.0 ** rng.integers(-120, 100, size=(400, 1)),
    }


CASES = [(name, metric) for name in data_sets() for metric in METRICS if metric not in UNDIRECTED.get(name, ())]


@pytest.mark.parametrize(("name", "metric"), CASES)
def test_lists_are_those_of_one_machine(name, metric):
    X = data_sets()[name]
    expected = truefold.neighbors(X, 7, metric=metric)
    # Chunks of another length have other cells.
    for length in (130, 333, len(X)):
        found = truefold.dask.neighbors(chunked(X, length), 7, metric=metric)
        indices, distances, components = dask.compute(found.indices, found.distances, found.components)
        assert np.array_equal(indices, expected.indices)
        assert np.array_equal(distances, expected.distances(X))
        assert np.array_equal(components, expected.components)
        assert found.indices.chunks[0] == found.distances.chunks[0] == chunked(X, length).chunks[0]


def test_chunks_of_many_lengths_and_columns_are_taken(roll):
    X = da.from_array(roll[0], chunks=((1, 700, 0, 1699), (1, 2)))
    found = truefold.dask.neighbors(X, 5)
    assert found.indices.chunks == ((1, 700, 1699), (6,))
    assert np.array_equal(found.indices.compute(), truefold.neighbors(roll[0], 5).indices)
    assert found.to_local().indices.shape == (2400, 6)
    found = truefold.dask.neighbors(X, 5, metric="cosine")
    assert np.array_equal(found.to_local().distances(roll[0]), found.distances.compute())


@pytest.mark.parametrize("kind", [">f8", "f2", "bool", "i4"])
def test_other_kinds_of_numbers_are_those_of_one_machine(kind):
    X = (np.random.default_rng(7).normal(size=(300, 4)) * 3).astype(kind)
    found = truefold.dask.neighbors(chunked(X, 70), 6)
    assert np.array_equal(found.indices.compute(), truefold.neighbors(X.astype(float), 6).indices)
    # A chunk may hold other numbers than announced.
    blocks = [da.from_delayed(delayed(X[start : start + 100]), (100, 4), dtype=float) for start in (0, 100, 200)]
    found = truefold.dask.neighbors(da.concatenate(blocks), 6)
    assert np.array_equal(found.indices.compute(), truefold.neighbors(X.astype(float), 6).indices)


def test_results_of_several_calls_are_computed_together(roll):
    X, Y = (chunked(values, 600) for values in roll)
    five, ten = truefold.dask.neighbors(X, 5), truefold.dask.neighbors(X, 10)
    parts = truefold.dask.neighbors(X, 5).components
    first, second, pieces = dask.compute(five.indices, ten.indices, parts)
    assert np.array_equal(first, second[:, :6]) and not pieces.any()
    assert int((five.indices[:, 1] - ten.indices[:, 1]).sum().compute()) == 0
    forward, backward = truefold.dask.measure(X, Y, 5), truefold.dask.measure(Y, X[:, :2], 5)
    both = dask.compute(forward.per_point["r_c"], backward.per_point["reverse_r_c"])
    assert np.array_equal(both[0], truefold.measure(*roll, 5).per_point["r_c"])
    assert np.array_equal(both[1], truefold.measure(roll[1], roll[0][:, :2], 5).per_point["reverse_r_c"])
    same = truefold.dask.measure(X, X, 5).compute()
    assert same.overlap == 1 and same.r_n < 1e-20


def test_arrays_at_odd_places_in_memory_are_taken():
    # As they come back from a disk to which a worker has spilled them.
    def moved(values):
        room = np.zeros(values.nbytes + 1, dtype=np.uint8)
        room[1:] = np.frombuffer(values.tobytes(), dtype=np.uint8)
        found = room[1:].view(values.dtype).reshape(values.shape)
        assert not found.flags.aligned
        return found

    from truefold.dask.lists import native_lists
    from truefold.dask.neighbors import distances_of

    assert len(native_lists(moved(np.array([[1], [0]])), 3)) == 3
    assert distances_of(moved(np.array([[4.0, 9.0]])), "euclidean").tolist() == [[2.0, 3.0]]


def test_there_is_no_skill_where_chance_is_the_best(roll):
    X, Y = (values[:200] for values in roll)
    for k in (2, 199):
        found = truefold.dask.measure(chunked(X, 90), chunked(Y, 90), k).compute()
        expected = truefold.measure(X, Y, k, measures=list(found.values))
        assert found.skill.keys() == expected.skill.keys() != found.values.keys()
        assert "R_A" in repr(found)


def test_more_neighbors_than_a_cell_has_rows():
    X = np.random.default_rng(3).normal(size=(90, 2))
    found = truefold.dask.neighbors(chunked(X, 10), 60)
    assert np.array_equal(found.indices.compute(), truefold.neighbors(X, 60).indices)


@pytest.mark.parametrize("metric", METRICS)
def test_new_points_find_the_fitted_ones(roll, metric):
    X, new = roll[0], np.random.default_rng(4).normal(size=(500, 3)) * 8
    search = truefold.dask.NearestNeighbors(6, metric=metric).fit(chunked(X, 500))
    assert (search.n_samples_fit_, search.n_features_in_, search.client_) == (2400, 3, None)
    distances, rows = search.kneighbors(chunked(new, 210))
    expected = truefold.NeighborsTransformer(6, metric=metric).fit(X).kneighbors(new, 6)
    assert rows.chunks == ((210, 210, 80), (6,))
    assert np.array_equal(distances.compute(), expected[0]) and np.array_equal(rows.compute(), expected[1])
    own = search.kneighbors(n_neighbors=4, return_distance=False)
    assert np.array_equal(own.compute(), truefold.neighbors(X, 4, metric=metric).indices[:, 1:])
    assert search.kneighbors(chunked(new[:3], 3), 2400)[1].shape == (3, 2400)


@pytest.mark.parametrize("center", [True, False])
def test_measures_are_those_of_one_machine(roll, center):
    X, Y = roll
    result = truefold.dask.measure(chunked(X, 500), chunked(Y, 700), 9, center=center, random_state=3)
    found = result.compute()
    expected = truefold.measure(X, Y, 9, measures=list(found.values), center=center, random_state=3)
    assert list(found.values) == [
        "r", "r_n", "r_pca", "r_c", "r_a", "reverse_r_n", "reverse_r_c", "reverse_r_a", "overlap",
    ]
    for kind in ("values", "lower_bounds", "chance", "chance_errors", "skill"):
        one, other = getattr(found, kind), getattr(expected, kind)
        assert one.keys() == other.keys()
        assert all(one[name] == pytest.approx(other[name], rel=1e-12) for name in one), kind
    assert found.times_best("r_n") == pytest.approx(expected.times_best("r_n"), rel=1e-12)
    assert (found.n_points, found.n_neighbors, found.n_components_of_graph) == (2400, 9, 1)
    kinds = ("per_point", "per_point_bounds", "per_point_chance")
    for kind, rows in zip(kinds, dask.compute(*(getattr(result, kind) for kind in kinds))):
        assert all(values.chunks == ((500, 500, 500, 500, 400),) for values in getattr(result, kind).values())
        for name, values in rows.items():
            assert np.array_equal(values, getattr(expected, kind)[name], equal_nan=True), (kind, name)


def test_a_part_of_copies_is_left_out_as_on_one_machine():
    rng = np.random.default_rng(5)
    X = np.concatenate([rng.normal(size=(200, 3)), np.full((60, 3), 2.0)])
    Y = X[:, :2] + 0.1 * rng.normal(size=(260, 2))
    result = truefold.dask.measure(chunked(X, 65), chunked(Y, 65), 6, measures=["r_n", "reverse_r_c"])
    expected = truefold.measure(X, Y, 6, measures=["r_n", "reverse_r_c"])
    assert np.isnan(expected.per_point["r_n"]).any()
    assert result.compute().r_n == pytest.approx(expected.r_n, rel=1e-12)
    assert np.array_equal(result.per_point["r_n"].compute(), expected.per_point["r_n"], equal_nan=True)
    same = chunked(np.ones((40, 2)), 10)
    for names in ("r_n", None):
        with pytest.raises(ValueError, match="every neighborhood of X is a single place"):
            truefold.dask.measure(same, same, 3, measures=names).compute()


def test_many_pieces_travel_in_two_steps_and_change_no_bit(roll, monkeypatch):
    X, Y = (chunked(values, 150) for values in roll)

    def found():
        result = truefold.dask.measure(X, Y, 9, measures=["r_n", "overlap"])
        lists = truefold.dask.neighbors(X, 9)
        # Equal tasks of both ways have equal names.
        graph = dict(result._totals.dask) | dict(lists.indices.dask)
        some = (result._totals, result.per_point["r_n"], result.components, lists.indices, lists.distances)
        return dask.compute(*some, scheduler="synchronous"), sum("piece" in str(key) for key in graph)

    (totals, *expected), many = found()
    monkeypatch.setattr(truefold.dask.cells, "FEW_PIECES", 0)
    (again, *others), few = found()
    assert few < many
    assert repr(again) == repr(totals)
    assert all(np.array_equal(one, other) for one, other in zip(others, expected))


@pytest.mark.parametrize("own", [True, False])
def test_given_lists_are_used(roll, own):
    X, Y = roll
    lists = truefold.neighbors(X, 6).indices if own else truefold.neighbors(X, 6).indices[:, 1:]
    expected = truefold.measure(X, Y, neighbors=lists, measures=["r_n", "overlap"])
    result = truefold.dask.measure(chunked(X, 500), chunked(Y, 500), neighbors=chunked(lists, 900), measures=["r_n", "overlap"])
    found = result.compute()
    assert found.n_neighbors == 6
    assert found.r_n == pytest.approx(expected.r_n, rel=1e-12)
    assert found.overlap == pytest.approx(expected.overlap, rel=1e-12)
    assert np.array_equal(result.components.compute(), expected.neighborhoods.components)


def test_lists_that_were_searched_are_used(roll):
    X, Y = (chunked(values, 800) for values in roll)
    found = truefold.dask.neighbors(X, 8)
    one = truefold.dask.measure(X, Y, neighbors=found, measures="r_c").compute()
    other = truefold.dask.measure(X, Y, 8, measures="r_c").compute()
    assert one.values == other.values


def test_tasks_carry_the_names_of_their_stages_and_nothing_runs_before_it_is_asked_for(roll):
    read = []

    @delayed
    def noted(place):
        read.append(place)
        return roll[0][place * 600 : (place + 1) * 600]

    X = da.concatenate([da.from_delayed(noted(place), (600, 3), dtype=float) for place in range(4)])
    with dask.config.set(scheduler="synchronous"):
        found = truefold.dask.neighbors(X, 5)
    # One look at every chunk.
    assert sorted(read) == [0, 1, 2, 3]
    keys = {str(key).split("-")[1] for key in dict(found.indices.__dask_graph__()) if str(key).startswith("truefold-")}
    assert {"sort", "cell", "search", "border", "beyond", "merge", "lists"} <= keys


def test_results_are_cut_where_they_are(roll):
    # The scheduler gives no task of this name to an idle worker, to which the whole would have to be sent.
    assert tasks.CUT in dask.config.get("distributed.scheduler.default-task-durations")
    found = truefold.dask.measure(chunked(roll[0], 500), chunked(roll[1], 500), 5, measures="r_n")
    pieces = [str(key) for key in dict(found._totals.dask) if str(key).startswith(tasks.CUT)]
    assert pieces and {distributed.utils.key_split(key) for key in pieces} == {tasks.CUT}
    assert all(len(re.findall("-truefold-[a-z-]*piece-", key)) == 1 for key in pieces)


def test_what_cannot_be_used_is_told_by_chunk_and_row():
    X = np.random.default_rng(6).normal(size=(400, 3))
    wrong = X.copy()
    wrong[347, 1] = np.nan
    with pytest.raises(ValueError, match=r"row 347 of X \(chunk 17, row 7\) holds nan in column 1"):
        truefold.dask.neighbors(chunked(wrong, 20), 5)
    with pytest.raises(ValueError, match=r"row 347 of Y \(chunk 17, row 7\) holds nan in column 1"):
        truefold.dask.measure(chunked(X, 20), chunked(wrong, 20), 5)
    wrong[347, 1] = 1e150
    with pytest.raises(ValueError, match=r"row 347 of X \(chunk 17, row 7\) holds 1e\+150 in column 1; rescale"):
        truefold.dask.neighbors(chunked(wrong, 20), 5)

    def broken(place):
        if place == 3:
            raise OSError("the disk is gone")
        return X[place * 100 : (place + 1) * 100, : 2 if place == 2 else 3]

    def of(places):
        return da.concatenate([da.from_delayed(delayed(broken)(place), (100, 3), dtype=float) for place in places])

    with pytest.raises(ValueError, match=r"chunk 2 of X \(rows 200 to 299\) cannot be read: OSError: the disk is gone"):
        truefold.dask.neighbors(of([0, 1, 3]), 5)
    with pytest.raises(ValueError, match="chunk 2 of X has 100 rows and 2 columns, but 100 rows and 3 columns were announced"):
        truefold.dask.neighbors(of([0, 1, 2]), 5)
    with pytest.raises(ValueError, match=r"the chunks of X have unknown lengths; call X.compute_chunk_sizes\(\) first"):
        truefold.dask.neighbors(chunked(X, 50)[da.from_array(X[:, 0] > 0, chunks=50)], 5)
    wrong[347] = 0
    with pytest.raises(ValueError, match=r"row 347 of X \(chunk 17, row 7\) is all zeros, so that its cosine distance"):
        truefold.dask.neighbors(chunked(wrong, 20), 5, metric="cosine")
    with pytest.raises(ValueError, match=r"row 347 of X \(chunk 17, row 7\) has all coordinates equal"):
        truefold.dask.neighbors(chunked(wrong, 20), 5, metric="correlation")
    with pytest.raises(ValueError, match=r"row 0 of X \(chunk 0, row 0\) holds nan in column 0"):
        truefold.dask.neighbors(da.ma.masked_less(chunked(np.abs(X) - 9, 20), 0), 5)
    with pytest.raises(ValueError, match="the largest number of all is .*e-170, and squares of numbers below 1e-100 vanish"):
        truefold.dask.neighbors(chunked(1e-170 * X / np.abs(X).max(), 20), 5)
    with pytest.raises(ValueError, match="Y has 300 rows and X 400; give one row of Y for each row of X"):
        truefold.dask.measure(chunked(X, 100), chunked(X[:300], 100), 5)


def test_wrong_parameters_are_told(roll):
    X, Y = (chunked(values, 800) for values in roll)
    with pytest.raises(TypeError, match="X is a numpy.ndarray, not a dask array or frame"):
        truefold.dask.neighbors(roll[0], 5)
    with pytest.raises(ValueError, match="n_neighbors = 2400 is not from 1 to 2,399"):
        truefold.dask.neighbors(X, 2400)
    with pytest.raises(ValueError, match="there is no metric named 'euclid'; did you mean euclidean"):
        truefold.dask.neighbors(X, 5, metric="euclid")
    with pytest.raises(ValueError, match="measures = 'collapse' is not taken of dask arrays"):
        truefold.dask.measure(X, Y, 5, measures="collapse")
    with pytest.raises(ValueError, match="X has 2 columns, but the fitted points have 3"):
        truefold.dask.NearestNeighbors(5).fit(X).kneighbors(Y)
    with pytest.raises(truefold.NotFittedError, match="call fit first"):
        truefold.dask.NearestNeighbors(5).kneighbors()
    with pytest.raises(ValueError, match="Y has 3 columns and X 2"):
        truefold.dask.measure(Y, X, 5)
    with pytest.raises(ValueError, match="n_neighbors = 1 is less than 2: without its center"):
        truefold.dask.measure(X, Y, 1, center=False)
    with pytest.raises(ValueError, match="n_neighbors = 2401 is not from 1 to 2,400: there are 2,400 fitted points"):
        truefold.dask.NearestNeighbors(2401).fit(X).kneighbors(X)
    with pytest.raises(ValueError, match="neighbors holds float64, not whole numbers"):
        truefold.dask.measure(X, Y, neighbors=X)
    lists = truefold.neighbors(roll[0], 4).indices
    for value, message in [(2400, "names a row that is not from 0 to 2,399"), (lists[1001, 2], "names a row twice")]:
        wrong = lists.copy()
        wrong[1001, 1] = value
        with pytest.raises(ValueError, match=rf"list 1001 of neighbors \(chunk 1, row 201\) {message}"):
            truefold.dask.measure(X, Y, neighbors=chunked(wrong, 800))


def test_frames_and_cells_are_taken(roll):
    frames = pytest.importorskip("dask.dataframe")
    pandas = pytest.importorskip("pandas")
    expected = truefold.neighbors(roll[0], 5).indices
    frame = frames.from_pandas(pandas.DataFrame(roll[0], columns=list("abc")), npartitions=4)
    assert np.array_equal(truefold.dask.neighbors(frame, 5).indices.compute(), expected)
    anndata = pytest.importorskip("anndata")
    cells = anndata.AnnData(np.zeros((2400, 1)), obsm={"X_pca": chunked(roll[0], 600)})
    assert np.array_equal(truefold.dask.neighbors(cells, 5).indices.compute(), expected)
    with pytest.raises(TypeError, match="Y is an AnnData object; give an array of it"):
        truefold.dask.measure(cells, cells)
    with pytest.raises(TypeError, match=r"X.obsm\['X_pca'\] is a numpy.ndarray, not a dask array"):
        truefold.dask.neighbors(anndata.AnnData(np.zeros((2400, 1)), obsm={"X_pca": roll[0]}))


def test_workers_change_no_bit(roll, client):
    # At the end: from here on the workers compute whatever is asked for.
    X, Y = (chunked(values, 480) for values in roll)
    result = truefold.dask.measure(X, Y, 9)
    # Without the workers: the scheduler of this process.
    with dask.config.set(scheduler="synchronous"):
        alone, values = dask.compute(result._totals, result.per_point["r_n"], result.components), result.compute().values
    kept = result.persist()
    on_workers = dask.compute(kept._totals, kept.per_point["r_n"], kept.components)
    assert repr(alone[0]) == repr(on_workers[0])
    assert all(np.array_equal(one, other) for one, other in zip(alone[1:], on_workers[1:]))
    assert kept.compute().values == values
    found = truefold.dask.neighbors(X, 9)
    assert np.array_equal(found.distances.compute(), truefold.neighbors(roll[0], 9).distances(roll[0]))
    search = truefold.dask.NearestNeighbors(5, client=client).fit(X)
    assert search.client_ is client


def test_a_worker_that_dies_costs_its_tasks_only(roll, client):
    X, Y = roll

    @delayed
    def slow(rows):
        time.sleep(0.25)
        return rows

    blocks = [da.from_delayed(slow(X[start : start + 200]), (200, 3), dtype=float) for start in range(0, 2400, 200)]
    result = truefold.dask.measure(da.concatenate(blocks), chunked(Y, 200), 9, measures=["r_n", "reverse_r_c", "overlap"])
    future = client.compute(result._totals)
    time.sleep(0.7)
    victim = next(iter(client.run(os.getpid).values()))
    assert not future.done()
    os.kill(victim, signal.SIGKILL)
    expected = truefold.dask.measure(chunked(X, 200), chunked(Y, 200), 9, measures=["r_n", "reverse_r_c", "overlap"])
    with dask.config.set(scheduler="synchronous"):
        alone = dask.compute(expected._totals)[0]
    assert repr(future.result()) == repr(alone)
