"""The pages that the tool and its library write, opened in a real browser.

The page's contract: it stands alone (no request leaves it), it logs nothing, every embedding is a `<figure>` whose
attribute `data-drawn` tells how many points are drawn, and the measures are in a `<table>`.
"""
import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browser import Browser

HOSTILE = "<script>alert(1)</script>"

# What the page loads, in attributes that fetch: a link that a reader may click is no request.
FETCHED = re.compile(r"""<(?!a\b)[a-z][^>]*?\s(?:src|href)\s*=\s*["']?(https?:)?//""", re.IGNORECASE)

ALL_DRAWN = "[...document.querySelectorAll('#panels figure')].every((figure) => figure.dataset.drawn)"

# The marks painted in a panel, as a number of pixels that are not empty.
MARKED = """((id) => {
  const box = document.querySelector(`#${id} .box`).getBoundingClientRect();
  const canvas = document.querySelector(`#${id}`).closest('.group').querySelector('.marks');
  const outer = canvas.getBoundingClientRect();
  const ratio = canvas.width / outer.width;
  const [x, y, w, h] = [box.left - outer.left, box.top - outer.top, box.width, box.height].map((side) => Math.round(side * ratio));
  const data = canvas.getContext('2d').getImageData(x, y, w, h).data;
  let count = 0;
  for (let at = 3; at < data.length; at += 4) count += data[at] > 0;
  return count;
})"""


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """The browser."""
    program = os.environ.get("CHROMIUM", "")
    if not program:
        pytest.skip("CHROMIUM is not set to a browser; `cargo xtask test` finds or installs one")
    browser = Browser(program, tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def sample(tool, tmp_path_factory):
    """Writes a page of built-in data through the library's own example, once each; its path."""
    example = Path(tool).parent / "examples" / "sample_report"
    written = {}

    def sample(kind, points):
        if (kind, points) not in written:
            page = tmp_path_factory.mktemp("page") / "report.html"
            done = subprocess.run([example, kind, str(points), page], capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, done.stderr
            written[kind, points] = page
        return written[kind, points]

    return sample


@pytest.fixture(scope="module")
def tabs(browser):
    """Pages that several tests share, by path."""
    tabs = {}
    yield tabs
    for page in tabs.values():
        browser.call("Target.closeTarget", targetId=page.target)


@pytest.fixture
def visit(browser, tabs):
    """Opens a page and waits until everything in the window is drawn; what it logged or asked for fails the test.

    `shared=True` gives the page that other tests had before, with nothing selected, zoomed or pointed at: it is for
    tests that leave colors, window and keyboard alone.
    """
    visited = []

    def visit(path, shared=False, **options):
        page = tabs.get(path) if shared else None
        if page is None:
            page = browser.open(path.as_uri(), **{"height": 2400, **options})
            page.wait(ALL_DRAWN)
            if shared:
                tabs[path] = page
        else:
            put_back(page)
        visited.append(page)
        return page

    yield visit
    for page in visited:
        assert page.complaints() == []
        assert page.requests() == []
        if page not in tabs.values():
            browser.call("Target.closeTarget", targetId=page.target)


def put_back(page):
    """Brings a page to where it was when it was opened, by its own controls."""
    page.call("Page.bringToFront")
    page.move(4, 4)
    page.wait("document.getElementById('card').hidden")
    page.evaluate("['clear', 'reset'].forEach((id) => document.getElementById(id).click())")
    page.evaluate("document.querySelector('input[value=lasso]').click()")
    page.wait("document.querySelector('.plot').layout.dragmode === 'lasso'")
    page.wait("!document.querySelector('.plot').layout.selections?.length")
    page.wait(f"document.getElementById('selected').textContent === 'nothing selected' && {MARKED}('panel-0') === 0")


@pytest.fixture
def demo(run, tmp_path):
    """Runs the demo in a fresh folder; its page and what it printed."""
    done = run("demo")
    page = tmp_path / "truefold-demo" / "report.html"
    assert page.is_file(), done.stdout
    return page, done.stdout


def box(page, panel):
    """The middle of a panel's axes and half their size, in the window."""
    at = page.evaluate(f"document.querySelector('#{panel} .box').getBoundingClientRect().toJSON()")
    left, right, top, bottom = at["left"] + 38, at["right"] - 4, at["top"] + 4, at["bottom"] - 22
    return (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2


def place_of_point(page, panel, own):
    """Where a point of a flat panel is in the window, from the plot's own axes."""
    group = f"document.getElementById('{panel}').closest('.group')"
    return page.evaluate(
        f"""(() => {{
          const plot = {group}.querySelector('.plot');
          const flat = [...{group}.querySelectorAll('figure')].filter((figure) => !figure.querySelector('.space'));
          const trace = flat.indexOf(document.getElementById('{panel}'));
          const {{ x, y }} = plot.data[trace];
          const [across, up] = ['x', 'y'].map((letter) => plot._fullLayout[`${{letter}}axis${{trace ? trace + 1 : ''}}`]);
          const outer = plot.getBoundingClientRect();
          return [outer.left + across._offset + across.l2p(x[{own}]), outer.top + up._offset + up.l2p(y[{own}])];
        }})()"""
    )


def lasso(page, panel, left, right):
    """Drags a loop around a band of a panel, from `left` to `right` of its width, each -1 to 1."""
    x, y, across, up = box(page, panel)
    corners = [(left, -0.95), (right, -0.95), (right, 0.95), (left, 0.95), (left, -0.9)]
    page.drag([(x + share * across, y + height * up) for share, height in corners])


def selected(page):
    text = page.evaluate("document.getElementById('selected').textContent")
    return int(re.match(r"[\d,]+", text)[0].replace(",", "")) if text[0].isdigit() else 0


def marked(page, panel):
    return page.evaluate(f"{MARKED}('{panel}')")


def colors(page, panel):
    """The values that color a flat panel."""
    return page.evaluate(
        f"""(() => {{
          const group = document.getElementById('{panel}').closest('.group');
          const flat = [...group.querySelectorAll('figure')].filter((figure) => !figure.querySelector('.space'));
          const {{ color, cmin, cmax }} = group.querySelector('.plot').data[flat.indexOf(document.getElementById('{panel}'))].marker;
          return {{ values: Array.from(color), low: cmin, high: cmax }};
        }})()"""
    )


def choose(page, control, value):
    """Chooses an option of a selector, as its change event tells the page."""
    page.evaluate(
        f"""(() => {{
          const control = document.getElementById('{control}');
          control.value = {json.dumps(value)};
          if (control.value !== {json.dumps(value)}) throw new Error('no such choice');
          control.dispatchEvent(new Event('change', {{ bubbles: true }}));
        }})()"""
    )


def test_the_check_itself_sees_errors_and_requests(browser, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text('<p>start</p><img src="http://127.0.0.1:9/x.png"><script>document.body.append("drawn"); nothing.here()</script>')
    page = browser.open(bad.as_uri())
    assert "drawn" in page.evaluate("document.body.textContent")
    assert any("nothing is not defined" in text for text in page.complaints())
    assert page.requests() == ["http://127.0.0.1:9/x.png"]
    assert FETCHED.search(bad.read_text())


def test_the_demo_page_draws_without_errors_or_requests(visit, demo):
    path, printed = demo
    page = visit(path)
    # The plotting library knows addresses, which the page never asks for; what is ours has none.
    ours = re.sub(r"<script.*?</script>", "", path.read_text(), flags=re.DOTALL)
    assert not FETCHED.search(ours)
    announced = re.search(r"([\d,]+) points", printed)
    assert announced, printed
    drawn = page.evaluate("[...document.querySelectorAll('#panels figure')].map((figure) => Number(figure.dataset.drawn))")
    assert len(drawn) > 2
    assert set(drawn) == {int(announced[1].replace(",", ""))}
    assert "R_N" in page.evaluate("document.querySelector('table').textContent")


def test_the_policy_forbids_requests(browser, sample):
    page = browser.open(sample("kinds", 600).as_uri())
    page.wait(ALL_DRAWN.replace("every", "some"))
    blocked = "new Promise((done) => { document.addEventListener('securitypolicyviolation', (event) => done(event.violatedDirective)); %s })"
    assert page.evaluate(blocked % "fetch('http://127.0.0.1:9/').catch(() => {})") == "connect-src"
    assert page.evaluate(blocked % "new Image().src = 'http://127.0.0.1:9/x.png'") == "img-src"


def test_the_points_are_on_the_screen(visit, sample, tmp_path):
    page = visit(sample("kinds", 600), shared=True)
    colors_seen = page.evaluate(
        """(async () => {
          const plot = document.querySelector('.plot');
          const picture = await Plotly.toImage(plot, { format: 'png', width: 900, height: 900 });
          const image = new Image();
          await new Promise((done) => { image.onload = done; image.src = picture; });
          const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 900 });
          const paper = canvas.getContext('2d');
          paper.drawImage(image, 0, 0);
          const data = paper.getImageData(0, 0, 900, 900).data;
          const seen = new Set();
          for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) seen.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
          return seen.size;
        })()"""
    )
    assert colors_seen > 50
    picture = page.screenshot()
    assert picture.startswith(b"\x89PNG")
    # A blank page of this size packs into a few thousand bytes.
    assert len(picture) > 60_000


def test_every_kind_of_embedding_is_drawn(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    drawn = page.evaluate("Object.fromEntries([...document.querySelectorAll('#panels figure')].map((f) => [f.id, Number(f.dataset.drawn)]))")
    assert drawn == {"panel-input": 600, "panel-0": 600, "panel-1": 600, "panel-2": 600, "panel-3": 600, "panel-4": 300}
    kinds = page.evaluate("[...document.querySelectorAll('.js-plotly-plot')].flatMap((plot) => plot.data.map((trace) => trace.type))")
    assert kinds.count("scattergl") == 4 and kinds.count("scatter3d") >= 2 and "scatter" in kinds


def test_a_seam_is_shown_on_both_sides_and_can_be_hidden(visit, run, sample, tmp_path):
    run("generate", "cylinder", "--points", "600", "--output", "x.npy")
    run("compare", "x.npy", "--methods", "psa,pca", "--report", "torn.html")
    page = visit(tmp_path / "torn.html")
    in_space = "document.querySelector('#panel-input .box').data[3].x.length"
    assert not page.evaluate("document.getElementById('seam-choice').hidden")
    assert marked(page, "panel-0") > 200 and marked(page, "panel-1") == 0
    assert page.evaluate(in_space) > 10
    page.evaluate("document.getElementById('seam').click()")
    page.wait(f"{in_space} === 0")
    assert marked(page, "panel-0") == 0
    assert visit(sample("maps", 500)).evaluate("document.getElementById('seam-choice').hidden")


def test_both_axes_of_a_flat_panel_have_one_scale(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    for panel in ("panel-0", "panel-2"):
        unit = page.evaluate(
            f"""(() => {{ const layout = document.querySelector('.plot')._fullLayout;
            const n = '{panel}' === 'panel-0' ? '' : '3';
            return ['xaxis', 'yaxis'].map((name) => Math.abs(layout[name + n]._m)); }})()"""
        )
        assert unit[0] == pytest.approx(unit[1], rel=1e-6)


def test_hovering_tells_about_the_point_and_rings_it_everywhere(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    page.move(*place_of_point(page, "panel-0", 42))
    page.wait("!document.getElementById('card').hidden")
    text = page.evaluate("document.getElementById('card').innerText")
    assert "point-" in text and "row " in text and "arc_length" in text and "R_N unrolled" in text
    assert all(marked(page, panel) > 20 for panel in ("panel-0", "panel-1", "panel-3"))
    x, y, across, up = box(page, "panel-0")
    page.move(x, y - up * 0.98)
    page.wait("document.getElementById('card').hidden")
    assert marked(page, "panel-1") == 0


def test_hovering_names_the_point_that_is_there(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    # The rightmost point of the first map stands alone enough to be hit.
    own = page.evaluate("(() => { const x = document.querySelector('.plot').data[0].x; return x.indexOf(Math.max(...x)); })()")
    page.move(*place_of_point(page, "panel-0", own))
    page.wait(f"document.querySelector('#card .name').textContent === 'point-{own}' && !document.getElementById('card').hidden")
    assert HOSTILE in page.evaluate("document.getElementById('card').innerText")


def test_a_lasso_selects_and_shows_in_every_panel(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    assert selected(page) == 0 and marked(page, "panel-1") == 0
    lasso(page, "panel-0", -1, 0)
    page.wait("document.getElementById('selected').textContent.match(/^\\d/)")
    count = selected(page)
    assert 100 < count < 500
    assert all(marked(page, panel) > 100 for panel in ("panel-0", "panel-1", "panel-3", "panel-4"))
    # In space the selected points are a trace of their own.
    in_space = "[...document.querySelectorAll('.space')].map((plot) => plot.data[1].x.length)"
    page.wait(f"{in_space}.every((length) => length === {count})")
    assert page.evaluate("document.querySelector('.plot').classList.contains('dim')")
    # What is selected in one panel is what lies on its left.
    x = np.array(page.evaluate("Array.from(document.querySelector('.plot').data[0].x)"))
    low, high = page.evaluate("document.querySelector('.plot')._fullLayout.xaxis.range")
    assert abs(count - (x < (low + high) / 2).sum()) <= 15
    page.evaluate("document.getElementById('clear').click()")
    page.wait("document.getElementById('selected').textContent === 'nothing selected'")
    assert marked(page, "panel-1") == 0
    assert not page.evaluate("document.querySelector('.plot').classList.contains('dim')")
    page.wait("!document.querySelector('.plot').layout.selections?.length")


def test_a_second_lasso_elsewhere_replaces_the_first(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    lasso(page, "panel-0", -1, -0.3)
    page.wait("document.getElementById('selected').textContent.match(/^\\d/)")
    first = selected(page)
    lasso(page, "panel-1", -1, 1)
    page.wait(f"!document.getElementById('selected').textContent.startsWith('{first} ')")
    assert selected(page) > first


def test_a_box_selects_too(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    page.evaluate("document.querySelector('input[value=select]').click()")
    page.wait("document.querySelector('.plot').layout.dragmode === 'select'")
    x, y, across, up = box(page, "panel-0")
    page.drag([(x - 0.9 * across, y - 0.9 * up), (x, y + 0.9 * up)])
    page.wait("document.getElementById('selected').textContent.match(/^\\d/)")
    assert 100 < selected(page) < 450


def test_zoom_changes_one_panel_and_reset_brings_it_back(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    ranges = "JSON.stringify(['xaxis', 'xaxis2'].map((name) => document.querySelector('.plot')._fullLayout[name].range))"
    before = json.loads(page.evaluate(ranges))
    page.evaluate("document.querySelector('input[value=zoom]').click()")
    page.wait("document.querySelector('.plot').layout.dragmode === 'zoom'")
    x, y, across, up = box(page, "panel-0")
    page.drag([(x - 0.4 * across, y - 0.4 * up), (x + 0.4 * across, y + 0.4 * up)])
    page.wait(f"{ranges} !== {json.dumps(json.dumps(before, separators=(',', ':')))}")
    after = json.loads(page.evaluate(ranges))
    assert after[0][1] - after[0][0] < 0.6 * (before[0][1] - before[0][0])
    assert after[1] == before[1]
    page.evaluate("document.getElementById('reset').click()")
    page.wait(f"Math.abs({before[0][0]} - document.querySelector('.plot')._fullLayout.xaxis.range[0]) < 1e-6")


def test_colors_follow_the_choice(visit, sample):
    page = visit(sample("kinds", 600))
    assert page.evaluate("document.getElementById('color').value") == "distortion"
    faithful, distorted = colors(page, "panel-0"), colors(page, "panel-1")
    # One logarithmic scale for all panels: the side view is worse than the true map.
    assert (faithful["low"], faithful["high"]) == (distorted["low"], distorted["high"])
    assert np.median(faithful["values"]) < np.median(distorted["values"]) - 0.5
    choose(page, "color", "0")
    page.wait("document.querySelector('.plot').data[0].marker.cmax > 50")
    by_truth = colors(page, "panel-0")
    x = np.array(page.evaluate("Array.from(document.querySelector('.plot').data[0].x)"))
    assert np.abs(np.array(by_truth["values"]) - x).max() < 0.01
    choose(page, "color", "label")
    page.wait("document.querySelector('.plot').data[0].marker.cmin === -0.5")
    assert set(colors(page, "panel-0")["values"]) == {0, 1, 2}
    legend = page.evaluate("[...document.querySelectorAll('#legend button')].map((button) => button.textContent)")
    assert sorted(legend) == sorted(["inner", "middle", HOSTILE])
    page.evaluate("document.querySelector('#legend button').click()")
    page.wait("document.getElementById('selected').textContent.match(/^\\d/)")


def test_the_data_are_colored_by_the_distortion_of_the_map_chosen(visit, sample):
    page = visit(sample("maps", 500))
    median = "(() => { const c = Array.from(document.querySelector('.space').data[0].marker.color).sort((a, b) => a - b); return c[250]; })()"
    before = page.evaluate(median)
    choose(page, "reference", "1")
    page.wait(f"{median} > {before} + 0.3")


def test_text_that_looks_like_markup_stays_text(visit, sample):
    page = visit(sample("kinds", 600))
    choose(page, "color", "label")
    page.wait("document.getElementById('legend').textContent.includes('<script>alert(1)')")
    assert page.evaluate("[...document.scripts].filter((script) => script.textContent.startsWith('alert')).length") == 0


def test_the_keyboard_moves_through_the_points(visit, sample):
    page = visit(sample("kinds", 600))
    page.evaluate("document.getElementById('find').focus()")
    page.key("ArrowDown")
    page.wait("document.getElementById('announce').textContent.startsWith('point-0, row 1,')")
    page.key("ArrowDown")
    page.wait("document.getElementById('announce').textContent.startsWith('point-1, row 2,')")
    assert marked(page, "panel-0") > 20
    page.call("Input.insertText", text="point-77")
    page.key("Enter")
    page.wait("document.getElementById('announce').textContent.startsWith('point-77, row 78,')")
    page.evaluate("document.getElementById('keep').click()")
    assert selected(page) == 1
    page.evaluate("document.getElementById('worst').click()")
    page.wait("!document.getElementById('announce').textContent.startsWith('point-77,')")
    page.key("Escape")
    page.wait("document.getElementById('card').hidden")
    # Everything in the toolbar is reached by the tabulator.
    page.evaluate("document.getElementById('theme').focus()")
    reached = set()
    for _ in range(20):
        page.key("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.name"))
    assert {"color", "reference", "drag", "reset", "clear", "find", "previous", "next", "worst", "keep"} <= reached


def test_hovering_shows_the_picture(visit, sample):
    page = visit(sample("pictures", 300))
    own = 17
    page.move(*place_of_point(page, "panel-0", own))
    page.wait("!document.querySelector('#card canvas').hidden && !document.getElementById('card').hidden")
    shades = page.evaluate(
        "(() => { const c = document.querySelector('#card canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        " return [c.width, c.height, new Set(d.filter((_, at) => at % 4 === 0)).size]; })()"
    )
    assert shades[:2] == [24, 24] and shades[2] > 10
    assert "three principal coordinates of 576" in page.evaluate("document.getElementById('panel-input').textContent")


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_no_width_makes_the_page_scroll_sideways(visit, sample, width):
    page = visit(sample("kinds", 600), width=width, height=6000, mobile=width < 500)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    left = page.evaluate("[...document.querySelectorAll('#panels figure')].map((f) => f.getBoundingClientRect().left)")
    assert len(set(map(round, left))) == {320: 1, 390: 1, 800: 2, 1280: 3}[width]


def test_light_and_dark_follow_the_system_and_the_button(visit, sample):
    path = sample("maps", 500)
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = visit(path), visit(path, dark=True)
    assert light.evaluate(background) == "rgb(255, 255, 255)"
    shade = dark.evaluate(background)
    assert max(map(int, re.findall(r"\d+", shade))) < 60
    light.evaluate("document.getElementById('theme').click()")
    assert light.evaluate(background) == shade


def test_figures_follow_the_width_of_the_window(visit, sample):
    page = visit(sample("maps", 500))
    page.call("Emulation.setDeviceMetricsOverride", width=700, height=2400, deviceScaleFactor=1, mobile=False)
    page.wait("document.querySelector('.plot').layout.width < 700")
    x, y, across, up = box(page, "panel-3")
    page.wait(
        "(() => { const plot = document.querySelector('.plot'); const axis = plot._fullLayout.xaxis4;"
        f" return Math.abs(plot.getBoundingClientRect().left + axis._offset - {x - across}) < 2; }})()"
    )


def test_without_scripts_the_table_and_a_note_are_there(browser, sample):
    path = sample("maps", 500)
    page = browser.open("about:blank")
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    page.go(path.as_uri())
    root = page.call("DOM.getDocument", depth=-1)["root"]["nodeId"]
    text = page.call("DOM.getOuterHTML", nodeId=root)["outerHTML"]
    assert "need scripts" in text and "from the side" in text and "<table>" in text
    assert not re.search(r"<div[^>]*id=\"toolbar\"(?![^>]*hidden)", text)


def test_it_prints(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    assert page.pdf().startswith(b"%PDF")


def test_the_run_can_be_read_by_machines(sample):
    text = sample("maps", 500).read_text()
    facts = json.loads(re.search(r'<script type="application/json" id="facts">(.*?)</script>', text, re.DOTALL)[1])
    assert facts["command"].startswith("sample_report maps 500") and facts["seed"] == 1


def test_too_many_points_are_sampled_and_all_values_are_beside(visit, sample):
    path = sample("maps", 200_500)
    page = visit(path, height=900)
    assert page.evaluate("document.getElementById('panel-0').dataset.drawn") == "200000"
    note = page.evaluate("document.getElementById('sample').textContent")
    assert "200,000 of 200,500 points" in note and "report.parquet" in note
    values = pd.read_parquet(path.with_name("report.parquet"))
    assert len(values) == 200_500
    assert {"row", "arc_length", "unrolled y1", "unrolled y2", "unrolled r_n", "folded r_n"} <= set(values.columns)


def test_the_demo_writes_where_it_is_told(run, tmp_path):
    run("demo", "--output", tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / "report.html").is_file()
