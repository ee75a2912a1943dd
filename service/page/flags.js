// Flags: the latest ones, and each that comes.
import { button, element, note, quoted, refill, table } from "./dom.js";
import { downloadButtons } from "./download.js";
import { filterForm, filterOf } from "./filter.js";
import { counted, similarity, whole } from "./format.js";
import { address, whyOf } from "./links.js";
import { follow, getJson, retryMs, Unreachable, wait } from "./service.js";
import { statusMark } from "./status.js";

const shownFlags = 200;
const filteredFlags = 1000; // that are looked at where some are left out, some 300 KB
const redrawnEveryMs = 250;

export async function showFlags(place, { query, signal }) {
  const filter = filterOf(query);
  const list = { filter, flags: [], drawn: [], changed: false, paused: false, missed: 0, state: "Loading …" };
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
    if (list.paused) return;
    list.drawn = list.flags.slice();
    refill(rows, flagTable(list));
  };
  const drawing = setInterval(() => list.changed && redraw(), redrawnEveryMs);
  signal.addEventListener("abort", () => clearInterval(drawing));
  const page = await getJson(
    `/v1/flags?${new URLSearchParams({ limit: filter.narrow ? filteredFlags : shownFlags, ...chosen(filter) })}`,
    signal,
  );
  place.replaceChildren(
    element("h2", {}, "Flags"),
    ...filterForm(filter),
    element("div", { class: "steps" }, pause, ...downloadButtons(() => list.drawn), state),
    rows,
  );
  list.flags = page.flags.reverse().filter(filter.takes).slice(0, shownFlags);
  list.changed = true;
  await live(list, page.next, signal);
}

function chosen({ only }) {
  return only.length > 0 ? { only: only.join(",") } : {};
}

function stateOf({ paused, missed, state }) {
  const gone = missed === 0 ? "" : ` ${counted(missed, "flag")} came faster than they could be shown.`;
  return (paused ? "Paused: the latest flags are shown when you go on." : state) + gone;
}

// A service that stops answering is asked again, from where it was.
async function live(list, after, signal) {
  while (!signal.aborted) {
    try {
      list.state = "Live: new flags appear on top.";
      list.changed = true;
      const path = `/v1/flags?${new URLSearchParams({ after, ...chosen(list.filter) })}`;
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
  else if (!list.filter.takes(value)) return;
  else if (list.flags.unshift(value) > shownFlags) list.flags.length = shownFlags;
  list.changed = true;
}

function flagTable({ flags, filter }) {
  if (flags.length === 0) {
    if (filter.narrow)
      return note(`None of the latest ${whole(filteredFlags)} flags of these statuses is of this kind.`);
    return note(
      filter.only.length > 0
        ? "None of the latest flags has these statuses."
        : "No document was decided since the service started. At its start it prints a command that sends some.",
    );
  }
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
