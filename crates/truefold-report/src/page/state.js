// What the reader has chosen, who wants to know when it changes, and whose turn it is.

const state = {
  /** What colors the points: "channel-" and its number, "verdict", "label", "row", or the number of a coloring. */
  color: null,
  /** The channel that colors the points, or did last. */
  channel: 0,
  /** The panel whose channels and verdicts color the data. */
  reference: 0,
  /** One byte per shown point: 1 where it is selected. */
  selected: new Uint8Array(shown),
  selectedCount: 0,
  /** The same for points that are shown beside the selected ones, or null. */
  highlighted: null,
  /** The shown point that is pointed at, or -1. */
  current: -1,
  /** What dragging does in flat panels. */
  drag: matchMedia("(pointer: coarse)").matches ? "none" : "lasso",
  /** Whether seams are marked. */
  seam: true,
  /** Whether ellipses are drawn. */
  ellipses: false,
};

const listeners = { color: [], selection: [], current: [], drag: [], seam: [], ellipses: [] };

function listen(kind, listener) {
  listeners[kind].push(listener);
}

function tell(kind) {
  for (const listener of listeners[kind]) listener();
}

/** Selects these shown points and no others; `beside` are shown beside them. */
function select(places, beside = null) {
  state.selected.fill(0);
  state.highlighted = beside && new Uint8Array(shown);
  for (const place of beside ?? []) state.highlighted[place] = 1;
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
