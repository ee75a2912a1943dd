// Two documents side by side: what their sketches say, what differs in their texts, or what these share.
import { chanceToMeet, sCurve } from "./chart.js";
import { differingOf } from "./differing.js";
import { button, element, facts, note, quoted, table, visible } from "./dom.js";
import { counted, similarity, whole } from "./format.js";
import { partFrom, sameWords, unitsOf } from "./marks.js";

const shownAtOnce = 40000; // code units of a text
const shownOfPassage = 1000;
const differsFrom = 0.8; // the similarity from which on it is shown first what differs

// answer: of POST /v1/compare with its texts. names: of both documents, as people know them. chosen: { show, columns }
// as the address says, where it does; a new choice is handed to `choose`. chosen.keys: n and p work (why.js).
export function comparisonOf(answer, names, chosen = {}, choose = () => {}) {
  const shown = element("div", {});
  const fill = (choice) => shown.replaceChildren(...textsBy(answer, names, choice, chooseAndFill).filter(Boolean));
  const chooseAndFill = (choice) => {
    fill(choice);
    choose(choice);
    shown.querySelector(`[data-choice="${choice.pressed}"]`).focus();
  };
  fill({ ...chosen, show: chosen.show ?? usualShow(answer), columns: chosen.columns ?? usualColumns() });
  return element(
    "section",
    { class: "comparison", "aria-label": "Comparison" },
    verdict(answer, names),
    evidence(answer),
    shown,
    lists(answer),
  );
}

// Without both texts there is no `exact`, and neither view.
function usualShow({ exact, differences }) {
  return exact?.similarity >= differsFrom && differences.changes > 0 ? "differs" : "shared";
}

function usualColumns() {
  return matchMedia("(max-width: 45rem)").matches ? 1 : 2;
}

// The texts by what is chosen, below the switches.
function textsBy(answer, names, choice, choose) {
  const { differences } = answer;
  if (!differences) return [texts(answer, names, choice.keys)].flat();
  const option = (name, change) =>
    button(name, () => choose({ ...choice, ...change, pressed: name }), {
      "data-choice": name,
      "aria-pressed": String(Object.entries(change).every(([key, value]) => choice[key] === value)),
    });
  const differs = choice.show === "differs";
  const switches = element(
    "div",
    { class: "switches", role: "group", "aria-label": "How the texts are shown" },
    option("What differs", { show: "differs" }),
    option("What is shared", { show: "shared" }),
    differs && [option("Side by side", { columns: 2 }), option("In one column", { columns: 1 })],
  );
  return [switches, differs ? differing(differences, names, choice) : texts(answer, names, choice.keys)].flat();
}

function differing(differences, names, { columns, keys }) {
  if (differences.changes === 0)
    return note("No word differs: the texts differ at most in case, signs and blanks, which are not compared.");
  const shown = differingOf(differences, names, columns);
  return [steps("change", shown.count, shown.select, keys), shown.node];
}

function verdict({ a, b, same_content: same, exact, threshold }, names) {
  const flagged = [
    [a, names.a],
    [b, names.b],
  ]
    .filter(([side]) => side.flagged)
    .map(([side, name]) =>
      element(
        "p",
        { class: "verdict" },
        quoted(name),
        " was flagged as a copy of ",
        quoted(side.flagged.duplicate_of),
        ` with similarity ${similarity(side.flagged.similarity)}.`,
      ),
    );
  const reached =
    exact &&
    `Their exact similarity ${exact.reaches_threshold ? "reaches" : "does not reach"} the threshold ${threshold}.`;
  return [...flagged, note(same ? "The normalised texts are equal." : (reached ?? ""), "verdict")];
}

function evidence({ sketch, no_sketch: why, exact, threshold, a, b }) {
  const sizes = facts([
    ["tokens of A", a.tokens === undefined ? null : whole(a.tokens)],
    ["tokens of B", b.tokens === undefined ? null : whole(b.tokens)],
  ]);
  return element(
    "div",
    { class: "evidence" },
    element("div", {}, ofSketches(sketch, why, threshold), ofTexts(exact), sizes),
    sketch &&
      element(
        "div",
        {},
        sCurve({
          bands: sketch.bands,
          rows: sketch.rows,
          threshold,
          marked: exact?.similarity ?? sketch.similarity,
          interval: [sketch.similarity_low, sketch.similarity_high],
        }),
        note("Two documents are compared when they meet in a bucket. Shaded: the 95 % interval of the estimate."),
      ),
  );
}

function ofSketches(sketch, why, threshold) {
  if (!sketch) return note(`There is no estimate: ${why}.`);
  return facts([
    [
      "estimate",
      `${similarity(sketch.similarity)} (95 %: ${similarity(sketch.similarity_low)} to ${similarity(sketch.similarity_high)})`,
    ],
    ["threshold", String(threshold)],
    ["equal values", `${sketch.equal} of ${sketch.values}; ${sketch.needed} needed`],
    ["buckets shared", `${sketch.bands_hit} of ${sketch.bands} bands`],
    ["chance to meet", similarity(chanceToMeet(sketch.similarity, sketch.bands, sketch.rows))],
  ]);
}

