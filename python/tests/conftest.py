"""What the tests of the package share: the tool, to compare with, and some data.

`cargo xtask test` installs the wheel and sets TRUEFOLD to the tool; by hand, set it to any build of the tool.
"""
import json
import os
import subprocess

import matplotlib
import numpy as np
import pytest

import truefold

matplotlib.use("Agg")


@pytest.fixture(scope="session")
def roll():
    """A swiss roll and its true coordinates; not to be written to."""
    X, Z = truefold.datasets.swiss_roll(500, random_state=3)
    X.flags.writeable = Z.flags.writeable = False
    return X, Z


@pytest.fixture(scope="session")
def moved():
    """Four groups of 80 points far from each other, their labels, and a map in which the last lies across the first."""
    places = np.random.default_rng(1).uniform(0, 10, (320, 2))
    names = np.repeat(["a", "b", "c", "d"], 80)
    X, Y = (places + np.repeat([[at, 0.0] for at in corners], 80, axis=0) for corners in ([0, 30, 70, 130], [0, 30, 70, 4]))
    return X, Y, names


@pytest.fixture(scope="module")
def client():
    """Three worker processes of dask on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit="1GB"
    ) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def tool(tmp_path):
    """Runs the tool in a fresh folder; returns its JSON where it prints some, or its error where it fails."""
    path = os.environ.get("TRUEFOLD", "")
    if not path:
        pytest.skip("TRUEFOLD is not set to the tool; run `cargo xtask test`")

    def tool(*words, fails=False):
        line = [path, *map(str, words)]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
        assert (done.returncode != 0) == fails, f"truefold {' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}"
        if fails:
            return done.stderr.removeprefix("error: ").strip()
        return json.loads(done.stdout) if done.stdout.startswith("{") else done.stdout

    return tool


@pytest.fixture
def save(tmp_path):
    """Writes an array as NAME.npy in the fresh folder; returns the path."""

    def save(name, array):
        path = tmp_path / f"{name}.npy"
        np.save(path, np.ascontiguousarray(array))
        return path

    return save
