"""Shared by all tests: the path of the tool, how to run it, and the data beside the project.

`cargo xtask test` sets TRUEFOLD to the build that the Rust tests use; by hand, set it to any build of the tool.
"""
import json
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tool():
    """The tool's path."""
    path = os.environ.get("TRUEFOLD", "")
    if not path:
        pytest.skip("TRUEFOLD is not set to the tool; run `cargo xtask test`")
    return path


@pytest.fixture
def run(tool, tmp_path):
    """Runs the tool in a fresh folder with the given words; returns the completed process, which must have succeeded.

    `succeeds=False` returns it whatever its status.
    """

    def run(*words, succeeds=True):
        done = subprocess.run(
            [tool, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
        )
        if succeeds:
            assert done.returncode == 0, f"truefold {' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}"
        return done

    return run


@pytest.fixture
def save(tmp_path):
    """Writes an array as NAME.npy in the fresh folder; returns the path."""

    def save(name, array):
        path = tmp_path / f"{name}.npy"
        np.save(path, np.ascontiguousarray(array))
        return path

    return save


@pytest.fixture
def measure(run, save):
    """Measures the embedding y of x; `measures` and `lower_bounds` of the tool's JSON, and the JSON itself."""

    def measure(x, y, *words):
        report = json.loads(run("measure", save("x", x), save("y", y), *words, "--format", "json").stdout)
        return SimpleNamespace(values=report["measures"], bounds=report["lower_bounds"], report=report)

    return measure


@pytest.fixture
def neighbors(run, save, tmp_path):
    """The matrix of neighbors that the tool finds in x, the center first."""

    def neighbors(x, *words):
        run("neighbors", save("x", x), *words, "--output", tmp_path / "n.npy")
        return np.load(tmp_path / "n.npy")

    return neighbors


@pytest.fixture(scope="session")
def shared():
    """The folder of shared data beside the project; tests that need it are skipped if it does not exist."""
    folder = Path(os.environ.get("TRUEFOLD_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip("needs the shared data beside the project (../shared)")
    return folder
