// What lies above the points of a panel: the selected ones at full strength, and a ring about the one pointed at. The
// selected have a canvas to themselves, as the pointer moves more often than the selection changes.

/** The color of what the reader points at, outlines or compares with. */
const MARK = "#d00060";

/** Paints the selected points of a panel that is drawn, and dims the others. */
function paintSelected(view) {
  const { panel, xs, ys, colors, chosen } = view;
  const { selected, highlighted } = state;
  const isMarked = state.selectedCount > 0 || highlighted !== null;
  view.points.classList.toggle("dim", isMarked);
  if (!isMarked) return chosen.getContext("2d").clearRect(0, 0, chosen.width, chosen.height);
  const raster = view.blank(chosen);
  const brush = view.brush(Math.max(view.size, 2.5), 1);
  if (highlighted) paintBeside(view, raster);
  view.each((own) => selected[panel.placeOf(own)] && raster.disc(brush, xs[own], ys[own], colors[own]));
  raster.show(chosen);
}

/** Points shown beside the selected ones have a rim; all rims come first, or the rim of one would cut into the next. */
function paintBeside(view, raster) {
  const { panel, xs, ys, colors } = view;
  const size = Math.max(view.size, 2.5);
  const [rim, disc] = [view.brush(size + 4 * RIM, 1), view.brush(size, 1)];
  const edge = packed(channels(MARK));
  const each = (task) => view.each((own) => state.highlighted[panel.placeOf(own)] && task(own));
  each((own) => raster.disc(rim, xs[own], ys[own], edge));
  each((own) => raster.disc(disc, xs[own], ys[own], colors[own]));
}

/** Paints what marks the point that is pointed at. */
function paintMarks(view) {
  const { marks, panel, ratio } = view;
  const paper = marks.getContext("2d");
  paper.setTransform(1, 0, 0, 1, 0, 0);
  paper.clearRect(0, 0, marks.width, marks.height);
  if (state.current < 0) return;
  paper.scale(ratio, ratio);
  if (state.seam && panel.sewn) paintThreads(paper, view);
  if (report.neighbors) paintNeighbors(paper, view);
  paintCurrent(paper, view);
}

function paintCurrent(paper, view) {
  const own = view.panel.ownOf(state.current);
  if (own < 0) return;
  const [x, y] = view.spot(own);
  for (const [color, width] of [["#ffffff", 4], [MARK, 2]]) {
    paper.strokeStyle = color;
    paper.lineWidth = width;
    paper.beginPath();
    paper.arc(x, y, 7, 0, 2 * Math.PI);
    paper.stroke();
  }
}
