// What lies above the flat panels: seams, the selected points at full strength, and a ring about the one pointed at.

/** Paints the marks of a group of flat panels. */
function paintMarks(group) {
  const canvas = group.marks;
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [group.element.clientWidth, group.element.clientHeight];
  if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
  }
  const paper = canvas.getContext("2d");
  paper.setTransform(ratio, 0, 0, ratio, 0, 0);
  paper.clearRect(0, 0, width, height);
  group.plot.classList.toggle("dim", state.selectedCount > 0);
  if (!group.drawn) return;
  for (const [at, panel] of group.drawn.entries()) {
    const across = axis(group, "x", at);
    const up = axis(group, "y", at);
    if (!across || !up) continue;
    paper.save();
    paper.beginPath();
    paper.rect(across._offset, up._offset, across._length, up._length);
    paper.clip();
    const isSewn = state.seam && panel.sewn;
    if (isSewn) paintSeam(paper, panel, across, up);
    if (state.selectedCount) paintSelected(paper, panel, across, up);
    if (isSewn && state.current >= 0) paintThreads(paper, panel, across, up);
    if (state.current >= 0) paintCurrent(paper, panel, across, up);
    paper.restore();
  }
}

function paintSelected(paper, panel, across, up) {
  const coloring = panel.coloring;
  const colors = lookup(coloring.scale);
  const size = Math.max(pointSize(panel.count), 2.5);
  const [xs, ys] = panel.coordinates;
  for (let own = 0; own < panel.count; own++) {
    if (!state.selected[panel.placeOf(own)]) continue;
    const value = coloring.values ? coloring.values[own] : NaN;
    paper.fillStyle = Number.isNaN(value) ? REST : colors[Math.round(shareOf(coloring, value) * 255)];
    const [x, y] = [across._offset + across.l2p(xs[own]), up._offset + up.l2p(ys[own])];
    if (size < 4) {
      paper.fillRect(x - size / 2, y - size / 2, size, size);
    } else {
      paper.beginPath();
      paper.arc(x, y, size / 2, 0, 2 * Math.PI);
      paper.fill();
    }
  }
}

function paintCurrent(paper, panel, across, up) {
  const own = panel.ownOf(state.current);
  if (own < 0) return;
  const [x, y] = panel.coordinates.map((values, at) => [across, up][at]._offset + [across, up][at].l2p(values[own]));
  for (const [color, width] of [["#ffffff", 4], ["#d00060", 2]]) {
    paper.strokeStyle = color;
    paper.lineWidth = width;
    paper.beginPath();
    paper.arc(x, y, 7, 0, 2 * Math.PI);
    paper.stroke();
  }
}

/** An axis of the flat panel at this place of a group, as the plotting library keeps it. */
function axis(group, letter, at) {
  return group.plot._fullLayout?.[`${letter}axis${at ? at + 1 : ""}`];
}
