"""Whatever users hold comes in, without a copy where it can; what cannot be used is named by place."""
import re

import numpy as np
import pandas
import polars
import pytest
import scipy.sparse

import truefold
from truefold.inputs import table


def test_arrays_of_doubles_in_rows_are_not_copied(roll):
    X, _ = roll
    assert np.shares_memory(table(X, "X")[0], X)
    for other in (np.asfortranarray(X), X.astype(np.float32), X[::2], X[:, ::-1]):
        made = table(other, "X")[0]
        assert made.flags.c_contiguous and made.dtype == np.float64 and np.array_equal(made, other)


def test_the_compiled_part_reads_in_place_and_keeps_the_array():
    import gc
    import weakref

    from truefold import _native

    class Array(np.ndarray):
        """An array that can be watched."""

    array = np.arange(20.0).reshape(10, 2).view(Array)
    watch = weakref.ref(array)
    made = _native.Source.points(array, "X")
    before = _native.neighbors(made, (1, None, "euclidean", "brute"), (0, 1, None)).lists()[1]
    array[9] = [0.0, 1.1]
    after = _native.neighbors(made, (1, None, "euclidean", "brute"), (0, 1, None)).lists()[1]
    assert before[1] == 1 and after[1] == 9, "the array was copied"
    del array
    gc.collect()
    assert watch() is not None
    del made
    gc.collect()
    assert watch() is None


def test_layouts_and_types_give_the_same_bits(roll):
    X, Z = roll
    expected = truefold.measure(X, Z).values
    assert truefold.measure(np.asfortranarray(X), np.asfortranarray(Z)).values == expected
    assert truefold.measure(X.tolist(), Z.tolist()).values == expected
    assert truefold.measure(pandas.DataFrame(X), pandas.DataFrame(Z)).values == expected
    assert truefold.measure(polars.DataFrame(X), polars.DataFrame(Z)).values == expected
    assert truefold.measure(X.astype(object), Z).values == expected
    single = truefold.measure(X.astype(np.float32), Z).r_n
    assert single == pytest.approx(expected["r_n"], rel=1e-3)
    whole = np.arange(30).reshape(10, 3) ** 2
    assert truefold.measure(whole, whole[:, :2], 3).values == truefold.measure(whole * 1.0, whole[:, :2], 3).values


def test_distances_dense_and_sparse(roll):
    from sklearn.metrics import pairwise_distances
    from sklearn.neighbors import kneighbors_graph

    X, Z = roll
    distances = pairwise_distances(X)
    distances = (distances + distances.T) / 2
    np.fill_diagonal(distances, 0)
    dense = truefold.measure(distances, Z, metric="precomputed")
    assert dense.input_dim is None and dense.r_n == pytest.approx(truefold.measure(X, Z).r_n, rel=1e-6)
    assert "given by their distances" in repr(dense)
    graph = kneighbors_graph(X, 40, mode="distance")
    graph = graph.maximum(graph.T)
    sparse = truefold.measure(graph, Z, metric="precomputed")
    assert sparse.r_n == pytest.approx(dense.r_n, rel=0.2)
    embedding = truefold.Isomap(metric="precomputed").fit(graph).embedding_
    direct = truefold.Isomap().fit(X).embedding_
    assert np.allclose(embedding, direct, atol=1e-6)
    assert truefold.ClassicalMDS(metric="precomputed").fit(distances).n_features_in_ == 500


def test_neighbor_graphs(roll):
    from sklearn.neighbors import kneighbors_graph

    X, Z = roll
    graph = kneighbors_graph(X, 12)
    assert truefold.measure(X, Z, neighbors=graph).neighborhoods.facts["k"] == 12
    fitted = truefold.LTSA().fit(X, neighbors=graph)
    assert np.allclose(fitted.embedding_, truefold.LTSA().fit(X).embedding_)
    ragged = [[1], [0, 2], [1, 0]]
    assert truefold.Neighborhoods.from_lists(ragged).facts["k"] is None


@pytest.mark.parametrize("put, name", [(np.nan, "NaN"), (np.inf, "inf")])
def test_bad_cells_are_named_by_their_place(roll, tool, save, put, name):
    X, Z = (array.copy() for array in roll)
    X[2, 1] = put
    with pytest.raises(truefold.DataError) as caught:
        truefold.measure(X, Z)
    assert re.match(rf"X: array position X\[2, 1\] holds {name}; fill it or leave it out: every cell must be a finite number$", str(caught.value))
    # The tool counts from one and names the file where Python names the array.
    assert f"x.npy: row 3, column 2 holds {name}" in tool("measure", save("x", X), save("z", Z), fails=True)
    with pytest.raises(truefold.DataError, match=r"^Y: array position Y\[2, 1\] holds "):
        truefold.measure(Z, X[:, :2])
    frame = pandas.DataFrame(X)
    with pytest.raises(truefold.DataError, match=r"^X: array position X\[2, 1\] holds "):
        truefold.measure(frame, Z)


