// Seams: where a closed surface was torn. Either side has the colors of its places along the seam, so that what has the
// same color belongs together; lines lead from the point that is pointed at to those it was torn from.

/** How far the rim of a torn point goes beyond it, in pixels. */
const RIM = 0.8;
const wheel = lookup(report.wheel.map((color, at) => [at / (report.wheel.length - 1), color]));

/** The panel that has the seam of another: itself, or for the data that of reference or the first that was torn. */
function tornPanel(panel) {
  if (!panel.isInput) return panel.facts.seam ? panel : null;
  return [panels[state.reference], ...panels].find((one) => one?.facts.seam) ?? null;
}

/** The torn points of a panel with their colors, and for each the points that it was torn from; null where there are none. */
async function seamOf(panel) {
  const source = tornPanel(panel);
  if (!source) return null;
  await Promise.all([source.loadPlaces(), panel.loadPlaces()]);
  const { points, along, pairs } = await source.loadSeam();
  const own = (at) => (source === panel ? at : panel.ownOf(source.placeOf(at)));
  const partners = new Map();
  for (let at = 0; at < pairs.length; at += 2) {
    const [a, b] = [own(pairs[at]), own(pairs[at + 1])];
    partners.set(a, [...(partners.get(a) ?? []), b]);
    partners.set(b, [...(partners.get(b) ?? []), a]);
  }
  return { own: Array.from(points, own), colors: Array.from(along, (place) => wheel[Math.round(place * 255)]), partners };
}

/** The color of what is written, which the rims of torn points have too. */
function ink() {
  return getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
}

/** What torn points are painted with: their disc, the rim behind it, and the color of the rim. */
function seamBrushes(view) {
  const size = Math.max(view.size, 4.5);
  return { torn: view.brush(size, 1), rim: view.brush(size + 2 * RIM, 1), dark: packed(channels(ink())) };
}

/** Lines from the point that is pointed at to those it was torn from. */
function paintThreads(paper, view) {
  const from = view.panel.ownOf(state.current);
  paper.strokeStyle = ink();
  paper.lineWidth = 1;
  paper.beginPath();
  for (const to of view.panel.sewn.partners.get(from) ?? []) {
    paper.moveTo(...view.spot(from));
    paper.lineTo(...view.spot(to));
  }
  paper.stroke();
}
