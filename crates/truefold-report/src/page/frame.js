// The box about the points in space: the edges that the points do not hide, numbers along three of them, and their names.

const FAINT = "rgba(128,128,128,0.4)";
const NUMBERS = "#868686";

/** Paints the box of a panel. */
function paintFrame(view) {
  const { frame, points, ratio, extents, rows } = view;
  if (frame.width !== points.width || frame.height !== points.height) {
    [frame.width, frame.height] = [points.width, points.height];
  }
  const paper = frame.getContext("2d");
  paper.setTransform(1, 0, 0, 1, 0, 0);
  paper.clearRect(0, 0, frame.width, frame.height);
  paper.scale(ratio, ratio);
  const place = (corner) => rows.map(([a, b, c, d]) => (a * corner[0] + b * corner[1] + c * corner[2] + d) / ratio);
  const edges = visibleEdges(extents, rows, place);
  paper.strokeStyle = FAINT;
  paper.lineWidth = 1;
  paper.beginPath();
  for (const { from, to } of edges) {
    paper.moveTo(from[0], from[1]);
    paper.lineTo(to[0], to[1]);
  }
  paper.stroke();
  const center = place(view.middle);
  for (let axis = 0; axis < 3; axis++) label(paper, view, axis, edges, center, place);
}

/** The edges but for the three that meet at the corner nearest to the eye; each knows whether it is on the outline. */
function visibleEdges(extents, rows, place) {
  // The side of the box at the high end of an axis faces the eye where depth falls along the axis.
  const facing = [0, 1, 2].map((axis) => (rows[2][axis] < 0 ? 1 : 0));
  const edges = [];
  for (let axis = 0; axis < 3; axis++) {
    const others = [0, 1, 2].filter((other) => other !== axis);
    for (const ends of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      const faces = others.filter((other, at) => ends[at] === facing[other]).length;
      if (faces === 2) continue;
      const corner = [0, 0, 0];
      others.forEach((other, at) => (corner[other] = extents[other][ends[at]]));
      const at = (end) => place(corner.map((value, other) => (other === axis ? extents[axis][end] : value)));
      edges.push({ axis, corner, from: at(0), to: at(1), isOutline: faces === 1 });
    }
  }
  return edges;
}

/** Numbers and name along the lowest edge of the outline, for what goes up along the leftmost. */
function label(paper, view, axis, edges, center, place) {
  const outline = edges.filter((edge) => edge.axis === axis && edge.isOutline);
  const middle = ({ from, to }) => [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const weight = (edge) => (axis === 2 ? -middle(edge)[0] : middle(edge)[1]);
  const edge = outline.reduce((best, other) => (weight(other) > weight(best) ? other : best), outline[0]);
  if (!edge) return;
  const along = [edge.to[0] - edge.from[0], edge.to[1] - edge.from[1]];
  const length = Math.hypot(...along);
  // Seen from its end an axis has no room for words.
  if (length < 24) return;
  const outward = away(along, length, middle(edge), center);
  paper.fillStyle = NUMBERS;
  paper.textAlign = outward[0] > 0.4 ? "left" : outward[0] < -0.4 ? "right" : "center";
  paper.textBaseline = "middle";
  const write = (text, [x, y], distance) => paper.fillText(text, x + outward[0] * distance, y + outward[1] * distance);
  paper.font = "9px system-ui, sans-serif";
  const ticks = linearTicks(...view.extents[axis], length > 90 ? 4 : 1.5);
  for (const value of ticks) {
    write(written(value), place(edge.corner.map((at, other) => (other === axis ? value : at))), 9);
  }
  paper.font = "11px system-ui, sans-serif";
  write(view.panel.facts.axes[axis], middle(edge), axis === 2 ? 32 : 23);
}

/** The direction across an edge that leads out of the box. */
function away(along, length, middle, center) {
  const across = [along[1] / length, -along[0] / length];
  const isOut = across[0] * (middle[0] - center[0]) + across[1] * (middle[1] - center[1]) > 0;
  return isOut ? across : across.map((part) => -part);
}
