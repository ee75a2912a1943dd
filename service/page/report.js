// The page of a report: what a run decided, from data in the page itself.
import { bars } from "./chart.js";
import { comparisonOf } from "./comparison.js";
import { element, facts, note, quoted, table } from "./dom.js";
import { counted, percent, similarity, whole } from "./format.js";
import { statuses, statusMark } from "./status.js";

// data: as `neardup report` writes it.
export function showReport(data) {
  document.title = `${data.title} – neardup`;
  const sections = [counts(data), histogram(data), inputs(data), groups(data), ...pairs(data), notes(data)];
  document.body.replaceChildren(
    element(
      "header",
      {},
      element("h1", {}, quoted(data.title)),
      facts([
        ["made", data.made],
        ["version", data.version],
        ["rule", data.rule],
        ["threshold", String(data.threshold)],
      ]),
    ),
    element("main", { id: "main" }, sections),
  );
  addEventListener("beforeprint", () =>
    document.querySelectorAll("details.pair").forEach((one) => {
      one.open = true;
    }),
  );
}

function section(title, ...content) {
  return element("section", {}, element("h2", {}, title), ...content);
}

function countsOf(all) {
  return statuses.filter((status) => all[status]).map((status) => [statusMark(status), all[status]]);
}

function counts({ counts: all }) {
  const rows = countsOf(all);
  const sum = rows.reduce((before, [, number]) => before + number, 0);
  return section(
    "Documents",
    rows.length === 0
      ? note("The input has no documents.")
      : bars(`${counted(sum, "document")} by status`, rows, (number) => `${whole(number)} (${percent(number / sum)})`),
  );
}

function histogram({ similarity: buckets }) {
  if (buckets.length === 0) return null;
  return section(
    "Similarity of near-duplicates",
    bars(
      "Near-duplicates by their similarity to their originals",
      buckets.map(({ low, high, count }) => [`${low.toFixed(2)} to ${high.toFixed(2)}`, count]),
      whole,
    ),
  );
}

function inputs({ inputs: all }) {
  if (all.length === 0) return null;
  const shown = statuses.filter((status) => all.some(({ counts: some }) => some[status]));
  return section(
    "Inputs",
    table(
      "Documents of each input, by status",
      ["input", ...shown.map(statusMark)],
      all.map(({ name, counts: some }) => [quoted(name), ...shown.map((status) => whole(some[status] ?? 0))]),
      shown.map((_, place) => place + 1),
    ),
  );
}

function groups({ groups: all }) {
  if (all.length === 0) return null;
  const sample = (copies) =>
    element(
      "ul",
      {},
      copies.map((copy) => element("li", {}, quoted(copy.id), ` ${similarity(copy.similarity)}`)),
    );
  return section(
    "Largest groups",
    table(
      "Originals with the most copies",
      ["group", "seq", "copies", "some of them, with their similarity"],
      all.map(({ group, seq, copies, sample: some }) => [quoted(group), String(seq), whole(copies), sample(some)]),
      [1, 2],
    ),
  );
}

function pairs({ pairs: all }) {
  const near = all.filter((pair) => pair.near);
  const others = all.filter((pair) => !pair.near);
  return [
    ["Pairs near the threshold", near],
    ["Other pairs", others],
  ]
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => section(title, some.map(pair)));
}

function pair({ flag, comparison, why_no_text: why }) {
  return element(
    "details",
    { class: "pair" },
    element(
      "summary",
      {},
      quoted(flag.id),
      " is a copy of ",
      quoted(flag.duplicate_of),
      `, similarity ${similarity(flag.similarity)}`,
    ),
    why && note(why),
    comparison && comparisonOf(comparison, { a: flag.id, b: flag.duplicate_of }),
  );
}

function notes({ notes: all }) {
  return all.length === 0
    ? null
    : section(
        "Notes",
        element(
          "ul",
          {},
          all.map((line) => element("li", {}, quoted(line))),
        ),
      );
}
