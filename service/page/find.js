// Find: a document by its id, by a pasted text, or by a pasted line of flags.
import { comparisonOf } from "./comparison.js";
import { button, element, facts, field, form, note, quoted, table } from "./dom.js";
import { linkTo } from "./flags.js";
import { bytes, moment, similarity, whole } from "./format.js";
import { address, whyOf } from "./links.js";
import { getJson, post, postJson, Refused } from "./service.js";
import { statusMark } from "./status.js";

const nearest = 10;
const mostDropped = 1 << 21; // bytes: a request has at most twice that, and JSON escapes

export async function showFind(place, { query, signal, failIn }) {
  const id = query.get("id") ?? "";
  const namespace = query.get("namespace") ?? "";
  const result = element("div", { role: "region", "aria-label": "Result", "aria-live": "polite" });
  const run = (find, ...words) => into(result, () => find(...words, signal)).catch(failIn(result));
  place.replaceChildren(element("h2", {}, "Find"), byId(id, namespace), byText(run), byFlag(run), result);
  if (id !== "") await into(result, () => storedDocument(id, namespace, signal));
}

// What `find` gives, or why there is nothing.
async function into(result, find) {
  result.replaceChildren(note("Looking …", "loading"));
  try {
    result.replaceChildren(...(await find()).flat().filter(Boolean));
  } catch (error) {
    if (!(error instanceof Refused) || error.needsToken()) throw error;
    result.replaceChildren(...problemOf(error));
  }
}

export function problemOf(error) {
  const gone = "It was never decided here, or was deleted, or retention has forgotten it.";
  return [note(error.message, "problem"), ...(error.status === 404 ? [note(gone)] : [])];
}

function byId(id, namespace) {
  return form(
    (values) => {
      location.hash = address("find", values);
    },
    element("h3", {}, "By its id"),
    element(
      "div",
      { class: "sides" },
      field("Id", "id", { value: id, required: true, autocomplete: "off" }),
      field("Namespace", "namespace", { value: namespace, autocomplete: "off" }),
    ),
    button("Find", () => {}, { type: "submit" }),
  );
}

function byText(run) {
  return element(
    "details",
    {},
    element("summary", {}, "By a text: what would be decided about it"),
    form(
      ({ text, namespace }) => run(checked, text, namespace),
      field(
        "Text, or a text file dropped here",
        "text",
        { rows: 6, required: true, dir: "auto", ...drops },
        "textarea",
      ),
      field("Namespace", "namespace", { autocomplete: "off" }),
      button("Check", () => {}, { type: "submit" }),
      note("Nothing is stored."),
    ),
  );
}

// A file that is dropped on a textarea becomes its text; one that is larger leaves it as it was, and says so.
const drops = {
  dragover: (event) => event.preventDefault(),
  drop: async (event) => {
    const { target, dataTransfer } = event;
    const [file] = dataTransfer.files;
    if (!file) return; // a dropped selection
    event.preventDefault();
    const large = file.size > mostDropped ? `${file.name} has ${bytes(file.size)}: at most ${bytes(mostDropped)}.` : "";
    if (large === "") target.value = await file.text();
    target.setCustomValidity(large);
    if (large !== "") target.reportValidity();
  },
  input: ({ target }) => target.setCustomValidity(""),
  blur: ({ target }) => target.setCustomValidity(""), // the text that was there can be checked
};

function byFlag(run) {
  return element(
    "details",
    {},
    element("summary", {}, "By a line of flags"),
    form(
      ({ line }) => run(flagged, line),
      field("Line", "line", { rows: 3, required: true }, "textarea"),
      button("Read", () => {}, { type: "submit" }),
    ),
  );
}

