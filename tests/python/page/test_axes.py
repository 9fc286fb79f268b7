"""Axes and curves: numbers stand where they belong, and the reader looks closer by wheel, key and double click."""
import numpy as np
import pytest
from reader import box, drag_mode, lasso, place_of_point, selected, wait_for_selection

SPREAD = "(() => { const view = document.getElementById('%s').view; return view.across.length; })()"


def numbers(page, chart, axis):
    """The numbers along an axis, and where their texts have their middle in the window."""
    return page.evaluate(
        f"""[...document.querySelectorAll('#{chart} text.{axis}')].map((text) => {{
          const {{ left, right, top, bottom }} = text.getBoundingClientRect();
          return [Number(text.textContent), (left + right) / 2, (top + bottom) / 2];
        }})"""
    )


def still(page, panel):
    page.wait(f"!document.getElementById('{panel}').view.waiting")


@pytest.mark.parametrize("zoomed", [1, 3, 40, 4000])
def test_the_numbers_of_an_axis_stand_where_the_points_are(visit, sample, zoomed):
    page = visit(sample("maps", 500), shared=True)
    page.evaluate(f"document.getElementById('panel-1').view.zoomBy({zoomed})")
    still(page, "panel-1")
    scale = page.evaluate("(({ across, up }) => [across.low, across.high, up.low, up.high])(document.getElementById('panel-1').view)")
    x, y, half_width, half_height = box(page, "panel-1")
    for axis, (low, high), middle, half, sign in (
        ("across", scale[:2], x, half_width, 1),
        ("up", scale[2:], y, half_height, -1),
    ):
        seen = numbers(page, "panel-1", axis)
        values = [number[0] for number in seen]
        assert 2 <= len(values) <= 8 and len(set(values)) == len(values)
        for value, *place in seen:
            wanted = middle + sign * half * (2 * (value - low) / (high - low) - 1)
            assert place[0 if axis == "across" else 1] == pytest.approx(wanted, abs=2)


def test_the_wheel_scrolls_the_page_unless_it_is_to_zoom(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    x, y, _, _ = box(page, "panel-0")
    own = int(np.argmin([np.hypot(px - x, py - y) for px, py in (place_of_point(page, "panel-0", own) for own in range(500))]))
    before, place = page.evaluate(SPREAD % "panel-0"), place_of_point(page, "panel-0", own)
    wheel = lambda: page.call(
        "Input.dispatchMouseEvent", type="mouseWheel", x=place[0], y=place[1], deltaX=0, deltaY=-120
    )
    wheel()
    assert page.evaluate(SPREAD % "panel-0") == before
    drag_mode(page, "zoom")
    wheel()
    page.wait(f"{SPREAD % 'panel-0'} < {before / 1.3}")
    still(page, "panel-0")
    # What is under the pointer stays there.
    assert place_of_point(page, "panel-0", own) == pytest.approx(place, abs=1)


def test_keys_and_a_double_click_change_the_view(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    view = "document.getElementById('panel-0').view"
    first = page.evaluate(f"[{view}.across.low, {view}.across.high]")
    page.evaluate("document.querySelector('#panel-0 .box').focus()")
    page.key("ArrowDown")
    page.wait(f"{view}.up.low !== {view}.extents[1][0] && !{view}.waiting")
    page.evaluate(f"{view}.zoomBy(5)")
    still(page, "panel-0")
    x, y, _, up = box(page, "panel-0")
    for clicks in (1, 2):
        for kind, buttons in (("mousePressed", 1), ("mouseReleased", 0)):
            page.call(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y - 0.95 * up, button="left", buttons=buttons, clickCount=clicks
            )
    page.wait(f"{view}.zoom === 1 && !{view}.waiting")
    assert page.evaluate(f"[{view}.across.low, {view}.across.high]") == pytest.approx(first)


def test_a_loop_that_ends_where_it_began_is_no_click(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    x, y = place_of_point(page, "panel-1", 7)
    page.drag([(x, y), (x + 40, y), (x + 40, y + 40), (x, y)])
    wait_for_selection(page)
    first = selected(page)
    inside = page.evaluate(
        f"""Array.from({{ length: 500 }}, (_, own) => document.getElementById('panel-1').view.inWindow(own))
        .filter(([px, py]) => px > {x} && px < {x + 40} && py > {y} && py - {y} < px - {x}).length"""
    )
    assert abs(first - inside) <= 2


def test_an_outline_goes_with_the_points(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    lasso(page, "panel-0", -1, 0)
    wait_for_selection(page)
    outline = "document.querySelector('#panel-0 .outline').getBoundingClientRect().toJSON()"
    before = page.evaluate(outline)
    page.evaluate("document.getElementById('panel-0').view.moveBy(30, 0)")
    still(page, "panel-0")
    assert page.evaluate(outline)["left"] == pytest.approx(before["left"] + 30, abs=0.2)


def test_curves_are_told_hidden_and_shown(visit, sample):
    page = visit(sample("kinds", 600))
    curves = "document.querySelectorAll('#chart-0 path.curve').length"
    assert page.evaluate(curves) == 5
    page.evaluate("document.querySelector('#chart-0 .key button').click()")
    assert page.evaluate(curves) == 4
    assert page.evaluate("document.querySelector('#chart-0 .key button').getAttribute('aria-pressed')") == "false"
    page.evaluate("document.querySelector('#chart-0 .key button').click()")
    at = page.evaluate("(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2])"
                       "(document.querySelectorAll('#chart-0 circle')[3].getBoundingClientRect())")
    page.move(*at)
    page.wait("!document.querySelector('#chart-0 .tip').hidden")
    assert "unrolled" in page.evaluate("document.querySelector('#chart-0 .tip').textContent")
    page.move(4, 4)
    page.wait("document.querySelector('#chart-0 .tip').hidden")
    page.evaluate("document.querySelector('#chart-0 .box').focus()")
    page.key("ArrowDown")
    page.key("ArrowDown")
    page.wait("document.querySelector('#chart-0 .tip').textContent.startsWith('from the side')")
    page.key("Escape")
    page.wait("document.querySelector('#chart-0 .tip').hidden")
