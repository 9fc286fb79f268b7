// Puts the page together: groups of flat panels, panels in space, and what each does when the reader chooses.

/** Drawing contexts that may be alive at once; browsers end the oldest beyond sixteen. */
const MOST_CONTEXTS = 12;
const figures = [];
const near = new Set();
let drawing = Promise.resolve();

/** Panels side by side, at most three rows of them in one figure: a canvas has a greatest height. */
function arrange() {
  const holder = document.getElementById("panels");
  const columns = getComputedStyle(holder).getPropertyValue("--columns");
  const size = 3 * Math.max(1, Number(columns) || 1);
  for (let start = 0; start < allPanels.length; start += size) {
    const members = allPanels.slice(start, start + size);
    const group = element("div", { className: "group" });
    members[0].figure.before(group);
    const flat = members.filter((panel) => panel.flat);
    group.append(...members.map((panel) => panel.figure));
    if (flat.length) {
      group.prepend(element("div", { className: "plot" }));
      group.append(element("canvas", { className: "marks" }));
      figures.push(new FlatGroup(group, flat));
    }
    for (const panel of members) if (!panel.flat) figures.push(new SpacePanel(panel));
  }
}

/** Draws what comes near the window, and lets go of what is far when too much is alive. */
function watch() {
  const observer = new IntersectionObserver(
    (entries) => {
      const byElement = new Map(figures.map((figure) => [figure.element, figure]));
      const arrived = [];
      for (const entry of entries) {
        const figure = byElement.get(entry.target);
        if (entry.isIntersecting) {
          near.add(figure);
          arrived.push(figure);
        } else {
          near.delete(figure);
        }
      }
      arrived.sort((a, b) => (a instanceof SpacePanel) - (b instanceof SpacePanel));
      for (const figure of arrived) drawing = drawing.then(() => drawNear(figure));
    },
    { rootMargin: "400px" },
  );
  for (const figure of figures) observer.observe(figure.element);
}

async function drawNear(figure) {
  if (!near.has(figure)) return;
  let alive = figures.reduce((sum, other) => sum + other.contexts, 0);
  for (const other of figures) {
    if (alive < MOST_CONTEXTS) break;
    if (near.has(other) || other === figure) continue;
    alive -= other.contexts;
    await other.purge();
  }
  await figure.draw();
}

function follow() {
  listen("color", () => {
    showLegend();
    for (const figure of figures) figure.recolor();
  });
  listen("selection", () => {
    for (const figure of figures) {
      if (figure instanceof FlatGroup) {
        paintMarks(figure);
        if (figure !== outlined) figure.clearOutlines();
      } else {
        figure.mark();
      }
    }
  });
  listen("current", () => {
    for (const figure of figures) figure instanceof FlatGroup ? paintMarks(figure) : figure.follow();
  });
  listen("seam", () => {
    for (const figure of figures) figure.sew();
  });
  listen("drag", () => {
    for (const figure of figures) figure.drag();
  });
}

/** Fits the figures to the page whenever its width changes. */
function fitToPage() {
  const holder = document.getElementById("panels");
  let width = holder.clientWidth;
  let waiting = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === width) return;
    width = holder.clientWidth;
    clearTimeout(waiting);
    waiting = setTimeout(resetViews, 120);
  }).observe(holder);
  addEventListener("beforeprint", () => {
    document.documentElement.classList.add("printing");
    resetViews();
  });
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    resetViews();
  });
}

connectTheme();
report.charts.forEach(drawChart);
if (allPanels.length) {
  document.getElementById("toolbar").hidden = false;
  connect();
  arrange();
  showLegend();
  follow();
  watch();
  fitToPage();
}
