// Groups: originals with their copies.
import { button, element, note, quoted, table } from "./dom.js";
import { linkTo } from "./flags.js";
import { counted, similarity, whole } from "./format.js";
import { address } from "./links.js";
import { getJson } from "./service.js";

const groupsShown = 100;
const copiesAtOnce = 100;

export async function showGroups(place, { id, query, signal, fail }) {
  if (id !== undefined) return showGroup(place, id, query.get("namespace") ?? "", signal, fail);
  const { groups } = await getJson(`/v1/groups?top=${groupsShown}`, signal);
  place.replaceChildren(
    element("h2", {}, "Groups"),
    note(
      "A group is a document that was kept, with those that were flagged as its copies. It has the id of the original.",
    ),
    groups.length === 0
      ? note("No document has a copy.")
      : table(
          "The largest groups",
          ["group", "copies", "seq of the original"],
          groups.map(({ group, namespace, copies, seq }) => [groupLink(group, namespace), whole(copies), String(seq)]),
          [1, 2],
        ),
  );
}

export function groupLink(group, namespace) {
  return element(
    "a",
    { href: address("groups", { namespace }, group) },
    namespace ? [quoted(namespace), " / "] : null,
    quoted(group),
  );
}

async function showGroup(place, id, namespace, signal, fail) {
  const rows = [];
  const { box, compare } = comparerOf(namespace);
  const list = element("div", {});
  const more = button("More", () => next().catch(fail));
  let after = 0;
  const next = async () => {
    const query = new URLSearchParams({ after, limit: copiesAtOnce, ...(namespace === "" ? {} : { namespace }) });
    const page = await getJson(`/v1/documents/${encodeURIComponent(id)}/copies?${query}`, signal);
    rows.push(...page.copies.map((copy) => copyRow(copy, id, box)));
    after = page.next;
    more.hidden = after === undefined;
    list.replaceChildren(
      rows.length === 0
        ? note("The document has no copies.")
        : table(
            `${counted(rows.length, "copy", "copies")}${after === undefined ? "" : " so far"}`,
            ["document", "seq", "similarity", "why", "choose"],
            rows,
            [1, 2],
          ),
    );
  };
  await next();
  place.replaceChildren(
    element("h2", {}, "Group ", quoted(id)),
    element(
      "p",
      {},
      "Original: ",
      linkTo(id, namespace),
      " · ",
      element("a", { href: address("groups") }, "All groups"),
    ),
    element(
      "div",
      { class: "steps" },
      compare,
      note("Any two copies can be compared: choose them in the last column."),
    ),
    list,
    more,
  );
}

// box(id): a box that chooses a copy. compare: a button for two that are chosen.
function comparerOf(namespace) {
  const chosen = new Set();
  const go = () => {
    const [a, b] = chosen;
    location.hash = address("why", { a, b, namespace });
  };
  const compare = button("Compare the two", go, { disabled: true });
  const box = (id) =>
    element("input", {
      type: "checkbox",
      "aria-label": `Choose ${id}`,
      change: ({ target }) => {
        if (target.checked) chosen.add(id);
        else chosen.delete(id);
        compare.disabled = chosen.size !== 2;
      },
    });
  return { box, compare };
}

function copyRow({ id, namespace, seq, similarity: alike }, original, box) {
  const why = element(
    "a",
    { href: address("why", { a: id, b: original, namespace }), "aria-label": `Why ${id} is a copy` },
    "Why",
  );
  return [linkTo(id, namespace), String(seq), similarity(alike), why, box(id)];
}
