"""Files of other programs read by the tool, and files of the tool read by other programs.

Every check goes through `truefold neighbors`: its answer on a file is compared with brute force over the array that
went into the file. The environment variable TRUEFOLD names the tool.
"""

import os
import subprocess

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
scipy_io = pytest.importorskip("scipy.io")

K = 3
POINTS = np.random.default_rng(7).normal(size=(40, 3))
FRAME = pd.DataFrame(POINTS, columns=["a", "b", "c"])
NAMED = FRAME.set_axis([f"row {i}" for i in range(len(FRAME))])

pytestmark = pytest.mark.skipif("TRUEFOLD" not in os.environ, reason="TRUEFOLD does not name the tool")


def run(*arguments):
    return subprocess.run([os.environ["TRUEFOLD"], *map(str, arguments)], capture_output=True, text=True)


def neighbors(path, out, *options):
    done = run("neighbors", path, "--k", K, "--output", out, *options)
    assert done.returncode == 0, done.stderr
    return out


def brute_force(points):
    """The center first, then the K nearest by distance, ties by index."""
    points = np.asarray(points, dtype=float)
    squares = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, -1)
    return np.argsort(squares, axis=1, kind="stable")[:, : K + 1]


def european(path):
    FRAME.to_csv(path, index=False, sep=";", decimal=",", encoding="latin-1")


def from_r(path):
    lines = ['"a" "b" "c"'] + [f'"{i + 1}" {a!r} {b!r} {c!r}' for i, (a, b, c) in enumerate(POINTS.tolist())]
    path.write_text("\n".join(lines) + "\n")


def from_matlab(compressed):
    return lambda path: scipy_io.savemat(
        path, {"X": POINTS, "k": 3, "note": "text", "group": np.arange(40)}, do_compression=compressed
    )


def from_pandas(frame=FRAME, **options):
    return lambda path: frame.to_csv(path, **options)


def to_parquet(frame=FRAME, **options):
    return lambda path: frame.to_parquet(path, **options)


# What is written, by which function, and under which ending.
WRITERS = {
    "npy": ("npy", lambda path: np.save(path, POINTS)),
    "npy, Fortran order": ("npy", lambda path: np.save(path, np.asfortranarray(POINTS))),
    "npy, high byte first": ("npy", lambda path: np.save(path, POINTS.astype(">f8"))),
    "npz": ("npz", lambda path: np.savez(path, X=POINTS, y=np.arange(40))),
    "npz, compressed": ("npz", lambda path: np.savez_compressed(path, POINTS)),
    "mat": ("mat", from_matlab(False)),
    "mat, compressed": ("mat", from_matlab(True)),
    "csv with an index": ("csv", from_pandas()),
    "csv with a text index": ("csv", from_pandas(NAMED)),
    "csv": ("csv", from_pandas(index=False)),
    "csv without a header": ("csv", from_pandas(index=False, header=False)),
    "csv from Excel": ("csv", from_pandas(index=False, encoding="utf-8-sig", lineterminator="\r\n")),
    "csv, European": ("csv", european),
    "csv, bars": ("csv", from_pandas(index=False, sep="|")),
    "csv from R": ("csv", from_r),
    "csv from savetxt": ("csv", lambda path: np.savetxt(path, POINTS, fmt="%.17g", header="a b c")),
    "tsv": ("tsv", from_pandas(index=False, sep="\t")),
    **{f"parquet, {kind}": ("parquet", to_parquet(compression=kind)) for kind in ("snappy", "gzip", "zstd", "lz4")},
    "parquet with a text index": ("parquet", to_parquet(NAMED)),
    "parquet with a number index": ("parquet", to_parquet(FRAME.set_axis(np.arange(40) * 5))),
    "parquet, small groups": ("parquet", to_parquet(row_group_size=7)),
}

# How other programs read a table of indices that the tool wrote.
READERS = {
    "csv": lambda path: np.loadtxt(path, delimiter=",", dtype=np.int64),
    "tsv": lambda path: np.loadtxt(path, delimiter="\t", dtype=np.int64),
    "npy": np.load,
    "npz": lambda path: np.load(path)["indices"],
    "parquet": lambda path: pd.read_parquet(path).to_numpy(),
    "mat": lambda path: scipy_io.loadmat(path)["indices"],
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("ending", READERS)
def test_every_pair_of_formats(tmp_path, writer, ending):
    suffix, write = WRITERS[writer]
    path = tmp_path / f"points.{suffix}"
    write(path)
    found = READERS[ending](neighbors(path, tmp_path / f"neighbors.{ending}"))
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, brute_force(POINTS))


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("order", "<>")
def test_every_number_type(tmp_path, kind, order):
    array = np.abs(POINTS * 50).astype(np.dtype(kind).newbyteorder(order))
    np.save(tmp_path / "x.npy", array)
    found = np.load(neighbors(tmp_path / "x.npy", tmp_path / "n.npy"))
    np.testing.assert_array_equal(found, brute_force(array))


