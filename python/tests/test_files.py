"""What is written from tables is up to date, and the examples run."""
import os
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]


def test_the_written_modules_are_up_to_date():
    done = subprocess.run([sys.executable, FOLDER / "generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_wheel_holds_licenses_and_types():
    path = os.environ.get("TRUEFOLD_WHEEL", "")
    if not path:
        pytest.skip("TRUEFOLD_WHEEL is not set to the wheel; run `cargo xtask test`")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        told = wheel.read(metadata).decode().split("\n\n")[0].splitlines()
        assert "License-Expression: MIT OR Apache-2.0" in told
        for name in ("LICENSE-APACHE", "LICENSE-MIT"):
            assert f"License-File: {name}" in told
            text = wheel.read(f"{Path(metadata).parent}/licenses/{name}")
            assert text == (FOLDER.parent / name).read_bytes() and len(text) > 1000
    assert {"truefold/py.typed", "truefold/_native.pyi"} <= set(names)
    assert not [name for name in names if not name.startswith("truefold")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted((FOLDER / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_the_examples_run(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert "R_" in capsys.readouterr().out
    assert [file for file in tmp_path.iterdir() if file.suffix == ".png" and file.stat().st_size > 10_000]
