// Flags: the latest ones, and each that comes.
import { button, element, note, quoted, refill, table } from "./dom.js";
import { counted, similarity } from "./format.js";
import { address, whyOf } from "./links.js";
import { follow, getJson, retryMs, Unreachable, wait } from "./service.js";
import { statuses, statusMark } from "./status.js";

const shownFlags = 200;
const redrawnEveryMs = 250;

export async function showFlags(place, { query, signal }) {
  const only = (query.get("only") ?? "").split(",").filter((status) => statuses.includes(status));
  const list = { flags: [], changed: false, paused: false, missed: 0, state: "Loading …" };
  const rows = element("div", {});
  const state = element("span", { role: "status" });
  const pause = button("Pause", () => {
    list.paused = !list.paused;
    pause.textContent = list.paused ? "Go on" : "Pause";
    redraw();
  });
  const redraw = () => {
    list.changed = false;
    const words = stateOf(list);
    if (state.textContent !== words) state.textContent = words; // a screen reader says it when it is set
    if (!list.paused) refill(rows, flagTable(list.flags, only));
  };
  const drawing = setInterval(() => list.changed && redraw(), redrawnEveryMs);
  signal.addEventListener("abort", () => clearInterval(drawing));
  const page = await getJson(`/v1/flags?${new URLSearchParams({ limit: shownFlags, ...chosen(only) })}`, signal);
  place.replaceChildren(
    element("h2", {}, "Flags"),
    choices(only),
    element("div", { class: "steps" }, pause, state),
    rows,
  );
  list.flags = page.flags.reverse();
  list.changed = true;
  await live(list, page.next, only, signal);
}

function chosen(only) {
  return only.length > 0 ? { only: only.join(",") } : {};
}

function stateOf({ paused, missed, state }) {
  const gone = missed === 0 ? "" : ` ${counted(missed, "flag")} came faster than they could be shown.`;
  return (paused ? "Paused: the latest flags are shown when you go on." : state) + gone;
}

// A service that stops answering is asked again, from where it was.
async function live(list, after, only, signal) {
  while (!signal.aborted) {
    try {
      list.state = "Live: new flags appear on top.";
      list.changed = true;
      const path = `/v1/flags?${new URLSearchParams({ after, ...chosen(only) })}`;
      await follow(
        path,
        ({ id, kind, data }) => {
          after = id ?? after;
          take(list, kind, data);
        },
        signal,
      );
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
    list.state = "The service does not answer. It is asked again.";
    list.changed = true;
    await wait(retryMs, signal);
  }
}

function take(list, kind, data) {
  if (data === undefined) return;
  const value = JSON.parse(data);
  if (kind === "missed") list.missed += value.next - value.after - 1;
  else if (list.flags.unshift(value) > shownFlags) list.flags.length = shownFlags;
  list.changed = true;
}

function choices(only) {
  const box = (status) =>
    element(
      "label",
      { class: "choice" },
      element("input", {
        type: "checkbox",
        name: status,
        checked: only.length === 0 || only.includes(status),
        change: choose,
      }),
      statusMark(status),
    );
  return element("fieldset", { class: "choices" }, element("legend", {}, "Statuses"), statuses.map(box));
}

function choose(event) {
  const boxes = [...event.target.closest("fieldset").querySelectorAll("input")];
  const some = boxes.filter((box) => box.checked).map((box) => box.name);
  location.hash = address("flags", { only: some.length === boxes.length ? "" : some.join(",") });
}

function flagTable(flags, only) {
  if (flags.length === 0)
    return note(
      only.length > 0
        ? "None of the latest flags has these statuses."
        : "No document was decided since the service started.",
    );
  return table(
    "Latest flags",
    ["seq", "status", "document", "copy of, or reason", "similarity", "why"],
    flags.map(flagRow),
    [0, 4],
  );
}

function flagRow(flag) {
  return [
    String(flag.seq),
    statusMark(flag.status),
    linkTo(flag.id, flag.namespace),
    flag.duplicate_of === undefined ? (flag.reason ?? "") : linkTo(flag.duplicate_of, flag.namespace),
    flag.similarity === undefined ? "" : similarity(flag.similarity),
    flag.duplicate_of === undefined
      ? ""
      : element("a", { href: whyOf(flag), "aria-label": `Why ${flag.id} is a copy` }, "Why"),
  ];
}

// A document by its id, and its namespace where it has one. Rejected ones may have no id.
export function linkTo(id, namespace) {
  if (id === null || id === undefined) return "none";
  return element(
    "a",
    { href: address("find", { id, namespace }) },
    namespace ? [quoted(namespace), " / "] : null,
    quoted(id),
  );
}
