"""Narrow arrays are read in place, and every result is that of the same numbers as 64-bit floats, bit for bit."""
import json
import pickle

import numpy as np
import pandas
import pytest

import truefold
from truefold import _native
from truefold.inputs import KEPT, source

NARROW = (np.float32, np.float16, np.uint8)


@pytest.fixture(scope="module")
def tables(roll):
    """A swiss roll in each narrow type."""
    X, _ = roll
    scaled = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    return {kind: (250 * scaled).astype(kind) for kind in NARROW}


def test_narrow_arrays_in_rows_are_read_in_place(tables):
    for kind, X in tables.items():
        made, columns, _ = source(X, "euclidean")
        assert made.array is X and made.precision == str(np.dtype(kind)) and columns == 3 and len(made) == 500
        turned = source(np.asfortranarray(X), "euclidean")[0]
        assert turned.array.flags.c_contiguous and turned.array.dtype == kind
        swapped = source(X.astype(X.dtype.newbyteorder(">")), "euclidean")[0]
        assert swapped.precision == made.precision and np.array_equal(swapped.array, X)
    for other in (np.int8, np.int32, np.longdouble, bool):
        assert source(np.eye(4).astype(other), "euclidean")[0].precision == "float64"
    assert pandas.DataFrame(tables[np.float32]).to_numpy().dtype == np.float32
    assert source(pandas.DataFrame(tables[np.float32]), "euclidean")[0].precision == "float32"


def test_the_compiled_part_keeps_narrow_arrays_alive():
    import gc
    import weakref

    class Array(np.ndarray):
        """An array that can be watched."""

    array = np.arange(20, dtype=np.float32).reshape(10, 2).view(Array)
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


def test_arrays_that_are_not_ready_are_refused():
    for array in (np.eye(3)[:, ::-1], np.eye(3, dtype=np.int64), np.ones(3), np.eye(3).astype(">f8"), np.eye(3)[:, :2]):
        with pytest.raises(TypeError, match="^X is not a C-ordered table of floats or bytes$"):
            _native.Source.points(array, "X")
    # Between two numbers in memory: copied.
    whole = np.frombuffer(b"?" + np.arange(6, dtype=np.float32).tobytes(), dtype=np.uint8)[1:].view(np.float32)
    made = _native.Source.points(whole.reshape(3, 2), "X")
    assert _native.neighbors(made, (1, None, "euclidean", "brute"), (0, 1, None)).lists()[1].tolist() == [0, 1, 1, 0, 2, 1]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "correlation"])
def test_measures_have_the_same_bits(tables, roll, metric):
    for X in tables.values():
        # Rows of one number have no direction.
        X = X + X.dtype.type(1) * np.arange(3, dtype=X.dtype) if metric == "correlation" else X
        narrow, wide = (truefold.measure(x, roll[1], metric=metric) for x in (X, X.astype(np.float64)))
        assert json.dumps(narrow.to_dict(), sort_keys=True) == json.dumps(wide.to_dict(), sort_keys=True)


@pytest.mark.parametrize("method", [truefold.ProcrustesAlignment, truefold.PCA, truefold.LTSA])
def test_estimators_have_the_same_bits(tables, method):
    for X in tables.values():
        narrow, wide = (method(random_state=1).fit(x) for x in (X, X.astype(np.float64)))
        assert np.array_equal(narrow.embedding_, wide.embedding_) and narrow.embedding_.dtype == np.float64
        new = X[::7].astype(np.float64) + 0.25
        assert np.array_equal(narrow.transform(new), wide.transform(new))
        again = pickle.loads(pickle.dumps(narrow))
        assert np.array_equal(again.transform(X[:5]), narrow.embedding_[:5])


def test_numpys_mapped_files_are_read_in_place(tables, tmp_path):
    X = tables[np.float32]
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    made = source(mapped, "euclidean")[0]
    assert np.shares_memory(made.array, mapped) and made.precision == "float32"
    found, expected = (truefold.neighbors(x, 5)._native.lists()[1] for x in (mapped, X))
    assert np.array_equal(found, expected)


def test_cells_that_are_not_finite_are_named(tables):
    for kind in (np.float32, np.float16):
        X = tables[kind].copy()
        X[3, 1] = np.inf
        with pytest.raises(truefold.DataError, match=r"X\[3, 1\] holds inf"):
            truefold.measure(X, X[:, :2])
    assert {np.dtype(kind) for kind in NARROW} < set(KEPT)
