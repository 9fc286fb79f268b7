// Curves of a chart: which of their points can be shown, and the shapes they are drawn with.

const CURVES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999933", "#882255"];
/** Curves of more points have no dots; nor have dashed ones, which are bounds. */
const DOTTED = 60;

class Curve {
  constructor(series, at, axes) {
    [this.name, this.isDashed] = [series.name, series.dashed];
    this.color = CURVES[at % CURVES.length];
    const isShown = (value, axis) => Number.isFinite(value) && (!axis.log || value > 0);
    /** The points in order; where one cannot be shown there is null, and the curve has a gap. */
    this.points = series.x.map((x, place) => {
      const y = series.y[place];
      return isShown(x, axes.x) && isShown(y, axes.y) ? { x, y } : null;
    });
    /** What each point may vary between, or null; what a logarithmic axis cannot show ends at the least number. */
    this.band = series.band?.map(([low, high], place) => {
      const point = this.points[place];
      const isKnown = point && Number.isFinite(low) && isShown(high, axes.y);
      return isKnown ? { x: point.x, low: axes.y.log && low <= 0 ? Number.MIN_VALUE : low, high } : null;
    }) ?? null;
    this.marked = series.marked === null ? null : this.points[series.marked];
    this.isVisible = true;
  }

  get shown() {
    return this.points.filter(Boolean);
  }

  /** Its line, dots and mark; `at` tells where a point lies. */
  shapes(at) {
    const band = this.bandPath(at);
    const line = pieces(this.points).map((piece) => `M${piece.map((point) => at(point).map((place) => place.toFixed(1))).join("L")}`);
    const stroke = this.isDashed ? { "stroke-dasharray": "7 5" } : {};
    const shapes = band ? [shape("path", { class: "band", d: band, fill: this.color })] : [];
    shapes.push(shape("path", { class: "curve", d: line.join(""), stroke: this.color, ...stroke }));
    const disc = (point, r, attributes) => shape("circle", { cx: at(point)[0], cy: at(point)[1], r, ...attributes });
    if (!this.isDashed && this.points.length < DOTTED) shapes.push(...this.shown.map((point) => disc(point, 2.6, { fill: this.color })));
    if (this.marked) shapes.push(disc(this.marked, 7, { class: "ring", stroke: this.color }));
    return shapes;
  }

  /** The outline of the band: along its upper ends and back along the lower ones, piece by piece. */
  bandPath(at) {
    const places = (piece, end) => piece.map((one) => at({ x: one.x, y: one[end] }).map((place) => place.toFixed(1)));
    return pieces(this.band ?? [])
      .map((piece) => `M${[...places(piece, "high"), ...places(piece, "low").reverse()].join("L")}Z`)
      .join("");
  }

  /** A piece of the line, for the key. */
  sample() {
    const stroke = this.isDashed ? { "stroke-dasharray": "5 3" } : {};
    const line = shape("line", { class: "curve", x1: 0, y1: 5, x2: 22, y2: 5, stroke: this.color, ...stroke });
    return shape("svg", { class: "sample", viewBox: "0 0 22 10", "aria-hidden": "true" }, line);
  }
}

/** The pieces between gaps. */
function pieces(points) {
  const found = [[]];
  for (const point of points) {
    if (point) found[found.length - 1].push(point);
    else found.push([]);
  }
  return found.filter((piece) => piece.length);
}
