#!/usr/bin/env python3
"""What searches cost `neardup serve`: its speed with and without an index of keywords, and beside queries.

  NEARDUP_CORPUS=DIR bench/serve/similar.py > bench/results/serve-similar.md
"""

import http.client
import json
import pathlib
import time

import rig
import throughput
from rig import runs

# (similar.index, queries a second)
CASES = [("off", 0), ("on", 0), ("off", 10), ("on", 10)]
TEXTS = 200  # of the corpus, asked about in turn


def ask(address, token, texts, rate, stop):
    """Asks for the documents similar to a text so many times a second, until the file `stop` is there; seconds of each."""
    host, _, port = address.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port))
    took, due = [], time.monotonic()
    while not pathlib.Path(stop).exists():
        body = json.dumps({"text": texts[len(took) % len(texts)], "namespace": "copy-0"})
        begin = time.monotonic()
        connection.request("POST", "/v1/control/similar", body, {"Authorization": f"Bearer {token}"})
        reply = connection.getresponse()
        answer = reply.read()
        if reply.status != 200:
            raise RuntimeError(answer)
        took.append(time.monotonic() - begin)
        due += 1 / rate
        time.sleep(max(due - time.monotonic(), 0))
    return took


def serve(bench, documents, texts, index, rate):
    """Reads the whole topic once, beside queries."""
    with bench.job("docs", similar__index=index) as job, rig.in_process() as processes:
        job.wait_until(lambda: job.events("serving"), "serving")
        stop = bench.folder / "stop"
        stop.unlink(missing_ok=True)
        asked = None
        if rate:
            token = json.loads((pathlib.Path(job.keys["storage.path"]) / "control").read_text())["token"]
            asked = processes.submit(ask, job.address(), token, texts, rate, str(stop))
        last = rig.wait_delivered(job, documents)
        row = {"index": index, "rate": rate, "cpu_seconds": rig.cpu_seconds(job.process.pid),
               "seconds": rig.time_of(last) - rig.time_of(job.events("serving")[0])}
        stop.touch()
        row["took"] = sorted(asked.result()) if asked else []
        bench.drop(job)
    return row


def name(case):
    index, rate = case
    return f"index {index}" + (f", {rate} queries a second" if rate else "")


def measure(bench, options):
    file = bench.folder / "documents.jsonl"
    documents = throughput.copies(options.copies, file)
    throughput.fill(bench, "docs", file, 1)
    with open(file, "rb") as lines:
        texts = [json.loads(next(lines))["text"] for _ in range(TEXTS)]
    rig.progress(f"a topic filled with {documents} documents")
    rows = {case: [] for case in CASES}
    serve(bench, documents, texts, "off", 0)  # warms the topic
    for run in range(options.runs):
        for case, found in rows.items():
            found.append(serve(bench, documents, texts, *case))
            rig.progress(f"run {run}: {name(case)}: {found[-1]['seconds']:.2f} s")
    return rows, documents


def table(rows, documents):
    print("| case | documents/s | of the first | CPU s | of the first | queries | ms of a query: median | p99 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for case, found in rows.items():
        ratios = lambda key, up: runs.spread([(b[key] / a[key] if up else a[key] / b[key])
                                              for a, b in zip(rows[CASES[0]], found)])
        took = sorted(seconds for row in found for seconds in row["took"])
        times = [f"{1e3 * took[len(took) * share // 100]:.1f}" for share in (50, 99)] if took else ["", ""]
        print(f"| {name(case)} | {runs.spread([documents / row['seconds'] for row in found], 0)} "
              f"| {ratios('seconds', False)} | {runs.spread([row['cpu_seconds'] for row in found], 1)} "
              f"| {ratios('cpu_seconds', True)} | {len(took)} | {times[0]} | {times[1]} |")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--copies", type=int, default=4, help="times that the corpus is in the topic (4)")
    arguments.add_argument("--runs", type=int, default=5, help="of each case, in turn (5)")
    options = rig.parse(arguments)
    with rig.started() as bench:
        rows, documents = measure(bench, options)
    rig.report("Searches beside `neardup serve`",
               f"{documents:,} documents: the corpus {options.copies} times, each in a separate namespace; one "
               f"partition, default settings; {options.runs} runs of each case in turn, median (least to most). "
               "Broker, service and asker share the cores. Queries are texts of the corpus, asked over HTTP.",
               options, [row for found in rows.values() for row in found])
    table(rows, documents)


if __name__ == "__main__":
    main()
