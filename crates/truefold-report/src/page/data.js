// What the page holds: a table of contents as JSON, and blocks of compressed numbers that are read when needed.

const report = JSON.parse(document.getElementById("report").textContent);
const shown = report.shown;

/** The bytes of a block. */
async function bytes(block) {
  const text = atob(document.getElementById(block).textContent);
  const packed = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) packed[at] = text.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** Numbers that were rounded to 65,536 steps between `low` and `high`. */
async function numbers(packed) {
  const steps = new Uint16Array(await bytes(packed.block));
  const values = new Float64Array(steps.length);
  const step = packed.high / 65535 - packed.low / 65535;
  for (let at = 0; at < steps.length; at++) values[at] = packed.low + steps[at] * step;
  return values;
}

/** The code of a number that is not known. */
const UNKNOWN = 65535;

/** Numbers of which some may be unknown, and then are NaN: by their logarithms to base ten, or in even steps. */
async function known(packed, isLog) {
  const steps = new Uint16Array(await bytes(packed.block));
  const step = (packed.high - packed.low) / (isLog ? UNKNOWN - 2 : UNKNOWN - 1);
  const valueOf = isLog
    ? (code) => (code === 0 ? 0 : 10 ** (packed.low + (code - 1) * step))
    : (code) => packed.low + code * step;
  return Float64Array.from(steps, (code) => (code === UNKNOWN ? NaN : valueOf(code)));
}

/** Calls `make` once and keeps what it gives. */
function once(make) {
  let kept;
  return () => (kept ??= make());
}

const rowNumbers = once(async () => (report.rows ? new Uint32Array(await bytes(report.rows)) : null));
const identities = once(async () =>
  report.ids ? JSON.parse(new TextDecoder().decode(await bytes(report.ids))) : null,
);
const labelCodes = once(async () => (report.labels ? new Uint32Array(await bytes(report.labels.codes)) : null));
const coloringValues = report.colorings.map((coloring) => once(() => numbers(coloring)));

/** A panel of the page: an embedding, or the data themselves. */
class Panel {
  constructor(facts, index) {
    this.facts = facts;
    this.index = index;
    this.isInput = index < 0;
    this.flat = facts.coordinates.length < 3;
    this.figure = document.getElementById(this.isInput ? "panel-input" : `panel-${index}`);
    this.box = this.figure.querySelector(".box");
    this.places = this.inverse = null;
    this.loadPlaces = once(() => this.readPlaces());
    this.load = once(() => this.read());
    this.loadSeam = once(() => this.readSeam());
    this.channels = facts.channels.map((packed) => once(async () => (packed ? known(packed, packed.log) : null)));
    this.verdicts = once(async () => (facts.verdicts ? new Uint8Array(await bytes(facts.verdicts.codes)) : null));
    this.loadEllipses = once(() => this.readEllipses());
  }

  async readPlaces() {
    if (!this.facts.places) return;
    this.places = new Uint32Array(await bytes(this.facts.places));
    this.inverse = new Int32Array(shown).fill(-1);
    this.places.forEach((place, at) => (this.inverse[place] = at));
  }

  async read() {
    await this.loadPlaces();
    this.coordinates = await Promise.all(this.facts.coordinates.map(numbers));
    this.count = this.coordinates[0].length;
    // One coordinate alone is spread across its line by chance, the same on every visit, so that points can be told apart.
    if (this.coordinates.length === 1) this.coordinates.push(scatterAcross(this.coordinates[0]));
  }

  async readSeam() {
    const { points, along, pairs } = this.facts.seam;
    const [rows, places, ends] = await Promise.all([bytes(points), numbers(along), bytes(pairs)]);
    return { points: new Uint32Array(rows), along: places, pairs: new Uint32Array(ends) };
  }

  /** Half the axes of the ellipses, and the angle of the longer one. */
  async readEllipses() {
    const { long, short, angle } = this.facts.ellipses;
    const [longs, shorts, angles] = await Promise.all([known(long, true), known(short, true), numbers(angle)]);
    return { longs, shorts, angles };
  }

  /** Whether the page has all coordinates that tell who is near to whom. */
  get isWhole() {
    return !this.isInput && this.facts.dim <= 3;
  }

  /** Which of the shown points the panel's own point is. */
  placeOf(own) {
    return this.places ? this.places[own] : own;
  }

  /** Which of the panel's own points a shown point is; -1 where it has none. */
  ownOf(place) {
    return this.inverse ? this.inverse[place] : place;
  }
}

function scatterAcross(values) {
  const extent = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  const width = (extent[1] - extent[0] || 1) * 0.12;
  return values.map((_, at) => ((((at + 1) * 0.6180339887498949) % 1) - 0.5) * width);
}

const panels = report.panels.map((facts, index) => new Panel(facts, index));
const inputPanel = report.input ? new Panel(report.input, -1) : null;
const allPanels = inputPanel ? [inputPanel, ...panels] : panels;