async function storedDocument(id, namespace, signal) {
  const query = new URLSearchParams(namespace === "" ? {} : { namespace });
  const found = await getJson(`/v1/documents/${encodeURIComponent(id)}?${query}`, signal);
  const copied = found.duplicate_of !== undefined;
  return [
    element("h3", {}, quoted(id)),
    facts([
      ["decided", found.kept ? "kept: later documents are compared with it" : "flagged as a copy"],
      ["copy of", !copied ? null : linkTo(found.duplicate_of, namespace)],
      ["similarity", found.similarity === undefined ? null : similarity(found.similarity)],
      ["seq", String(found.seq)],
      ["namespace", namespace === "" ? null : quoted(namespace)],
      ["stream time", found.stream_time_ms === undefined ? null : moment(found.stream_time_ms)],
      ["tokens", found.tokens === undefined ? null : whole(found.tokens)],
      ["normalised text", found.text_bytes === undefined ? null : bytes(found.text_bytes)],
    ]),
    element(
      "p",
      { class: "links" },
      copied && [element("a", { href: whyOf(found) }, "Why"), " · "],
      element("a", { href: address("groups", { namespace }, found.duplicate_of ?? id) }, "Its group"),
    ),
    await similarTo(
      JSON.stringify(namespace === "" ? { id } : { id, namespace }),
      "application/json",
      id,
      namespace,
      signal,
    ),
  ];
}

// The stored documents nearest to a query, a line of JSON or a text.
async function similarTo(query, type, id, namespace, signal) {
  const answer = JSON.parse(await post(`/v1/similar?k=${nearest}`, query, type, signal));
  if (answer.error !== undefined) return note(answer.error);
  const { hits } = answer;
  if (hits.length === 0) return note("No stored document is similar.");
  return table(
    "The most similar stored documents",
    ["document", "similarity", "95 %", "equal values", "buckets shared", "why"],
    hits.map((hit) => [
      linkTo(hit.id, hit.namespace),
      similarity(hit.similarity),
      `${similarity(hit.similarity_low)} to ${similarity(hit.similarity_high)}`,
      whole(hit.equal),
      whole(hit.bands_hit),
      id === "" || hit.id === id
        ? ""
        : element(
            "a",
            { href: address("why", { a: id, b: hit.id, namespace }), "aria-label": `Why ${hit.id} is similar` },
            "Why",
          ),
    ]),
    [1, 3, 4],
  );
}

async function checked(text, namespace, signal) {
  const query = new URLSearchParams({ id: `pasted at ${Date.now()}`, ...(namespace === "" ? {} : { namespace }) });
  const flag = JSON.parse(await post(`/v1/check?${query}`, text, "text/plain", signal));
  const parts = [element("h3", {}, "The pasted text"), flagFacts(flag, namespace)];
  const add = async (part) => parts.push(await part().catch(noteOfRefusal));
  if (flag.duplicate_of !== undefined) await add(() => comparisonWith(flag.duplicate_of, text, namespace, signal));
  if (flag.status !== "empty" && flag.status !== "rejected" && namespace === "")
    await add(() => similarTo(text, "text/plain", "", "", signal));
  return parts;
}

async function comparisonWith(original, text, namespace, signal) {
  const answer = await postJson(
    "/v1/compare",
    { a: { text }, b: original, texts: true, ...(namespace === "" ? {} : { namespace }) },
    signal,
  );
  return comparisonOf(answer, { a: "pasted text", b: original });
}

// What was decided stays where a later request fails.
function noteOfRefusal(error) {
  if (!(error instanceof Refused) || error.needsToken()) throw error;
  return note(error.message, "problem");
}

async function flagged(line) {
  let flag;
  try {
    flag = JSON.parse(line);
  } catch {
    return [note("This is no line of a flags file: a JSON object is expected.", "problem")];
  }
  if (flag === null || typeof flag !== "object" || typeof flag.status !== "string")
    return [note("This is no flag: it has no status.", "problem")];
  const why =
    typeof flag.duplicate_of === "string" && typeof flag.id === "string"
      ? element("a", { href: whyOf(flag) }, "Why")
      : null;
  return [element("h3", {}, "The flag"), flagFacts(flag, flag.namespace), element("p", { class: "links" }, why)];
}

function flagFacts(flag, namespace) {
  const original = flag.duplicate_of === undefined ? null : linkTo(String(flag.duplicate_of), namespace);
  const known = ["id", "status", "duplicate_of"];
  const rest = Object.entries(flag).filter(([name]) => !known.includes(name));
  return facts([
    ["status", statusMark(flag.status)],
    ["document", flag.id === undefined ? null : linkTo(flag.id, namespace)],
    ["copy of", original],
    ...rest.map(([name, value]) => [
      name.replaceAll("_", " "),
      quoted(typeof value === "object" ? JSON.stringify(value) : value),
    ]),
  ]);
}
