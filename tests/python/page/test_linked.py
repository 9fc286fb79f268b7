"""Tables about labels and the selection, curves with bands, and the selection as a file."""
import io
import time

import numpy as np
import pandas as pd
import pytest
from reader import choose, chosen, colors, coordinates, lasso, selected, wait_for_selection

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def judged(sample):
    return sample("judged", 800)


def labels(page):
    """The label of each point, as the colors tell it."""
    choose(page, "color", "label")
    names = page.evaluate("[...document.querySelectorAll('#legend button')].map((button) => button.textContent)")
    return np.array(names)[np.array(colors(page, "panel-0")["values"]).astype(int)]


def counted(page, table):
    """How many of the selection each row of a table has."""
    rows = page.evaluate(
        f"[...document.querySelectorAll('table.linked')[{table}].tBodies[0].rows].map((row) => [row.cells[0].textContent, row.lastChild.textContent])"
    )
    return {name: int(count.replace(",", "")) for name, count in rows}


def test_a_row_selects_its_label_and_tells_its_share_of_the_selection(visit, judged):
    page = visit(judged)
    known = labels(page)
    page.evaluate("document.querySelector('table.linked tr[data-label=inner] button').click()")
    wait_for_selection(page)
    assert selected(page) == (known == "inner").sum()
    everyone = {name: 0 for name in ("inner", "middle", HOSTILE)}
    page.wait("document.querySelector('table.linked tr[data-label=inner]').lastChild.textContent !== '–'")
    assert counted(page, 0) == counted(page, 1) == {**everyone, "inner": (known == "inner").sum()}
    lasso(page, "panel-1", -1, 0)
    page.wait("!document.querySelector('table.linked tr[data-label=middle]').lastChild.textContent.startsWith('0')")
    counts = counted(page, 0)
    assert sum(counts.values()) == selected(page) and min(counts.values()) > 0
    page.evaluate("document.getElementById('clear').click()")
    page.wait("document.querySelector('table.linked tr[data-label=inner]').lastChild.textContent === '–'")


def test_a_cell_of_a_matrix_is_shaded_and_shows_the_label_of_its_column(visit, judged):
    page = visit(judged)
    known = labels(page)
    cell = "document.querySelectorAll('table.linked')[1].querySelector('tr[data-label=inner]').cells[%d]"
    heads = page.evaluate("[...document.querySelectorAll('table.linked')[1].tHead.rows[0].cells].map((cell) => cell.dataset.label ?? '')")
    assert heads == ["", HOSTILE, "inner", "middle", ""]
    shares = [float(page.evaluate((cell % at) + ".textContent")) for at in (1, 2, 3)]
    shades = [page.evaluate(f"getComputedStyle({cell % at}).backgroundColor") for at in (1, 2, 3)]
    opacity = [float(shade.rstrip(")").split("/")[-1]) for shade in shades]
    assert np.argsort(opacity).tolist() == np.argsort(shares).tolist() and len(set(opacity)) == 3
    page.evaluate((cell % 3) + ".querySelector('button').click()")
    wait_for_selection(page)
    # Only the row's points are selected; the column's are shown too, with rims, and all else is dim.
    assert selected(page) == (known == "inner").sum()
    beside = page.evaluate("Array.from(document.getElementById('panel-0').view.panel.coordinates[0])")
    both = chosen(page, "panel-0")
    rims = page.evaluate(
        """(() => { const canvas = document.getElementById('panel-0').view.chosen;
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          const found = []; for (let at = 0; at < data.length; at += 4) {
            if (data[at] > 180 && data[at + 1] < 30 && data[at + 3] > 200) found.push((at / 4) % canvas.width); }
          return [Math.min(...found), Math.max(...found), canvas.width]; })()"""
    )
    view = page.evaluate("(({ across }) => [across.low, across.high])(document.getElementById('panel-0').view)")
    place = lambda value: (value - view[0]) / (view[1] - view[0]) * rims[2]
    middle = np.array(beside)[known == "middle"]
    assert rims[0] == pytest.approx(place(middle.min()), abs=8) and rims[1] == pytest.approx(place(middle.max()), abs=8)
    page.evaluate((cell % 2) + ".querySelector('button').click()")
    page.wait("document.getElementById('selected').textContent.match(/^\\d/)")
    deadline = time.monotonic() + 20
    while chosen(page, "panel-0") >= both and time.monotonic() < deadline:
        time.sleep(0.05)
    assert chosen(page, "panel-0") < both