# Raw formats: the type of their numbers, and whether each row begins with its length.
RAW = {"fbin": ("<f4", False), "u8bin": ("u1", False), "fvecs": ("<f4", True), "bvecs": ("u1", True)}


def raw(kind, lengths):
    """The bytes of a raw file of the points, and the numbers that it holds."""
    array = np.abs(POINTS * 50).astype(kind)
    rows, columns = array.shape
    if lengths:
        return b"".join(np.int32(columns).tobytes() + row.tobytes() for row in array), array
    return np.array([rows, columns], "<u4").tobytes() + array.tobytes(), array


@pytest.mark.parametrize("ending", RAW)
def test_raw_vectors(tmp_path, ending):
    content, array = raw(*RAW[ending])
    path = tmp_path / f"x.{ending}"
    path.write_bytes(content)
    np.testing.assert_array_equal(np.load(neighbors(path, tmp_path / "n.npy")), brute_force(array))
    plain = path.rename(tmp_path / "x.bin")
    found = np.load(neighbors(plain, tmp_path / "n.npy", "--input-format", ending))
    np.testing.assert_array_equal(found, brute_force(array))
    plain.write_bytes(content[:-1])
    refused = run("neighbors", plain, "--k", K, "--output", tmp_path / "m.npy", "--input-format", ending)
    assert refused.returncode != 0 and "is cut short: " in refused.stderr and "--input-format" in refused.stderr
    refused = run("neighbors", plain, "--k", K, "--output", path)
    assert refused.returncode != 0 and f".{ending} files are only read, not written; use .csv" in refused.stderr


@pytest.mark.parametrize("order", "CF")
def test_large_arrays(tmp_path, order):
    """In rows, mapped."""
    array = np.random.default_rng(3).normal(size=(3_000, 3_000)).astype(np.float32)
    array[7] = array[2_999] + 1e-3
    np.save(tmp_path / "x.npy", np.asarray(array, order=order))
    found = np.load(neighbors(tmp_path / "x.npy", tmp_path / "n.npy"))
    assert found[7, 1] == 2_999 and found[2_999, 1] == 7


def test_a_variable_is_chosen_by_name(tmp_path):
    path = tmp_path / "two.npz"
    np.savez(path, A=POINTS, B=POINTS[::-1])
    refused = run("neighbors", path, "--k", K, "--output", tmp_path / "n.npy")
    assert refused.returncode != 0 and "'A' (40, 3), 'B' (40, 3)" in refused.stderr and "--variable" in refused.stderr
    found = np.load(neighbors(path, tmp_path / "n.npy", "--variable", "B"))
    np.testing.assert_array_equal(found, brute_force(POINTS[::-1]))


def test_declared_text_columns(tmp_path):
    path = tmp_path / "x.csv"
    FRAME.assign(kind=["u", "v"] * 20).to_csv(path, index=False)
    refused = run("neighbors", path, "--k", K, "--output", tmp_path / "n.npy")
    assert refused.returncode != 0 and "row 1 (line 2), column 4 ('kind') holds the text 'u'" in refused.stderr
    assert not (tmp_path / "n.npy").exists()
    for option in ("--label-column", "--id-column", "--drop-columns"):
        found = np.load(neighbors(path, tmp_path / "n.npy", option, "kind"))
        np.testing.assert_array_equal(found, brute_force(POINTS))


UNFIT = {
    "missing file": ("x.csv", lambda path: None, "no such file"),
    "a gap": ("x.csv", lambda path: path.write_text("1,2\n3,\n"), "row 2, column 2 is empty"),
    "a ragged row": ("x.csv", lambda path: path.write_text("1,2\n3,4,5\n"), "row 2 has 3 cells"),
    "an empty file": ("x.csv", lambda path: path.write_text(""), "is empty"),
    "only a header": ("x.csv", lambda path: path.write_text("a,b\n"), "a header and no data"),
    "complex numbers": ("x.npy", lambda path: np.save(path, POINTS + 1j), "complex"),
    "three dimensions": ("x.npy", lambda path: np.save(path, np.zeros((2, 2, 2))), "(2, 2, 2)"),
    "NaN": ("x.npy", lambda path: np.save(path, np.full((4, 2), np.nan)), "row 1, column 1 holds NaN"),
    "an unusual codec": (
        "x.parquet",
        to_parquet(compression="brotli"),
        "column 1 ('a') is compressed with brotli, which is not read; write the file again with zstd or snappy",
    ),
    "a null": ("x.parquet", to_parquet(FRAME.shift(1)), "row 1, column 1 ('a') holds no value"),
    "nested values": ("x.parquet", to_parquet(FRAME.assign(l=[[1]] * 40)), "column 4 ('l') holds nested values"),
    "an unknown ending": ("x.xlsx", lambda path: path.write_text("1"), "--input-format"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_what_cannot_be_read_is_explained(tmp_path, case):
    name, write, expected = UNFIT[case]
    write(tmp_path / name)
    refused = run("neighbors", tmp_path / name, "--k", 1, "--output", tmp_path / "n.npy")
    assert refused.returncode != 0 and expected in refused.stderr, refused.stderr
    assert not (tmp_path / "n.npy").exists()
