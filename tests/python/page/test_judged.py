"""What a page shows of a judgment: channels between best and chance, verdicts, neighbors true and false, ellipses."""
import numpy as np
import pytest
from reader import choose, chosen, colors, coordinates, marked, place_of_point, selected, wait_for_selection
from sklearn.neighbors import NearestNeighbors

COUNT, K = 800, 12
MAPS = ("panel-0", "panel-1", "panel-2")


@pytest.fixture
def judged(sample):
    return sample("judged", COUNT)


def cloud(page, panel, axes):
    return np.column_stack([coordinates(page, panel, axis) for axis in range(axes)])


def nearest(points, row):
    return set(NearestNeighbors(n_neighbors=K + 1).fit(points).kneighbors(points[row : row + 1])[1][0]) - {row}


def cards(page):
    """The rows of the card's table."""
    page.wait("!document.getElementById('card').hidden")
    rows = page.evaluate(
        "[...document.querySelectorAll('#card tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return rows[0], {row[0]: row[1:] for row in rows[1:]}


def legend(page):
    return page.evaluate("[...document.querySelectorAll('#legend button')].map((button) => button.textContent)")


def test_every_channel_can_be_colored_by_and_runs_from_best_to_chance(visit, judged):
    page = visit(judged)
    offered = page.evaluate("[...document.querySelectorAll('#color option')].map((option) => option.textContent)")
    assert offered == ["R_N", "neighbors kept", "verdict", "label", "arc_length", "height", "row"]
    choose(page, "color", "channel-1")
    bar = page.evaluate("document.getElementById('legend').textContent")
    assert bar.startswith("best possible 1") and bar.endswith("chance 0.02")
    good, chance = colors(page, "panel-0"), colors(page, "panel-2")
    # On a linear scale the best is 0 and chance 1, though more is better here.
    assert (good["low"], good["high"]) == (0, 1)
    input_rows = cloud(page, "panel-input", 3)
    for panel in MAPS:
        points = cloud(page, panel, 2)
        kept = np.array([len(nearest(points, row) & nearest(input_rows, row)) / K for row in range(0, COUNT, 97)])
        found = np.array(colors(page, panel)["values"])[::97]
        assert found == pytest.approx((kept - 1) / (0.02 - 1), abs=1e-3)
    assert np.median(good["values"]) < 0.2 and np.median(chance["values"]) > 0.9
    # The worst point is the one that keeps the fewest, not the one with the largest number.
    choose(page, "reference", "1")
    page.evaluate("document.getElementById('worst').click()")
    header, rows = cards(page)
    assert header[1] == "neighbors kept"
    worst = max(colors(page, "panel-1")["values"])
    assert float(rows["from the side"][0]) == pytest.approx(1 + worst * (0.02 - 1), abs=1e-3)


def test_verdicts_have_five_colors_and_a_click_selects_a_class(visit, judged):
    page = visit(judged)
    choose(page, "color", "verdict")
    names = ["faithful", "shape lost", "false neighbors", "neighbors missing", "not told from chance"]
    assert [text.rsplit(" ", 1)[0] for text in legend(page)] == names
    codes = {panel: np.array(colors(page, panel)["values"]).astype(int) for panel in MAPS}
    for panel in MAPS:
        counts = page.evaluate(f"[...document.querySelectorAll('#{panel} .counts button')].map((button) => Number(button.textContent))")
        assert counts == np.bincount(codes[panel], minlength=5).tolist()
    swatches = page.evaluate("[...document.querySelectorAll('#legend .swatch')].map((swatch) => swatch.style.background)")
    assert len(set(swatches)) == 5
    # The class is that of the map whose number was clicked, and shown in all of them.
    page.evaluate("document.querySelectorAll('#panel-1 .counts button')[1].click()")
    wait_for_selection(page)
    assert selected(page) == (codes["panel-1"] == 1).sum() > 20
    assert chosen(page, "panel-0") > 100
    choose(page, "reference", "2")
    page.wait("document.querySelectorAll('#legend button')[4]?.textContent.endsWith('%d')" % (codes["panel-2"] == 4).sum())
    page.evaluate("document.querySelectorAll('#legend button')[4].click()")
    page.wait("document.getElementById('selected').textContent.startsWith('%d ')" % (codes["panel-2"] == 4).sum())
    # The data have the colors of the map of reference.
    assert np.array(colors(page, "panel-input")["values"]).astype(int).tolist() == codes["panel-2"].tolist()
    choose(page, "color", "label")
    assert page.evaluate("[...document.querySelectorAll('.counts')].every((counts) => counts.hidden)")


def test_pointing_shows_true_neighbors_and_marks_false_ones(visit, judged):
    page = visit(judged)
    page.evaluate("document.getElementById('find').focus()")
    real = cloud(page, "panel-input", 3)
    maps = {panel: cloud(page, panel, 2) for panel in MAPS}
    titles = page.evaluate("[...document.querySelectorAll('#panels figure h3')].map((title) => title.textContent)")
    for row in (5, 333):
        page.evaluate("document.getElementById('find').value = ''")
        page.call("Input.insertText", text=str(row + 1))
        page.key("Enter")
        page.wait(f"document.getElementById('announce').textContent.startsWith('row {row + 1},')")
        header, told = cards(page)
        assert header[-3:] == ["kept", "missing", "false"]
        for title, panel in zip(titles[1:], MAPS):
            kept = len(nearest(real, row) & nearest(maps[panel], row))
            assert told[title][-3:] == [str(kept), str(K - kept), str(K - kept)]
            assert page.evaluate(f"document.querySelector('#{panel} .box').dataset.near") == f"{kept} {K - kept} {K - kept}"
        # The data show the same of the map of reference, the first.
        near = page.evaluate("['panel-input', 'panel-0'].map((id) => document.querySelector(`#${id} .box`).dataset.near)")
        assert near[0] == near[1]


def test_lines_lead_to_the_neighbors_and_crosses_lie_on_false_ones(visit, judged):
    page = visit(judged)
    row = 5
    # Near enough that the nearest points lie apart, and beyond the ring about the one that is pointed at.
    page.evaluate(
        f"""(() => {{ const view = document.getElementById('panel-2').view; const {{ width, height }} = view.area();
          const [x, y] = view.spot({row}); view.moveBy(width / 2 - x, height / 2 - y); view.zoomBy(6); view.paint(); }})()"""
    )
    page.move(*place_of_point(page, "panel-2", row))
    page.wait("document.querySelector('#panel-2 .box').dataset.near")
    near = page.evaluate(
        """(() => { const { near } = document.getElementById('panel-2').view.panel;
        return [near.kept.concat(near.missing), near.wrong]; })()"""
    )
    real, points = cloud(page, "panel-input", 3), cloud(page, "panel-2", 2)
    assert set(near[0]) == nearest(real, row) and set(near[1]) == nearest(points, row) - nearest(real, row)
    filled = """((own) => { const view = document.getElementById('panel-2').view; const [x, y] = view.spot(own);
      const { data } = view.marks.getContext('2d').getImageData(x * view.ratio - 3, y * view.ratio - 3, 6, 6);
      return data.filter((_, at) => at % 4 === 3).reduce((sum, share) => sum + (share > 0), 0); })"""
    inside = """((own) => { const view = document.getElementById('panel-2').view; const [x, y] = view.spot(own);
      const { width, height } = view.area(); return x > 4 && y > 4 && x < width - 4 && y < height - 4; })"""
    ends = page.evaluate(f"[{near[0]}, {near[1]}].map((some) => some.filter({inside}).map({filled}))")
    assert len(ends[1]) > 6 and all(count > 0 for some in ends for count in some)
    strangers = [other for other in range(0, COUNT, 40) if other not in {row, *near[0], *near[1]}]
    blank = page.evaluate(f"{strangers}.map({filled})")
    assert sum(count == 0 for count in blank) > len(blank) / 2
    assert marked(page, "panel-2") > marked(page, "panel-0")


def ellipses(page, panel):
    return page.evaluate(f"Number(document.querySelector('#{panel} canvas.ellipses').dataset.drawn)")


def inked(page, panel, x, y):
    """Whether the ellipses of a panel cover a place in its own numbers, within two pixels."""
    return page.evaluate(
        f"""(() => {{ const view = document.getElementById('{panel}').view; const {{ width, height }} = view.area();
          const canvas = view.ellipses.canvas;
          const [across, down] = [view.across.share({x}) * width * view.ratio, (1 - view.up.share({y})) * height * view.ratio];
          const {{ data }} = canvas.getContext('2d').getImageData(across - 2, down - 2, 5, 5);
          return data.some((value, at) => at % 4 === 3 && value > 0); }})()"""
    )


def test_ellipses_are_thinned_and_all_drawn_when_zoomed_in(visit, judged):
    page = visit(judged)
    assert page.evaluate("[...document.querySelectorAll('canvas.ellipses')].every((canvas) => canvas.hidden)")
    page.evaluate("document.getElementById('ellipses').click()")
    page.wait("document.querySelector('#panel-1 canvas.ellipses').dataset.drawn")
    few = ellipses(page, "panel-1")
    assert 20 < few < COUNT / 2
    # Chosen ones lie apart: no two in one cell.
    apart = page.evaluate(
        """(() => { const layer = document.getElementById('panel-1').view.ellipses; const cell = layer.cell();
          const [xs, ys] = layer.view.panel.coordinates;
          return layer.chosen(cell).map((own) => `${Math.floor(xs[own] / cell)} ${Math.floor(ys[own] / cell)}`); })()"""
    )
    assert len(set(apart)) == len(apart) == few
    page.evaluate("document.getElementById('panel-1').view.zoomBy(4)")
    page.wait("!document.getElementById('panel-1').view.waiting")
    low, high, bottom, top = page.evaluate(
        "(({ across, up }) => [across.low, across.high, up.low, up.high])(document.getElementById('panel-1').view)"
    )
    points = cloud(page, "panel-1", 2)
    inside = (points[:, 0] >= low) & (points[:, 0] <= high) & (points[:, 1] >= bottom) & (points[:, 1] <= top)
    assert ellipses(page, "panel-1") == inside.sum() > 10
    # The third map has none.
    assert page.evaluate("document.querySelector('#panel-2 canvas.ellipses')") is None


def test_an_ellipse_has_the_axes_of_its_matrix(visit, judged):
    page = visit(judged)
    page.evaluate("document.getElementById('ellipses').click()")
    page.wait("document.querySelector('#panel-1 canvas.ellipses').dataset.drawn")
    real, points = cloud(page, "panel-input", 3), cloud(page, "panel-1", 2)
    matrices = np.tile([[0.0, 0.3], [0.3, 1.0]], (COUNT, 1, 1))
    matrices[:, 0, 0] = np.abs(real[:, 2]) / np.hypot(real[:, 0], real[:, 2])
    values, vectors = np.linalg.eigh(matrices)
    long, short = np.abs(values).max(axis=1), np.abs(values).min(axis=1)
    found = page.evaluate(
        """document.getElementById('panel-1').view.panel.loadEllipses().then(
          ({ longs, shorts, angles }) => [longs, shorts, angles].map((some) => Array.from(some)))"""
    )
    assert np.allclose(found[0], long, rtol=1e-2) and np.allclose(found[1], short, rtol=1e-2, atol=1e-2)
    axis = vectors[:, :, 1]
    assert (np.abs(axis[:, 0] * np.cos(found[2]) + axis[:, 1] * np.sin(found[2])) > 0.999).all()
    # Zoomed in on one that stands alone, it reaches as far as its axes, and leans to the right side.
    gaps = NearestNeighbors(n_neighbors=2).fit(points).kneighbors(points)[0][:, 1]
    own = int(np.argmax(np.where((matrices[:, 0, 0] > 0.5) & (short < 0.6), gaps, 0)))
    cell, usual = page.evaluate(
        f"""(() => {{ const view = document.getElementById('panel-1').view; const {{ width, height }} = view.area();
          const [x, y] = view.spot({own}); view.moveBy(width / 2 - x, height / 2 - y); view.zoomBy(8); view.paint();
          return [view.ellipses.cell(), view.ellipses.usual]; }})()"""
    )
    page.wait("!document.getElementById('panel-1').view.waiting")
    reach = 0.42 * cell / usual
    (x, y), (along, up) = points[own], axis[own]
    for side in (-1, 1):
        assert inked(page, "panel-1", x + side * reach * long[own] * along, y + side * reach * long[own] * up)
        assert inked(page, "panel-1", x - side * reach * short[own] * up, y + side * reach * short[own] * along)
        assert not inked(page, "panel-1", x - side * reach * long[own] * along, y + side * reach * long[own] * up)
