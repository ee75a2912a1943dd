#!/usr/bin/env python3
"""Memory of `neardup serve` at full rate for a long time, with documents of 5 MB among others.

  NEARDUP_CORPUS=DIR bench/serve/memory.py > bench/results/serve-memory.md

The topic is fed while it is read, and what was read is deleted from it. Takes up to 25 GB of disk, in $TMPDIR.
"""

import itertools
import random
import shutil
import tempfile
import time

import rig
from rig import runs
from view import View

MIB = 1 << 20
STORAGE_MEMORY, BATCH_BYTES, IN_FLIGHT = 256 * MIB, 64 * MIB, 2
BOUND = STORAGE_MEMORY + 4 * IN_FLIGHT * BATCH_BYTES + 256 * MIB
TOLERANCE = 1.15
FREE_DISK = 30 << 30
TOPIC = {"retention.bytes": 4 << 30, "segment.bytes": 256 * MIB, "file.delete.delay.ms": 1000,
         "max.message.bytes": 16 * MIB}
BROKER = {"log.retention.check.interval.ms": 3000}
LARGE_BYTES, LARGE_EVERY, NEW_EVERY = 5_000_000, 500, 10
AHEAD = 1 << 31  # bytes that the producer may be ahead of the service
STEP = 1000  # documents between looks at the service's position
CHECK = 0.1  # seconds to wait before another look


def new_texts(chance):
    """Endless texts that are near to none before: random pieces of random words, about as long as a document."""
    words = [f"{chance.getrandbits(32):x}" for _ in range(20_000)]
    pieces = [" ".join(chance.choices(words, k=50)).encode() for _ in range(5_000)]
    while True:
        yield b'","text":"' + b" ".join(chance.choices(pieces, k=22)) + b'"}'


