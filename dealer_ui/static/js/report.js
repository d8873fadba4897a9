// Draws a report's charts from the plain data beside its tables. The colours come from the style sheet, so that the
// same picture is right on a dark screen and on white paper.
const COLOURS = ["var(--one)", "var(--two)", "var(--three)", "var(--four)", "var(--five)", "var(--six)"];
const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross"];
const MARGIN_LETTER = 7.4;
const BARS_MAX = 16; // the table below has the rest

document.getElementById("print")?.addEventListener("click", () => window.print());

for (const figure of document.querySelectorAll("figure.chart")) {
  const told = JSON.parse(figure.querySelector("script").textContent);
  if (told.facet) {
    for (const name of distinct(told.points, told.facet)) {
      const own = { ...told, zone: figure.dataset.zone, points: told.points.filter((point) => point[told.facet] === name) };
      figure.append(framed(draw(own, figure.dataset.language, 400), name));
    }
  } else {
    figure.append(framed(draw({ ...told, zone: figure.dataset.zone }, figure.dataset.language, 860), ""));
  }
  const swatches = legend(told);
  if (swatches) figure.prepend(swatches);
}

function framed(svg, title) {
  const box = document.createElement("div");
  box.className = "plot";
  if (title) box.append(Object.assign(document.createElement("h3"), { textContent: title }));
  svg.querySelector("style")?.remove(); // our own style sheet says it; a page of ours takes no inline style
  svg.setAttribute("aria-hidden", "true");
  box.append(svg);
  return box;
}

function distinct(points, name) {
  return [...new Set(points.map((point) => point[name]))];
}

function draw(told, language, width) {
  if (told.drawing === "bars") return bars(told, language, width);
  if (told.drawing === "spans") return spans(told, language, width);
  if (told.drawing === "suits") return suits(told, language, width);
  if (told.drawing === "funnel") return funnel(told, language, width);
  return lines(told, language, width);
}

function figures(sort, language) {
  if (sort === "share") return (value) => value.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 });
  const small = (value) => value !== 0 && Math.abs(value) < 0.1;
  return (value) => value.toLocaleString(language, small(value) ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2, notation: Math.abs(value) >= 1e6 ? "compact" : "standard" });
}

// A moment is told in the studio's zone, wherever the browser is.
function inZone(told, language, wanted) {
  const said = new Intl.DateTimeFormat(language, { ...wanted, timeZone: told.zone });
  return (when) => said.format(when);
}

// So many of the moments as there is room for; the first of them always.
function some(moments, most) {
  return moments.filter((_, at, all) => at % Math.ceil(all.length / most) === 0);
}

// A count has no half.
function ticksOf(sort, values) {
  const most = Math.max(0, ...values);
  return sort === "count" && most <= 10 ? { ticks: d3.range(most + 1) } : {};
}

function frame(told, language, width) {
  return { width, style: { fontSize: "13px", background: "none" }, marginRight: 64 };
}

