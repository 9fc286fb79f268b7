"""The page at every width, in light and dark, printed, and zoomed."""
import re

import numpy as np
import pytest
from reader import box, coordinates, drag_mode


def unit(page, panel):
    """How many pixels a unit of either axis has."""
    return page.evaluate(
        f"""(() => {{ const view = document.getElementById('{panel}').view; const {{ width, height }} = view.area();
        return [width / view.across.length, height / view.up.length]; }})()"""
    )


def places(page, panel, count):
    return np.array(page.evaluate(f"Array.from({{ length: {count} }}, (_, own) => document.getElementById('{panel}').view.inWindow(own))"))


def test_both_axes_of_a_flat_panel_have_one_scale(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    for panel in ("panel-0", "panel-2"):
        across, up = unit(page, panel)
        assert across == pytest.approx(up, rel=1e-6)
        seen = places(page, panel, 500)
        for axis, sign in ((0, 1), (1, -1)):
            values = np.array(coordinates(page, panel, axis))
            assert np.polyfit(values, seen[:, axis], 1)[0] == pytest.approx(sign * across, rel=1e-3)


def test_zoom_changes_one_panel_and_reset_brings_it_back(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    before, beside = places(page, "panel-0", 500), places(page, "panel-1", 500)
    drag_mode(page, "zoom")
    x, y, across, up = box(page, "panel-0")
    page.drag([(x - 0.4 * across, y - 0.4 * up), (x + 0.4 * across, y + 0.4 * up)])
    still = "!document.getElementById('panel-0').view.waiting"
    page.wait(f"document.getElementById('panel-0').view.inWindow(0)[0] !== {before[0, 0]} && {still}")
    after = places(page, "panel-0", 500)
    assert np.ptp(after[:, 0]) == pytest.approx(2.5 * np.ptp(before[:, 0]), rel=0.05)
    assert (places(page, "panel-1", 500) == beside).all()
    page.evaluate("document.getElementById('reset').click()")
    page.evaluate("document.getElementById('panel-0').view.busy")
    assert places(page, "panel-0", 500) == pytest.approx(before, abs=0.01)


def test_panning_carries_the_points_along(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    before = places(page, "panel-0", 500)
    drag_mode(page, "pan")
    x, y, across, up = box(page, "panel-0")
    page.drag([(x, y), (x + 40, y + 24)])
    page.wait(f"document.getElementById('panel-0').view.inWindow(0)[0] !== {before[0, 0]} && !document.getElementById('panel-0').view.waiting")
    assert places(page, "panel-0", 500) - before == pytest.approx(np.broadcast_to((40, 24), (500, 2)), abs=0.1)


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


def test_panels_follow_the_width_of_the_window(visit, sample):
    page = visit(sample("maps", 500))
    page.call("Emulation.setDeviceMetricsOverride", width=700, height=2400, deviceScaleFactor=1, mobile=False)
    page.wait(
        "['panel-0', 'panel-input'].every((id) => { const view = document.getElementById(id).view; const wide = view.box.clientWidth;"
        " return wide < 360 && wide - view.marks.clientWidth < 50 && view.points.clientWidth === view.marks.clientWidth; })"
    )


def test_it_prints_with_its_points(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    places_before = places(page, "panel-0", 500)
    document = page.pdf()
    assert document.startswith(b"%PDF")
    # Three pictures of each of five panels, and the box of the data; what was painted anew would be left out.
    assert document.count(b"/Subtype /Image") >= 16
    assert (places(page, "panel-0", 500) == places_before).all()


def test_no_color_of_the_ramp_is_lost_on_its_paper(visit, sample):
    luminance = """(() => { const { colors } = document.getElementById('panel-0').view;
      const paper = getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number);
      const light = (parts) => parts.map((part) => (part / 255) ** 2.2).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
      const of = (color) => light([color & 255, (color >> 8) & 255, (color >> 16) & 255]);
      const ratios = Array.from(colors, (color) => of(color) / light(paper)).map((ratio) => Math.max(ratio, 1 / ratio));
      return Math.min(...ratios); })()"""
    page = visit(sample("maps", 500), dark=True)
    assert page.evaluate(luminance) > 1.7
    page.evaluate("document.getElementById('theme').click()")
    page.evaluate("document.getElementById('panel-0').view.busy")
    page.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert page.evaluate("document.getElementById('legend').innerHTML.includes('rgb(68, 1, 84)')")
