// Two documents side by side: what their sketches say, what their texts share, where they differ.
import { chanceToMeet, sCurve } from "./chart.js";
import { button, element, facts, note, quoted, table, visible } from "./dom.js";
import { counted, similarity, whole } from "./format.js";
import { partFrom, sameWords, unitsOf } from "./marks.js";

const shownAtOnce = 40000; // code units of a text
const shownOfPassage = 1000;

// answer: of POST /v1/compare with its texts. names: of both documents, as people know them.
export function comparisonOf(answer, names) {
  return element(
    "section",
    { class: "comparison", "aria-label": "Comparison" },
    verdict(answer, names),
    evidence(answer),
    texts(answer, names),
    differences(answer),
  );
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
        sCurve({ bands: sketch.bands, rows: sketch.rows, threshold, marked: exact?.similarity ?? sketch.similarity }),
        note("Two documents are compared when they meet in a bucket."),
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
function texts({ a, b, passages }, names) {
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
  return [steps(sides), cut, panes];
}

function steps([first, second]) {
  const place = element("span", { role: "status" });
  let current = -1;
  const go = (step) => {
    current = (current + step + first.marks.length) % first.marks.length;
    second.select(sameWords(first.select(current), second.text, second.marks));
    place.textContent = `Shared passage ${current + 1} of ${first.marks.length}`;
  };
  place.textContent = counted(first.marks.length, "shared passage");
  return element(
    "div",
    { class: "steps", role: "group", "aria-label": "Shared passages" },
    button("Previous", () => go(current < 0 ? 0 : -1)),
    button("Next", () => go(1)),
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

function differences({ passages }) {
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
