"""Makes the points that the neighbor searches are timed on: float32 or bytes, one row per point.

    python neighbors_data.py KIND POINTS WIDTH OUT.npy [FOLDER]

digits     the 70,000 digits of mnist.npz or of the raw idx files (.gz too) of FOLDER, as they are, which is bytes; fewer
           than 784 columns are the first principal coordinates
curved     16 intrinsic dimensions: z uniform in [0, 1]^16, x = sin(z A + b) B + noise, where A is 16 x 64 with normal
           entries of standard deviation 0.5, b is uniform in [0, 2 pi], B is 64 x WIDTH with normal entries of standard
           deviation 1 / 8, and the noise has standard deviation 0.01, about a fiftieth of that of x
uniform    uniform in a cube of WIDTH dimensions, where no search that looks at few points finds all neighbors
clustered  1,000 normal clusters of very different sizes and widths
spherical  the curved points, scaled to length 1 after their mean was taken off: for angles

Points are made in blocks of 50,000 with seeds of their own, so the first 100,000 of a million are those of 100,000.
"""
import gzip
import sys
from pathlib import Path

import numpy as np

BLOCK = 50_000
DIGITS = ("train-images-idx3-ubyte", "t10k-images-idx3-ubyte")


def read_idx(path):
    """The array of an idx file: two zero bytes, the type (8: bytes), the number of axes, their lengths, the bytes."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
        head = file.read(4)
        if len(head) < 4 or head[:3] != b"\0\0\x08":
            raise SystemExit(f"{path.name} is not an idx file of bytes")
        shape = np.frombuffer(file.read(4 * head[3]), dtype=">u4").astype(int)
        values = np.frombuffer(file.read(), dtype=np.uint8)
    if len(values) != shape.prod():
        raise SystemExit(f"{path.name} should hold {shape.prod()} bytes and holds {len(values)}")
    return values.reshape(shape)


def digits(folder):
    if (folder / "mnist.npz").exists():
        with np.load(folder / "mnist.npz") as file:
            images = file["images"]
        return images.reshape(len(images), -1)
    parts = []
    for name in DIGITS:
        found = [path for path in (folder / name, folder / f"{name}.gz") if path.exists()]
        if not found:
            raise SystemExit(f"{folder} has neither mnist.npz nor {name}")
        images = read_idx(found[0])
        parts.append(images.reshape(len(images), -1))
    return np.concatenate(parts)


def principal(x, width):
    x = x.astype(np.float32)
    x -= x.mean(axis=0)
    _, axes = np.linalg.eigh(x.T.astype(np.float64) @ x)
    return (x @ axes[:, ::-1][:, :width]).astype(np.float32)


def curved(width):
    rng = np.random.default_rng(1)
    a, b = rng.normal(0, 0.5, (16, 64)), rng.uniform(0, 2 * np.pi, 64)
    out = rng.normal(0, 1 / 8, (64, width))
    return lambda rng, count: np.sin(rng.random((count, 16)) @ a + b) @ out + rng.normal(0, 0.01, (count, width))


def uniform(width):
    return lambda rng, count: rng.random((count, width), dtype=np.float32)


def clustered(width):
    rng = np.random.default_rng(1)
    centers, widths = rng.normal(0, 1, (1000, width)), 10 ** rng.uniform(-2, 0, 1000)
    shares = 1 / np.arange(1, 1001)

    def block(rng, count):
        of = rng.choice(1000, count, p=shares / shares.sum())
        return centers[of] + widths[of, None] * rng.normal(size=(count, width))

    return block


def spherical(width):
    make = curved(width)
    mean = make(np.random.default_rng(2), BLOCK).mean(axis=0)

    def block(rng, count):
        x = make(rng, count) - mean
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    return block


GENERATED = {"curved": curved, "uniform": uniform, "clustered": clustered, "spherical": spherical}


def main(kind, points, width, target, folder=None):
    points, width = int(points), int(width)
    if kind == "digits":
        x = digits(Path(folder))
        np.save(target, (x if width >= x.shape[1] else principal(x, width))[:points])
        return
    block = GENERATED[kind](width)
    x = np.lib.format.open_memmap(target, mode="w+", dtype=np.float32, shape=(points, width))
    for start in range(0, points, BLOCK):
        made = block(np.random.default_rng([3, start]), BLOCK)
        x[start : start + BLOCK] = made[: points - start]


if __name__ == "__main__":
    main(*sys.argv[1:])