function bars(told, language, width) {
  const points = told.points.slice(0, BARS_MAX).map((point) => ({ ...point, name: [point[told.across], point[told.colour]].filter((part, at, all) => part && all.indexOf(part) === at).join(" · ") }));
  const longest = Math.max(...points.map((point) => String(point.name).length));
  const keys = [told.up, ...told.series.filter((name) => told.sorts[name] === told.sorts[told.up])];
  const rows = points.flatMap((point) => keys.map((key, at) => ({ name: point.name, value: point[key] ?? 0, at, key: told.labels[key] })));
  const shown = figures(told.sorts[told.up], language);
  return Plot.plot({
    ...frame(told, language, width), marginLeft: Math.min(40 + longest * MARGIN_LETTER, 280), marginTop: 8, marginBottom: 44,
    height: 70 + points.length * (16 + 20 * keys.length),
    x: { label: keys.length > 1 ? null : told.labels[told.up], tickFormat: shown, grid: true, ...ticksOf(told.sorts[told.up], rows.map((row) => row.value)), insetLeft: rows.some((row) => row.value < 0) ? 60 : 0, ...(told.sorts[told.up] === "share" ? { domain: [0, 1] } : {}) },
    y: { label: null, axis: null, domain: keys.map((key) => told.labels[key]) },
    fy: { label: null, domain: points.map((point) => point.name), axis: "left", padding: 0.18 },
    marks: [
      Plot.barX(rows, { x: "value", y: "key", fy: "name", fill: (row) => COLOURS[row.at], rx: 2, title: (row) => `${row.name}\n${row.key}: ${shown(row.value)}` }),
      Plot.text(rows.filter((row) => row.value >= 0), { x: "value", y: "key", fy: "name", text: (row) => shown(row.value), textAnchor: "start", dx: 5, fill: "currentColor" }),
      Plot.text(rows.filter((row) => row.value < 0), { x: "value", y: "key", fy: "name", text: (row) => shown(row.value), textAnchor: "end", dx: -5, fill: "currentColor" }),
      Plot.ruleX([0], { stroke: "currentColor" }),
    ],
  });
}

function spans(told, language, width) {
  const [low, high] = told.series;
  const points = told.points.filter((point) => point[told.up] !== null);
  const longest = Math.max(1, ...points.map((point) => String(point[told.across]).length));
  const shown = figures(told.sorts[told.up], language);
  return Plot.plot({
    ...frame(told, language, width), marginLeft: Math.min(30 + longest * MARGIN_LETTER, 280), marginBottom: 44, height: 80 + points.length * 34,
    x: { label: told.labels[told.up], tickFormat: shown, grid: true, zero: true, nice: true },
    y: { label: null, type: "band", domain: points.map((point) => point[told.across]) },
    marks: [
      Plot.ruleY(points, { x1: low, x2: high, y: told.across, stroke: "var(--one)", strokeWidth: 4, strokeOpacity: 0.55 }),
      Plot.tickX(points, { x: low, y: told.across, stroke: "var(--one)", insetTop: 8, insetBottom: 8 }),
      Plot.tickX(points, { x: high, y: told.across, stroke: "var(--one)", insetTop: 8, insetBottom: 8 }),
      Plot.dot(points, { x: told.up, y: told.across, fill: "var(--two)", r: 6, title: (point) => `${point[told.across]}: ${shown(point[told.up])} (${shown(point[low])} – ${shown(point[high])})` }),
    ],
  });
}

function funnel(told, language, width) {
  const [middle, low3, low2, high2, high3] = told.series;
  const points = told.points.map((point) => ({ ...point, when: new Date(point[told.across]) })).sort((a, b) => a.when - b.when);
  const known = points.filter((point) => point[low3] !== null && point[low3] !== undefined);
  const shown = figures(told.sorts[told.up], language);
  const bars = width < 500 ? 3 : 7;
  const day = inZone(told, language, { dateStyle: "medium" });
  const outside = (point) => point[low3] !== null && (point[told.up] < point[low3] || point[told.up] > point[high3]);
  return Plot.plot({
    ...frame(told, language, width), height: 270, marginLeft: 64, marginBottom: 42, marginTop: 26,
    x: { type: "time", label: told.labels[told.across], tickFormat: inZone(told, language, { month: "short", day: "numeric" }), ticks: some(distinct(points, told.across).map((at) => new Date(at)), bars), inset: 16 },
    y: { label: told.labels[told.up], tickFormat: shown, grid: true, nice: true },
    marks: [
      Plot.ruleX(known, { x: "when", y1: low3, y2: high3, stroke: "var(--band)", strokeWidth: 10, strokeOpacity: 0.2 }),
      Plot.ruleX(known, { x: "when", y1: low2, y2: high2, stroke: "var(--band)", strokeWidth: 10, strokeOpacity: 0.32 }),
      Plot.ruleY(points.slice(0, 1).filter((point) => point[middle] !== null), { y: middle, stroke: "currentColor", strokeWidth: 2, strokeDasharray: "6 4" }),
      Plot.dot(points, { x: "when", y: told.up, r: 6, symbol: (point) => (outside(point) ? "diamond" : "circle"), fill: (point) => (outside(point) ? "var(--five)" : "var(--two)"), stroke: "currentColor", title: (point) => `${day(point.when)}: ${shown(point[told.up])}` }),
    ],
    symbol: { type: "identity" },
  });
}

