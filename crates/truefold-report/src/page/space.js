// Panels in space: a figure each.

class SpacePanel extends Turns {
  constructor(panel) {
    super();
    this.panel = panel;
    this.element = panel.figure;
    this.plot = panel.box;
    this.drawn = false;
  }

  draw() {
    return this.queue(async () => {
      if (this.drawn) return;
      const panel = this.panel;
      await panel.load();
      [panel.coloring, panel.sewn] = [await coloringOf(panel), await seamOf(panel)];
      await Plotly.newPlot(this.plot, this.traces(), this.layout(), SETTINGS);
      this.drawn = true;
      this.plot.on("plotly_hover", (event) => this.hover(event));
      this.plot.on("plotly_unhover", () => leave());
      this.plot.on("plotly_click", (event) => toggle(this.placeOf(event.points[0])));
      panel.figure.dataset.drawn = panel.count;
      await painted();
      if (!performance.getEntriesByName("first-panel").length) performance.mark("first-panel");
    });
  }

  get size() {
    return Math.max(1.5, Math.min(4, 110 / Math.sqrt(this.panel.count)));
  }

  traces() {
    return [this.base(), this.marks(), this.ring(), this.seam()];
  }

  base() {
    const [x, y, z] = this.panel.coordinates;
    const opacity = state.selectedCount ? 0.12 : 1;
    return {
      type: "scatter3d",
      mode: "markers",
      x,
      y,
      z,
      hoverinfo: "none",
      marker: markers(this.panel.coloring, this.size, opacity),
    };
  }

  /** The panel's own points that are selected. */
  marks() {
    const own = [];
    if (state.selectedCount) {
      for (let at = 0; at < this.panel.count; at++) if (state.selected[this.panel.placeOf(at)]) own.push(at);
    }
    this.marked = own;
    const [x, y, z] = this.panel.coordinates.map((values) => own.map((at) => values[at]));
    const coloring = this.panel.coloring;
    const values = coloring.values && Float64Array.from(own, (at) => coloring.values[at]);
    return {
      type: "scatter3d",
      mode: "markers",
      x,
      y,
      z,
      hoverinfo: "none",
      marker: markers({ ...coloring, values }, Math.max(this.size, 3), 1),
    };
  }

  /** The point that is pointed at. */
  ring() {
    const own = state.current < 0 ? -1 : this.panel.ownOf(state.current);
    const [x, y, z] = this.panel.coordinates.map((values) => (own < 0 ? [] : [values[own]]));
    return {
      type: "scatter3d",
      mode: "markers",
      x,
      y,
      z,
      hoverinfo: "skip",
      marker: { size: 8, color: "rgba(0,0,0,0)", symbol: "circle-open", line: { width: 2, color: "#d00060" } },
    };
  }

  /** Both sides of the seam. */
  seam() {
    const { own, colors } = (state.seam && this.panel.sewn) || { own: [], colors: [] };
    const [x, y, z] = this.panel.coordinates.map((values) => own.map((at) => values[at]));
    return {
      type: "scatter3d",
      mode: "markers",
      x,
      y,
      z,
      hoverinfo: "none",
      marker: { size: this.size + 2.5, color: colors, opacity: 1, line: { width: 0.5, color: ink() } },
    };
  }

  layout() {
    const axis = (at) => ({
      title: { text: plain(this.panel.facts.axes[at]), font: { size: 11, color: "#868686" } },
      tickfont: { size: 9, color: "#868686" },
      nticks: 5,
      gridcolor: "rgba(128,128,128,0.35)",
      zeroline: false,
      showbackground: false,
      showspikes: false,
      color: "#868686",
    });
    return {
      width: this.plot.clientWidth,
      height: this.plot.clientHeight,
      margin: { l: 0, r: 0, t: 0, b: 0 },
      paper_bgcolor: "rgba(0,0,0,0)",
      showlegend: false,
      scene: {
        xaxis: axis(0),
        yaxis: axis(1),
        zaxis: axis(2),
        aspectmode: "manual",
        aspectratio: this.aspect(),
        dragmode: this.dragmode(),
        camera: { projection: { type: "orthographic" }, eye: { x: 0.85, y: -1.25, z: 1.0 } },
      },
    };
  }

  /** The sides of the data to one scale, the longest as long as the view holds. */
  aspect() {
    const sides = this.panel.coordinates.map(bounds).map(([low, high]) => high - low);
    const longest = Math.max(...sides) || 1;
    const [x, y, z] = sides.map((side) => Math.max((1.15 * side) / longest, 0.02));
    return { x, y, z };
  }

  dragmode() {
    return { zoom: "zoom", pan: "pan" }[state.drag] ?? "orbit";
  }

  fit() {
    return this.queue(async () => {
      if (this.drawn) await Plotly.react(this.plot, this.plot.data, this.layout(), SETTINGS);
    });
  }

  async refresh() {
    if (this.drawn) await Plotly.react(this.plot, this.traces(), { ...this.plot.layout }, SETTINGS);
  }

  recolor() {
    return this.queue(async () => {
      if (!this.drawn) return;
      [this.panel.coloring, this.panel.sewn] = [await coloringOf(this.panel), await seamOf(this.panel)];
      await this.refresh();
    });
  }

  /** Shows or hides the seam. */
  sew() {
    return this.queue(() => this.refresh());
  }

  /** Shows the selection. */
  mark() {
    return this.queue(() => this.refresh());
  }

  /** Shows the point that is pointed at, where that is cheap enough to follow the pointer. */
  follow() {
    if (!this.drawn || this.following || this.panel.count > 20000) return;
    this.following = true;
    this.queue(async () => {
      this.following = false;
      if (!this.drawn) return;
      const { x, y, z } = this.ring();
      await Plotly.restyle(this.plot, { x: [x], y: [y], z: [z] }, [2]);
    });
  }

  drag() {
    return this.queue(async () => {
      if (this.drawn) await Plotly.relayout(this.plot, { "scene.dragmode": this.dragmode() });
    });
  }

  placeOf(event) {
    const lists = { 1: this.marked, 3: this.panel.sewn?.own };
    const own = lists[event.curveNumber]?.[event.pointNumber] ?? event.pointNumber;
    return this.panel.placeOf(own);
  }

  hover(event) {
    enter(this.placeOf(event.points[0]), this.panel, event.event);
  }

  purge() {
    return this.queue(() => {
      if (!this.drawn) return;
      delete this.panel.figure.dataset.drawn;
      Plotly.purge(this.plot);
      this.drawn = false;
    });
  }

  get contexts() {
    return this.drawn ? 1 : 0;
  }
}

/** Text that the plotting library is not to take as markup. */
function plain(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
