"""Points on the screen: painted where they are, told about when pointed at, colored as the reader chooses."""
import numpy as np
import pytest
from reader import (
    box,
    choose,
    chosen,
    colors,
    coordinates,
    drag_mode,
    lasso,
    marked,
    painted,
    place_of_point,
    wait_for_selection,
)

HOSTILE = "<script>alert(1)</script>"


def test_the_points_are_on_the_screen(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    for panel in ("panel-input", "panel-0", "panel-2", "panel-3", "panel-4"):
        shades = page.evaluate(
            f"""(() => {{
              const canvas = document.getElementById('{panel}').view.points;
              const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              const seen = new Set();
              for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) seen.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
              return seen.size;
            }})()"""
        )
        assert shades > 20, panel
    picture = page.screenshot()
    assert picture.startswith(b"\x89PNG")
    # A blank page of this size packs into a few thousand bytes.
    assert len(picture) > 60_000


def test_every_kind_of_embedding_is_drawn(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    drawn = page.evaluate("Object.fromEntries([...document.querySelectorAll('#panels figure')].map((f) => [f.id, Number(f.dataset.drawn)]))")
    assert drawn == {"panel-input": 600, "panel-0": 600, "panel-1": 600, "panel-2": 600, "panel-3": 600, "panel-4": 300}
    assert page.evaluate("document.querySelectorAll('#panels svg.axes').length") == 4
    assert page.evaluate("document.querySelectorAll('#panels .space canvas.frame').length") == 2


@pytest.mark.parametrize("diameter, x, y", [(2, 30, 20), (2, 30.3, 20.7), (4.5, 17.6, 33.1), (7, 40.9, 12.25)])
def test_a_point_has_its_area_and_lies_where_it_belongs(visit, sample, diameter, x, y):
    page = visit(sample("kinds", 600), shared=True)
    area, across, up, color = page.evaluate(
        f"""(() => {{
          const view = document.getElementById('panel-0').view;
          const canvas = Object.assign(document.createElement('canvas'), {{ width: 60, height: 50 }});
          const raster = view.blank(canvas);
          raster.disc(view.brush({diameter}, 1), {x}, {y}, 0xff4080c0);
          raster.show(canvas);
          const {{ data, width }} = canvas.getContext('2d').getImageData(0, 0, 60, 50);
          let [area, across, up, color] = [0, 0, 0, null];
          for (let at = 0; at < data.length / 4; at++) {{
            const share = data[4 * at + 3] / 255;
            if (share === 1) color = Array.from(data.slice(4 * at, 4 * at + 3));
            area += share; across += share * (at % width + 0.5); up += share * (Math.floor(at / width) + 0.5);
          }}
          return [area, across / area, up / area, color];
        }})()"""
    )
    assert area == pytest.approx(np.pi * diameter**2 / 4, rel=0.03)
    # Four places are told apart within a pixel.
    assert (across, up) == pytest.approx((x, y), abs=0.14)
    if diameter > 3:
        assert color == [0xC0, 0x80, 0x40]


def test_points_over_each_other_are_as_dense_as_paint(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    opacities = page.evaluate(
        """(() => {
          const view = document.getElementById('panel-0').view;
          const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 50 });
          const seen = [];
          for (let count = 1; count < 4; count++) {
            const raster = view.blank(canvas);
            for (let at = 0; at < count; at++) raster.disc(view.brush(7, 0.5), 30, 20, 0xff4080c0);
            raster.show(canvas);
            seen.push(Array.from(canvas.getContext('2d').getImageData(30, 20, 1, 1).data));
          }
          return seen;
        })()"""
    )
    for count, pixel in enumerate(opacities, start=1):
        assert pixel[3] == pytest.approx(255 * (1 - 0.5**count), abs=2)
        assert pixel[:3] == pytest.approx([0xC0, 0x80, 0x40], abs=4)


def test_space_is_turned_by_dragging_and_by_keys(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    place = lambda: place_of_point(page, "panel-input", 5)
    view = "document.getElementById('panel-input').view"
    first = place()
    x, y, across, up = box(page, "panel-input")
    page.drag([(x, y), (x + 0.5 * across, y)])
    page.wait(f"{view}.camera.turn !== 20 && !{view}.waiting")
    turned = place()
    # Turned about the upright axis nothing goes up or down by more than the eye is raised.
    assert abs(turned[0] - first[0]) + abs(turned[1] - first[1]) > 2
    page.evaluate("document.getElementById('reset').click()")
    page.wait(f"{view}.camera.turn === 20 && !{view}.waiting")
    assert place() == pytest.approx(first)
    page.evaluate("document.querySelector('#panel-input .box').focus()")
    page.key("ArrowDown")
    page.wait(f"{view}.camera.raise === 27 && !{view}.waiting")
    assert place() != pytest.approx(first)
    drag_mode(page, "pan")
    before = place()
    page.drag([(x, y), (x + 30, y + 10)])
    page.wait(f"{view}.camera.shift[0] !== 0 && !{view}.waiting")
    assert np.subtract(place(), before) == pytest.approx((30, 10), abs=0.01)


def test_in_space_what_is_nearer_hides_what_is_behind(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    turned, depths, order = page.evaluate(
        """(() => {
          const { camera, depths, order } = document.getElementById('panel-input').view;
          return [[camera.turn, camera.raise], Array.from(depths), Array.from(order)];
        })()"""
    )
    around, above = np.radians(turned)
    x, y, z = (np.array(coordinates(page, "panel-input", axis)) for axis in range(3))
    away = (x * np.sin(around) + y * np.cos(around)) * np.cos(above) - z * np.sin(above)
    # The depth is that of the points as the eye sees them, in pixels.
    assert np.corrcoef(away, depths)[0, 1] > 1 - 1e-9
    assert sorted(order) == list(range(600))
    behind = np.array(depths)[order]
    layer = np.ptp(depths) / 4000
    assert (np.diff(behind) <= layer).all()
    # The foremost of those under the pointer is the one told about.
    screen = np.array([place_of_point(page, "panel-input", own) for own in range(600)])
    gaps = np.hypot(*(screen[:, None] - screen[None]).T) + 99 * np.eye(600)
    one, other = np.unravel_index(gaps.argmin(), gaps.shape)
    assert gaps.min() < 1.5
    front, back = sorted((one, other), key=lambda own: depths[own])
    page.move(*screen[back])
    page.wait("!document.getElementById('card').hidden")
    assert page.evaluate("document.querySelector('#card .name').textContent") == f"point-{front}"


def test_a_seam_is_shown_on_both_sides_and_can_be_hidden(visit, run, sample, tmp_path):
    run("generate", "cylinder", "--points", "600", "--output", "x.npy")
    run("compare", "x.npy", "--methods", "psa,pca", "--report", "torn.html")
    page = visit(tmp_path / "torn.html")
    assert not page.evaluate("document.getElementById('seam-choice').hidden")
    # Torn points are larger, with rims: above the others in the flat map, among them in space.
    every = ("panel-input", "panel-0", "panel-1")
    sewn = [painted(page, panel) for panel in every]
    page.evaluate("document.getElementById('seam').click()")
    page.wait("[...document.querySelectorAll('#panels figure')].every((figure) => !figure.view.waiting)")
    plain = [painted(page, panel) for panel in every]
    assert plain[0] < sewn[0] - 100 and plain[1] < sewn[1] - 50 and plain[2] == sewn[2]
    assert visit(sample("maps", 500)).evaluate("document.getElementById('seam-choice').hidden")


def test_hovering_tells_about_the_point_and_rings_it_everywhere(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    page.move(*place_of_point(page, "panel-0", 42))
    page.wait("!document.getElementById('card').hidden")
    text = page.evaluate("document.getElementById('card').innerText")
    assert "point-" in text and "row " in text and "arc_length" in text
    assert all(marked(page, panel) > 20 for panel in ("panel-0", "panel-1", "panel-3"))
    x, y, across, up = box(page, "panel-0")
    page.move(x, y - up * 0.98)
    page.wait("document.getElementById('card').hidden")
    assert marked(page, "panel-1") == 0


def test_pointing_paints_no_points_again(visit, sample):
    page = visit(sample("maps", 500))
    lasso(page, "panel-0", -1, 0)
    wait_for_selection(page)
    page.evaluate("document.querySelectorAll('#panels figure').forEach(({ view }) => { view.blank = () => { throw new Error('painted'); }; })")
    page.move(*place_of_point(page, "panel-0", 42))
    page.wait("!document.getElementById('card').hidden")
    assert marked(page, "panel-1") > 20 and chosen(page, "panel-1") > 100


def test_hovering_names_the_point_that_is_there(visit, sample):
    page = visit(sample("kinds", 600), shared=True)
    # The rightmost point of the first map stands alone enough to be hit.
    own = int(np.argmax(coordinates(page, "panel-0")))
    page.move(*place_of_point(page, "panel-0", own))
    page.wait(f"document.querySelector('#card .name').textContent === 'point-{own}' && !document.getElementById('card').hidden")
    assert HOSTILE in page.evaluate("document.getElementById('card').innerText")


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


def test_colors_follow_the_choice(visit, sample):
    page = visit(sample("kinds", 600))
    assert page.evaluate("document.getElementById('color').value") == "channel-0"
    faithful, distorted = colors(page, "panel-0"), colors(page, "panel-1")
    # One logarithmic scale for all panels: the side view is worse than the true map.
    assert (faithful["low"], faithful["high"]) == (distorted["low"], distorted["high"])
    assert np.median(faithful["values"]) < np.median(distorted["values"]) - 0.5
    choose(page, "color", "0")
    by_truth = colors(page, "panel-0")
    assert np.abs(np.subtract(by_truth["values"], coordinates(page, "panel-0"))).max() < 0.01
    choose(page, "color", "label")
    assert set(colors(page, "panel-0")["values"]) == {0, 1, 2}
    legend = page.evaluate("[...document.querySelectorAll('#legend button')].map((button) => button.textContent)")
    assert sorted(legend) == sorted(["inner", "middle", HOSTILE])
    page.evaluate("document.querySelector('#legend button').click()")
    wait_for_selection(page)


def test_the_data_are_colored_by_the_distortion_of_the_map_chosen(visit, sample):
    page = visit(sample("maps", 500))
    before = np.median(colors(page, "panel-input")["values"])
    choose(page, "reference", "1")
    page.evaluate("document.getElementById('panel-input').view.busy")
    assert np.median(colors(page, "panel-input")["values"]) > before + 0.3