function suits(told, language, width) {
  const signs = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const points = told.points.map((point) => ({ ...point, rank: point[told.across][0], suit: signs[point[told.across][1]] }));
  const shown = (value) => value.toLocaleString(language, { maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: "exceptZero" });
  return Plot.plot({
    ...frame(told, language, width), height: 220, marginLeft: 44, marginBottom: 40, marginTop: 10,
    x: { label: null, domain: [..."23456789TJQKA"].filter((rank) => points.some((point) => point.rank === rank)) }, y: { label: null, domain: ["♠", "♥", "♦", "♣"] },
    marks: [
      Plot.cell(points, { x: "rank", y: "suit", inset: 1, rx: 3, fill: (point) => (point[told.up] < 0 ? "var(--one)" : "var(--two)"), fillOpacity: (point) => Math.min(Math.abs(point[told.up]) / 3, 1) * 0.85, stroke: (point) => (Math.abs(point[told.up]) > 3 ? "currentColor" : "none"), strokeWidth: 3 }),
      Plot.text(points, { x: "rank", y: "suit", text: (point) => shown(point[told.up]), fill: "var(--ink)", fontSize: 13 }),
    ],
    opacity: { type: "identity" },
  });
}

function lines(told, language, width) {
  const points = told.points.map((point) => ({ ...point, when: new Date(point[told.across]) }));
  const names = told.colour ? distinct(points, told.colour) : [""];
  const colour = (point) => COLOURS[names.indexOf(point[told.colour] ?? "") % COLOURS.length];
  const symbol = (point) => SYMBOLS[names.indexOf(point[told.colour] ?? "") % SYMBOLS.length];
  const shown = figures(told.sorts[told.up], language);
  const hour = inZone(told, language, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
  const hours = distinct(points, told.across).sort((a, b) => a - b).map((at) => new Date(at));
  return Plot.plot({
    ...frame(told, language, width), height: 280, marginLeft: 58, marginBottom: 42,
    x: { type: "time", label: told.labels[told.across], tickFormat: hour, ticks: some(hours, 7), inset: 40 }, y: { label: told.labels[told.up], tickFormat: shown, grid: true, zero: true, nice: true, ...ticksOf(told.sorts[told.up], points.map((point) => point[told.up])) },
    symbol: { type: "identity" },
    marks: [
      Plot.lineY(points, { x: "when", y: told.up, z: told.colour || null, stroke: colour, strokeWidth: 2.5 }),
      Plot.dot(points, { x: "when", y: told.up, fill: colour, symbol, r: 5, title: (point) => `${point[told.colour] ?? ""} ${hour(point.when)}: ${shown(point[told.up])}` }),
    ],
  });
}

function legend(told) {
  let names = [];
  if (told.drawing === "bars") names = [told.up, ...told.series.filter((name) => told.sorts[name] === told.sorts[told.up])].map((name) => told.labels[name]);
  if (told.drawing === "lines" && told.colour) names = distinct(told.points, told.colour);
  if (names.length < 2) return null;
  const box = Object.assign(document.createElement("div"), { className: "swatches" });
  names.forEach((name, at) => {
    const item = document.createElement("span");
    item.append(Object.assign(document.createElement("i"), { className: `c${at % COLOURS.length}` }), name);
    box.append(item);
  });
  return box;
}
