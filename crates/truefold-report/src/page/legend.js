// What the colors mean.

const legend = document.getElementById("legend");

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function bar(low, high) {
  const span = element("span", { className: "ramp" });
  span.style.background = `linear-gradient(to right, ${rampColors().join(", ")})`;
  return [element("span", { textContent: low }), span, element("span", { textContent: high })];
}

/** A power of ten as people write it. */
function power(exponent) {
  return exponent >= -3 && exponent <= 3 ? String(Number((10 ** exponent).toPrecision(1))) : `1e${exponent}`;
}

/** A color and what it stands for; a click selects the points that `places` gives. */
function classButton(color, text, title, places) {
  const swatch = element("span", { className: "swatch" });
  swatch.style.background = color;
  const button = element("button", { type: "button", className: "label" }, swatch, element("span", { textContent: text }));
  button.title = title;
  button.addEventListener("click", async () => {
    const chosen = await places();
    clearOutlines();
    select(chosen);
  });
  return button;
}

/** The shown points whose label belongs. */
async function placesOfLabels(belongs) {
  const places = [];
  (await labelCodes()).forEach((code, place) => belongs(code) && places.push(place));
  return places;
}

function labelButton(color, text, count, belongs) {
  const title = `Select these ${count.toLocaleString("en")} points`;
  return classButton(color, text, title, () => placesOfLabels(belongs));
}

/** The classes of a panel's points, with their names or, in little room, only with their numbers. */
function verdictButtons(panel, isShort) {
  const { names, colors } = report.verdicts;
  return names.map((name, code) => {
    const count = panel.facts.verdicts.counts[code].toLocaleString("en");
    const title = `${name}: select these ${count} points of ${panel.facts.title}`;
    const button = classButton(colors[code], isShort ? count : `${name} ${count}`, title, async () => {
      const [codes] = await Promise.all([panel.verdicts(), panel.loadPlaces()]);
      const places = [];
      codes.forEach((other, own) => other === code && places.push(panel.placeOf(own)));
      return places;
    });
    if (isShort) button.setAttribute("aria-label", title);
    return button;
  });
}

/** How many points of each class every map has, above it. */
function showCounts() {
  for (const panel of panels.filter((panel) => panel.facts.verdicts)) {
    panel.counts ??= panel.box.parentElement.insertBefore(element("div", { className: "counts" }), panel.box);
    panel.counts.hidden = state.color !== "verdict";
    panel.counts.replaceChildren(...verdictButtons(panel, true));
  }
}

/** A number, or where maps differ the least and the greatest. */
function range([low, high]) {
  return format(low) === format(high) ? format(low) : `${format(low)} to ${format(high)}`;
}

function channelBar({ kind, low, high, best, chance }) {
  if (kind === "skill") return bar(`best possible ${range(best)}`, `chance ${range(chance)}`);
  if (kind === "log") return bar(`faithful ${power(low)}`, `${power(high)} distorted`);
  return bar(format(low), format(high));
}

function showLegend() {
  showCounts();
  if (isChannel(state.color)) {
    legend.replaceChildren(...channelBar(report.channels[state.channel]));
  } else if (state.color === "verdict") {
    legend.replaceChildren(...verdictButtons(panels[state.reference], false));
  } else if (state.color === "label") {
    const { names, counts } = report.labels;
    const buttons = coloredLabels.map((code, at) =>
      labelButton(PALETTE[at], names[code], counts[code], (other) => other === code),
    );
    const rest = names.length - coloredLabels.length;
    if (rest > 0) {
      const own = new Set(coloredLabels);
      const count = counts.reduce((sum, count, code) => (own.has(code) ? sum : sum + count), 0);
      buttons.push(labelButton(REST, `${rest} others`, count, (code) => !own.has(code)));
    }
    legend.replaceChildren(...buttons);
  } else if (state.color === "row") {
    legend.replaceChildren(...bar(`row ${rowName(0)}`, `row ${rowName(report.points - 1)}`));
  } else {
    const { low, high } = report.colorings[state.color];
    legend.replaceChildren(...bar(format(low), format(high)));
  }
}
