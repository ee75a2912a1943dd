// Why: two documents side by side.
import { comparisonOf } from "./comparison.js";
import { button, element, field, form, note } from "./dom.js";
import { address, parsed } from "./links.js";
import { postJson, Refused } from "./service.js";

export async function showWhy(place, { query, signal, failIn }) {
  const asked = {
    names: { a: query.get("a") ?? "", b: query.get("b") ?? "" },
    namespace: query.get("namespace") ?? "",
    source: query.get("source") ?? "",
  };
  addEventListener("keydown", stepByKey, { signal });
  const result = element("div", {});
  const compare = (pasted) => compareInto(result, asked, pasted, signal);
  const questions = asks(asked, (pasted) => compare(pasted).catch(failIn(result)));
  place.replaceChildren(element("h2", {}, "Why"), questions, result);
  if (asked.names.a === "" || asked.names.b === "") {
    questions.open = true;
    result.replaceChildren(note("Give two documents: an id of the state, or a text, each."));
    return;
  }
  await compare({});
}

// The choices that the address has.
function chosenNow() {
  const { query } = parsed(location.hash);
  const has = (key, values) => values.find((value) => String(value) === query.get(key));
  return { show: has("show", ["differs", "shared"]), columns: has("columns", [1, 2]) };
}

// Keeps the choices in the address, from which the view is not shown again.
function keepChoice({ show, columns }) {
  const { view, query } = parsed(location.hash);
  history.replaceState(null, "", address(view, { ...Object.fromEntries(query), show, columns }));
}

// n and p press "Next" and "Previous".
function stepByKey({ key, target, ctrlKey, altKey, metaKey }) {
  if (target.closest("input, textarea") || ctrlKey || altKey || metaKey || (key !== "n" && key !== "p")) return;
  document.querySelector(`button[aria-keyshortcuts="${key}"]`)?.click();
}

// pasted: texts that take the place of stored ones.
async function compareInto(result, asked, pasted, signal) {
  result.replaceChildren(note("Comparing …", "loading"));
  try {
    const answer = await comparisonFrom(asked, pasted, signal);
    result.replaceChildren(
      ...[comparisonOf(answer, shownNames(asked, pasted), { ...chosenNow(), keys: true }, keepChoice), lacking(answer)]
        .flat()
        .filter(Boolean),
    );
  } catch (error) {
    if (!(error instanceof Refused) || error.needsToken()) throw error;
    result.replaceChildren(
      note(error.message, "problem"),
      note("A document that was deleted, or that retention has forgotten, cannot be compared; a pasted text can."),
    );
  }
}

function shownNames({ names }, pasted) {
  return { a: pasted.a ? "pasted text" : names.a, b: pasted.b ? "pasted text" : names.b };
}

async function comparisonFrom({ names, namespace, source }, pasted, signal) {
  const body = { a: pasted.a ? { text: pasted.a } : names.a, b: pasted.b ? { text: pasted.b } : names.b, texts: true };
  if (namespace !== "") body.namespace = namespace;
  const answer = await postJson("/v1/compare", body, signal);
  if (answer.a.text || source === "" || pasted.a) return answer;
  try {
    return await postJson("/v1/compare", { ...body, a: { source: placeOf(source) } }, signal);
  } catch (error) {
    if (error instanceof Refused && !error.needsToken()) return answer;
    throw error;
  }
}

// TOPIC/PARTITION/OFFSET
function placeOf(source) {
  const [, topic, partition, offset] = source.match(/^(.*)\/(\d+)\/(\d+)$/) ?? [];
  return { topic: topic ?? source, partition: Number(partition), offset: Number(offset) };
}

function lacking({ a, b }) {
  const sides = [!a.text && "A", !b.text && "B"].filter(Boolean);
  if (sides.length === 0) return null;
  const words = sides.length === 1 ? `text of ${sides[0]} is` : "texts of A and B are";
  return [
    note(`The ${words} not kept. A service with storage.keep_texts: all keeps those of documents to come.`),
    ...sides.map((side) => button(`Paste the text of ${side}`, () => askForText(side))),
  ];
}

function askForText(side) {
  const asked = document.querySelector(".asks");
  asked.open = true;
  asked.querySelector(`[name=text_${side.toLowerCase()}]`).focus();
}

// Ids make an address that can be sent; pasted texts stay in the page.
function asks({ names, namespace }, compare) {
  const submitted = (values) => {
    const pasted = { a: values.text_a, b: values.text_b };
    if (pasted.a || pasted.b) compare(pasted);
    else location.hash = address("why", { a: values.a, b: values.b, namespace: values.namespace });
  };
  const side = (letter, name) =>
    element(
      "fieldset",
      {},
      element("legend", {}, letter),
      field("Id", name, { value: names[name], autocomplete: "off" }),
      field("or a pasted text, which takes its place", `text_${name}`, { rows: 4, dir: "auto" }, "textarea"),
    );
  return element(
    "details",
    { class: "asks" },
    element("summary", {}, "Compare other documents or texts"),
    form(
      submitted,
      element("div", { class: "sides" }, side("A", "a"), side("B", "b")),
      field("Namespace of the ids", "namespace", { value: namespace, autocomplete: "off" }),
      button("Compare", () => {}, { type: "submit" }),
    ),
  );
}
