// The selection as a file for spreadsheets and programs: a row for each selected point, with all that the page knows of it.

/** A cell of the file: text in quotes where it needs them. */
function csvCell(value) {
  const text = typeof value === "number" ? (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "") : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What is known of all points as columns: a name, and the value of a shown point. */
async function pointColumns() {
  const [ids, rows, codes] = await Promise.all([identities(), rowNumbers(), labelCodes()]);
  const columns = ids ? [["id", (place) => ids[place]]] : [];
  columns.push(["row", (place) => (rows ? rows[place] : place) + report.firstRow]);
  if (codes) columns.push(["label", (place) => report.labels.names[codes[place]]]);
  for (const [at, coloring] of report.colorings.entries()) {
    const values = await coloringValues[at]();
    columns.push([coloring.name, (place) => values[place]]);
  }
  return columns;
}

/** What a map makes of its points as columns, named as in the file of all values that lies beside pages of a sample. */
async function mapColumns(panel) {
  await panel.load();
  const { title, verdicts, channels } = panel.facts;
  const of = (values) => (place) => (panel.ownOf(place) < 0 ? "" : values[panel.ownOf(place)]);
  const axes = panel.coordinates.slice(0, panel.facts.coordinates.length);
  const columns = axes.map((values, axis) => [`${title} y${axis + 1}`, of(values)]);
  for (const [at, { name }] of report.channels.entries()) {
    if (channels[at]) columns.push([`${title} ${name.toLowerCase()}`, of(await panel.channels[at]())]);
  }
  if (verdicts) {
    const classes = Array.from(await panel.verdicts(), (code) => report.verdicts.names[code]);
    columns.push([`${title} verdict`, of(classes)]);
  }
  return columns;
}

/** The selected points as text, one line each under a line of names. */
async function selectionText() {
  const columns = await pointColumns();
  for (const panel of panels) columns.push(...(await mapColumns(panel)));
  const lines = [columns.map(([name]) => csvCell(name)).join(",")];
  state.selected.forEach((flag, place) => {
    if (flag) lines.push(columns.map(([, value]) => csvCell(value(place))).join(","));
  });
  return `${lines.join("\n")}\n`;
}

async function saveSelection() {
  const address = URL.createObjectURL(new Blob([await selectionText()], { type: "text/csv" }));
  element("a", { href: address, download: "selection.csv" }).click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
