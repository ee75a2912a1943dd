// What differs between two texts, as a code review shows it: next to each other, or one in the other.
import { element, note, quoted, visible } from "./dom.js";
import { counted } from "./format.js";

// { node, count, select } of the `differences` of an answer. columns: 1 or 2. select(index): shows that change.
export function differingOf({ parts, changes, shortest }, names, columns) {
  const marks = [];
  const node = element(
    "article",
    { class: `differing columns${columns}` },
    columns === 2 && row([heading("A", names.a), heading("B", names.b)]),
    element("p", { class: "legend" }, key("gone", "only in A"), key("come", "only in B")),
    hunksOf(parts).map((hunk) => (hunk.folded ? foldOf(hunk.folded) : hunkOf(hunk, columns, marks))),
    marks.length < changes && note(`${counted(changes - marks.length, "more change")} cannot be shown here.`),
    !shortest && note("So much differs that words which occur once in each text were aligned first."),
  );
  return { node, count: marks.length, select: (index) => selectChange(node, marks[index]) };
}

function selectChange(node, marks) {
  for (const mark of node.querySelectorAll(".selected")) mark.classList.remove("selected");
  for (const mark of marks) mark.classList.add("selected");
  marks[0].scrollIntoView({ block: "center" });
}

// Lists of parts between folds, and the folds.
function hunksOf(parts) {
  const hunks = [];
  let open = null;
  for (const part of parts) {
    if (part.folded !== undefined) {
      hunks.push(part);
      open = null;
    } else if (open === null) {
      hunks.push((open = [part]));
    } else {
      open.push(part);
    }
  }
  return hunks;
}

function key(kind, words) {
  return element("span", {}, element("span", { class: kind }, words));
}

function row(cells) {
  return element("div", { class: "hunk" }, cells);
}

function heading(letter, name) {
  return element("h3", {}, `${letter} `, quoted(name));
}

function foldOf(words) {
  return element("p", { class: "fold" }, `… ${counted(words, "equal word")} …`);
}

// marks: the elements of each change, to which those of this hunk are added.
function hunkOf(parts, columns, marks) {
  const cells = columns === 2 ? ["a", "b"].map((side) => cellOf(`Of ${side.toUpperCase()}`)) : [cellOf("Of both")];
  for (const part of parts) {
    const nodes = columns === 2 ? ["a", "b"].map((side) => nodeOf(part, side)) : [nodeOf(part, "ab")];
    nodes.forEach((node, i) => node && cells[i].append(node));
    if (part.changed) marks.push(nodes.filter(Boolean));
  }
  return row(cells);
}

function cellOf(label) {
  return element("div", { class: "words", dir: "auto", role: "group", "aria-label": label });
}

// Of an equal part the longer text is shown in one column: the other one may lack a blank next to a change.
function nodeOf(part, sides) {
  const shown = (side) => visible(part[side]);
  if (!part.changed) {
    const [first, second = ""] = [...sides].map(shown);
    return document.createTextNode(first.length < second.length ? second : first);
  }
  const gone = sides.includes("a") && part.a !== "" && element("del", {}, shown("a"));
  const come = sides.includes("b") && part.b !== "" && element("ins", {}, shown("b"));
  return gone || come ? element("mark", { class: "change" }, gone, come) : null;
}
