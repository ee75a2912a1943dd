// Now: the last quarter of an hour.
import { timeChart } from "./chart.js";
import { element, facts, note, refill } from "./dom.js";
import { bytes, clock, percent, seconds, short, whole } from "./format.js";
import { getJson, retryMs, Unreachable, wait } from "./service.js";
import { backupTime } from "./state.js";
import { statuses, statusName } from "./status.js";

const mostSamples = 181;

export async function showNow(place, { signal }) {
  const all = { samples: [] };
  const state = element("p", { role: "status", class: "note" });
  const charts = element("div", {});
  let everySeconds = await update(all, signal);
  place.replaceChildren(element("h2", {}, "Now"), state, charts);
  while (!signal.aborted) {
    const waiting = note("The first two samples are on their way.", "loading");
    refill(charts, ...(all.samples.length < 2 ? [waiting] : drawn(all.samples)));
    await wait(everySeconds * 1000, signal);
    try {
      everySeconds = await update(all, signal);
      state.textContent = "";
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      state.textContent = "The service does not answer. It is asked again.";
      await wait(retryMs, signal);
    }
  }
}

// Adds the samples that are new. Those of a process that has ended are dropped: its counts began at 0.
async function update(all, signal) {
  const after = all.samples.at(-1)?.time_ms ?? 0;
  const answer = await getJson(`/v1/history?after=${after}`, signal);
  const last = all.samples.at(-1);
  if (last && answer.samples.some((sample) => decidedBy(sample) < decidedBy(last))) all.samples = [];
  all.samples = [...all.samples, ...answer.samples].slice(-mostSamples);
  return answer.every_seconds;
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

// Charts without a value are left out, such as those of Kafka in a service without it.
function drawn(samples) {
  const times = samples.slice(1).map((sample) => sample.time_ms);
  const chart = (title, format, series, top) =>
    series.some(({ values }) => values.some((value) => value !== null)) &&
    timeChart(title, times, series, { format, clock, top });
  const line = (name, values) => ({ name, values });
  const ofStatus = (status) =>
    line(
      statusName(status),
      ratesOf(samples, (sample) => sample.documents[status]),
    );
  const charts = [
    chart("Documents a second", short, [line("documents", ratesOf(samples, decidedBy))]),
    chart("Text a second", bytes, [
      line(
        "text",
        ratesOf(samples, ({ input_bytes: read }) => read),
      ),
    ]),
    chart("Documents a second, by status", short, shownStatuses(samples.at(-1)).map(ofStatus)),
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
  return [
    nowFacts(samples.at(-1)),
    note("The last 15 minutes. Times are UTC."),
    element("div", { class: "charts" }, charts),
  ];
}

// The mean of the flags between two samples; null where there are none.
function delaysOf(samples) {
  return samples.slice(1).map((sample, i) => {
    const flags = sample.flags - samples[i].flags;
    return flags > 0 ? (sample.delay_seconds - samples[i].delay_seconds) / flags : null;
  });
}

// The four that are most frequent: more lines cannot be told apart.
function shownStatuses({ documents }) {
  return statuses
    .filter((status) => documents[status] > 0)
    .sort((a, b) => documents[b] - documents[a])
    .slice(0, 4);
}

function nowFacts({ documents, backup_seconds: backup }) {
  const all = Object.values(documents).reduce((sum, count) => sum + count, 0);
  const shares = statuses
    .filter((status) => documents[status] > 0)
    .map((status) => [statusName(status), `${whole(documents[status])} (${percent(documents[status] / all)})`]);
  return facts([["decided since the start", whole(all)], ...shares, ["latest backup", backupTime(backup)]]);
}
