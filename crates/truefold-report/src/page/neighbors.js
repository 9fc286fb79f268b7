// Who is near to whom: lines from the point that is pointed at to its neighbors in the data, dashed where the map has them
// farther away than others, and crosses on points that are near only in the map.

/** The lists of neighbors in the data: `of` gives those of a shown point, as shown points, or null where it has no list. */
const neighborLists = once(async () => {
  const { neighbors } = report;
  if (!neighbors) return null;
  const [lengths, gaps] = await Promise.all([planes(neighbors.lengths), planes(neighbors.gaps)]);
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, at) => (starts[at + 1] = starts[at] + length));
  const places = neighbors.places && new Uint32Array(await bytes(neighbors.places));
  const where = places && new Map(Array.from(places, (place, at) => [place, at]));
  const of = (place) => {
    const at = where ? where.get(place) : place;
    if (at === undefined) return null;
    let before = 0;
    return Array.from(gaps.subarray(starts[at], starts[at + 1]), (gap) => (before += gap));
  };
  return { of };
});

/** Whole numbers, stored as all their lowest bytes, then the next, and so on. */
async function planes(block) {
  const all = new Uint8Array(await bytes(block));
  const count = all.length / 4;
  const numbers = new Uint32Array(count);
  for (let plane = 0; plane < 4; plane++) {
    for (let at = 0; at < count; at++) numbers[at] |= all[plane * count + at] << (8 * plane);
  }
  return numbers;
}

/** The `wanted` points of a panel that are nearest to one of them, by the coordinates that the panel has. */
function nearest(panel, own, wanted) {
  const axes = panel.coordinates.slice(0, panel.facts.coordinates.length);
  const [points, squares] = [[], []];
  let limit = Infinity;
  for (let other = 0; other < panel.count; other++) {
    let square = 0;
    for (const axis of axes) square += (axis[other] - axis[own]) ** 2;
    if (square >= limit || other === own) continue;
    let at = points.length;
    while (at > 0 && squares[at - 1] > square) at -= 1;
    points.splice(at, 0, other);
    squares.splice(at, 0, square);
    if (points.length > wanted) {
      points.pop();
      squares.pop();
    }
    if (points.length === wanted) limit = squares[wanted - 1];
  }
  return wanted ? points : [];
}

/** The lists, once they are there. */
let lists = null;

/**
 * The neighbors of a shown point in a map, as its own points: those that it keeps, those that are missing among as many
 * nearest ones, and the wrong ones that are there instead. Null where that cannot be told.
 */
function neighborsIn(panel, place) {
  const own = panel.ownOf(place);
  const listed = lists?.of(place);
  if (!listed || own < 0 || !panel.isWhole || !panel.coordinates) return null;
  if (panel.near?.place === place) return panel.near;
  const real = listed.map((other) => panel.ownOf(other)).filter((other) => other >= 0);
  const seen = nearest(panel, own, real.length);
  const [isReal, isSeen] = [new Set(real), new Set(seen)];
  panel.near = {
    place,
    kept: real.filter((other) => isSeen.has(other)),
    missing: real.filter((other) => !isSeen.has(other)),
    wrong: seen.filter((other) => !isReal.has(other)),
  };
  return panel.near;
}

/** The neighbors to mark in a panel: its own, or in the data those of the map of reference. */
function neighborsToMark(panel) {
  const place = state.current;
  const source = panel.isInput ? panels[state.reference] : panel;
  const near = source && neighborsIn(source, place);
  const move = (own) => (source === panel ? own : panel.ownOf(source.placeOf(own)));
  const moved = (some) => some.map(move).filter((own) => own >= 0);
  if (near) return { kept: moved(near.kept), missing: moved(near.missing), wrong: moved(near.wrong) };
  const listed = lists.of(place) ?? [];
  return { kept: listed.map((other) => panel.ownOf(other)).filter((own) => own >= 0), missing: [], wrong: [] };
}

/** Half the size of a cross, in pixels. */
const CROSS = 3.5;

function paintNeighbors(paper, view) {
  if (!lists) {
    neighborLists().then((read) => {
      lists = read;
      tell("current");
    });
    return;
  }
  const from = view.panel.ownOf(state.current);
  if (from < 0) return;
  const near = neighborsToMark(view.panel);
  view.box.dataset.near = [near.kept, near.missing, near.wrong].map((some) => some.length).join(" ");
  const colors = report.verdicts?.colors ?? [];
  paintLines(paper, view, from, near.kept, { color: ink(), dash: [] });
  paintLines(paper, view, from, near.missing, { color: ink(), dash: [4, 3] });
  paintCrosses(paper, near.wrong.map((own) => view.spot(own)), colors[2] ?? "#aa3377");
}

function paintLines(paper, view, from, others, { color, dash }) {
  paper.beginPath();
  for (const to of others) {
    paper.moveTo(...view.spot(from));
    paper.lineTo(...view.spot(to));
  }
  paper.setLineDash(dash);
  strokeTwice(paper, color, 1.2);
  paper.setLineDash([]);
}

function paintCrosses(paper, spots, color) {
  paper.beginPath();
  for (const [x, y] of spots) {
    for (const side of [-CROSS, CROSS]) {
      paper.moveTo(x - CROSS, y - side);
      paper.lineTo(x + CROSS, y + side);
    }
  }
  strokeTwice(paper, color, 1.8);
}

/** Strokes what was drawn, with an edge in the color of the paper so that it stands out from the points below. */
function strokeTwice(paper, color, width) {
  const edge = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
  for (const [style, wide] of [[edge, width + 1.6], [color, width]]) {
    paper.strokeStyle = style;
    paper.lineWidth = wide;
    paper.stroke();
  }
}