@pytest.mark.parametrize("words, options", [
    (["--k", 500], {"n_neighbors": 500}),
    (["--k", 0], {"n_neighbors": 0}),
    (["--metric", "euclid"], {"metric": "euclid"}),
    (["--measures", "r_m"], {"measures": "r_m"}),
    (["--radius", -1], {"radius": -1}),
    (["--steps", 3], {"steps": 3}),
    (["--sample", 3], {"sample": 3}),
    (["--measures", "stress", "--sample", 1], {"measures": "stress", "sample": 1}),
])
def test_the_sentences_are_the_tools_in_the_names_of_python(roll, tool, save, words, options):
    X, Z = roll
    told = tool("measure", save("x", X), save("z", Z), *words, fails=True)
    with pytest.raises(ValueError) as caught:
        truefold.measure(X, Z, **options)
    named = lambda found: {"k": "n_neighbors"}.get(found[1], found[1]) + (f" = {found[2]}" if found[2] else "")
    assert str(caught.value) == re.sub(r"--([a-z]+)(?: (-?\d+))?", named, told).replace(", precomputed", "")


def test_other_faults(roll):
    X, Z = roll
    with pytest.raises(KeyError, match="^there is no measure named 'r_m'; did you mean"):
        truefold.measure(X, Z, measures="r_m")
    with pytest.raises(ValueError, match="X has 500 points and Y has 499"):
        truefold.measure(X, Z[:-1])
    with pytest.raises(ValueError, match="X has 1 dimension, but a table has 2"):
        truefold.measure(X[:, 0], Z)
    with pytest.raises(ValueError, match="Complex data not supported"):
        truefold.measure(X * 1j, Z)
    with pytest.raises(TypeError, match="X is a sparse matrix"):
        truefold.measure(scipy.sparse.csr_matrix(X), Z)
    with pytest.raises(ValueError, match="must be square, but X has 500 rows and 3 columns"):
        truefold.measure(X, Z, metric="precomputed")
    with pytest.raises(ValueError, match="column 'name' holds object, not numbers"):
        truefold.measure(pandas.DataFrame({"a": X[:, 0], "name": ["x"] * 500}), Z[:, :1])
    with pytest.raises(ValueError, match=r"^X: array position X\[1, 0\] holds NaN"):
        truefold.measure(pandas.DataFrame({"a": pandas.array([1, None, 3], dtype="Int64")}), Z[:3, :1], 1)
    with pytest.raises(ValueError, match=r"^X: array position X\[0, 1\] of the distances holds -1, which is negative"):
        truefold.measure([[0, -1], [-1, 0]], [[0.0], [1.0]], 1, metric="precomputed")
    with pytest.raises(ValueError, match=r"^neighbors: array position neighbors\[0, 0\] .*holds 9; rows are numbered from 0 to 2"):
        truefold.measure(X[:3], Z[:3], neighbors=[[9], [0], [1]])
    with pytest.raises(ValueError, match="neighbors are given"):
        truefold.measure(X, Z, neighbors=truefold.neighbors(X), radius=1.0)
    with pytest.raises(ValueError, match="leaves nothing to search for"):
        truefold.neighbors(np.zeros((3, 3)), 1, metric="precomputed", algorithm="tree")
    with pytest.raises(TypeError, match="n_neighbors = 2.5 is not a whole number"):
        truefold.measure(X, Z, 2.5)
    for bad in (-1, 2**64):
        with pytest.raises(ValueError, match="is not from 0 to"):
            truefold.measure(X, Z, random_state=bad)
    with pytest.raises(ValueError, match="n_jobs = 0 is not from 1 to 4096"):
        truefold.measure(X, Z, n_jobs=0)


def test_exceptions_are_of_the_kinds_that_people_expect(roll):
    X, _ = roll
    two = np.vstack([X, X + 1000])
    with pytest.raises(truefold.NotConnectedError, match="2 connected components"):
        truefold.LTSA(components="error").fit(two)
    with pytest.raises(MemoryError, match="memory = 0.0001 is less than"):
        truefold.Isomap(memory=1e-4).fit(X)
    with pytest.raises(truefold.TooFewPointsError, match="needs at least 2 points, but there is 1"):
        truefold.LTSA().fit(X[:1])
    for error in (truefold.NotConnectedError, truefold.ParameterError, truefold.RankDeficientError):
        assert issubclass(error, ValueError)
    assert issubclass(truefold.FileError, OSError) and issubclass(truefold.UnknownNameError, KeyError)


def test_ragged_lists_and_numbers_without_end_have_sentences(roll):
    with pytest.raises(truefold.errors.DataError, match="X is no table: its rows differ in length"):
        truefold.neighbors([[1.0, 2.0], [3.0]], n_neighbors=1)
    with pytest.raises(truefold.errors.ParameterError, match="n_jobs = 1180591620717411303424 is beyond what"):
        truefold.neighbors([[1.0], [3.0]], n_neighbors=1, n_jobs=2**70)
