#!/usr/bin/env python3
"""How fast `neardup serve` rebuilds a state that was lost, from the topics, beside flagging the same documents for the
first time.

  bench/serve/rebuild.py > bench/results/serve-rebuild.md
"""

import itertools
import shutil
import time

import restart
import rig

SERVING = b'neardup_service_state{state="serving"} 1'


def serves(job):
    """A scrape costs the service time, so it is not asked often."""
    time.sleep(0.25)
    return SERVING in (job.get("/metrics")[1] or b"")


def run(job, documents, ended):
    """Starts the job and waits; what it cost until ended()."""
    begin = time.monotonic()
    job.start()
    job.wait_until(ended, "the end", rig.LONG)
    seconds = time.monotonic() - begin
    pid = job.process.pid
    row = {"seconds": seconds, "documents_per_second": documents / seconds, "cpu_seconds": rig.cpu_seconds(pid),
           "most_bytes": rig.memory_bytes(pid, "VmHWM")}
    assert job.stop() == 0, job.log_text()
    return row


def measure(bench, partitions, documents):
    topic = f"docs-{partitions}"
    bench.cluster.create_topic(topic, partitions)
    made = itertools.islice(restart.documents(), documents)
    bench.client.produce(topic, [rig.Record(text.encode(), partition=number % partitions)
                                 for number, text in enumerate(made)])
    job = bench.job(topic, partitions=partitions)
    first = run(job, documents, lambda: (rig.delivered(job) or {"next_seq": 0})["next_seq"] > documents)
    flags = bench.cluster.end_offsets(job.keys["kafka.output_topic"])
    shutil.rmtree(job.folder / "state")
    rebuilt = run(job, documents, lambda: serves(job))
    assert bench.cluster.end_offsets(job.keys["kafka.output_topic"]) == flags, "a rebuild sends nothing"
    bench.drop(job)
    for what, row in (("flagged", first), ("rebuilt", rebuilt)):
        row.update({"what": what, "partitions": partitions})
        rig.progress(str(row))
    return [first, rebuilt]


def table(rows):
    print("| partitions | | seconds | documents/s | CPU seconds | most memory, MB |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(f"| {row['partitions']} | {row['what']} | {row['seconds']:.1f} | {row['documents_per_second']:,.0f} "
              f"| {row['cpu_seconds']:.1f} | {row['most_bytes'] / 1e6:,.0f} |")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--documents", type=int, default=1_000_000, help="to flag and to rebuild (1 000 000)")
    options = rig.parse(arguments)
    rows = []
    with rig.started() as bench:
        for partitions in (1, 4):
            rows += measure(bench, partitions, options.documents)
    rig.report("Rebuilding a lost state",
               f"{options.documents:,} generated documents of {restart.WORDS} words, {restart.COPIES:.0%} of them copies; "
               "exactly once, default settings. Flagged: from the start of a new service until the last flag is "
               "delivered. Rebuilt: the state directory is removed, and the service started again; it reads the delivered "
               "order back from the output topic, decides every record once more, compares each flag, and sends nothing; "
               "until it serves.", options, rows)
    table(rows)


if __name__ == "__main__":
    main()
