// Charts: curves over a common axis.

const CURVES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999933", "#882255"];

function chartTraces(chart) {
  return chart.series.flatMap((series, at) => {
    const color = CURVES[at % CURVES.length];
    const name = plain(series.name);
    const line = {
      type: "scatter",
      mode: series.x.length < 60 ? "lines+markers" : "lines",
      x: series.x,
      y: series.y,
      name,
      line: { color, width: 2, dash: series.dashed ? "dash" : "solid" },
      marker: { color, size: 5 },
      hovertemplate: `${name}<br>%{x}: %{y:.4~g}<extra></extra>`,
    };
    if (series.marked === null) return [line];
    const mark = {
      type: "scatter",
      mode: "markers",
      x: [series.x[series.marked]],
      y: [series.y[series.marked]],
      marker: { size: 15, color: "rgba(0,0,0,0)", line: { color, width: 2.5 } },
      showlegend: false,
      hoverinfo: "skip",
    };
    return [line, mark];
  });
}

function chartLayout(chart, box) {
  const axis = (facts) => ({
    title: { text: plain(facts.title), standoff: 8 },
    type: facts.log ? "log" : "linear",
    gridcolor: "rgba(128,128,128,0.18)",
    linecolor: "rgba(128,128,128,0.4)",
    zeroline: false,
    showline: true,
    automargin: true,
    exponentformat: "power",
  });
  return {
    width: box.clientWidth,
    height: box.clientHeight,
    margin: { l: 56, r: 12, t: 8, b: 44 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: "#868686", size: 12, family: "system-ui, sans-serif" },
    xaxis: axis(chart.x),
    yaxis: axis(chart.y),
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    hovermode: "closest",
    dragmode: false,
  };
}

function drawChart(chart, at) {
  const box = document.querySelector(`#chart-${at} .box`);
  Plotly.newPlot(box, chartTraces(chart), chartLayout(chart, box), { displayModeBar: false, showTips: false });
  new ResizeObserver(() => {
    if (box.clientWidth && box.clientWidth !== box.layout.width && !isPrinting()) Plotly.relayout(box, { width: box.clientWidth });
  }).observe(box);
}

/** Text that the plotting library is not to take as markup. */
function plain(text) {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
