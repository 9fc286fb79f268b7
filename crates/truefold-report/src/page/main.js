// Puts the page together: a view for each panel, and what each does when the reader chooses.

const views = [];
let drawing = Promise.resolve();

/** Draws what comes near the window, one after the other; then, when there is time, the rest, which may be printed. */
function watch() {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
        observer.unobserve(target);
        drawing = drawing.then(() => target.view.draw());
      }
    },
    { rootMargin: "400px" },
  );
  for (const view of views) observer.observe(view.element);
  const rest = () => views.forEach((view) => (drawing = drawing.then(() => view.draw())));
  addEventListener("load", () => setTimeout(() => (drawing = drawing.then(rest)), 500));
}

function follow() {
  const drawn = () => views.filter((view) => view.isDrawn);
  listen("color", () => {
    showLegend();
    for (const view of views) view.recolor();
  });
  listen("selection", () => {
    for (const view of drawn()) {
      paintSelected(view);
      if (view !== outlined) view.clearOutlines?.();
    }
  });
  listen("current", () => drawn().forEach(paintMarks));
  listen("seam", () => drawn().forEach((view) => view.repaint()));
  listen("ellipses", () => drawn().forEach((view) => view.drawEllipses?.()));
  listen("drag", () => drawn().forEach((view) => view.drag()));
}

/** Fits the panels to the page whenever its width changes. */
function fitToPage() {
  const holder = document.getElementById("panels");
  let width = holder.clientWidth;
  let waiting = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === width || isPrinting()) return;
    width = holder.clientWidth;
    clearTimeout(waiting);
    waiting = setTimeout(resetViews, 120);
  }).observe(holder);
}

function isPrinting() {
  return document.documentElement.classList.contains("printing");
}

/** Plots are printed as they are on the screen, made smaller: browsers do not print what is painted just before. */
function shrinkForPrint() {
  const boxes = [...document.querySelectorAll("figure .box")];
  addEventListener("beforeprint", () => {
    const sizes = boxes.map((box) => [box.clientWidth, box.clientHeight]);
    document.documentElement.classList.add("printing");
    boxes.forEach((box, at) => {
      const [width, height] = sizes[at];
      const shrink = Math.min(1, box.parentElement.clientWidth / width);
      Object.assign(box.style, { width: `${width}px`, height: `${height}px`, zoom: shrink });
    });
  });
  addEventListener("afterprint", () => {
    for (const box of boxes) Object.assign(box.style, { width: "", height: "", zoom: "" });
    document.documentElement.classList.remove("printing");
  });
}

connectTheme();
report.charts.forEach((chart, at) => new ChartView(chart, document.getElementById(`chart-${at}`)));
shrinkForPrint();
if (allPanels.length) {
  document.getElementById("toolbar").hidden = false;
  connect();
  views.push(...allPanels.map((panel) => (panel.flat ? new FlatView(panel) : new SpaceView(panel))));
  showLegend();
  connectTables();
  follow();
  watch();
  fitToPage();
}
