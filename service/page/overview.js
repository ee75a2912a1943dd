// Overview: what the state holds, and what happens to documents now.
import { bars, stackedChart, timeChart } from "./chart.js";
import { element, facts, note, quoted, refill, table } from "./dom.js";
import { linkTo } from "./flags.js";
import { bytes, clock, percent, seconds, short, similarity, whole } from "./format.js";
import { groupLink } from "./groups.js";
import { address, whyOf } from "./links.js";
import { getJson, Refused, retryMs, Unreachable, wait } from "./service.js";
import { backupTime } from "./state.js";
import { statuses, statusMark, statusName } from "./status.js";

const mostSamples = 181;
const listRows = 5;
const latestFlags = 500; // of a kind, some 200 KB
const listsEveryMs = 60000;
const groupsEveryMs = 300000;
const binWidth = 0.02;
const latestGroups = { groups: null, problem: "", until: 0 };

export async function showOverview(place, { signal, fail }) {
  const all = { samples: [], nextLists: 0 };
  const state = element("p", { role: "status", class: "note" });
  const shown = element("div", {});
  const draw = () => refill(shown, ...drawn(all));
  let everySeconds = await update(all, signal);
  place.replaceChildren(element("h2", {}, "Overview"), state, shown);
  draw();
  takeGroups(signal).then(draw, fail);
  while (!signal.aborted) {
    await wait(everySeconds * 1000, signal);
    try {
      everySeconds = await update(all, signal);
      draw();
      state.textContent = "";
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      state.textContent = "The service does not answer. It is asked again.";
      await wait(retryMs, signal);
    }
  }
}

// The service reads all copies for it: seldom, also where this view is shown again.
async function takeGroups(signal) {
  if (Date.now() < latestGroups.until) return;
  try {
    const { groups } = await getJson(`/v1/groups?top=${listRows}`, signal);
    Object.assign(latestGroups, { groups, problem: "", until: Date.now() + groupsEveryMs });
  } catch (error) {
    if (!(error instanceof Unreachable) && (!(error instanceof Refused) || error.needsToken())) throw error;
    latestGroups.problem = error.message;
  }
}

// What changes slowly, and is more to send.
async function takeLists(all, signal) {
  if (Date.now() < all.nextLists) return;
  const [stats, near, rejected] = await Promise.all([
    getJson("/v1/stats", signal),
    latest("near_duplicate", signal),
    latest("rejected", signal),
  ]);
  Object.assign(all, { stats, near, rejected, nextLists: Date.now() + listsEveryMs });
}

// Adds the samples that are new. Those of a process that has ended are dropped: its counts began at 0.
async function update(all, signal) {
  const after = all.samples.at(-1)?.time_ms ?? 0;
  const [answer] = await Promise.all([getJson(`/v1/history?after=${after}`, signal), takeLists(all, signal)]);
  const last = all.samples.at(-1);
  if (last && answer.samples.some((sample) => decidedBy(sample) < decidedBy(last))) all.samples = [];
  all.samples = [...all.samples, ...answer.samples].slice(-mostSamples);
  return answer.every_seconds;
}

async function latest(only, signal) {
  return (await getJson(`/v1/flags?limit=${latestFlags}&only=${only}`, signal)).flags;
}

function decidedBy(sample) {
  return Object.values(sample.documents).reduce((sum, count) => sum + count, 0);
}

// The rise of a count a second, from each sample to the next.
function ratesOf(samples, count) {
  return samples
    .slice(1)
    .map((sample, i) => (1000 * (count(sample) - count(samples[i]))) / (sample.time_ms - samples[i].time_ms));
}

function valuesOf(samples, name) {
  return samples.slice(1).map((sample) => sample[name] ?? null);
}

function drawn({ samples, stats, near, rejected }) {
  return [
    shareFacts(stats, samples.at(-1)),
    element(
      "div",
      { class: "charts" },
      ratesByStatus(samples),
      similarities(near),
      nearestPairs(near),
      largest(latestGroups),
      reasons(rejected),
    ),
    element("h3", {}, "The last 15 minutes"),
    note("Times are UTC."),
    element("div", { class: "charts" }, lines(samples)),
  ].flat();
}

// Of the state, and since the start of the process.
function shareFacts(stats, { documents, backup_seconds: backup } = { documents: {} }) {
  const all = Object.values(documents).reduce((sum, count) => sum + count, 0);
  const shares = statuses
    .filter((status) => documents[status] > 0)
    .map((status) => [
      element("a", { href: address("flags", { only: status }) }, statusMark(status)),
      `${whole(documents[status])} (${percent(documents[status] / all)})`,
    ]);
  return [
    facts([
      ["documents that are compared with", whole(stats.documents)],
      ["ids", whole(stats.ids)],
      ["decided in all", whole(stats.next_seq - 1)],
      ["on disk", bytes(stats.disk_bytes)],
      ["latest backup", backupTime(backup)],
    ]),
    facts([["decided since the start", whole(all)], ...shares]),
    all === 0 &&
      note("No document was decided since the service started. At its start it prints a command that sends some."),
  ].filter(Boolean);
}

