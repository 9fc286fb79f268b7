"""Pictures that a column of the data names, shown beside the pointer."""
import base64
import struct
import zlib

import pytest
from reader import place_of_point


def png(width, height, shade):
    """A picture in one shade of gray."""
    part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([shade]) * width) * height
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")


@pytest.fixture
def table(run, tmp_path):
    """A table whose last column holds a file for the first point, a data URI for the second, and nothing for the rest."""
    run("generate", "swiss-roll", "--points", "60", "--output", "x.csv", "--seed", "1")
    lines = (tmp_path / "x.csv").read_text().splitlines()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "first.png").write_bytes(png(30, 20, 80))
    texts = ["photo", "pictures/first.png", f"data:image/png;base64,{base64.b64encode(png(8, 16, 200)).decode()}"]
    texts += [""] * (len(lines) - len(texts))
    (tmp_path / "with.csv").write_text("\n".join(f'{line},"{text}"' for line, text in zip(lines, texts)) + "\n")
    return tmp_path


def shown(page, own):
    """The size of the picture of a point as it is shown, or nothing."""
    page.move(4, 4)
    page.wait("document.getElementById('card').hidden")
    page.move(*place_of_point(page, "panel-0", own))
    page.wait(f"document.querySelector('#card .name').textContent === 'row {own + 1}' && !document.getElementById('card').hidden")
    return page.evaluate("(({ hidden, naturalWidth, naturalHeight }) => hidden ? null : [naturalWidth, naturalHeight])(document.querySelector('#card img'))")


def test_hovering_shows_the_picture_that_a_column_names(visit, run, table):
    run("compare", "with.csv", "--methods", "pca", "--k", "8", "--image-column", "photo", "--report", "page.html")
    page = visit(table / "page.html")
    assert shown(page, 0) == [30, 20]
    assert shown(page, 1) == [8, 16]
    assert shown(page, 2) is None
    # The column of pictures is no coordinate.
    assert "3 dimensions" in page.evaluate("document.getElementById('panel-input').textContent")


def test_pictures_that_are_not_there_are_told_before_anything_is_computed(run, table):
    (table / "pictures" / "first.png").unlink()
    done = run("compare", "with.csv", "--methods", "pca", "--image-column", "photo", "--report", "page.html", succeeds=False)
    assert done.returncode != 0 and "first.png" in done.stderr and "the picture of row 1" in done.stderr
    done = run("compare", "with.csv", "--methods", "pca", "--image-column", "photo", succeeds=False)
    assert "--image-column photo has no use without --report" in done.stderr
    assert not (table / "page.html").exists()
