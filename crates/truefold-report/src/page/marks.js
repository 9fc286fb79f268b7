// What lies above the points of a panel: seams, the selected points at full strength, and a ring about the one pointed at.

/** Paints the marks of a panel that is drawn. */
function paintMarks(view) {
  const { marks, panel, ratio } = view;
  const paper = marks.getContext("2d");
  paper.setTransform(1, 0, 0, 1, 0, 0);
  paper.clearRect(0, 0, marks.width, marks.height);
  view.points.classList.toggle("dim", state.selectedCount > 0);
  paper.scale(ratio, ratio);
  const isSewn = state.seam && panel.sewn;
  if (isSewn && view.hasSeamAbove) paintSeam(paper, view);
  if (state.selectedCount) paintSelected(paper, view);
  if (state.current < 0) return;
  if (isSewn) paintThreads(paper, view);
  paintCurrent(paper, view);
}

function paintSelected(paper, view) {
  const { panel, xs, ys, colors, marks } = view;
  const brush = view.brush(Math.max(view.size, 2.5), 1);
  const raster = view.blank(marks);
  view.each((own) => state.selected[panel.placeOf(own)] && raster.disc(brush, xs[own], ys[own], colors[own]));
  [scratch.width, scratch.height] = [marks.width, marks.height];
  raster.show(scratch);
  paper.save();
  paper.setTransform(1, 0, 0, 1, 0, 0);
  paper.drawImage(scratch, 0, 0);
  paper.restore();
}

function paintCurrent(paper, view) {
  const own = view.panel.ownOf(state.current);
  if (own < 0) return;
  const [x, y] = view.spot(own);
  for (const [color, width] of [["#ffffff", 4], ["#d00060", 2]]) {
    paper.strokeStyle = color;
    paper.lineWidth = width;
    paper.beginPath();
    paper.arc(x, y, 7, 0, 2 * Math.PI);
    paper.stroke();
  }
}
