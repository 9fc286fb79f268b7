// Ellipses: what a small circle in the data has become in the map. All of a panel are enlarged alike so that they can be
// seen; where there are too many, those of points spread evenly over the map are drawn.

/** The least side of a cell in pixels, of which each has one ellipse; it grows up to twice as long. */
const CELL = 22;
/** As many ellipses as these are drawn without choosing. */
const FEW = 150;
/** An ellipse in the middle of all has half a long axis of this share of a cell, and none is drawn longer than `LONGEST` cells. */
const USUAL = 0.42;
const LONGEST = 1.6;

class EllipseLayer {
  constructor(view) {
    this.view = view;
    this.canvas = element("canvas", { className: "ellipses" });
    this.note = element("div", { className: "enlarged", hidden: true });
    this.elements = [this.canvas, this.note];
  }

  async paint() {
    const { view, canvas, note } = this;
    const { panel, points } = view;
    note.hidden = !state.ellipses;
    canvas.hidden = !state.ellipses;
    if (!state.ellipses) return;
    this.axes ??= await panel.loadEllipses();
    this.usual ??= middle(this.axes.longs.filter((long) => long > 0));
    if (canvas.width !== points.width || canvas.height !== points.height) {
      [canvas.width, canvas.height] = [points.width, points.height];
    }
    Object.assign(canvas.style, { left: points.style.left, top: points.style.top, width: points.style.width, height: points.style.height });
    const paper = canvas.getContext("2d");
    paper.setTransform(1, 0, 0, 1, 0, 0);
    paper.clearRect(0, 0, canvas.width, canvas.height);
    paper.scale(view.ratio, view.ratio);
    const cell = this.cell();
    const chosen = this.chosen(cell);
    const enlarged = this.usual > 0 ? (USUAL * cell) / this.usual : 1;
    this.draw(paper, chosen, cell, enlarged);
    note.textContent = `${chosen.length.toLocaleString("en")} ellipses, size × ${format(Number(enlarged.toPrecision(2)))}`;
    canvas.dataset.drawn = chosen.length;
  }

  /** Pixels of a unit of the map. */
  get unit() {
    return this.view.area().width / this.view.across.length;
  }

  /** The side of a cell in units of the map: a power of two, so that moving the map changes no choice. */
  cell() {
    return 2 ** Math.ceil(Math.log2(CELL / this.unit));
  }

  /** The points in view, or where they are many the one nearest to the middle of each cell. */
  chosen(cell) {
    const { across, up, panel } = this.view;
    const [xs, ys] = panel.coordinates;
    const inView = [];
    for (let own = 0; own < panel.count; own++) {
      // Where there is no ellipse, its axes are zero.
      const isSeen = this.axes.longs[own] > 0 && xs[own] >= across.low && xs[own] <= across.high && ys[own] >= up.low && ys[own] <= up.high;
      if (isSeen) inView.push(own);
    }
    if (inView.length <= FEW) return inView;
    const best = new Map();
    for (const own of inView) {
      const [column, row] = [Math.floor(xs[own] / cell), Math.floor(ys[own] / cell)];
      const away = (xs[own] / cell - column - 0.5) ** 2 + (ys[own] / cell - row - 0.5) ** 2;
      const key = column * 1048576 + row;
      const known = best.get(key);
      if (!known || away < known.away) best.set(key, { own, away });
    }
    return Array.from(best.values(), (entry) => entry.own);
  }

  draw(paper, chosen, cell, enlarged) {
    const { longs, shorts, angles } = this.axes;
    const most = LONGEST * cell;
    const [whole, cut] = [[], []];
    for (const own of chosen) (longs[own] * enlarged <= most ? whole : cut).push(own);
    for (const [some, dash] of [[whole, []], [cut, [3, 3]]]) {
      paper.beginPath();
      for (const own of some) {
        const shrink = Math.min(1, most / (longs[own] * enlarged)) * enlarged * this.unit;
        const [x, y] = this.view.spot(own);
        // The screen counts downward, so angles turn the other way.
        const angle = -angles[own];
        const [long, short] = [longs[own] * shrink, Math.max(shorts[own] * shrink, 0.4)];
        paper.moveTo(x + long * Math.cos(angle), y + long * Math.sin(angle));
        paper.ellipse(x, y, Math.max(long, 0.4), short, angle, 0, 2 * Math.PI);
      }
      paper.setLineDash(dash);
      strokeTwice(paper, ink(), 1.1);
      paper.setLineDash([]);
    }
  }
}

/** The value that half of some values exceed. */
function middle(values) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
