"""What the benchmark of neighbor searches reads and counts: idx files of digits, and recalls."""
import gzip
from pathlib import Path

import numpy as np
import pytest

SCRIPTS = Path(__file__).parents[2] / "xtask" / "python"


@pytest.fixture(autouse=True)
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))


def idx(array):
    lengths = b"".join(int(length).to_bytes(4, "big") for length in array.shape)
    return bytes([0, 0, 8, array.ndim]) + lengths + array.tobytes()


def images(count, seed):
    return np.random.default_rng(seed).integers(0, 256, (count, 28, 28), dtype=np.uint8)


def test_digits_are_read_from_idx_files_plain_or_compressed(tmp_path):
    import neighbors_data

    train, test = images(5, 0), images(2, 1)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(idx(train))
    (tmp_path / "t10k-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(test)))
    x = neighbors_data.digits(tmp_path)
    assert x.dtype == np.uint8
    assert np.array_equal(x, np.concatenate([train, test]).reshape(7, 784))
    for width, kind in ((784, np.uint8), (4, np.float32)):
        neighbors_data.main("digits", 6, width, tmp_path / "x.npy", tmp_path)
        made = np.load(tmp_path / "x.npy")
        assert made.shape == (6, width) and made.dtype == kind
    np.savez(tmp_path / "mnist.npz", images=train)
    assert np.array_equal(neighbors_data.digits(tmp_path), train.reshape(5, 784))


def test_files_that_are_no_digits_are_refused_in_a_sentence(tmp_path):
    import neighbors_data

    with pytest.raises(SystemExit, match="neither mnist.npz nor train-images-idx3-ubyte"):
        neighbors_data.digits(tmp_path)
    file = tmp_path / "train-images-idx3-ubyte"
    file.write_bytes(idx(images(3, 0))[:-10])
    with pytest.raises(SystemExit, match="should hold 2352 bytes and holds 2342"):
        neighbors_data.read_idx(file)
    file.write_bytes(b"\x89PNG")
    with pytest.raises(SystemExit, match="not an idx file"):
        neighbors_data.read_idx(file)


@pytest.mark.parametrize("kind", ["curved", "uniform", "clustered", "spherical"])
def test_fewer_points_are_the_first_of_more(tmp_path, monkeypatch, kind):
    import neighbors_data

    monkeypatch.setattr(neighbors_data, "BLOCK", 100)
    for count in (130, 250):
        neighbors_data.main(kind, count, 20, tmp_path / f"{count}.npy")
    few, many = np.load(tmp_path / "130.npy"), np.load(tmp_path / "250.npy")
    assert few.dtype == np.float32 and np.isfinite(many).all()
    assert np.array_equal(few, many[:130])
    assert not np.array_equal(many[:100], many[100:200])


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_recall_counts_the_neighbors_found(monkeypatch, metric):
    import neighbors_recall

    monkeypatch.setattr(neighbors_recall, "BLOCK", 64)
    x = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
    x[7] = x[3]
    scaled = x / np.linalg.norm(x, axis=1, keepdims=True) if metric == "cosine" else x
    d = ((scaled[:, None].astype(float) - scaled[None]) ** 2).sum(axis=2)
    np.fill_diagonal(d, -1)
    order = np.argsort(d, axis=1, kind="stable")
    rows, radii = neighbors_recall.true_radii(x, metric, 5, 40)
    assert len(rows) == 40
    found = lambda lists: neighbors_recall.recall(x, metric, rows, radii, 5, lists)[0]
    assert found(order[:, :6]) == 1.0
    assert found(order[:, 1:6]) == 1.0, "a list without the point itself"
    wrong = order[:, :6].copy()
    wrong[:, 5] = order[:, -1]
    assert found(wrong) == pytest.approx(0.8)
    wrong[:, 4] = wrong[:, 3]
    assert found(wrong) == pytest.approx(0.6), "a neighbor counts once"
    wrong[:, 3:] = -1
    assert found(wrong) == pytest.approx(0.4), "rows that are filled up"