function ofTexts(exact) {
  if (!exact) return note("There is no exact similarity: it needs both texts.");
  return facts([
    [
      "exact similarity",
      `${similarity(exact.similarity)} (${whole(exact.shared_shingles)} of ${whole(exact.shingles)} shingles shared)`,
    ],
    ["A contained in B", similarity(exact.contained_a)],
    ["B contained in A", similarity(exact.contained_b)],
  ]);
}

// Both texts with their marks, and buttons that go from one shared passage to the next.
function texts({ a, b, passages }, names, keys) {
  if (a.content === undefined && b.content === undefined) return null;
  const sides = [
    textPane("A", names.a, a.content, passages?.marks.a),
    textPane("B", names.b, b.content, passages?.marks.b),
  ];
  const panes = element(
    "div",
    { class: "sides" },
    sides.map(({ node }) => node),
  );
  const cut = (a.excerpt || b.excerpt) && note("Long texts are cut to excerpts; … is where something is left out.");
  if (!passages || passages.marks.a.length === 0) {
    return [passages && note("The texts share no passage."), cut, panes];
  }
  const [first, second] = sides;
  const go = (index) => second.select(sameWords(first.select(index), second.text, second.marks));
  return [steps("shared passage", first.marks.length, go, keys), cut, panes];
}

// Buttons that go from one of `count` things to the next, with their keys where these work. show(index): shows one.
function steps(what, count, show, keys) {
  const place = element("span", { role: "status" }, counted(count, what));
  let current = -1;
  const go = (step) => {
    current = (current + step + count) % count;
    show(current);
    place.textContent = `${what[0].toUpperCase()}${what.slice(1)} ${current + 1} of ${count}`;
  };
  return element(
    "div",
    { class: "steps", role: "group", "aria-label": `Go through each ${what}` },
    button("Previous", () => go(current < 0 ? 0 : -1), keys ? { "aria-keyshortcuts": "p" } : {}),
    button("Next", () => go(1), keys ? { "aria-keyshortcuts": "n" } : {}),
    place,
  );
}

// A text with marked passages. select(index): shows that passage and returns its words; -1: none.
function textPane(letter, name, content, byteMarks = []) {
  const text = content ?? "";
  const marks = unitsOf(text, byteMarks);
  const shown = element("div", {
    class: "text",
    dir: "auto",
    tabindex: 0,
    role: "region",
    "aria-label": `Text of ${letter}`,
  });
  const where = element("p", { class: "where" });
  const pane = { text, marks, selected: -1, shown, where };
  showPart(pane, partFrom(text, 0, shownAtOnce));
  pane.select = (index) => select(pane, index);
  pane.node = element(
    "article",
    {},
    element("h3", {}, `${letter} `, quoted(name)),
    where,
    content === undefined ? note("The text is not at hand.") : shown,
  );
  return pane;
}

function select(pane, index) {
  pane.selected = index;
  const [begin, end] = pane.marks[index] ?? [0, 0];
  const shown = index < 0 || (begin >= pane.part[0] && end <= pane.part[1]);
  showPart(pane, shown ? pane.part : partFrom(pane.text, begin - shownAtOnce / 4, shownAtOnce));
  const mark = pane.shown.querySelector("mark.selected");
  if (mark) pane.shown.scrollTop = mark.offsetTop - 40;
  return pane.text.slice(begin, end);
}

// part: [begin, end) of the text. A text of any length costs the page no more than one part.
function showPart(pane, part) {
  const { text, marks, shown, where } = pane;
  const [begin, end] = (pane.part = part);
  shown.replaceChildren(...pieces(text, marks, begin, end, pane.selected));
  if (text.length <= shownAtOnce) return;
  const go = (name, unit, possible) =>
    button(name, () => showPart(pane, partFrom(text, unit, shownAtOnce)), { disabled: !possible });
  where.replaceChildren(
    `Characters ${whole(begin + 1)} to ${whole(end)} of ${whole(text.length)} `,
    go("Earlier", begin - shownAtOnce, begin > 0),
    " ",
    go("Later", end, end < text.length),
  );
}

function pieces(text, marks, begin, end, selected) {
  const nodes = [];
  let at = begin;
  marks.forEach(([from, to], index) => {
    if (to <= begin || from >= end) return;
    const first = Math.max(from, at);
    const last = Math.min(to, end);
    nodes.push(visible(text.slice(at, first)));
    nodes.push(
      element("mark", { class: index === selected ? "selected" : undefined }, visible(text.slice(first, last))),
    );
    at = last;
  });
  nodes.push(visible(text.slice(at, end)));
  return nodes;
}

function lists({ passages }) {
  if (!passages) return null;
  const left = passages.left_out;
  return element(
    "div",
    { class: "differences" },
    list("Only in A", passages.only_a, left?.only_a),
    list("Only in B", passages.only_b, left?.only_b),
    list("Shared", passages.shared, left?.shared),
  );
}

// left: how many shorter passages there are besides.
function list(title, passages, left = 0) {
  const rows = passages.map(({ tokens, text }) => [
    whole(tokens),
    [quoted(text.slice(0, shownOfPassage)), text.length > shownOfPassage && " …"],
  ]);
  const more = left === 0 ? "" : ` and ${counted(left, "shorter one")}`;
  if (rows.length === 0) return note(`${title}: nothing`);
  return element(
    "details",
    { open: title !== "Shared" },
    element("summary", {}, `${title}: ${counted(rows.length, "passage")}${more}`),
    table(title, ["tokens", "passage"], rows, [0]),
  );
}
