// What is told about one point: beside the pointer, or docked when the keyboard moves through the points.

const card = document.getElementById("card");

function format(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

function distortionText(logarithm) {
  return logarithm === -Infinity ? "0" : format(10 ** logarithm);
}

/** The name of a shown point: its id, or its row counted from one as the tool does. */
async function nameOf(place) {
  const [ids, rows] = await Promise.all([identities(), rowNumbers()]);
  const row = `row ${(rows ? rows[place] : place) + 1}`;
  return ids ? [ids[place], row] : [row, ""];
}

/** Everything known about a shown point, as pairs of a name and a value. */
async function known(place, panel) {
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
  for (const other of panels) {
    const distortion = await other.loadDistortion();
    if (!distortion) continue;
    await other.loadPlaces();
    const own = other.ownOf(place);
    pairs.push([`R_N ${other.facts.title}`, own < 0 ? "left out" : distortionText(distortion[own]), other === panel]);
  }
  return pairs;
}

const pictures = once(async () => {
  const images = report.images;
  if (!images) return null;
  const pixels = new Uint8Array(await bytes(images.pixels));
  const places = images.places ? new Uint32Array(await bytes(images.places)) : null;
  const where = places && new Map(Array.from(places, (place, at) => [place, at]));
  return { pixels, of: (place) => (where ? where.get(place) : place) };
});

async function drawPicture(place, canvas) {
  const all = await pictures();
  const at = all?.of(place);
  canvas.hidden = at === undefined;
  if (!all || at === undefined) return;
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
  const [[name, row], pairs] = await Promise.all([nameOf(place), known(place, panel)]);
  if (state.current !== place) return "";
  card.querySelector(".name").textContent = name;
  card.querySelector(".row").textContent = row;
  const list = card.querySelector("dl");
  list.replaceChildren();
  for (const [term, value, here] of pairs) {
    const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
    dt.textContent = term;
    dd.textContent = value;
    if (here) dt.className = dd.className = "here";
    list.append(dt, dd);
  }
  await drawPicture(place, card.querySelector("canvas"));
  card.hidden = false;
  return [name, row, ...pairs.map(([term, value]) => `${term} ${value}`)].filter(Boolean).join(", ");
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
