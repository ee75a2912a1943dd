// Charts as SVG, each with its values in a table.
import { element, svg, table } from "./dom.js";

const wide = 380; // about that of a narrow screen: texts keep their size
const high = 180;
const edge = { left: 76, right: 12, top: 10, bottom: 26 };

// A chart and its table, under one title.
function figure(title, drawing, values) {
  return element(
    "figure",
    {},
    element("figcaption", {}, title),
    drawing,
    element("details", {}, element("summary", {}, `Values of “${title}”`), values),
  );
}

function canvas(title, ...parts) {
  return svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": title, class: "chart" }, ...parts);
}

function scale(low, top, from, to) {
  return (value) => from + (top === low ? 0 : (value - low) / (top - low)) * (to - from);
}

function text(x, y, words, anchor) {
  return svg("text", { x, y, "text-anchor": anchor }, words);
}

function line(x1, y1, x2, y2, kind) {
  return svg("line", { x1, y1, x2, y2, class: kind });
}

function axes(x, y, xTicks, yTicks) {
  return [
    ...yTicks
      .map(([value, name]) => [
        line(edge.left, y(value), wide - edge.right, y(value), "grid"),
        text(edge.left - 6, y(value) + 4, name, "end"),
      ])
      .flat(),
    ...xTicks.map(([value, name], place) =>
      text(x(value), high - 8, name, place === 0 ? "start" : place + 1 === xTicks.length ? "end" : "middle"),
    ),
  ];
}

// Points whose value is null break the line.
function path(points, x, y) {
  let drawn = "";
  let pen = "M";
  for (const [at, value] of points) {
    if (value === null) {
      pen = "M";
      continue;
    }
    drawn += `${pen}${x(at).toFixed(1)},${y(value).toFixed(1)}`;
    pen = "L";
  }
  return drawn;
}

// times: ascending, in milliseconds. series: { name, values }, a value for each time or null. format: of a value.
export function timeChart(title, times, series, { format, clock, top }) {
  const all = series.flatMap(({ values }) => values).filter((value) => value !== null);
  const most = top ?? (Math.max(0, ...all) || 1);
  const draw = (x, y) =>
    series.map(({ values }, place) =>
      svg("path", {
        d: path(
          times.map((time, i) => [time, values[i]]),
          x,
          y,
        ),
        class: `line line${place}`,
      }),
    );
  const key = (_, place) => element("span", { class: `key line${place}`, "aria-hidden": "true" });
  return overTime(title, times, series, { format, clock, most, draw, key });
}

// The same with areas on top of each other, the first at the bottom. series: { name, kind, values }; kind: a status,
// which gives its colour and shape. No value is null.
export function stackedChart(title, times, series, { format, clock }) {
  const sums = [times.map(() => 0)];
  for (const { values } of series) sums.push(values.map((value, i) => sums.at(-1)[i] + value));
  const draw = (x, y) =>
    series.map(({ kind }, place) => {
      const upper = times.map((time, i) => `${x(time).toFixed(1)},${y(sums[place + 1][i]).toFixed(1)}`);
      const lower = times.map((time, i) => `${x(time).toFixed(1)},${y(sums[place][i]).toFixed(1)}`);
      return svg("polygon", { points: [...upper, ...lower.reverse()].join(" "), class: `area ${kind}` });
    });
  const key = ({ kind }) => element("span", { class: `status ${kind}`, "aria-hidden": "true" });
  const most = Math.max(0, ...sums.at(-1)) || 1;
  return overTime(title, times, series, { format, clock, most, draw, key });
}

// What both have: axes, a legend with the latest values, and the values as a table.
function overTime(title, times, series, { format, clock, most, draw, key }) {
  const x = scale(times[0] ?? 0, times.at(-1) ?? 1, edge.left, wide - edge.right);
  const y = scale(0, most, high - edge.bottom, edge.top);
  const xTicks = times.length > 1 ? [times[0], times.at(-1)].map((time) => [time, clock(time)]) : [];
  const drawing = canvas(
    `${title}: ${series.map(({ name, values }) => `${name} ${latestOf(values, format)}`).join(", ")}`,
    ...axes(x, y, xTicks, [
      [0, format(0)],
      [most, format(most)],
    ]),
    ...draw(x, y),
  );
  const legend = element(
    "p",
    { class: "legend" },
    series.map((one, place) => element("span", {}, key(one, place), `${one.name}: ${latestOf(one.values, format)} `)),
  );
  const rows = times.map((time, i) => [
    clock(time),
    ...series.map(({ values }) => (values[i] === null ? "–" : format(values[i]))),
  ]);
  const values = table(
    title,
    ["time", ...series.map(({ name }) => name)],
    rows.reverse().slice(0, shownRows),
    series.map((_, i) => i + 1),
  );
  return element("div", {}, figure(title, element("div", {}, drawing, legend), values));
}

const shownRows = 60;

function latestOf(values, format) {
  const value = values.at(-1) ?? null;
  return value === null ? "none" : format(value);
}

// The chance that documents of a similarity meet in a bucket of `bands` bands of `rows` values.
export function chanceToMeet(alike, bands, rows) {
  return 1 - (1 - alike ** rows) ** bands;
}

// marked: the similarity of a pair. interval: [low, high] of its estimate.
export function sCurve({ bands, rows, threshold, marked, interval: [low, top] }) {
  const title = "Chance to meet in a bucket, by similarity";
  const x = scale(0, 1, edge.left, wide - edge.right);
  const y = scale(0, 1, high - edge.bottom, edge.top);
  const points = Array.from({ length: 101 }, (_, i) => [i / 100, chanceToMeet(i / 100, bands, rows)]);
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => [value, value.toFixed(1)]);
  const drawing = canvas(
    title,
    svg("rect", {
      x: x(low),
      width: x(top) - x(low),
      y: edge.top,
      height: high - edge.bottom - edge.top,
      class: "interval",
    }),
    ...axes(x, y, ticks, [
      [0, "0"],
      [0.5, "0.5"],
      [1, "1"],
    ]),
    line(x(threshold), edge.top, x(threshold), high - edge.bottom, "threshold"),
    threshold > 0.7
      ? text(x(threshold) - 4, high - edge.bottom - 6, "threshold", "end")
      : text(x(threshold) + 4, high - edge.bottom - 6, "threshold", "start"),
    svg("path", { d: path(points, x, y), class: "line line0" }),
    svg("circle", { cx: x(marked), cy: y(chanceToMeet(marked, bands, rows)), r: 6, class: "point" }),
  );
  const at = [
    ...ticks.map(([value]) => [value, ""]),
    [threshold, "threshold"],
    [marked, "this pair"],
    [low, "least by the estimate (95 %)"],
    [top, "most by the estimate (95 %)"],
  ];
  const rowsOfTable = at
    .sort(([a], [b]) => a - b)
    .map(([value, name]) => [value.toFixed(3), chanceToMeet(value, bands, rows).toFixed(3), name]);
  return figure(title, drawing, table(title, ["similarity", "chance", "which"], rowsOfTable, [0, 1]));
}

// rows: [name, number]. The bars lie, longest of all 100 %.
export function bars(title, rows, format) {
  const most = Math.max(1, ...rows.map(([, number]) => number));
  const body = rows.map(([name, number]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", { class: "number" }, format(number)),
      element(
        "td",
        { class: "bar" },
        svg(
          "svg",
          { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
          svg("rect", { width: ((100 * number) / most).toFixed(2), height: 10, class: "fill" }),
        ),
      ),
    ),
  );
  return element("table", { class: "bars" }, element("caption", {}, title), element("tbody", {}, body));
}
