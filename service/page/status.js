// A status is a colour, a shape and a word: page.css has the first two.
import { element } from "./dom.js";

export const statuses = [
  "unique",
  "near_duplicate",
  "exact_duplicate",
  "too_short",
  "empty",
  "unchanged",
  "deleted",
  "rejected",
];

export function statusName(status) {
  return status.replaceAll("_", " ");
}

export function statusMark(status) {
  return element("span", { class: `status ${statuses.includes(status) ? status : ""}` }, statusName(status));
}
