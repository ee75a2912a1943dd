#!/usr/bin/env python3
"""How long a document takes from its producer to a committed flag, while `neardup serve` has work to do.

  NEARDUP_CORPUS=DIR bench/serve/latency.py > bench/results/serve-latency.md
"""

import gc
import itertools
import time

import rig
import throughput
from rig import runs

LINGERS = (50, 200)
LIGHT = 100  # documents/s
HALF = 0.5
TICK = 0.002  # seconds; a producer that slept for each document would cost more than the service


def produce(bootstrap, topic, rate, count):
    """So many documents of the corpus at this rate, with their number as id and each round in its own namespace.

    Returns the times of sending in nanoseconds of the monotonic clock, and CPU seconds.
    """
    with open(runs.plain_corpus(runs.corpus()), "rb") as corpus:
        rests = [line[line.index(b'",'):].rstrip(b"\n") for line in corpus]  # behind the id
    producer = rig.Client(bootstrap).producer()
    gc.disable()
    sent = []
    cpu, start = time.process_time(), time.monotonic()
    while len(sent) < count:
        due = min(int((time.monotonic() - start) * rate) + 1, count)
        for number in range(len(sent), due):
            value = b'{"namespace":"%d","id":"%d' % (number // len(rests), number) + rests[number % len(rests)]
            sent.append(time.monotonic_ns())
            producer.produce(topic, value)
        producer.poll(0)
        time.sleep(max(TICK, start + len(sent) / rate - time.monotonic()))
    producer.flush()
    return sent, time.process_time() - cpu


def follow(bootstrap, topic, count):
    """The times at which the flags were read, by number of their document, and CPU seconds."""
    gc.disable()
    cpu = time.process_time()
    seen = {}
    for message in itertools.islice(rig.committed_messages(bootstrap, topic), count):
        seen[int(message.key())] = time.monotonic_ns()
    return seen, time.process_time() - cpu


def measure(bench, rate, linger, options):
    count, skipped = int(rate * (options.warmup + options.seconds)), int(rate * options.warmup)
    topic = f"docs-{linger}-{rate:.0f}"
    bench.cluster.create_topic(topic)
    with bench.job(topic, batch__linger_ms=linger) as job, rig.in_process() as processes:
        job.wait_until(lambda: job.events("serving"), "serving")
        cpu = rig.cpu_seconds(job.process.pid), rig.cpu_seconds(bench.broker_pid)
        reader = processes.submit(follow, bench.cluster.bootstrap, job.keys["kafka.output_topic"], count)
        producer = processes.submit(produce, bench.cluster.bootstrap, topic, rate, count)
        (sent, producer_cpu), (seen, reader_cpu) = producer.result(), reader.result()
        wall = (max(seen.values()) - sent[0]) / 1e9
        used = {"service": rig.cpu_seconds(job.process.pid) - cpu[0],
                "broker": rig.cpu_seconds(bench.broker_pid) - cpu[1], "producer": producer_cpu, "reader": reader_cpu}
        bench.drop(job)
    bench.cluster.delete_topic(topic)
    times = sorted((seen[number] - sent[number]) / 1e6 for number in range(skipped, count))
    quantile = lambda share: times[min(int(share * len(times)), len(times) - 1)]
    return {"rate": (count - 1) / ((sent[-1] - sent[0]) / 1e9), "linger_ms": linger, "documents": len(times),
            "p50_ms": quantile(0.5), "p90_ms": quantile(0.9), "p99_ms": quantile(0.99), "max_ms": times[-1],
            "cores": {who: seconds / wall for who, seconds in used.items()}}


def half_of_full(bench):
    """Documents/s: half of what the service does with the corpus beforehand in a topic."""
    file = bench.folder / "documents.jsonl"
    count = throughput.copies(2, file)
    throughput.fill(bench, "docs-full", file, 1)
    seconds = throughput.serve(bench, "docs-full", count)["seconds"]
    bench.cluster.delete_topic("docs-full")
    file.unlink()
    return HALF * count / seconds


def table(rows):
    print("| documents/s | linger ms | p50 ms | p90 ms | p99 ms | most ms | cores used by service, broker, producer, "
          "reader |\n| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(f"| {row['rate']:,.0f} | {row['linger_ms']} | {row['p50_ms']:.0f} | {row['p90_ms']:.0f} "
              f"| {row['p99_ms']:.0f} | {row['max_ms']:.0f} "
              f"| {', '.join(f'{cores:.2f}' for cores in row['cores'].values())} |")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--rate", type=float, help="documents/s; half of the throughput measured first")
    arguments.add_argument("--seconds", type=float, default=30, help="that are measured (30)")
    arguments.add_argument("--warmup", type=float, default=5, help="seconds before them (5)")
    options = rig.parse(arguments)
    rows = []
    with rig.started() as bench:
        rate = options.rate or half_of_full(bench)
        for load in (rate, LIGHT):
            for linger in LINGERS:
                rows.append(measure(bench, load, linger, options))
                rig.progress(str(rows[-1]))
    rig.report("Time from arrival to flag",
               f"From just before a producer is handed a document to the moment at which a reader of committed records "
               f"has its flag, over {options.seconds:.0f} s after {options.warmup:.0f} s of warm-up; documents of the "
               f"corpus, each round in a separate namespace, one partition, exactly once. First at half of the "
               f"throughput, then at light load. The producer (librdkafka's default linger of 5 ms) and the reader are "
               f"Python programs that share the cores with broker and service.", options, rows)
    table(rows)


if __name__ == "__main__":
    main()
