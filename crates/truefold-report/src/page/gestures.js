// Dragging: what a pressed pointer draws or carries until it is let go.

/** Calls `move` as a pressed pointer moves, and `end` when it is let go, with whether it was not taken away. */
function followPointer(box, { pointerId }, move, end = () => {}) {
  box.setPointerCapture(pointerId);
  const isSame = (event) => event.pointerId === pointerId;
  const moved = (event) => isSame(event) && move(event);
  const ended = (event) => {
    if (!isSame(event)) return;
    box.removeEventListener("pointermove", moved);
    for (const kind of ["pointerup", "pointercancel"]) box.removeEventListener(kind, ended);
    end(event.type === "pointerup");
  };
  box.addEventListener("pointermove", moved);
  for (const kind of ["pointerup", "pointercancel"]) box.addEventListener(kind, ended);
}

/** Calls `task` with how far a pressed pointer moved, across and down, each time that it does. */
function followSteps(box, event, task) {
  let [x, y] = [event.clientX, event.clientY];
  followPointer(box, event, (moved) => {
    task(moved.clientX - x, moved.clientY - y);
    [x, y] = [moved.clientX, moved.clientY];
  });
}

/** Carries a panel along. */
function carry(view, event) {
  followSteps(view.box, event, (across, down) => view.moveBy(across, down));
}

/** What dragging outlines: its shape from the places of the pointer, and what is done with it in the end. */
const OUTLINES = {
  lasso: { shapeOf: (places) => places, finish: (view, loop) => view.selectWithin(loop) },
  select: { shapeOf: boxOf, finish: (view, corners) => view.selectWithin(corners) },
  zoom: { shapeOf: boxOf, finish: (view, corners) => view.lookInto(corners), isBox: true },
};

function boxOf(places) {
  const [[x0, y0], [x1, y1]] = [places[0], places[places.length - 1]];
  return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
}

/** Draws an outline while the pointer is dragged, and does what it is for when it is let go. */
function outlineBy({ shapeOf, finish, isBox }, view, event, start) {
  const { width, height } = view.area();
  const places = [start];
  const move = (moved) => {
    const [x, y] = view.placeInArea(moved);
    places.push([Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)]);
    view.rubber.setAttribute("d", pathOf(shapeOf(places)));
  };
  followPointer(view.box, event, move, (isDone) => {
    view.rubber.setAttribute("d", "");
    const corners = shapeOf(places);
    const sides = [0, 1].map((axis) => bounds(corners.map((corner) => corner[axis]))).map(([low, high]) => high - low);
    // A press that hardly moved is a click; a thin box is nothing to look into.
    const isLarge = isBox ? Math.min(...sides) >= STILL : Math.max(...sides) >= STILL;
    if (isDone && isLarge) finish(view, corners);
  });
}

/** A closed line through some places. */
function pathOf(places) {
  if (!places.length) return "";
  return `M${places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}Z`;
}

/** The points inside a loop: those from which a ray crosses it an odd number of times. */
function* within(loop, [xs, ys]) {
  const [[left, right], [bottom, top]] = [0, 1].map((axis) => bounds(loop.map((corner) => corner[axis])));
  for (let own = 0; own < xs.length; own++) {
    const x = xs[own];
    const y = ys[own];
    if (x < left || x > right || y < bottom || y > top) continue;
    let isInside = false;
    for (let at = 0, before = loop.length - 1; at < loop.length; before = at++) {
      const [x0, y0] = loop[before];
      const [x1, y1] = loop[at];
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
    }
    if (isInside) yield own;
  }
}
