// Flat panels: all of a group in one figure, since a browser keeps few drawing contexts alive. The figure lies below the
// headings and captions, and each panel is drawn where the grid leaves a box for it.

const SETTINGS = { displayModeBar: false, doubleClick: false, scrollZoom: false, responsive: false, showTips: false };
/** Room in a box for the numbers of the axes. */
const LEFT = 38;
const BELOW = 22;
/** Past this many points in a group its first panel is drawn by itself before the others. */
const AT_ONCE = 300000;

/** The side of a point in pixels. */
function pointSize(count) {
  return Math.max(2, Math.min(7, 260 / Math.sqrt(count)));
}

function opacityOf(count) {
  return count > 50000 ? 0.7 : 0.85;
}

/** Some panels of the page that share a figure. */
class FlatGroup extends Turns {
  constructor(element, members) {
    super();
    this.element = element;
    this.panels = members;
    this.plot = element.querySelector(".plot");
    this.marks = element.querySelector(".marks");
    this.drawn = null;
  }

  draw() {
    return this.queue(async () => {
      if (this.drawn) return;
      await this.panels[0].load();
      if (this.panels.length > 1 && this.panels[0].count * this.panels.length > AT_ONCE) await this.plotFirst(1);
      await this.plotFirst(this.panels.length);
      this.plot.on("plotly_hover", (event) => this.hover(event));
      this.plot.on("plotly_unhover", () => leave());
      this.plot.on("plotly_click", (event) => toggle(this.placeOf(event.points[0])));
      this.plot.on("plotly_selected", (event) => this.select(event));
      this.plot.on("plotly_deselect", () => this.clearing || select([]));
      this.plot.on("plotly_doubleclick", () => resetViews());
      for (const event of ["plotly_relayouting", "plotly_relayout", "plotly_afterplot"]) {
        this.plot.on(event, () => paintMarks(this));
      }
      paintMarks(this);
    });
  }

  async plotFirst(count) {
    const drawn = this.panels.slice(0, count);
    await Promise.all(drawn.map((panel) => panel.load()));
    for (const panel of drawn) [panel.coloring, panel.sewn] = [await coloringOf(panel), await seamOf(panel)];
    const traces = drawn.map((panel, at) => this.trace(panel, at));
    await Plotly.newPlot(this.plot, traces, this.layout(drawn), SETTINGS);
    this.drawn = drawn;
    for (const panel of drawn) panel.figure.dataset.drawn = panel.count;
    await painted();
    if (!performance.getEntriesByName("first-panel").length) performance.mark("first-panel");
  }

  trace(panel, at) {
    const [x, y] = panel.coordinates;
    const opacity = opacityOf(panel.count);
    const suffix = at ? at + 1 : "";
    return {
      type: "scattergl",
      mode: "markers",
      x,
      y,
      xaxis: `x${suffix}`,
      yaxis: `y${suffix}`,
      hoverinfo: "none",
      marker: markers(panel.coloring, pointSize(panel.count), opacity),
      // The page shows selections itself, in all panels at once.
      selected: { marker: { opacity } },
      unselected: { marker: { opacity } },
    };
  }

  layout(drawn) {
    const [width, height] = [this.element.clientWidth, this.element.clientHeight];
    const layout = {
      width,
      height,
      margin: { l: 0, r: 0, t: 0, b: 0 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      showlegend: false,
      hovermode: "closest",
      hoverdistance: 12,
      dragmode: state.drag === "none" ? false : state.drag,
      newselection: { line: { color: "#d00060", width: 1.5, dash: "solid" } },
      activeselection: { fillcolor: "#d00060", opacity: 0.06 },
      selections: [],
    };
    drawn.forEach((panel, at) => Object.assign(layout, this.axes(panel, at, width, height)));
    return layout;
  }

  /** The axes of a panel, both to one scale, in its box. */
  axes(panel, at, width, height) {
    const outer = this.element.getBoundingClientRect();
    const box = panel.box.getBoundingClientRect();
    const [left, right] = [box.left - outer.left + LEFT, box.right - outer.left - 4];
    const [top, bottom] = [box.top - outer.top + 4, box.bottom - outer.top - BELOW];
    const [across, up] = panel.coordinates.map(bounds);
    const unit = Math.max((across[1] - across[0]) / (right - left), (up[1] - up[0]) / (bottom - top)) * 1.06 || 1;
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
    const suffix = at ? at + 1 : "";
    const alone = panel.facts.coordinates.length === 1;
    return {
      [`xaxis${suffix}`]: {
        ...common,
        domain: [left / width, right / width],
        range: range(across, right - left),
        anchor: `y${suffix}`,
      },
      [`yaxis${suffix}`]: {
        ...common,
        domain: [1 - bottom / height, 1 - top / height],
        range: range(up, bottom - top),
        anchor: `x${suffix}`,
        scaleanchor: `x${suffix}`,
        showticklabels: !alone,
        showgrid: !alone,
      },
    };
  }

  /** Fits the figure to the page again, at first views. */
  fit() {
    return this.queue(async () => {
      if (this.drawn) await Plotly.react(this.plot, this.plot.data, this.layout(this.drawn), SETTINGS);
    });
  }

  recolor() {
    return this.queue(async () => {
      if (!this.drawn) return;
      for (const panel of this.drawn) [panel.coloring, panel.sewn] = [await coloringOf(panel), await seamOf(panel)];
      const update = {};
      const all = this.drawn.map((panel) => markers(panel.coloring, 1, 1));
      for (const key of ["color", "cmin", "cmax", "colorscale"]) update[`marker.${key}`] = all.map((one) => one[key] ?? null);
      await Plotly.restyle(this.plot, update);
      paintMarks(this);
    });
  }

  /** Shows or hides the seams. */
  sew() {
    paintMarks(this);
  }

  drag() {
    return this.queue(async () => {
      if (this.drawn) await Plotly.relayout(this.plot, { dragmode: state.drag === "none" ? false : state.drag });
    });
  }

  /** Takes away the outlines of what was lassoed here. */
  clearOutlines() {
    if (!this.drawn || !this.plot.layout.selections?.length) return;
    this.queue(async () => {
      this.clearing = true;
      await Plotly.relayout(this.plot, { selections: [] });
      this.clearing = false;
    });
  }

  placeOf(event) {
    return this.drawn[event.curveNumber].placeOf(event.pointNumber);
  }

  hover(event) {
    const place = this.placeOf(event.points[0]);
    enter(place, this.drawn[event.points[0].curveNumber], event.event);
  }

  select(event) {
    if (this.clearing || !event?.points) return;
    const places = event.points.map((point) => this.placeOf(point));
    outlined = this;
    select(places);
  }

  purge() {
    return this.queue(() => {
      if (!this.drawn) return;
      for (const panel of this.drawn) delete panel.figure.dataset.drawn;
      Plotly.purge(this.plot);
      this.drawn = null;
    });
  }

  get contexts() {
    return this.drawn ? 3 : 0;
  }
}

/** The group in which the outline of the selection is drawn. */
let outlined = null;

function bounds(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** After the next picture is on the screen. */
function painted() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
}

function complain(failure) {
  console.error(failure);
}
