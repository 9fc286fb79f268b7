"""Opens a report in a browser and tells how long a reader waits: `visit_report.py CHROMIUM PAGE.html`."""
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "python"))
from browser import Browser  # noqa: E402

REDRAW = """(async () => {
  const plot = document.querySelector('.plot');
  const [low, high] = plot._fullLayout.xaxis.range;
  const start = performance.now();
  await Plotly.relayout(plot, { 'xaxis.range': [low + (high - low) / 4, high - (high - low) / 4] });
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  return (performance.now() - start) / 1000;
})()"""

RECOLOR = """(async () => {
  const control = document.getElementById('color');
  const plot = document.querySelector('.plot');
  const start = performance.now();
  const done = new Promise((done) => plot.once('plotly_restyle', done));
  control.value = '0';
  control.dispatchEvent(new Event('change', { bubbles: true }));
  await done;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  return (performance.now() - start) / 1000;
})()"""

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
            "redraw_seconds": tab.evaluate(REDRAW),
            "recolor_seconds": tab.evaluate(RECOLOR),
        }
    finally:
        browser.close()
print(json.dumps(result))
