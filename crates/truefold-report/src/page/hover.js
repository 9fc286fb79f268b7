// What is told about one point: beside the pointer, or docked when the keyboard moves through the points.

const card = document.getElementById("card");

function format(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** The number of a row, counted as the reader does. */
function rowName(row) {
  return (row + report.firstRow).toLocaleString("en");
}

/** The name of a shown point: its id, or its row. */
async function nameOf(place) {
  const [ids, rows] = await Promise.all([identities(), rowNumbers()]);
  const row = `row ${rowName(rows ? rows[place] : place)}`;
  return ids ? [ids[place], row] : [row, ""];
}

/** Everything known about a shown point, as pairs of a name and a value. */
async function factsOf(place, panel) {
  const pairs = [];
  if (report.labels) pairs.push(["label", report.labels.names[(await labelCodes())[place]]]);
  for (const [at, coloring] of report.colorings.entries()) {
    pairs.push([coloring.name, format((await coloringValues[at]())[place])]);
  }
  if (panel?.coordinates) {
    const own = panel.ownOf(place);
    const values = panel.coordinates.slice(0, panel.facts.coordinates.length);
    if (own >= 0) pairs.push(["here", `(${values.map((axis) => format(axis[own])).join(", ")})`]);
  }
  if (panel?.sewn) {
    const partners = panel.sewn.partners.get(panel.ownOf(place));
    if (partners) pairs.push(["torn from", `${partners.length} ${partners.length === 1 ? "point" : "points"}`]);
  }
  return [...pairs, ...(await otherChannels(place, panel))];
}

/** What is known of a point in the map under the pointer beside the channel that all maps are listed by. */
async function otherChannels(place, panel) {
  const own = !panel || panel.isInput ? -1 : panel.ownOf(place);
  const pairs = [];
  for (const [at, { name }] of report.channels.entries()) {
    if (own < 0 || at === state.channel || !panel.facts.channels[at]) continue;
    pairs.push([`${name} here`, format((await panel.channels[at]())[own])]);
  }
  return pairs;
}

/** What every map makes of a point, as cells under headings. */
async function judgments(place) {
  const name = report.channels[state.channel]?.name;
  const lists = await neighborLists();
  const counts = lists?.of(place) ? ["kept", "missing", "false"] : [];
  const header = ["map", ...(name === undefined ? [] : [name]), ...(report.verdicts ? ["verdict"] : []), ...counts];
  const rows = [];
  for (const panel of header.length > 1 ? panels : []) {
    await panel.load();
    const own = panel.ownOf(place);
    if (own < 0) {
      rows.push({ panel, cells: [panel.facts.title, "left out"] });
      continue;
    }
    const cells = [panel.facts.title];
    if (name !== undefined) cells.push(format((await panel.channels[state.channel]())?.[own]));
    if (report.verdicts) cells.push(report.verdicts.names[(await panel.verdicts())?.[own]] ?? "–");
    if (counts.length) {
      const near = neighborsIn(panel, place);
      cells.push(...(near ? [near.kept, near.missing, near.wrong].map((some) => String(some.length)) : ["–", "–", "–"]));
    }
    rows.push({ panel, cells });
  }
  return { header, rows };
}

/** Fills the table of the card; what it says in words. */
function showJudgments({ header, rows }, here) {
  const table = card.querySelector("table");
  table.hidden = !rows.length;
  const row = (cells, kind, className = "") =>
    element("tr", { className }, ...cells.map((textContent) => element(kind, { textContent })));
  table.replaceChildren(row(header, "th"), ...rows.map(({ panel, cells }) => row(cells, "td", panel === here ? "here" : "")));
  const said = (cells) => cells.map((cell, at) => (at ? `${cells.length > 2 ? header[at] : ""} ${cell}`.trim() : `${cell}:`));
  return rows.map(({ cells }) => said(cells).join(" "));
}

const pictures = once(async () => {
  const images = report.images;
  if (!images) return null;
  const pixels = images.pixels && new Uint8Array(await bytes(images.pixels));
  const files = images.pictures && JSON.parse(new TextDecoder().decode(await bytes(images.pictures)));
  const places = images.places ? new Uint32Array(await bytes(images.places)) : null;
  const where = places && new Map(Array.from(places, (place, at) => [place, at]));
  return { pixels, files, of: (place) => (where ? where.get(place) : place) };
});

/** Shows the picture of a point, where it has one: painted from its own numbers, or as the file that came with it. */
async function drawPicture(place) {
  const [all, canvas, image] = [await pictures(), card.querySelector("canvas"), card.querySelector("img")];
  const at = all?.of(place);
  const file = all?.files?.[at];
  [canvas.hidden, image.hidden] = [at === undefined || !all.pixels, !file];
  if (file) {
    image.src = file;
    // Its size is known once it is read, and the card is put where it has room.
    await image.decode().catch(() => (image.hidden = true));
  }
  if (!canvas.hidden) paintPicture(all, at, canvas);
}

function paintPicture(all, at, canvas) {
  const { height, width } = report.images;
  [canvas.width, canvas.height] = [width, height];
  const enlarged = Math.max(1, Math.floor(112 / Math.max(width, height)));
  [canvas.style.width, canvas.style.height] = [`${width * enlarged}px`, `${height * enlarged}px`];
  const picture = canvas.getContext("2d").createImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const gray = all.pixels[at * width * height + pixel];
    picture.data.set([gray, gray, gray, 255], 4 * pixel);
  }
  canvas.getContext("2d").putImageData(picture, 0, 0);
}

/** Fills the card and says in words what is on it. */
async function describe(place, panel) {
  const [[name, row], pairs, maps] = await Promise.all([nameOf(place), factsOf(place, panel), judgments(place)]);
  if (state.current !== place) return "";
  card.querySelector(".name").textContent = name;
  card.querySelector(".row").textContent = row;
  const list = card.querySelector("dl");
  list.replaceChildren();
  for (const [term, value] of pairs) {
    list.append(element("dt", { textContent: term }), element("dd", { textContent: value }));
  }
  const said = showJudgments(maps, panel);
  await drawPicture(place);
  card.hidden = false;
  return [name, row, ...pairs.map(([term, value]) => `${term} ${value}`), ...said].filter(Boolean).join(", ");
}

/** The pointer is on a point. */
async function enter(place, panel, event) {
  point(place);
  await describe(place, panel);
  if (state.current !== place) return;
  card.classList.remove("docked");
  const [x, y] = [event?.clientX ?? 0, event?.clientY ?? 0];
  const [width, height] = [card.offsetWidth, card.offsetHeight];
  card.style.left = `${Math.max(4, x + 16 + width > innerWidth ? x - 16 - width : x + 16)}px`;
  card.style.top = `${Math.max(4, Math.min(y + 16, innerHeight - height - 4))}px`;
}

function leave() {
  card.hidden = true;
  point(-1);
}

/** The keyboard is on a point. */
async function visit(place) {
  point(place);
  card.classList.add("docked");
  card.style.left = card.style.top = "";
  document.getElementById("announce").textContent = await describe(place, null);
}
