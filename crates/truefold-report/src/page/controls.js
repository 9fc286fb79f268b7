// The toolbar: what colors the points, what dragging does, the selection, and points by keyboard.

const control = (id) => document.getElementById(id);

/** Whether something is told about each point of a map. */
function isJudged({ facts }) {
  return facts.verdicts !== null || facts.channels.some((channel) => channel);
}

function fillColors() {
  const ofMaps = report.channels.map(({ name }, at) => [`channel-${at}`, name]);
  if (report.verdicts) ofMaps.push(["verdict", "verdict"]);
  const ofPoints = report.labels ? [["label", "label"]] : [];
  report.colorings.forEach((coloring, at) => ofPoints.push([String(at), coloring.name]));
  ofPoints.push(["row", "row"]);
  for (const [label, choices] of [["Of each map", ofMaps], ["Of the points", ofPoints]]) {
    const options = choices.map(([value, text]) => element("option", { value, textContent: text }));
    if (options.length) control("color").append(element("optgroup", { label }, ...options));
  }
  panels.forEach((panel, at) => {
    if (isJudged(panel)) control("reference").append(element("option", { value: at, textContent: panel.facts.title }));
  });
  state.reference = Number(control("reference").value || 0);
  chooseColor([...ofMaps, ...ofPoints][0][0]);
}

function chooseColor(value) {
  state.color = /^\d+$/.test(value) ? Number(value) : value;
  if (isChannel(value)) state.channel = Number(value.slice("channel-".length));
  const isOfOne = isOfMap() && (inputPanel || (state.color === "verdict" && panels.length > 1));
  control("reference-choice").hidden = !isOfOne;
}

function showSelection() {
  const count = state.selectedCount;
  const share = shown ? ` (${format((100 * count) / shown)} %)` : "";
  control("selected").textContent = count ? `${count.toLocaleString("en")} selected${share}` : "nothing selected";
  control("clear").disabled = control("save").disabled = !count;
}

/** The shown points from the worst of the channel in the panel of reference to the best; what is unknown is left out. */
const orders = new Map();
async function worstFirst() {
  const panel = panels[state.reference];
  const at = panel.facts.channels[state.channel] ? state.channel : panel.facts.channels.findIndex(Boolean);
  if (at < 0) return [];
  const key = `${panel.index} ${at}`;
  if (!orders.has(key)) {
    const [values] = await Promise.all([panel.channels[at](), panel.loadPlaces()]);
    const sign = panel.facts.channels[at].rises ? 1 : -1;
    const own = Array.from(values.keys()).filter((one) => !Number.isNaN(values[one]));
    own.sort((a, b) => sign * (values[a] - values[b]) || a - b);
    orders.set(key, own.map((one) => panel.placeOf(one)));
  }
  return orders.get(key);
}

async function visitWorst() {
  const order = await worstFirst();
  if (order.length) await visit(order[(order.indexOf(visited()) + 1) % order.length]);
}

/** The point that the keyboard is on, also after the pointer went elsewhere. */
let last = -1;
const visited = () => last;

async function step(by) {
  last = last < 0 ? (by > 0 ? 0 : shown - 1) : (last + by + shown) % shown;
  await visit(last);
}

/** The shown point with this id or row; -1 where there is none. */
async function find(text) {
  const [ids, rows] = await Promise.all([identities(), rowNumbers()]);
  const byId = ids ? ids.indexOf(text) : -1;
  if (byId >= 0 || !/^\d+$/.test(text)) return byId;
  const row = Number(text) - report.firstRow;
  return rows ? rows.indexOf(row) : row < shown ? row : -1;
}

async function search() {
  const place = await find(control("find").value.trim());
  if (place < 0) {
    control("announce").textContent = `no shown point is called ${control("find").value}`;
    control("find").setAttribute("aria-invalid", "true");
    return;
  }
  control("find").removeAttribute("aria-invalid");
  last = place;
  await visit(place);
}

function clearOutlines() {
  for (const view of views) view.clearOutlines?.();
  outlined = null;
}

function resetViews() {
  for (const view of views) view.fit();
}

function connect() {
  fillColors();
  control("color").addEventListener("change", (event) => {
    chooseColor(event.target.value);
    tell("color");
  });
  control("reference").addEventListener("change", (event) => {
    state.reference = Number(event.target.value);
    tell("color");
  });
  for (const mode of document.querySelectorAll("input[name=drag]")) {
    mode.checked = mode.value === state.drag;
    mode.addEventListener("change", () => {
      state.drag = mode.value;
      tell("drag");
    });
  }
  control("seam-choice").hidden = !panels.some((panel) => panel.facts.seam);
  control("wheel").style.background = `linear-gradient(to right, ${report.wheel.join(", ")})`;
  control("seam").addEventListener("change", (event) => {
    state.seam = event.target.checked;
    tell("seam");
  });
  control("ellipses-choice").hidden = !panels.some((panel) => panel.facts.ellipses);
  control("ellipses").addEventListener("change", (event) => {
    state.ellipses = event.target.checked;
    tell("ellipses");
  });
  control("counting").textContent = `rows count from ${report.firstRow}`;
  control("find").placeholder = report.ids ? "id or row" : "row";
  control("save").addEventListener("click", () => saveSelection().catch(complain));
  control("reset").addEventListener("click", resetViews);
  control("clear").addEventListener("click", () => {
    clearOutlines();
    select([]);
  });
  control("previous").addEventListener("click", () => step(-1));
  control("next").addEventListener("click", () => step(1));
  control("worst").hidden = !panels.some((panel) => panel.facts.channels.some((channel) => channel));
  control("worst").addEventListener("click", async () => {
    await visitWorst();
    last = state.current;
  });
  control("find").addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by) {
      event.preventDefault();
      step(by);
    } else if (event.key === "Enter") {
      search();
    }
  });
  control("keep").addEventListener("click", () => last >= 0 && toggle(last));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (card.hidden) {
      clearOutlines();
      select([]);
    } else {
      leave();
    }
  });
  listen("selection", showSelection);
  showSelection();
}

/** Light or dark: as the system says, until the reader says otherwise. */
function connectTheme() {
  const button = control("theme");
  button.hidden = false;
  const show = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
    tell("color");
    tell("current");
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    show();
    tell("color");
    tell("current");
  });
  show();
}
