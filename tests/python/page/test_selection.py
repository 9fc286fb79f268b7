"""Points chosen by lasso, by box, by click and by keyboard, and shown in every panel."""
import numpy as np
from reader import box, chosen, coordinates, drag_mode, lasso, marked, place_of_point, selected, wait_for_selection


def test_a_lasso_selects_and_shows_in_every_panel(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    assert selected(page) == 0 and chosen(page, "panel-1") == 0
    lasso(page, "panel-0", -1, 0)
    wait_for_selection(page)
    count = selected(page)
    assert 100 < count < 500
    every = ("panel-input", "panel-0", "panel-1", "panel-2", "panel-3", "panel-4")
    assert all(chosen(page, panel) > 100 for panel in every)
    dim = "[...document.querySelectorAll('canvas.points')].map((canvas) => canvas.classList.contains('dim'))"
    assert page.evaluate(dim) == [True] * len(every)
    # What is selected is what lies on the left of the panel.
    low, high = page.evaluate("(({ low, high }) => [low, high])(document.getElementById('panel-0').view.across)")
    assert abs(count - (np.array(coordinates(page, "panel-0")) < (low + high) / 2).sum()) <= 3
    page.evaluate("document.getElementById('clear').click()")
    page.wait("document.getElementById('selected').textContent === 'nothing selected'")
    assert chosen(page, "panel-1") == 0
    assert page.evaluate(dim) == [False] * len(every)
    assert not page.evaluate("document.querySelector('#panel-0 .outline').getAttribute('d')")


def test_a_loop_selects_what_is_inside_it_though_it_is_not_convex(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    x, y, across, up = box(page, "panel-2")
    corners = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (0.5, 0.9), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.9), (-0.9, 0.9), (-0.9, -0.8)]
    page.drag([(x + share * across, y + height * up) for share, height in corners])
    wait_for_selection(page)
    places = np.array([place_of_point(page, "panel-2", own) for own in range(500)])
    [right, down] = ((places - (x, y)) / (across, up)).T
    inside = (np.abs(right) < 0.9) & (np.abs(down) < 0.9) & ~((np.abs(right) < 0.5) & (down > -0.5))
    assert 50 < inside.sum() < 450 and abs(selected(page) - inside.sum()) <= 3


def test_a_click_selects_a_point_and_another_lets_it_go(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    for panel in ("panel-1", "panel-input"):
        page.click(*place_of_point(page, panel, 7))
        page.wait("document.getElementById('selected').textContent.startsWith('1 selected')")
        page.move(4, 4)
        assert chosen(page, "panel-0") > 10
        page.click(*place_of_point(page, panel, 7))
        page.wait("document.getElementById('selected').textContent === 'nothing selected'")


def test_a_second_lasso_elsewhere_replaces_the_first(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    lasso(page, "panel-0", -1, -0.3)
    wait_for_selection(page)
    first = selected(page)
    lasso(page, "panel-1", -1, 1)
    page.wait(f"!document.getElementById('selected').textContent.startsWith('{first} ')")
    assert selected(page) > first


def test_a_box_selects_too(visit, sample):
    page = visit(sample("maps", 500), shared=True)
    drag_mode(page, "select")
    x, y, across, up = box(page, "panel-0")
    page.drag([(x - 0.9 * across, y - 0.9 * up), (x, y + 0.9 * up)])
    wait_for_selection(page)
    assert 100 < selected(page) < 450


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
