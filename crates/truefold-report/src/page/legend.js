// What the colors mean.

const legend = document.getElementById("legend");

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function bar(low, high) {
  const span = element("span", { className: "ramp" });
  span.style.background = `linear-gradient(to right, ${report.ramp.join(", ")})`;
  return [element("span", { textContent: low }), span, element("span", { textContent: high })];
}

/** A power of ten as people write it. */
function power(exponent) {
  return exponent >= -3 && exponent <= 3 ? String(Number((10 ** exponent).toPrecision(1))) : `1e${exponent}`;
}

function labelButton(color, text, count, belongs) {
  const swatch = element("span", { className: "swatch" });
  swatch.style.background = color;
  const button = element("button", { type: "button", className: "label" }, swatch, element("span", { textContent: text }));
  button.title = `Select these ${count.toLocaleString("en")} points`;
  button.addEventListener("click", async () => {
    const codes = await labelCodes();
    const places = [];
    codes.forEach((code, place) => belongs(code) && places.push(place));
    clearOutlines();
    select(places);
  });
  return button;
}

function showLegend() {
  if (state.color === "distortion") {
    const { low, high } = report.scale;
    legend.replaceChildren(...bar(`faithful ${power(low)}`, `${power(high)} distorted`));
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
    legend.replaceChildren(...bar("row 1", `row ${report.points.toLocaleString("en")}`));
  } else {
    const { low, high } = report.colorings[state.color];
    legend.replaceChildren(...bar(format(low), format(high)));
  }
}
