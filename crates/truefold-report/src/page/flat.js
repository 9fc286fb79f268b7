// Flat panels: points between two axes to one scale. Dragging selects, looks closer or carries the panel along.

/** Room in a box for the numbers of the axes. */
const MARGIN = { left: 40, right: 4, top: 4, bottom: 22 };
/** A panel is shown at most this much larger than at first, and this much smaller: its numbers have 65,536 steps. */
const CLOSEST = 4000;
const FARTHEST = 1 / 8;
/** A key moves a panel by this share of it. */
const KEYED_SHARE = 0.1;

class FlatView extends View {
  constructor(panel) {
    super(panel);
    this.axes = shape("svg", { class: "axes", "aria-hidden": "true" });
    this.ellipses = panel.facts.ellipses ? new EllipseLayer(this) : null;
    // The outline of what was selected here, as corners in the panel's own numbers, and of what is being dragged.
    this.loop = null;
    this.outline = shape("path", { class: "outline" });
    this.rubber = shape("path", { class: "rubber" });
    this.overlay = shape("svg", { class: "overlay", "aria-hidden": "true" }, this.outline, this.rubber);
  }

  /** The side of a point in pixels. */
  get size() {
    return Math.max(2, Math.min(7, 260 / Math.sqrt(this.panel.count)));
  }

  get opacity() {
    return this.panel.count > 50000 ? 0.7 : 0.85;
  }

  show() {
    this.extents = this.panel.coordinates.slice(0, 2).map(bounds);
    this.box.append(this.axes, this.points, this.overlay, ...(this.ellipses?.elements ?? []));
    this.box.addEventListener("pointerdown", (event) => this.grasp(event));
    this.lookAtAll();
  }

  area() {
    const { left, right, top, bottom } = MARGIN;
    const [width, height] = [this.box.clientWidth - left - right, this.box.clientHeight - top - bottom];
    return { left, top, width: Math.max(width, 1), height: Math.max(height, 1) };
  }

  /** Shows all points, both axes to one scale. */
  lookAtAll() {
    const { width, height } = this.area();
    const [across, up] = this.extents;
    const unit = Math.max((across[1] - across[0]) / width, (up[1] - up[0]) / height) * 1.06 || 1;
    const around = ([low, high], length) => new Scale(low / 2 + high / 2 - (unit * length) / 2, low / 2 + high / 2 + (unit * length) / 2);
    [this.across, this.up] = [around(across, width), around(up, height)];
    this.zoom = 1;
  }

  project(width, height) {
    const { across, up } = this;
    const [values, heights] = this.panel.coordinates;
    const [alongX, alongY] = [width / across.length, height / up.length];
    for (let own = 0; own < values.length; own++) {
      this.xs[own] = (values[own] - across.low) * alongX;
      this.ys[own] = (up.high - heights[own]) * alongY;
    }
    return null;
  }

  /** Torn points lie above all others; all rims come first, or the rim of one would cut into the next. */
  stamp(raster) {
    super.stamp(raster);
    if (!state.seam || !this.seams) return;
    const { xs, ys, seams } = this;
    const { torn, rim, dark } = seamBrushes(this);
    const { own } = this.panel.sewn;
    for (const at of own) raster.disc(rim, xs[at], ys[at], dark);
    for (const at of own) raster.disc(torn, xs[at], ys[at], seams[at]);
  }

  paint() {
    super.paint();
    const isLine = this.panel.facts.coordinates.length === 1;
    const area = this.area();
    const ticks = (scale) => ({ scale, ticks: scale.ticks(5) });
    const up = { ...ticks(this.up), noGrid: isLine, noTexts: isLine };
    const { left: x, top: y, width, height } = area;
    const border = shape("rect", { class: "border", x, y, width, height });
    this.axes.replaceChildren(...axisShapes(area, ticks(this.across), up, 10), border);
    Object.assign(this.overlay.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    this.drawOutline();
    this.drawEllipses();
  }

  drawEllipses() {
    this.ellipses?.paint().catch(complain);
  }

  drawOutline() {
    const { width, height } = this.area();
    const places = (this.loop ?? []).map(([x, y]) => [this.across.share(x) * width, (1 - this.up.share(y)) * height]);
    this.outline.setAttribute("d", pathOf(places));
  }

  fit() {
    return this.queue(() => {
      if (!this.isDrawn) return;
      this.lookAtAll();
      this.paint();
    });
  }

  /** A finger scrolls the page where dragging is to scroll. */
  drag() {
    super.drag();
    this.box.style.touchAction = state.drag === "none" ? "auto" : "none";
  }

  /** Shows the panel larger, about a place in the area. */
  zoomBy(factor, place) {
    const { width, height } = this.area();
    const [x, y] = place ?? [width / 2, height / 2];
    const zoom = Math.min(Math.max(this.zoom * factor, FARTHEST), CLOSEST);
    this.across = this.across.enlarged(zoom / this.zoom, x / width);
    this.up = this.up.enlarged(zoom / this.zoom, 1 - y / height);
    this.zoom = zoom;
    this.repaint();
  }

  /** Carries the points along by some pixels. */
  moveBy(across, down) {
    const { width, height } = this.area();
    [this.across, this.up] = [this.across.moved(-across / width), this.up.moved(down / height)];
    this.repaint();
  }

  step(across, down) {
    const { width, height } = this.area();
    this.moveBy(-across * width * KEYED_SHARE, -down * height * KEYED_SHARE);
  }

  /** Shows what is in a box of the area, as large as both axes allow. */
  lookInto(corners) {
    const { width, height } = this.area();
    const [[left, right], [top, bottom]] = [0, 1].map((axis) => bounds(corners.map((corner) => corner[axis])));
    this.moveBy(width / 2 - (left + right) / 2, height / 2 - (top + bottom) / 2);
    this.zoomBy(Math.min(width / (right - left), height / (bottom - top)));
  }

  /** Takes away the outline of what was selected here. */
  clearOutlines() {
    if (!this.loop) return;
    this.loop = null;
    this.drawOutline();
  }

  /** Selects what lies in a loop of places in the area. */
  selectWithin(places) {
    const { width, height } = this.area();
    this.loop = places.map(([x, y]) => [this.across.value(x / width), this.up.value(1 - y / height)]);
    this.drawOutline();
    outlined = this;
    select(Array.from(within(this.loop, this.panel.coordinates), (own) => this.panel.placeOf(own)));
  }

  /** The pointer was pressed. */
  grasp(event) {
    const start = this.placeInArea(event);
    const { width, height } = this.area();
    const isInside = start[0] >= 0 && start[1] >= 0 && start[0] <= width && start[1] <= height;
    if (!isInside || event.button !== 0 || state.drag === "none") return;
    if (state.drag === "pan") carry(this, event);
    else outlineBy(OUTLINES[state.drag], this, event, start);
  }
}

/** The panel in which the outline of the selection is drawn. */
let outlined = null;
