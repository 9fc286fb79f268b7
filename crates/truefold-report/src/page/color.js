// Colors of points: by a channel of their map, by verdict, by label, by a value, or by row.

// Ten colors that the color-blind can tell apart; what is left over is gray.
const PALETTE = "#0072b2 #e69f00 #009e73 #d55e00 #56b4e9 #cc79a7 #999933 #882255 #44aa99 #f0e442".split(" ");
const REST = "#9a9a9a";

/** The labels that have a color of their own, the most frequent first; a label's color is its place here. */
const coloredLabels = report.labels
  ? report.labels.counts
      .map((count, code) => ({ code, count }))
      .sort((a, b) => b.count - a.count || a.code - b.code)
      .slice(0, report.labels.counts.length <= PALETTE.length ? PALETTE.length : PALETTE.length - 1)
      .map((entry) => entry.code)
      .sort((a, b) => a - b)
  : [];

/** So many of the ramp's first colors are too dark for dark paper. */
const DARKEST = 4;

function isDark() {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return (document.documentElement.dataset.theme ?? system) === "dark";
}

/** The colors from good to bad that can be seen on this paper. */
function rampColors() {
  return isDark() ? report.ramp.slice(DARKEST) : report.ramp;
}

function ramp() {
  return rampColors().map((color, at, all) => [at / (all.length - 1), color]);
}

/** Colors in steps: value 0 has the first, value 1 the second. */
function steps(colors) {
  return colors.flatMap((color, at) => [
    [at / colors.length, color],
    [(at + 1) / colors.length, color],
  ]);
}

/** The values that color the shown points in a panel, and their scale: { values by own point, low, high, scale }. */
async function coloringOf(panel) {
  const own = (values) => (panel.places ? Float64Array.from(panel.places, (place) => values[place]) : values);
  if (isOfMap()) return coloringOfMap(panel);
  if (state.color === "label") {
    const rank = new Map(coloredLabels.map((code, at) => [code, at]));
    const codes = await labelCodes();
    const values = Float64Array.from(codes, (code) => rank.get(code) ?? coloredLabels.length);
    const colors = [...PALETTE.slice(0, coloredLabels.length), REST];
    return { values: own(values), low: -0.5, high: colors.length - 0.5, scale: steps(colors) };
  }
  if (state.color === "row") {
    const rows = await rowNumbers();
    const values = Float64Array.from({ length: shown }, (_, at) => (rows ? rows[at] : at));
    return { values: own(values), low: 0, high: Math.max(report.points - 1, 1), scale: ramp() };
  }
  const coloring = report.colorings[state.color];
  const values = await coloringValues[state.color]();
  return { values: own(values), low: coloring.low, high: coloring.high, scale: ramp() };
}

/** Whether colors tell about the maps, so that the same point has different ones. */
function isOfMap() {
  return state.color === "verdict" || isChannel(state.color);
}

function isChannel(color) {
  return String(color).startsWith("channel-");
}

/** The colors of a map by one of its channels or by its verdicts; the data have those of the map of reference. */
async function coloringOfMap(panel) {
  const source = panel.isInput ? panels[state.reference] : panel;
  const { valueOf, ...colors } = state.color === "verdict" ? verdictColors() : channelColors(source);
  const found = await (state.color === "verdict" ? source?.verdicts() : source?.channels[state.channel]());
  if (!found) return { values: null, ...colors };
  if (source === panel) return { values: Float64Array.from(found, valueOf), ...colors };
  await source.loadPlaces();
  const values = Float64Array.from({ length: panel.count }, (_, at) => {
    const other = source.ownOf(panel.placeOf(at));
    return other < 0 ? NaN : valueOf(found[other]);
  });
  return { values, ...colors };
}

function verdictColors() {
  const { colors } = report.verdicts;
  return { valueOf: (code) => code, low: -0.5, high: colors.length - 0.5, scale: steps(colors) };
}

/** Where a value of the channel lies on its scale: on the way from best to chance, by powers of ten, or in even steps. */
function channelColors(source) {
  const { kind, low, high } = report.channels[state.channel];
  if (kind === "linear") return { valueOf: (value) => value, low, high, scale: ramp() };
  if (kind === "log") return { valueOf: (value) => Math.max(Math.log10(value), low), low, high, scale: ramp() };
  const [best, chance] = source?.facts.channels[state.channel]?.ends ?? [0, 1];
  return { valueOf: (value) => (value - best) / (chance - best), low: 0, high: 1, scale: ramp() };
}

/** The three channels of a color like #0072b2. */
function channels(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** A list of 256 packed colors along a scale. */
function lookup(scale) {
  return Array.from({ length: 256 }, (_, step) => {
    const share = step / 255;
    let above = scale.findIndex(([stop]) => stop > share);
    if (above < 0) above = scale.length - 1;
    const [[low, from], [high, to]] = [scale[Math.max(above - 1, 0)], scale[above]];
    const part = high > low ? Math.min((share - low) / (high - low), 1) : 0;
    const [a, b] = [channels(from), channels(to)];
    return packed(a.map((channel, at) => Math.round(channel + (b[at] - channel) * part)));
  });
}

/** The packed colors of a panel's points; what has no value is gray. */
function tints({ values, low, high, scale }, count) {
  const colors = new Uint32Array(count).fill(packed(channels(REST)));
  if (!values) return colors;
  const steps = lookup(scale);
  const unit = 255 / (high - low || 1);
  for (let own = 0; own < count; own++) {
    const step = Math.round((values[own] - low) * unit);
    if (step === step) colors[own] = steps[Math.min(Math.max(step, 0), 255)];
  }
  return colors;
}
