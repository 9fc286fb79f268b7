// Charts: curves over a common axis, a key that hides and shows them, and the numbers under the pointer or the keyboard.

/** The size of texts in a chart. */
const CHART_TEXT = 12;
/** As few places as these are the ticks themselves. */
const OWN_TICKS = 8;

class ChartView {
  constructor(chart, figure) {
    [this.chart, this.figure, this.box] = [chart, figure, figure.querySelector(".box")];
    this.curves = chart.series.map((series, at) => new Curve(series, at, chart));
    this.svg = shape("svg", { class: "axes" });
    this.spot = shape("circle", { class: "spot", r: 4.5, visibility: "hidden" });
    this.tip = element("div", { className: "tip", hidden: true });
    this.tip.setAttribute("role", "status");
    this.box.before(this.key());
    this.box.append(this.svg, this.tip);
    this.connect();
    this.draw();
  }

  /** Names and lines of the curves, as buttons that hide and show them. */
  key() {
    const buttons = this.curves.map((curve) => {
      const button = element("button", { type: "button" }, curve.sample(), element("span", { textContent: curve.name }));
      const show = () => button.setAttribute("aria-pressed", String(curve.isVisible));
      button.title = "Hide or show this curve";
      button.addEventListener("click", () => {
        curve.isVisible = !curve.isVisible;
        show();
        this.draw();
      });
      show();
      return button;
    });
    return element("div", { className: "key" }, ...buttons);
  }

  connect() {
    const { box } = this;
    box.tabIndex = 0;
    box.addEventListener("pointermove", (event) => this.tellAt(event));
    box.addEventListener("pointerdown", (event) => this.tellAt(event));
    for (const kind of ["pointerleave", "blur"]) box.addEventListener(kind, () => this.tell(null));
    box.addEventListener("keydown", (event) => this.step(event));
    new ResizeObserver(() => {
      if (box.clientWidth && box.clientWidth !== this.width && !isPrinting()) this.draw();
    }).observe(box);
  }

  get visible() {
    return this.curves.filter((curve) => curve.isVisible && curve.shown.length);
  }

  draw() {
    this.tell(null);
    const { chart, visible } = this;
    [this.width, this.height] = [this.box.clientWidth, this.box.clientHeight];
    const points = visible.flatMap((curve) => curve.shown);
    const ends = visible.flatMap((curve) => curve.band ?? []).flatMap((one) => (one ? [one.low, one.high] : []));
    const [xs, ys] = [points.map((point) => point.x), [...points.map((point) => point.y), ...ends]];
    const [across, up] = [Scale.over(xs, chart.x.log, 0.04), Scale.over(ys, chart.y.log, 0.06)];
    const places = [...new Set(xs)].sort((a, b) => a - b);
    const xTicks = places.length && places.length <= OWN_TICKS ? places : across.ticks(6);
    const yTicks = up.ticks(8);
    const widest = Math.max(0, ...tickTexts(up, yTicks).map((text) => textWidth(text, CHART_TEXT)));
    const left = widest + 32;
    const area = { left, top: 8, width: Math.max(this.width - left - 12, 40), height: Math.max(this.height - 54, 40) };
    this.at = ({ x, y }) => [
      area.left + across.share(x) * area.width,
      area.top + (1 - up.share(y)) * area.height,
    ];
    const axes = axisShapes(area, { scale: across, ticks: xTicks, noGrid: true }, { scale: up, ticks: yTicks }, CHART_TEXT);
    const curves = visible.flatMap((curve) => curve.shapes(this.at));
    this.svg.replaceChildren(...axes, ...this.borders(area), ...this.titles(area), ...curves, this.spot);
  }

  /** The lines of the axes, left and below. */
  borders({ left, top, width, height }) {
    return [shape("path", { class: "border", d: `M${left},${top}v${height}h${width}` })];
  }

  /** What the axes measure, and how many values are not shown. */
  titles({ left, top, width, height }) {
    const missing = this.curves.reduce((sum, curve) => sum + curve.points.length - curve.shown.length, 0);
    const note = missing ? ` (${missing} ${missing === 1 ? "value" : "values"} cannot be shown)` : "";
    const title = (text, attributes) => shape("text", { "font-size": CHART_TEXT, "text-anchor": "middle", ...attributes }, text);
    const [x, y] = [left + width / 2, top + height / 2];
    return [
      title(this.chart.x.title + note, { x, y: top + height + 36 }),
      title(this.chart.y.title, { x: 13, y, transform: `rotate(-90 13 ${y})` }),
    ];
  }

  /** Tells about the point nearest to the pointer. */
  tellAt(event) {
    const corner = this.box.getBoundingClientRect();
    const [x, y] = [event.clientX - corner.left, event.clientY - corner.top];
    let [best, nearest] = [null, 2 * REACH];
    for (const curve of this.visible) {
      curve.points.forEach((point, place) => {
        if (!point) return;
        const distance = Math.hypot(this.at(point)[0] - x, this.at(point)[1] - y);
        if (distance < nearest) [best, nearest] = [{ curve, place }, distance];
      });
    }
    this.tell(best);
  }

  /** Left and right go along a curve, up and down to the next. */
  step(event) {
    const [along, over] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    const { visible } = this;
    if (event.key === "Escape") this.tell(null);
    if ((!along && !over) || !visible.length) return;
    event.preventDefault();
    if (!this.told) return this.tell({ curve: visible[0], place: visible[0].points.findIndex(Boolean) });
    const curve = visible[(visible.indexOf(this.told.curve) + over + visible.length) % visible.length];
    const count = curve.points.length;
    let place = Math.min(this.told.place, count - 1) + along;
    // Over what is not shown, and around at the ends.
    while (!curve.points[(place + count) % count]) place += along || 1;
    this.tell({ curve, place: (place + count) % count });
  }

  /** Shows the numbers of a point of a curve, or none. */
  tell(told) {
    this.told = told;
    this.tip.hidden = !told;
    this.spot.setAttribute("visibility", told ? "visible" : "hidden");
    if (!told) return;
    const { curve, place } = told;
    const point = curve.points[place];
    const [x, y] = this.at(point);
    for (const [key, value] of Object.entries({ cx: x, cy: y, fill: curve.color })) this.spot.setAttribute(key, value);
    const band = curve.band?.[place];
    const between = band ? ` (${format(band.low)} to ${format(band.high)})` : "";
    const numbers = `${this.chart.x.title} ${format(point.x)}: ${format(point.y)}${between}`;
    this.tip.replaceChildren(element("strong", { textContent: curve.name }), element("br"), numbers);
    const isRight = x > this.width / 2;
    Object.assign(this.tip.style, {
      left: isRight ? "" : `${x + 10}px`,
      right: isRight ? `${this.width - x + 10}px` : "",
      top: `${Math.max(0, Math.min(y - 20, this.height - this.tip.offsetHeight))}px`,
    });
  }
}
