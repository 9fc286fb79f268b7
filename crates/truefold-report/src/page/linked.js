// Tables about labels: a click on a row selects the points of its label, one on a cell also shows those of the column's
// label, and each row tells how many of the selected points it has.

/** The shown points of a label. */
function placesOf(name) {
  const code = report.labels.names.indexOf(name);
  return placesOfLabels((other) => other === code);
}

class LinkedTable {
  constructor(table) {
    this.rows = [...table.tBodies[0].rows].filter((row) => row.dataset.label !== undefined);
    this.headings = [...table.tHead.rows[0].cells];
    this.headings[0].parentElement.append(element("th", { scope: "col", textContent: "selected" }));
    this.counts = new Map(this.rows.map((row) => [row, row.appendChild(element("td", { className: "of-selection" }))]));
    for (const row of this.rows) this.connect(row);
    const isMatrix = this.headings.some((heading) => heading.dataset.label !== undefined);
    const more = isMatrix ? ", a cell to show those of its column beside them" : "";
    const textContent = `Click a row to select its points${more}.`;
    table.parentElement.after(element("p", { className: "note hint", textContent }));
    listen("selection", () => this.count());
    this.count();
  }

  connect(row) {
    const { label } = row.dataset;
    for (const cell of [...row.cells].slice(0, this.headings.length)) {
      const beside = this.headings[cell.cellIndex].dataset.label;
      if (cell.cellIndex > 0 && beside === undefined) continue;
      const button = element("button", { type: "button", className: "cell" }, ...cell.childNodes);
      button.title = beside === undefined ? `Select the points of ${label}` : `Select the points of ${label} and show those of ${beside}`;
      cell.append(button);
    }
    row.addEventListener("click", async (event) => {
      const beside = this.headings[event.target.closest("th, td").cellIndex]?.dataset.label;
      const [own, others] = await Promise.all([placesOf(label), beside === undefined || beside === label ? null : placesOf(beside)]);
      clearOutlines();
      select(own, others);
    });
  }

  /** How many of the selection each row has. */
  async count() {
    const codes = await labelCodes();
    const counts = new Uint32Array(report.labels.names.length);
    codes.forEach((code, place) => (counts[code] += state.selected[place]));
    for (const [row, cell] of this.counts) {
      const count = counts[report.labels.names.indexOf(row.dataset.label)] ?? 0;
      cell.textContent = state.selectedCount ? count.toLocaleString("en") : "–";
    }
  }
}

function connectTables() {
  if (report.labels) document.querySelectorAll("table.linked").forEach((table) => new LinkedTable(table));
}