function panel(title, ...content) {
  return element("section", {}, element("h3", {}, title), ...content);
}

function ratesByStatus(samples) {
  const seen = statuses.filter((status) => samples.at(-1)?.documents[status] > 0);
  const title = "Documents a second, by status";
  if (samples.length < 2 || seen.length === 0)
    return panel(title, note("There is none yet: a rate needs two samples, 5 s apart."));
  const series = seen.map((status) => ({
    name: statusName(status),
    kind: status,
    values: ratesOf(samples, (sample) => sample.documents[status]),
  }));
  const times = samples.slice(1).map((sample) => sample.time_ms);
  return panel(title, stackedChart("The last 15 minutes, by status", times, series, { format: short, clock }));
}

function similarities(near) {
  const title = "Similarity of near-duplicates";
  if (near.length === 0) return panel(title, note("None of the latest flags is a near-duplicate."));
  const { threshold } = near.at(-1);
  const bin = (value) => Math.min(Math.floor(value / binWidth + 1e-9), 1 / binWidth - 1);
  const counts = new Map();
  for (const flag of near) counts.set(bin(flag.similarity), (counts.get(bin(flag.similarity)) ?? 0) + 1);
  const first = Math.min(bin(threshold), ...counts.keys());
  const rows = Array.from({ length: 1 / binWidth - first }, (_, i) => {
    const [low, high] = [first + i, first + i + 1].map((place) => (place * binWidth).toFixed(2));
    const words = `${low} to ${high}${first + i === bin(threshold) ? ", threshold" : ""}`;
    const most = first + i + 1 === 1 / binWidth ? high : (high - 0.001).toFixed(3); // flags have three decimals
    const link = address("flags", { only: "near_duplicate", from: low, to: most });
    return [element("a", { href: link }, words), counts.get(first + i) ?? 0];
  });
  return panel(title, bars(`Of the latest ${whole(near.length)}; threshold ${threshold}`, rows, whole));
}

function largest({ groups, problem }) {
  const title = "Largest groups";
  if (groups === null && problem) return panel(title, note(problem, "problem"));
  if (groups === null) return panel(title, note("Counting the copies …"));
  if (groups.length === 0) return panel(title, note("No document has a copy."));
  const rows = groups.map(({ group, namespace, copies }) => [groupLink(group, namespace), whole(copies)]);
  return panel(title, table("Originals with the most copies", ["group", "copies"], rows, [1]));
}

function nearestPairs(near) {
  const far = ({ similarity: alike, threshold }) => Math.abs(alike - threshold);
  const rows = near.toSorted((a, b) => far(a) - far(b)).slice(0, listRows);
  return panel(
    "Nearest to the threshold",
    rows.length === 0
      ? note("None of the latest flags is a near-duplicate.")
      : table(
          "Pairs to look at first",
          ["similarity", "document", "copy of", "why"],
          rows.map((flag) => [
            similarity(flag.similarity),
            linkTo(flag.id, flag.namespace),
            linkTo(flag.duplicate_of, flag.namespace),
            element("a", { href: whyOf(flag), "aria-label": `Why ${flag.id} is a copy` }, "Why"),
          ]),
          [0],
        ),
  );
}

function reasons(rejected) {
  const counts = new Map();
  for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a);
  return panel(
    "Rejected",
    rows.length === 0
      ? note("None of the latest flags is a rejection.")
      : table(
          `Reasons of the latest ${whole(rejected.length)}`,
          ["reason", "records", "an example"],
          rows.map(([reason, count]) => [
            element("a", { href: address("flags", { only: "rejected", reason }) }, statusName(reason)),
            whole(count),
            quoted(rejected.findLast((flag) => flag.reason === reason).detail ?? ""),
          ]),
          [1],
        ),
  );
}

// Charts without a value are left out, such as those of Kafka in a service without it.
function lines(samples) {
  if (samples.length < 2) return [];
  const times = samples.slice(1).map((sample) => sample.time_ms);
  const chart = (title, format, series, top) =>
    series.some(({ values }) => values.some((value) => value !== null)) &&
    timeChart(title, times, series, { format, clock, top });
  const line = (name, values) => ({ name, values });
  const read = ratesOf(samples, ({ input_bytes: count }) => count);
  return [
    chart("Text a second", bytes, [line("text", read)]),
    chart("Delay from arrival to flag", seconds, [line("mean", delaysOf(samples))]),
    chart("Records that wait in Kafka", whole, [line("lag", valuesOf(samples, "lag"))]),
    chart(
      "Estimated precision and recall",
      percent,
      ["precision", "recall"].map((name) => line(name, valuesOf(samples, name))),
      1,
    ),
    chart("Documents in the index", whole, [line("documents", valuesOf(samples, "index_documents"))]),
    chart("State on disk", bytes, [line("on disk", valuesOf(samples, "state_bytes"))]),
  ];
}

// The mean of the flags between two samples; null where there are none.
function delaysOf(samples) {
  return samples.slice(1).map((sample, i) => {
    const flags = sample.flags - samples[i].flags;
    return flags > 0 ? (sample.delay_seconds - samples[i].delay_seconds) / flags : null;
  });
}
