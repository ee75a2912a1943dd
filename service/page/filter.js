// Which flags are shown, as the address says: #/flags?only=near_duplicate&namespace=news&from=0.8&to=0.82&id=doc-
import { button, element, field, form } from "./dom.js";
import { address } from "./links.js";
import { statuses, statusMark } from "./status.js";

const textFilters = ["namespace", "id", "reason"];
const rangeFilters = ["from", "to"]; // of the similarity

// { only, values, narrow, takes(flag) }. only: the statuses, which the service chooses; empty: all. narrow: there are
// other choices, which the page makes.
export function filterOf(query) {
  const only = (query.get("only") ?? "").split(",").filter((status) => statuses.includes(status));
  const values = Object.fromEntries([...textFilters, ...rangeFilters].map((name) => [name, query.get(name) ?? ""]));
  const { namespace, id, reason } = values;
  const from = values.from === "" ? -Infinity : Number(values.from);
  const to = values.to === "" ? Infinity : Number(values.to);
  const bySimilarity = values.from !== "" || values.to !== "";
  const takes = (flag) =>
    (namespace === "" || (flag.namespace ?? "") === namespace) &&
    (id === "" || String(flag.id ?? "").startsWith(id)) &&
    (reason === "" || flag.reason === reason) &&
    (!bySimilarity || (flag.similarity >= from && flag.similarity <= to));
  return { only, values, narrow: Object.values(values).some((value) => value !== ""), takes };
}

export function filterForm({ only, values, narrow }) {
  const choice = (name, label, properties) => field(label, name, { value: values[name], ...properties });
  const number = { type: "number", min: 0, max: 1, step: "any" };
  return [
    statusBoxes(only, values),
    element(
      "details",
      { open: narrow },
      element("summary", {}, "More filters"),
      form(
        (chosen) => go(only, chosen),
        element(
          "div",
          { class: "filters" },
          choice("namespace", "Namespace", { autocomplete: "off" }),
          choice("id", "Id begins with", { autocomplete: "off" }),
          choice("from", "Similarity from", number),
          choice("to", "Similarity to", number),
          choice("reason", "Reason of a rejection", { autocomplete: "off" }),
        ),
        button("Filter", () => {}, { type: "submit" }),
        button("All flags", () => go([], {})),
      ),
    ),
  ];
}

function go(only, values) {
  location.hash = address("flags", { only: only.join(","), ...values });
}

function statusBoxes(only, values) {
  const chosen = (event) => {
    const boxes = [...event.target.closest("fieldset").querySelectorAll("input")];
    const some = boxes.filter((box) => box.checked).map((box) => box.name);
    go(some.length === boxes.length ? [] : some, values);
  };
  const box = (status) =>
    element(
      "label",
      { class: "choice" },
      element("input", {
        type: "checkbox",
        name: status,
        checked: only.length === 0 || only.includes(status),
        change: chosen,
      }),
      statusMark(status),
    );
  return element("fieldset", { class: "choices" }, element("legend", {}, "Statuses"), statuses.map(box));
}
