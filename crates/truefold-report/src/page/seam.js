// Seams: where a closed surface was torn. Either side has the colors of its places along the seam, so that what has the
// same color belongs together; lines lead from the point that is pointed at to those it was torn from.

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

function paintSeam(paper, panel, across, up) {
  const { own, colors } = panel.sewn;
  const radius = Math.max(pointSize(panel.count), 4.5) / 2;
  const [xs, ys] = panel.coordinates;
  const places = own.map((at) => [across._offset + across.l2p(xs[at]), up._offset + up.l2p(ys[at])]);
  const disc = ([x, y], size) => {
    paper.beginPath();
    paper.arc(x, y, size, 0, 2 * Math.PI);
    paper.fill();
  };
  // All rims first, or the rim of one would cut into the next.
  paper.fillStyle = ink();
  for (const place of places) disc(place, radius + 0.8);
  places.forEach((place, at) => {
    paper.fillStyle = colors[at];
    disc(place, radius);
  });
}

/** Lines from the point that is pointed at to those it was torn from. */
function paintThreads(paper, panel, across, up) {
  const from = panel.ownOf(state.current);
  const partners = panel.sewn.partners.get(from) ?? [];
  const [xs, ys] = panel.coordinates;
  const place = (at) => [across._offset + across.l2p(xs[at]), up._offset + up.l2p(ys[at])];
  paper.strokeStyle = ink();
  paper.lineWidth = 1;
  paper.beginPath();
  for (const to of partners) {
    paper.moveTo(...place(from));
    paper.lineTo(...place(to));
  }
  paper.stroke();
}
