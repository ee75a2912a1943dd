#!/usr/bin/env python3
"""`neardup scan` over hostile and skewed streams, beside plain ones of documents of the same size.

  bench/hostile.py > bench/results/hostile.md

A stream should not be more than twice as slow as the plain one, nor its slow batches.
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
MOST = 2.0


def write(case, path):
    """The documents as JSON Lines. None of the texts holds a character that needs an escape."""
    with open(path, "w", encoding="utf-8") as lines:
        for name, text in case.make(case.documents):
            lines.write(f'{{"id":"{name}","text":"{text}"}}\n')
    return path


def scan(binary, case, documents):
    """The summary of one run with the default batches."""
    summary = runs.scan(binary, documents, documents.with_suffix(".flags"), case.settings)
    documents.with_suffix(".flags").unlink()
    return summary


def batch_seconds(binary, case, documents):
    """Seconds of each batch. Its flags are written together, so their arrival tells when it was decided."""
    settings = [part for setting in (*case.settings, f"batch.documents={BATCH}") for part in ("--set", setting)]
    runs.warm(documents)
    process = subprocess.Popen([binary, "scan", *settings, documents], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    arrivals, flags = [time.monotonic()], 0
    while block := os.read(process.stdout.fileno(), 1 << 20):
        flags += block.count(b"\n")
        while flags >= BATCH * len(arrivals):
            arrivals.append(time.monotonic())
    if process.wait():
        sys.exit(f"{case.name}: scan ended with {process.returncode}")
    return [after - before for before, after in zip(arrivals[1:], arrivals[2:])]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else None


def measure(binary, case, documents, repeats):
    summaries = [scan(binary, case, documents) for _ in range(repeats)]
    seconds = statistics.median(summary["seconds"] for summary in summaries)
    last = summaries[-1]
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
        "batch_p99_seconds": percentile(batch_seconds(binary, case, documents), 0.99),
        "stage_seconds": last["stage_seconds"],
    }


def compare(row, plain, case):
    """How many times slower than the plain stream."""
    rate = "mb_per_second" if case.by_byte else "documents_per_second"
    row["plain"] = case.plain
    row["slower"] = plain[rate] / row[rate]
    times = row["batch_p99_seconds"], plain["batch_p99_seconds"]
    row["p99_slower"] = times[0] / times[1] if all(times) else None


def show(row):
    times = lambda value: "–" if value is None else f"**{value:.2f}**" if value > MOST else f"{value:.2f}"
    p99 = row["batch_p99_seconds"]
    print(f"| {row['case']} | {row['documents']:,} | {row['mb_per_second']:.0f} | {row['documents_per_second']:,.0f} "
          f"| {times(row['slower'])} | {'–' if p99 is None else f'{p99 * 1e3:.1f}'} | {times(row['p99_slower'])} "
          f"| {row['peak_rss_bytes'] / 1e6:.0f} | {row['flagged'] / row['documents']:.2f} | {row['plain']} |", flush=True)


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
          f"last column names, by documents, of very long ones by bytes; p99 is of batches of {BATCH} documents.\n")
    print("| stream | documents | MB/s | documents/s | slower | batch p99 ms | p99 slower | peak memory MB | flagged | plain |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
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
