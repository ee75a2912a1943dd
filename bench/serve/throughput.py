#!/usr/bin/env python3
"""How fast `neardup serve` reads a topic filled beforehand, beside `neardup scan` of the same documents.

  NEARDUP_CORPUS=DIR bench/serve/throughput.py > bench/results/serve-throughput.md
"""

import pathlib
import tempfile

import rig
from rig import runs

ONE, FOUR = 1, 4  # partitions
CASES = [(partitions, guarantee) for partitions in (ONE, FOUR) for guarantee in ("exactly_once", "at_least_once")]


def copies(count, target):
    """The corpus so many times into a file, each in a separate namespace, so that none is compared with another."""
    begin = b'{"'
    with open(runs.plain_corpus(runs.corpus()), "rb") as corpus:
        lines = corpus.readlines()
    with open(target, "wb") as out:
        for copy in range(count):
            out.writelines(b'{"namespace":"copy-%d","' % copy + line[len(begin):] for line in lines)
    return len(lines) * count


def fill(bench, topic, documents, partitions):
    """A topic with the lines of a file, dealt to its partitions in turn."""
    bench.cluster.create_topic(topic, partitions)
    with open(documents, "rb") as lines:
        bench.client.produce(topic, (rig.Record(line.rstrip(b"\n"), partition=i % partitions)
                                     for i, line in enumerate(lines)), linger_ms=50)


def serve(bench, topic, documents, partitions=1, **settings):
    """Reads the whole topic once. Seconds are from the readiness of the service to the commit of the last flag."""
    with bench.job(topic, partitions=partitions, **settings) as job:
        job.wait_until(lambda: job.events("serving"), "serving")
        broker = rig.cpu_seconds(bench.broker_pid)
        last = rig.wait_delivered(job, documents)
        row = {"seconds": rig.time_of(last) - rig.time_of(job.events("serving")[0]),
               "cpu_seconds": rig.cpu_seconds(job.process.pid),
               "broker_cpu_seconds": rig.cpu_seconds(bench.broker_pid) - broker,
               "peak_rss_bytes": rig.memory_bytes(job.process.pid, "VmHWM")}
        bench.drop(job)
    return row


def scan(bench, options, documents):
    with tempfile.TemporaryDirectory(dir=bench.folder) as scratch:
        scratch = pathlib.Path(scratch)
        summary = runs.scan(options.binary.resolve(), documents, scratch / "flags.jsonl", state=scratch / "state")
    return {"seconds": summary["wall_seconds"], "cpu_seconds": summary["cpu_seconds"], "broker_cpu_seconds": 0,
            "peak_rss_bytes": summary["peak_rss_bytes"]}


def measure(bench, options):
    """(rows by case, bytes, documents); None is the case of `scan`."""
    file = bench.folder / "documents.jsonl"
    documents = copies(options.copies, file)
    for partitions in (ONE, FOUR):
        fill(bench, f"docs-{partitions}", file, partitions)
    rig.progress(f"topics filled with {documents} documents")
    rows = {case: [] for case in [None, *CASES]}
    scan(bench, options, file)  # warms the file
    for run in range(options.runs):
        for case, found in rows.items():
            found.append(scan(bench, options, file) if case is None else
                         serve(bench, f"docs-{case[0]}", documents, case[0], kafka__guarantee=case[1]))
            rig.progress(f"run {run}: {name(case)}: {found[-1]['seconds']:.2f} s")
    return rows, file.stat().st_size, documents


def name(case):
    return "`scan --state`" if case is None else f"{case[0]} partition{'s' * (case[0] > 1)}, {case[1]}"


def ratios(dividends, divisors):
    """Of the speeds of runs that stand beside each other."""
    return runs.spread([b["seconds"] / a["seconds"] for a, b in zip(dividends, divisors)])


def table(rows, size, documents):
    print("| what | MB/s | documents/s | of `scan` | CPU s | broker's CPU s | peak memory MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for case, found in rows.items():
        speed = lambda amount: runs.spread([amount / row["seconds"] for row in found], 0)
        used = lambda key: runs.spread([row[key] for row in found], 1)
        print(f"| {name(case)} | {speed(size / 1e6)} | {speed(documents)} | {ratios(found, rows[None])} "
              f"| {used('cpu_seconds')} | {used('broker_cpu_seconds')} "
              f"| {max(row['peak_rss_bytes'] for row in found) / 1e6:.0f} |")
    for partitions in (ONE, FOUR):
        both = [rows[partitions, guarantee] for guarantee in ("exactly_once", "at_least_once")]
        print(f"\nExactly once runs at {ratios(*both)} of the speed of at least once with {partitions} "
              f"partition{'s' * (partitions > 1)}.")
    print("\nThe time of a service is from its log line `serving` to that of the last batch delivered; the time of "
          "`scan` includes starting and ending the process. CPU is that of whole processes, the broker's from "
          "`serving` on.")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--copies", type=int, default=4, help="times that the corpus is in the topic (4)")
    arguments.add_argument("--runs", type=int, default=3, help="of each case, in turn (3)")
    options = rig.parse(arguments)
    with rig.started() as bench:
        rows, size, documents = measure(bench, options)
    flat = [{"case": name(case), "run": run, **row} for case, found in rows.items() for run, row in enumerate(found)]
    rig.report("Throughput of `neardup serve`",
               f"{documents:,} documents, {size / 1e6:,.0f} MB of JSON: the corpus {options.copies} times, each in a "
               "namespace of its own, uncompressed. Broker and service share the cores. Default settings; "
               f"{options.runs} runs of each in turn, median (least to most); topics and file are in the page cache.",
               options, flat)
    table(rows, size, documents)


if __name__ == "__main__":
    main()
