"""Opens a report in a browser and prints how long a reader waits: `visit_report.py CHROMIUM PAGE.html`."""
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "python" / "page"))
from browser import Browser  # noqa: E402

# The median time of an action until its result is on the screen.
TIMED = """(async (act) => {
  const taken = [];
  for (let round = 0; round < 9; round++) {
    await new Promise((done) => setTimeout(done, 50));
    const start = performance.now();
    await act(round);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[4] / 1000;
})"""

ZOOM = f"""{TIMED}((round) => document.getElementById('panel-0').view.zoomBy(round % 2 ? 4 / 3 : 3 / 4))"""

TURN = f"""{TIMED}(() => document.getElementById('panel-input').view.move(10, 4))"""

RECOLOR = f"""{TIMED}(async (round) => {{
  const control = document.getElementById('color');
  control.value = round % 2 ? 'channel-0' : '0';
  control.dispatchEvent(new Event('change', {{ bubbles: true }}));
  for (const figure of document.querySelectorAll('#panels figure')) await figure.view.busy;
}})"""

SELECT = f"""{TIMED}((round) => {{
  const view = document.getElementById('panel-0').view;
  const {{ width, height }} = view.area();
  const right = width * (round % 2 ? 0.4 : 0.5);
  view.selectWithin([[0, 0], [right, 0], [right, height], [0, height]]);
}})"""

program, page = sys.argv[1], Path(sys.argv[2])
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    browser = Browser(program, Path(folder))
    try:
        tab = browser.open(page.as_uri())
        first = tab.wait("performance.getEntriesByName('first-panel')[0]?.startTime", timeout=120) / 1000
        drawn = "[...document.querySelectorAll('#panels figure')].every((figure) => figure.dataset.drawn) && performance.now()"
        every = tab.wait(drawn, timeout=300) / 1000
        result = {
            "first_panel_seconds": first,
            "all_panels_seconds": every,
            "zoom_seconds": tab.evaluate(ZOOM),
            "turn_seconds": tab.evaluate(TURN),
            "recolor_seconds": tab.evaluate(RECOLOR),
            "select_seconds": tab.evaluate(SELECT),
        }
    finally:
        browser.close()
print(json.dumps(result))
