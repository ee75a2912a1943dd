// State: what the service holds, and by which rule and settings.
import { element, facts, note, quoted, table } from "./dom.js";
import { bytes, moment, seconds, whole } from "./format.js";
import { getJson, getText, Refused } from "./service.js";

const leastSpanMs = 60000; // from which a growth is computed

export async function showState(place, { signal }) {
  const [stats, rule, config, { samples }, ofKafka] = await Promise.all([
    getJson("/v1/stats", signal),
    getJson("/v1/rule", signal),
    getText("/v1/config", signal),
    getJson("/v1/history", signal),
    partitions(signal),
  ]);
  place.replaceChildren(
    ...[
      element("h2", {}, "State"),
      sizes(stats, samples),
      positions(stats),
      kafkaPositions(ofKafka),
      element(
        "section",
        {},
        element("h3", {}, "Rule"),
        note("Two services with equal rules give equal flags for equal documents."),
        table(`Rule ${rule.rule}`, ["setting", "value"], Object.entries(rule.rule_text)),
      ),
      element(
        "section",
        {},
        element("h3", {}, "Settings"),
        element(
          "details",
          {},
          element("summary", {}, "All settings, without secrets"),
          element("pre", { tabindex: 0, role: "region", "aria-label": "Settings" }, config),
        ),
      ),
    ].filter(Boolean),
  );
}

// Seconds until the file system of the state is full, as the state grew in the last minutes: its free space over that
// growth. null: that is not known, or nothing grows.
function untilFull(all) {
  // Those before the state was open lack its size.
  const samples = all.filter((sample) => sample.state_bytes !== undefined && sample.disk_free_bytes !== undefined);
  const [first, last] = [samples[0], samples.at(-1)];
  const grown = (last?.state_bytes - first?.state_bytes) / (last?.time_ms - first?.time_ms);
  return last?.time_ms - first?.time_ms >= leastSpanMs && grown > 0 ? last.disk_free_bytes / grown / 1000 : null;
}

// samples: of the metrics, in the last 15 minutes.
function sizes(stats, samples) {
  const last = samples.at(-1) ?? {};
  const full = untilFull(samples);
  return facts([
    ["documents", whole(stats.documents)],
    ["ids", whole(stats.ids)],
    ["on disk", bytes(stats.disk_bytes)],
    ["free there", last.disk_free_bytes === undefined ? null : bytes(last.disk_free_bytes)],
    ["until it is full, if the state grows as now", full === null ? null : seconds(full)],
    ["generations of the index", last.index_generations === undefined ? null : whole(last.index_generations)],
    ["latest backup", backupTime(last.backup_seconds)],
    ["next seq", String(stats.next_seq)],
    ["stream time", stats.stream_time_ms === 0 ? "none" : moment(stats.stream_time_ms)],
    ["forgotten before seq", stats.expired_before === 0 ? "nothing" : String(stats.expired_before)],
    ["deleted by command", whole(stats.deleted_by_command)],
    ["directory", quoted(stats.state)],
    ["name of the state", stats.uuid],
    ["format", String(stats.format)],
  ]);
}

function positions({ inputs }) {
  if (inputs.length === 0) return null;
  return element(
    "section",
    {},
    element("h3", {}, "Positions"),
    table(
      "How far each input was read",
      ["input", "bytes", "lines", "whole"],
      inputs.map((input) => [
        quoted(input.path),
        whole(input.bytes),
        whole(input.lines),
        input.read_to_end ? "read to its end" : "not yet",
      ]),
      [1, 2],
    ),
  );
}

const offset = /^neardup_kafka_(committed_offset|end_offset|lag_records)\{topic="(.*)",partition="(\d+)"\} (\d+)/gm;

// What the metrics say of the partitions of this instance: numbers by name. None where they have a port of their own.
async function partitions(signal) {
  const text = await getText("/metrics", signal).catch((error) => {
    if (error instanceof Refused) return "";
    throw error;
  });
  const found = new Map();
  for (const [, name, topic, partition, value] of text.matchAll(offset)) {
    const place = `${topic} / ${partition}`;
    found.set(place, { ...found.get(place), [name]: whole(Number(value)) });
  }
  return found;
}

function kafkaPositions(found) {
  if (found.size === 0) return null;
  const rows = [...found].map(([place, numbers]) => [
    quoted(place),
    ...["committed_offset", "end_offset", "lag_records"].map((name) => numbers[name] ?? "–"),
  ]);
  return element(
    "section",
    {},
    element("h3", {}, "Positions in Kafka"),
    table("Partitions of this instance", ["partition", "committed", "end", "lag"], rows, [1, 2, 3]),
  );
}

// secondsOfBackup: since 1970; 0: none was made yet, undefined: none is made by the service.
export function backupTime(secondsOfBackup) {
  if (secondsOfBackup === undefined) return null;
  if (secondsOfBackup === 0) return "there is none";
  return `${moment(secondsOfBackup * 1000)} (${seconds(Date.now() / 1000 - secondsOfBackup)} ago)`;
}