def endings(seed=1):
    """Records without their beginning `{"id":"…`: documents of the corpus again and again, some new, some large."""
    chance = random.Random(seed)
    new = new_texts(chance)
    with open(runs.plain_corpus(runs.corpus()), "rb") as corpus:
        known = [line[line.index(b'",'):].rstrip(b"\n") for line in corpus]
    texts = [ending[ending.index(b'"text":"') + 8:-2] for ending in known]
    large = [b'","text":"' + large_text(texts, chance) + b'"}' for _ in range(8)]
    for number in itertools.count():
        if number % LARGE_EVERY == 0:
            yield large[number // LARGE_EVERY % len(large)]
        else:
            yield next(new) if number % NEW_EVERY == 0 else known[number % len(known)]


def large_text(texts, chance):
    parts, size = [], 0
    while size < LARGE_BYTES:
        parts.append(chance.choice(texts))
        size += len(parts[-1])
    return b" ".join(parts)


def feed(bootstrap, internal, topic, group, seconds):
    """Produces as fast as the service reads. Returns documents, bytes, and the share of time that it waited."""
    producer = rig.Client(bootstrap).producer(queue_buffering_max_kbytes=256 << 10)
    view = View(internal)
    start = time.monotonic()
    total, waited, records = 0, 0.0, endings()
    behind = []  # bytes sent up to every STEP-th document
    for number, ending in enumerate(records):
        send(producer, topic, b'{"id":"%d' % number + ending)
        total += len(ending)
        if number % STEP:
            continue
        behind.append(total)
        begin = time.monotonic()
        while total - behind[position(view, group, topic) // STEP] > AHEAD and time.monotonic() < start + seconds:
            producer.poll(CHECK)
            if time.monotonic() > begin + rig.SILENCE:
                raise TimeoutError("the service does not go on")
        waited += time.monotonic() - begin
        if time.monotonic() > start + seconds:
            break
    producer.flush()
    return number + 1, total, waited / seconds


def position(view, group, topic):
    found = view.committed(group).get((topic, 0))
    return found.offset if found else 0


def send(producer, topic, value):
    while True:
        try:
            return producer.produce(topic, value)
        except BufferError:
            producer.poll(CHECK)


def measure(bench, mode, options):
    """((seconds since the start, RSS) for each second, the row of the run)."""
    topic = f"docs-{mode}"
    bench.cluster.create_topic(topic, config=TOPIC)
    settings = {"output__mode": mode, "storage__memory": STORAGE_MEMORY, "batch__max_bytes": BATCH_BYTES,
                "batch__in_flight": IN_FLIGHT, "log__level": "info"}
    samples, topic_bytes = [], 0
    with bench.job(topic, topic_config=TOPIC, **settings) as job, rig.in_process() as processes:
        job.wait_until(lambda: job.events("serving"), "serving")
        feeder = processes.submit(feed, bench.cluster.bootstrap, bench.cluster.internal, topic,
                                  job.keys["kafka.group_id"], options.minutes * 60)
        start = time.monotonic()
        while not feeder.done():
            assert job.running(), job.log_text()[-2000:]
            samples.append((time.monotonic() - start, rig.memory_bytes(job.process.pid, "VmRSS")))
            topic_bytes = max(topic_bytes, rig.folder_bytes(bench.cluster.nodes[1].data / f"{topic}-0"))
            time.sleep(1)
        documents, size, waited = feeder.result()
        row = {"mode": mode, "peak_rss_bytes": rig.memory_bytes(job.process.pid, "VmHWM"), "documents": documents,
               "bytes": size, "seconds": options.minutes * 60, "producer_waited": waited,
               "state_bytes": rig.folder_bytes(job.folder / "state"), "topic_bytes": topic_bytes}
        bench.drop(job)
    bench.cluster.delete_topic(topic)
    return samples, row


def summary(rows):
    print("| mode | documents | MB/s | peak memory MB | of the bound | topic at most, MB | state MB "
          "| time that the producer was ahead |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(f"| {row['mode']} | {row['documents']:,} | {row['bytes'] / row['seconds'] / 1e6:.0f} "
              f"| {row['peak_rss_bytes'] / 1e6:,.0f} | {row['peak_rss_bytes'] / BOUND:.0%} "
              f"| {row['topic_bytes'] / 1e6:,.0f} | {row['state_bytes'] / 1e6:,.0f} | {row['producer_waited']:.0%} |")


def curve(samples):
    """The most of each minute, by mode. `samples`: mode → what `measure` gave."""
    print(f"\nMost memory in each minute, MB, sampled every second:\n\n| minute | {' | '.join(samples)} |")
    print("| --- |" + " --- |" * len(samples))
    by_mode = [of_minutes(found) for found in samples.values()]
    for minute in sorted(set.union(*map(set, by_mode))):
        print(f"| {minute} | {' | '.join(f'{one[minute] / 1e6:,.0f}' if minute in one else '' for one in by_mode)} |")


def of_minutes(samples):
    most = {}
    for seconds, rss in samples:
        minute = int(seconds // 60) + 1
        most[minute] = max(most.get(minute, 0), rss)
    return most


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--minutes", type=float, default=20, help="of each mode (20)")
    arguments.add_argument("--mode", choices=("flags", "annotate", "both"), default="both", help="of output (both)")
    options = rig.parse(arguments)
    if shutil.disk_usage(tempfile.gettempdir()).free < FREE_DISK:
        raise SystemExit(f"{tempfile.gettempdir()} has less than {FREE_DISK >> 30} GB free: set TMPDIR")
    rows, samples = [], {}
    with rig.started(BROKER) as bench:
        for mode in ("flags", "annotate") if options.mode == "both" else (options.mode,):
            samples[mode], row = measure(bench, mode, options)
            rows.append(row)
            rig.progress(str(row))
    rig.report("Memory of `neardup serve` over time",
               f"{options.minutes:g} minutes of each mode at full rate over a topic bounded to "
               f"{TOPIC['retention.bytes'] >> 30} GiB: documents of the corpus under ever new ids, one in {NEW_EVERY} "
               f"new, one in {LARGE_EVERY} of {LARGE_BYTES / 1e6:.0f} MB. storage.memory 256MiB, "
               f"batch.max_bytes 64MiB, batch.in_flight 2: the bound, storage.memory + 4 × in_flight × max_bytes + "
               f"256 MiB, is {BOUND / 1e6:,.0f} MB, and {(TOLERANCE - 1):.0%} above it are allowed.", options, rows)
    summary(rows)
    curve(samples)


if __name__ == "__main__":
    main()
