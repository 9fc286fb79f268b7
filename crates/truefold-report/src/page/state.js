// What the reader has chosen, who wants to know when it changes, and whose turn it is.

const state = {
  /** What colors the points: "distortion", "label", "row", or the number of a coloring. */
  color: null,
  /** The panel whose distortion colors the data. */
  reference: 0,
  /** One byte per shown point: 1 where it is selected. */
  selected: new Uint8Array(shown),
  selectedCount: 0,
  /** The shown point that is pointed at, or -1. */
  current: -1,
  /** What dragging does in flat panels. */
  drag: matchMedia("(pointer: coarse)").matches ? "none" : "lasso",
  /** Whether seams are marked. */
  seam: true,
};

const listeners = { color: [], selection: [], current: [], drag: [], seam: [] };

function listen(kind, listener) {
  listeners[kind].push(listener);
}

function tell(kind) {
  for (const listener of listeners[kind]) listener();
}

/** Selects these shown points and no others. */
function select(places) {
  state.selected.fill(0);
  for (const place of places) state.selected[place] = 1;
  countSelected();
}

/** Adds a shown point to the selection, or takes it out. */
function toggle(place) {
  state.selected[place] ^= 1;
  countSelected();
}

function countSelected() {
  let count = 0;
  for (const flag of state.selected) count += flag;
  state.selectedCount = count;
  tell("selection");
}

function point(place) {
  if (place === state.current) return;
  state.current = place;
  tell("current");
}

/** One thing after the other: what is asked for while numbers are being read waits until they are there. */
class Turns {
  busy = Promise.resolve();

  queue(task) {
    this.busy = this.busy.then(task).catch(complain);
    return this.busy;
  }
}