def test_curves_have_bands_that_belong_to_the_scale(visit, judged):
    page = visit(judged)
    bands = page.evaluate("[...document.querySelectorAll('#chart-0 .band')].map((band) => band.getBBox().height)")
    assert len(bands) == 3 and min(bands) > 10
    inside = page.evaluate(
        """(() => { const svg = document.querySelector('#chart-0 .border').getBoundingClientRect();
          return [...document.querySelectorAll('#chart-0 .band')].every((band) => { const at = band.getBoundingClientRect();
            return at.top >= svg.top && at.bottom <= svg.bottom; }); })()"""
    )
    assert inside
    # A band is hidden with its curve.
    page.evaluate("document.querySelector('#chart-0 .key button').click()")
    assert page.evaluate("document.querySelectorAll('#chart-0 .band').length") == 2
    page.evaluate("document.querySelector('#chart-0 .box').focus()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    page.wait("document.querySelector('#chart-0 .tip').textContent.includes(' to ')")


def saved(page, folder):
    """Clicks on the button and reads the file that comes of it."""
    page.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    page.evaluate("document.getElementById('save').click()")
    file, end = folder / "selection.csv", time.monotonic() + 60
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.05)
    return pd.read_csv(io.StringIO(file.read_text()))


def test_the_selection_is_saved_with_all_that_is_known(visit, judged, tmp_path):
    page = visit(judged)
    assert page.evaluate("document.getElementById('save').disabled")
    known = labels(page)
    choose(page, "color", "verdict")
    codes = np.array(colors(page, "panel-1")["values"]).astype(int)
    choose(page, "color", "channel-0")
    scale = colors(page, "panel-1")
    lasso(page, "panel-1", -0.5, 0.2)
    wait_for_selection(page)
    table = saved(page, tmp_path)
    assert len(table) == selected(page) > 50
    maps = ["unrolled", "from the side", '"shuffled", by rows']
    kinds = ["y1", "y2", "r_n", "neighbors kept", "verdict"]
    assert table.columns.tolist() == ["row", "label", "arc_length", "height", *(f"{name} {kind}" for name in maps for kind in kinds)]
    # Rows count from one, as the page says.
    assert page.evaluate("document.getElementById('counting').textContent") == "rows count from 1"
    own = table["row"].to_numpy() - 1
    assert table["label"].tolist() == known[own].tolist()
    assert np.allclose(table["from the side y1"], np.array(coordinates(page, "panel-1"))[own], rtol=1e-4, atol=1e-4)
    logarithms = np.maximum(np.log10(table["from the side r_n"]), scale["low"])
    assert np.allclose(logarithms, np.array(scale["values"])[own], atol=1e-3)
    names = np.array(["faithful", "shape lost", "false neighbors", "neighbors missing", "not told from chance"])
    assert table["from the side verdict"].tolist() == names[codes[own]].tolist()


def test_points_are_saved_with_their_ids_though_a_map_left_them_out(visit, sample, tmp_path):
    page = visit(sample("kinds", 600))
    page.evaluate("document.getElementById('find').focus()")
    for name in ("point-1", "point-2"):
        page.evaluate("document.getElementById('find').value = ''")
        page.call("Input.insertText", text=name)
        page.key("Enter")
        page.wait(f"document.getElementById('announce').textContent.startsWith('{name},')")
        page.evaluate("document.getElementById('keep').click()")
    table = saved(page, tmp_path)
    assert table["id"].tolist() == ["point-1", "point-2"] and table["row"].tolist() == [2, 3]
    # Every other point is in the last map.
    assert table["every other y1"].isna().tolist() == [True, False]
