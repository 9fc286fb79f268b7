"""What is written from tables is up to date, and the examples run."""
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1]


def test_the_written_modules_are_up_to_date():
    done = subprocess.run([sys.executable, FOLDER / "generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted((FOLDER / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_the_examples_run(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert "R_" in capsys.readouterr().out
    assert [file for file in tmp_path.iterdir() if file.suffix == ".png" and file.stat().st_size > 10_000]
