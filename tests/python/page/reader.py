"""What a reader does on a page: points, drags, chooses, and looks at what comes of it."""
import json
import re

ALL_DRAWN = "[...document.querySelectorAll('#panels figure')].every((figure) => figure.dataset.drawn)"

# What dragging does in every panel.
DRAGGING = "[...document.querySelectorAll('#panels .box')].every((box) => box.dataset.drag === '%s')"

# The pixels of a panel's canvas that are not empty.
FILLED = """((id, layer) => {
  const canvas = document.getElementById(id).view[layer];
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let at = 3; at < data.length; at += 4) count += data[at] > 0;
  return count;
})"""


def put_back(page):
    """Brings a page to where it was when it was opened, by its own controls."""
    page.call("Page.bringToFront")
    page.move(4, 4)
    page.wait("document.getElementById('card').hidden")
    page.evaluate("['clear', 'reset'].forEach((id) => document.getElementById(id).click())")
    page.evaluate("document.querySelector('input[value=lasso]').click()")
    page.wait(DRAGGING % "lasso")
    page.wait("[...document.querySelectorAll('.outline')].every((outline) => !outline.getAttribute('d'))")
    page.wait("document.getElementById('selected').textContent === 'nothing selected'")
    page.wait(f"['marks', 'chosen'].every((layer) => {FILLED}('panel-0', layer) === 0)")


def box(page, panel):
    """The middle of a panel's area and half its size, in the window."""
    at = page.evaluate(f"document.getElementById('{panel}').view.marks.getBoundingClientRect().toJSON()")
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2, at["width"] / 2, at["height"] / 2


def place_of_point(page, panel, own):
    """Where a point of a panel is in the window."""
    return page.evaluate(f"document.getElementById('{panel}').view.inWindow({own})")


def coordinates(page, panel, axis=0):
    return page.evaluate(f"Array.from(document.getElementById('{panel}').view.panel.coordinates[{axis}])")


def lasso(page, panel, left, right):
    """Drags a loop around a band of a panel, from `left` to `right` of its width, each -1 to 1."""
    x, y, across, up = box(page, panel)
    corners = [(left, -0.95), (right, -0.95), (right, 0.95), (left, 0.95), (left, -0.9)]
    page.drag([(x + share * across, y + height * up) for share, height in corners])


def drag_mode(page, mode):
    """Chooses what dragging does."""
    page.evaluate(f"document.querySelector('input[value={mode}]').click()")
    page.wait(DRAGGING % mode)


def selected(page):
    text = page.evaluate("document.getElementById('selected').textContent")
    return int(re.match(r"[\d,]+", text)[0].replace(",", "")) if text[0].isdigit() else 0


def wait_for_selection(page):
    page.wait("document.getElementById('selected').textContent.match(/^\\d/)")


def marked(page, panel):
    """How many pixels of a panel mark the point that is pointed at."""
    return page.evaluate(f"{FILLED}('{panel}', 'marks')")


def chosen(page, panel):
    """How many pixels of a panel's selected points are painted."""
    return page.evaluate(f"{FILLED}('{panel}', 'chosen')")


def painted(page, panel):
    """How many pixels of a panel's points are painted."""
    return page.evaluate(f"{FILLED}('{panel}', 'points')")


def colors(page, panel):
    """The values that color a panel."""
    return page.evaluate(
        f"""(() => {{
          const {{ values, low, high }} = document.getElementById('{panel}').view.panel.coloring;
          return {{ values: Array.from(values), low, high }};
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
    if control == "color":
        page.wait(f"[...document.querySelectorAll('#panels figure')].every((figure) => figure.dataset.color === '{value}')")
