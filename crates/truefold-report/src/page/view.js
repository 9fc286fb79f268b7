// What all panels share, flat or in space: canvases of the points, of those selected and of the marks, and the pointer.

/** The pointer is on a point within this many pixels of it. */
const REACH = 12;
/** More than any depth. */
const FOREMOST = 1e9;
/** A press that moves by less is a click. */
const STILL = 4;
/** A panel is enlarged by this for a key, and becomes e times as large for so many pixels of the wheel. */
const ENLARGED = 1.25;
const WHEELED = 240;

/**
 * A panel as it is seen. Kinds of panels know `show` (makes what lies around the points), `area` (where in the box the
 * points are), `project` (fills `xs` and `ys`, where the points are in the area in pixels of the screen, and tells the
 * order to paint them in), `fit` (the first view, at the size that the box has), `zoomBy` (a factor, and where) and
 * `step` (an arrow key).
 */
class View extends Turns {
  constructor(panel) {
    super();
    this.panel = panel;
    this.element = panel.figure;
    this.box = panel.box;
    this.isDrawn = false;
    this.points = element("canvas", { className: "points" });
    this.chosen = element("canvas", { className: "chosen" });
    this.marks = element("canvas", { className: "marks" });
    panel.figure.view = this;
  }

  draw() {
    return this.queue(async () => {
      if (this.isDrawn) return;
      const panel = this.panel;
      await panel.load();
      await this.color();
      [this.xs, this.ys] = [new Float32Array(panel.count), new Float32Array(panel.count)];
      await this.show();
      this.box.append(this.chosen, this.marks);
      this.connectPointer();
      this.connectViewing();
      this.drag();
      this.isDrawn = true;
      this.paint();
      panel.figure.dataset.drawn = panel.count;
      await painted();
      if (!performance.getEntriesByName("first-panel").length) performance.mark("first-panel");
    });
  }

  async color() {
    const panel = this.panel;
    [panel.coloring, panel.sewn] = [await coloringOf(panel), await seamOf(panel)];
    this.colors = tints(panel.coloring, panel.count);
    this.seams = panel.sewn && new Uint32Array(panel.count);
    panel.sewn?.own.forEach((own, at) => (this.seams[own] = panel.sewn.colors[at]));
    panel.figure.dataset.color = state.color;
  }

  recolor() {
    return this.queue(async () => {
      if (!this.isDrawn) return;
      await this.color();
      this.paint();
    });
  }

  /** Paints before the next picture on the screen, however often it is asked for. */
  repaint() {
    if (this.waiting || !this.isDrawn) return;
    this.waiting = requestAnimationFrame(() => this.paint());
  }

  paint() {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    this.place();
    const raster = this.blank(this.points);
    this.stamp(raster);
    raster.show(this.points);
    paintSelected(this);
    paintMarks(this);
  }

  stamp(raster) {
    const { xs, ys, colors } = this;
    const brush = this.brush(this.size, this.opacity);
    this.each((own) => raster.disc(brush, xs[own], ys[own], colors[own]));
  }

  /** Puts the canvases where the points are, and the points on them. */
  place() {
    const { left, top, width, height } = this.area();
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    for (const canvas of [this.points, this.chosen, this.marks]) {
      const [across, up] = [Math.max(1, Math.round(width * this.ratio)), Math.max(1, Math.round(height * this.ratio))];
      if (canvas.width !== across || canvas.height !== up) [canvas.width, canvas.height] = [across, up];
      const [at, from] = [`${left}px`, `${top}px`];
      Object.assign(canvas.style, { left: at, top: from, width: `${width}px`, height: `${height}px` });
    }
    this.order = this.project(width * this.ratio, height * this.ratio);
  }

  /** Calls for every point of the panel, what lies behind first. */
  each(task) {
    if (this.order) for (const own of this.order) task(own);
    else for (let own = 0; own < this.panel.count; own++) task(own);
  }

