#!/usr/bin/env python3
"""`neardup scan` over hostile and skewed streams, beside plain ones of documents of the same size.

  bench/hostile.py > bench/results/hostile.md

A stream should not be more than twice as slow as the plain one (some under `against: all`, four times), nor its slow
batches; and what a document of a steady stream costs must not grow with what is stored.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import corpus_runs as runs
import hostile_cases

BATCH = 1024  # of the runs in which batches are timed: enough of them for a 99th percentile
STEADY = 1.3  # the last tenth of a steady stream against the second one


def write(case, path):
    """The documents as JSON Lines. None of the texts holds a character that needs an escape."""
    with open(path, "w", encoding="utf-8") as lines:
        for name, text, *space in case.make(case.documents):
            namespace = f',"namespace":"{space[0]}"' if space else ""
            lines.write(f'{{"id":"{name}","text":"{text}"{namespace}}}\n')
    return path


def scan(binary, case, documents):
    """The summary of one run with the default batches."""
    summary = runs.scan(binary, documents, documents.with_suffix(".flags"), case.settings)
    documents.with_suffix(".flags").unlink()
    return summary


def cpu_seconds(process):
    """What all threads of a process have used so far."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def batch_seconds(binary, case, documents):
    """(elapsed, of the processor) of each batch. Its flags are written together, so their arrival tells when it was
    decided."""
    settings = [part for setting in (*case.settings, f"batch.documents={BATCH}") for part in ("--set", setting)]
    runs.warm(documents)
    process = subprocess.Popen([binary, "scan", *settings, documents], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    now = lambda: (time.monotonic(), cpu_seconds(process))
    arrivals, flags = [now()], 0
    while block := os.read(process.stdout.fileno(), 1 << 20):
        flags += block.count(b"\n")
        while flags >= BATCH * len(arrivals):
            arrivals.append(now())
    if process.wait():
        sys.exit(f"{case.name}: scan ended with {process.returncode}")
    return [(after[0] - before[0], after[1] - before[1]) for before, after in zip(arrivals[1:], arrivals[2:])]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else None


def growth(batches):
    """Processor time of the last tenth of the batches over that of the second: the first one warms up. Other programs
    on the machine do not count in it."""
    used, tenth = [used for _, used in batches], len(batches) // 10
    return sum(used[-tenth:]) / sum(used[tenth:2 * tenth]) if tenth else None


def measure(binary, case, documents, repeats):
    summaries = [scan(binary, case, documents) for _ in range(repeats)]
    seconds = statistics.median(summary["seconds"] for summary in summaries)
    last = summaries[-1]
    batches = [batch_seconds(binary, case, documents) for _ in range(repeats if case.steady else 1)]
    return {
        "case": case.name,
        "documents": last["documents"],
        "text_bytes": last["bytes"],
        "seconds": seconds,
        "documents_per_second": last["documents"] / seconds,
        "mb_per_second": last["bytes"] / seconds / 1e6,
        "cpu_seconds": statistics.median(summary["cpu_seconds"] for summary in summaries),
        "peak_rss_bytes": max(summary["peak_rss_bytes"] for summary in summaries),
        "flagged": last["near_duplicates"] + last["exact_duplicates"],
        "batch_p99_seconds": statistics.median(percentile([took for took, _ in run], 0.99) for run in batches) if all(batches) else None,
        "growth": statistics.median(map(growth, batches)) if case.steady else None,
        "stage_seconds": last["stage_seconds"],
    }


def compare(row, plain, case):
    """How many times slower than the plain stream."""
    rate = "mb_per_second" if case.by_byte else "documents_per_second"
    row["plain"] = case.plain
    row["most"] = case.most
    row["slower"] = plain[rate] / row[rate]
    times = row["batch_p99_seconds"], plain["batch_p99_seconds"]
    row["p99_slower"] = times[0] / times[1] if all(times) else None


def show(row):
    times = lambda value, most=row["most"]: "–" if value is None else f"**{value:.2f}**" if value > most else f"{value:.2f}"
    p99 = row["batch_p99_seconds"]
    print(f"| {row['case']} | {row['documents']:,} | {row['mb_per_second']:.0f} | {row['documents_per_second']:,.0f} "
          f"| {times(row['slower'])} | {'–' if p99 is None else f'{p99 * 1e3:.1f}'} | {times(row['p99_slower'])} "
          f"| {row['peak_rss_bytes'] / 1e6:.0f} | {row['flagged'] / row['documents']:.2f} | {times(row['growth'], STEADY)} | {row['plain']} |", flush=True)


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="build/neardup", type=pathlib.Path)
    parser.add_argument("--megabytes", default=400, type=int, help="text of a stream, about")
    parser.add_argument("--members", default=1_000_000, type=int, help="documents of the one bucket")
    parser.add_argument("--repeats", default=3, type=int)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--json", type=pathlib.Path, help="write a row for each case to this file")
    return parser.parse_args()


def main():
    asked = options()
    binary = asked.binary.resolve()
    cases = hostile_cases.cases(asked.megabytes, asked.members)
    chosen = [case for case in cases if asked.only in case.name]
    needed = {case.plain for case in chosen}
    print("# Hostile and skewed streams\n")
    print(f"`bench/hostile.py`, {asked.repeats} runs each, median, {runs.machine()}. *Slower* is against the plain stream that the "
          f"last column names, by documents, of very long ones by bytes; p99 is of batches of {BATCH} documents. *Growth*: processor "
          "time of the last tenth of those batches against the second, for streams whose documents must not cost more as they go on. Bold: more than "
          f"2 times slower (those of such streams under `against: all`: 4 times), or grown more than {STEADY} times.\n")
    print("| stream | documents | MB/s | documents/s | slower | batch p99 ms | p99 slower | peak memory MB | flagged | growth | plain |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    rows = {}
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as at_end:
        out = at_end.enter_context(open(asked.json, "w", encoding="utf-8")) if asked.json else None
        for case in cases:
            if case.name not in needed and case not in chosen:
                continue
            documents = write(case, pathlib.Path(scratch) / "stream.jsonl")
            rows[case.name] = measure(binary, case, documents, asked.repeats)
            compare(rows[case.name], rows[case.plain], case)
            show(rows[case.name])
            if out:
                print(json.dumps(rows[case.name]), file=out, flush=True)


if __name__ == "__main__":
    main()
