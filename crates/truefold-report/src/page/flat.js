// Flat panels: the plotting library draws the axes, zooms, pans and lassoes; the points between are the page's own.

const SETTINGS = { displayModeBar: false, doubleClick: false, scrollZoom: false, responsive: false, showTips: false };
/** Room in a box for the numbers of the axes. */
const MARGIN = { l: 38, r: 4, t: 4, b: 22 };

class FlatView extends View {
  constructor(panel) {
    super(panel);
    this.plot = element("div", { className: "plot" });
  }

  /** The side of a point in pixels. */
  get size() {
    return Math.max(2, Math.min(7, 260 / Math.sqrt(this.panel.count)));
  }

  get opacity() {
    return this.panel.count > 50000 ? 0.7 : 0.85;
  }

  async show() {
    this.box.append(this.plot);
    // The library lassoes only where it has something of its own.
    const nothing = { type: "scatter", mode: "markers", x: [0], y: [0], marker: { opacity: 0 }, hoverinfo: "skip" };
    await Plotly.newPlot(this.plot, [nothing], this.layout(), SETTINGS);
    // Above the lines of the axes, below the outline of a lasso.
    this.plot.querySelector(".gl-container").append(this.points);
    this.plot.on("plotly_selected", (event) => this.select(event));
    this.plot.on("plotly_deselect", () => this.isClearing || select([]));
    this.plot.on("plotly_doubleclick", () => resetViews());
    for (const event of ["plotly_relayouting", "plotly_relayout", "plotly_afterplot"]) {
      this.plot.on(event, () => this.repaint());
    }
  }

  /** Both axes to one scale. */
  layout() {
    const [width, height] = [this.box.clientWidth, this.box.clientHeight];
    const [across, up] = this.panel.coordinates.map(bounds);
    const lengths = [width - MARGIN.l - MARGIN.r, height - MARGIN.t - MARGIN.b];
    const unit = Math.max((across[1] - across[0]) / lengths[0], (up[1] - up[0]) / lengths[1]) * 1.06 || 1;
    const range = ([low, high], length) => [(low + high - unit * length) / 2, (low + high + unit * length) / 2];
    const common = {
      gridcolor: "rgba(128,128,128,0.16)",
      zeroline: false,
      showline: true,
      linecolor: "rgba(128,128,128,0.35)",
      mirror: true,
      tickfont: { size: 10, color: "#868686" },
      nticks: 5,
      ticks: "",
      autorange: false,
    };
    const isLine = this.panel.facts.coordinates.length === 1;
    return {
      width,
      height,
      margin: MARGIN,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      showlegend: false,
      hovermode: false,
      dragmode: this.dragmode(),
      newselection: { line: { color: "#d00060", width: 1.5, dash: "solid" } },
      activeselection: { fillcolor: "#d00060", opacity: 0.06 },
      selections: [],
      xaxis: { ...common, range: range(across, lengths[0]) },
      yaxis: { ...common, range: range(up, lengths[1]), scaleanchor: "x", showticklabels: !isLine, showgrid: !isLine },
    };
  }

  dragmode() {
    return state.drag === "none" ? false : state.drag;
  }

  get axes() {
    const { xaxis, yaxis } = this.plot._fullLayout;
    return [xaxis, yaxis];
  }

  area() {
    const [across, up] = this.axes;
    return { left: across._offset, top: up._offset, width: across._length, height: up._length };
  }

  project(width, height) {
    const [[left, right], [bottom, top]] = this.axes.map((axis) => axis.range);
    const [values, heights] = this.panel.coordinates;
    const [across, up] = [width / (right - left), height / (top - bottom)];
    for (let own = 0; own < values.length; own++) {
      this.xs[own] = (values[own] - left) * across;
      this.ys[own] = (top - heights[own]) * up;
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

  fit() {
    return this.queue(async () => {
      if (!this.isDrawn) return;
      await Plotly.react(this.plot, this.plot.data, this.layout(), SETTINGS);
      this.paint();
    });
  }

  drag() {
    return this.queue(async () => {
      if (this.isDrawn) await Plotly.relayout(this.plot, { dragmode: this.dragmode() });
    });
  }

  /** Takes away the outlines of what was lassoed here. */
  clearOutlines() {
    if (!this.isDrawn || !this.plot.layout.selections?.length) return;
    this.queue(async () => {
      this.isClearing = true;
      await Plotly.relayout(this.plot, { selections: [] });
      this.isClearing = false;
    });
  }

  /** Selects what lies in the loop or box that was drawn. */
  select(event) {
    if (this.isClearing || !event) return;
    const { range, lassoPoints } = event;
    const loop = lassoPoints ? corners(lassoPoints.x, lassoPoints.y) : range && corners(
      [range.x[0], range.x[1], range.x[1], range.x[0]],
      [range.y[0], range.y[0], range.y[1], range.y[1]],
    );
    if (!loop) return;
    outlined = this;
    select(Array.from(within(loop, this.panel.coordinates), (own) => this.panel.placeOf(own)));
  }
}

/** The panel in which the outline of the selection is drawn. */
let outlined = null;

function corners(xs, ys) {
  return Array.from(xs, (x, at) => [x, ys[at]]);
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