  brush(size, opacity) {
    const key = `${size} ${opacity} ${this.ratio}`;
    this.brushes ??= new Map();
    if (!this.brushes.has(key)) this.brushes.set(key, new Brush(size * this.ratio, opacity));
    return this.brushes.get(key);
  }

  /** An empty picture of a canvas's size. */
  blank({ width, height }) {
    const margin = Math.ceil(20 * this.ratio);
    if (this.raster?.width !== width + 2 * margin || this.raster.height !== height + 2 * margin) {
      this.raster = new Raster(width, height, margin);
    }
    this.raster.clear();
    return this.raster;
  }

  /** Where a point is in the area, in pixels of the page. */
  spot(own) {
    return [this.xs[own] / this.ratio, this.ys[own] / this.ratio];
  }

  /** Where a point is in the window. */
  inWindow(own) {
    const corner = this.marks.getBoundingClientRect();
    const [x, y] = this.spot(own);
    return [corner.left + x, corner.top + y];
  }

  /** Where the pointer is in the area, in pixels of the page. */
  placeInArea(event) {
    const corner = this.marks.getBoundingClientRect();
    return [event.clientX - corner.left, event.clientY - corner.top];
  }

  /** The point of the panel under the pointer, or -1. What is painted there hides what is behind it. */
  pick(event) {
    const [x, y] = this.placeInArea(event).map((place) => place * this.ratio);
    const within = x >= 0 && y >= 0 && x <= this.marks.width && y <= this.marks.height;
    if (!within) return -1;
    const covered = (Math.max(this.size, 4) * this.ratio) ** 2 / 4;
    let nearest = (REACH * this.ratio) ** 2;
    let best = -1;
    for (let own = 0; own < this.panel.count; own++) {
      const across = this.xs[own] - x;
      const up = this.ys[own] - y;
      const square = across * across + up * up;
      // Among those under the pointer the foremost; they come before all others.
      const key = this.depths && square < covered ? this.depths[own] - FOREMOST : square;
      if (key >= nearest) continue;
      best = own;
      nearest = key;
    }
    return best;
  }

  connectPointer() {
    this.under = -1;
    let pressed = null;
    const isFar = (event) => Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) >= STILL;
    this.box.addEventListener("pointermove", (event) => {
      if (pressed && isFar(event)) pressed = null;
      this.hover(event.buttons ? -1 : this.pick(event), event);
    });
    this.box.addEventListener("pointerleave", (event) => this.hover(-1, event));
    this.box.addEventListener("pointerdown", (event) => (pressed = event));
    addEventListener("pointercancel", () => (pressed = null));
    addEventListener("pointerup", (event) => {
      const own = pressed && !isFar(event) ? this.pick(event) : -1;
      pressed = null;
      if (own >= 0) toggle(this.panel.placeOf(own));
    });
  }

  /** Keys, the wheel and a double click change what is seen. */
  connectViewing() {
    this.box.tabIndex = 0;
    this.box.addEventListener("dblclick", () => resetViews());
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const zoom = { "+": ENLARGED, "=": ENLARGED, "-": 1 / ENLARGED }[event.key];
    if ((!step && !zoom) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (step) this.step(...step);
    else this.zoomBy(zoom);
  }

  /** The wheel scrolls the page, but where dragging is to zoom or to pan, or with Ctrl, as two fingers on a pad send it. */
  wheel(event) {
    const isZoom = event.ctrlKey || event.metaKey || state.drag === "zoom" || state.drag === "pan";
    if (!isZoom) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    this.zoomBy(Math.exp(-Math.min(Math.max(pixels, -WHEELED), WHEELED) / WHEELED), this.placeInArea(event));
  }

  /** What dragging does has changed. */
  drag() {
    this.box.dataset.drag = state.drag;
  }

  hover(own, event) {
    if (own === this.under) return;
    this.under = own;
    if (own < 0) leave();
    else enter(this.panel.placeOf(own), this.panel, event);
  }
}

/** After the next picture is on the screen. */
function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

function complain(failure) {
  console.error(failure);
}

/** The least and the greatest of some values. */
function bounds(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
