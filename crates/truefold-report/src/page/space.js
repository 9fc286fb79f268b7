// Panels in space: points turned before the eye, what is nearer painted over what is behind, in a box with its axes.

/** Where the eye is at first, in degrees around and above. */
const FIRST = { turn: 20, raise: 17 };
/** Degrees of turning for a pixel of dragging, and for a key. */
const DRAGGED = 0.4;
const KEYED = 10;
/** Depths are told apart in this many steps. */
const LAYERS = 4096;

class SpaceView extends View {
  constructor(panel) {
    super(panel);
    this.frame = element("canvas", { className: "frame" });
    this.camera = this.first();
  }

  get size() {
    return Math.max(2, Math.min(6, 200 / Math.sqrt(this.panel.count)));
  }

  get opacity() {
    return 1;
  }

  first() {
    return { ...FIRST, zoom: 1, shift: [0, 0] };
  }

  show() {
    this.extents = this.panel.coordinates.map(bounds);
    this.middle = this.extents.map(([low, high]) => low / 2 + high / 2);
    this.reach = this.farthest() || 1;
    this.depths = new Float32Array(this.panel.count);
    this.box.append(this.frame, this.points);
    this.box.addEventListener("pointerdown", (event) => {
      if (event.button === 0) followSteps(this.box, event, (across, down) => this.move(across, down));
    });
  }

  /** The greatest distance of a point from the middle. */
  farthest() {
    const [xs, ys, zs] = this.panel.coordinates;
    const [x, y, z] = this.middle;
    let square = 0;
    for (let own = 0; own < this.panel.count; own++) {
      square = Math.max(square, (xs[own] - x) ** 2 + (ys[own] - y) ** 2 + (zs[own] - z) ** 2);
    }
    return Math.sqrt(square);
  }

  area() {
    return { left: 0, top: 0, width: this.box.clientWidth, height: this.box.clientHeight };
  }

  /** How coordinates become places and depths: three rows of four numbers, for a picture of this size. */
  transform(width, height) {
    const { turn, raise, zoom, shift } = this.camera;
    const [around, above] = [turn, raise].map((degrees) => (degrees * Math.PI) / 180);
    const [sin, cos] = [Math.sin(around), Math.cos(around)];
    const [up, along] = [Math.sin(above), Math.cos(above)];
    const unit = (0.46 * Math.min(width, height) * zoom) / this.reach;
    const rows = [
      [cos, -sin, 0],
      [-sin * up, -cos * up, -along],
      [sin * along, cos * along, -up],
    ];
    const places = [width / 2 + shift[0] * this.ratio, height / 2 + shift[1] * this.ratio, 0];
    return rows.map((row, at) => {
      const scaled = row.map((part) => part * unit);
      const from = scaled.reduce((sum, part, axis) => sum + part * this.middle[axis], 0);
      return [...scaled, places[at] - from];
    });
  }

  project(width, height) {
    this.rows = this.transform(width, height);
    [this.xs, this.ys, this.depths].forEach((places, at) => apply(this.rows[at], this.panel.coordinates, places));
    return this.backToFront();
  }

  paint() {
    super.paint();
    paintFrame(this);
  }

  /** The points by their depth. */
  backToFront() {
    const [near, far] = bounds(this.depths);
    const unit = (LAYERS - 1) / (far - near || 1);
    const count = this.panel.count;
    const layers = new Uint16Array(count);
    const starts = new Uint32Array(LAYERS + 1);
    for (let own = 0; own < count; own++) {
      layers[own] = (far - this.depths[own]) * unit;
      starts[layers[own] + 1] += 1;
    }
    for (let layer = 0; layer < LAYERS; layer++) starts[layer + 1] += starts[layer];
    const order = new Uint32Array(count);
    for (let own = 0; own < count; own++) order[starts[layers[own]]++] = own;
    return order;
  }

  /** Torn points come among the others, so that what is before them hides them. */
  stamp(raster) {
    const seams = state.seam && this.seams;
    if (!seams) return super.stamp(raster);
    const { xs, ys, colors } = this;
    const plain = this.brush(this.size, this.opacity);
    const { torn, rim, dark } = seamBrushes(this);
    this.each((own) => {
      if (!seams[own]) return raster.disc(plain, xs[own], ys[own], colors[own]);
      raster.disc(rim, xs[own], ys[own], dark);
      raster.disc(torn, xs[own], ys[own], seams[own]);
    });
  }

  fit() {
    return this.queue(() => {
      if (!this.isDrawn) return;
      this.camera = this.first();
      this.paint();
    });
  }

  /** A finger still scrolls the page up and down where dragging is to scroll. */
  drag() {
    super.drag();
    this.box.style.touchAction = state.drag === "none" ? "pan-y" : "none";
  }

  move(across, down) {
    const { camera } = this;
    if (state.drag === "pan") camera.shift = [camera.shift[0] + across, camera.shift[1] + down];
    else if (state.drag === "zoom") camera.zoom *= Math.exp(-down / 100);
    else this.turn(across * DRAGGED, down * DRAGGED);
    this.repaint();
  }

  turn(around, above) {
    this.camera.turn -= around;
    this.camera.raise = Math.min(Math.max(this.camera.raise + above, -90), 90);
  }

  step(across, down) {
    this.turn(across * KEYED, down * KEYED);
    this.repaint();
  }

  /** Brings the points nearer; what is at a place in the area, or in its middle, stays there. */
  zoomBy(factor, place) {
    const { width, height } = this.area();
    const { camera } = this;
    const from = place ? [place[0] - width / 2, place[1] - height / 2] : [0, 0];
    camera.shift = camera.shift.map((shift, axis) => from[axis] + (shift - from[axis]) * factor);
    camera.zoom *= factor;
    this.repaint();
  }
}

/** One row of a transformation, of all points. */
function apply([a, b, c, d], [xs, ys, zs], into) {
  for (let own = 0; own < into.length; own++) into[own] = a * xs[own] + b * ys[own] + c * zs[own] + d;
}
