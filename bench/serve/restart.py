#!/usr/bin/env python3
"""How soon `neardup serve` works again after kill -9 with a million documents of state.

  bench/serve/restart.py > bench/results/serve-restart.md
"""

import itertools
import random
import socket
import threading
import time

import rig
from rig import runs

WORDS = 60
VOCABULARY = 20_000
COPIES = 0.05  # of documents
WORK_PER_KILL = 150_000  # documents that wait in the topic for each restart
POLL = 0.005


def documents(seed=1):
    """Endless short documents, few of them copies."""
    chance = random.Random(seed)
    words = [f"{chance.getrandbits(40):x}" for _ in range(VOCABULARY)]
    text = ""
    for number in itertools.count():
        if chance.random() >= COPIES:
            text = " ".join(chance.choices(words, k=WORDS))
        yield f'{{"id":"{number}","text":"{text}"}}'


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_ready(port):
    try:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET /readyz HTTP/1.0\r\n\r\n")
            return b" 200 " in connection.recv(64)
    except OSError:
        return False


def first_flag(bench, topic):
    """A thread that waits for the first committed flag after those that are there now; when it came, in a list."""
    came = []
    messages = rig.committed_messages(bench.cluster.bootstrap, topic, bench.cluster.end_offsets(topic)[0])

    def wait():
        next(messages)
        came.append(time.monotonic())
        messages.close()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread, came


def restart(bench, job, port, delay):
    """Kills it `delay` seconds from now and starts it again; milliseconds from the start."""
    time.sleep(delay)
    job.kill()
    waiting, came = first_flag(bench, job.keys["kafka.output_topic"])
    start = time.monotonic()
    job.start()
    while not is_ready(port):
        assert job.running(), job.log_text()
        time.sleep(POLL)
    ready = time.monotonic()
    waiting.join()
    recovered = job.events("recovered")[0]
    return {"documents": recovered["next_seq"], "ready_ms": (ready - start) * 1e3,
            "first_flag_ms": (came[0] - start) * 1e3}


def measure(bench, options):
    """(a row for each restart, the state's bytes)."""
    bench.cluster.create_topic("docs")
    bench.client.produce("docs", itertools.islice(documents(), options.documents + options.runs * WORK_PER_KILL))
    port = free_port()
    delays = random.Random(2)
    rows = []
    with bench.job("docs", http__listen=f"127.0.0.1:{port}") as job:
        rig.wait_delivered(job, options.documents)
        rig.progress("state made")
        for _ in range(options.runs):
            rows.append(restart(bench, job, port, delays.random() / 2))
            rig.progress(str(rows[-1]))
        assert bench.cluster.lag(job.keys["kafka.group_id"], "docs") > 0, "it was not killed at work"
        return rows, rig.folder_bytes(job.folder / "state")


def table(rows):
    print("| documents in the state | ready, ms | first new flag, ms |\n| --- | --- | --- |")
    for row in rows:
        print(f"| {row['documents']:,} | {row['ready_ms']:.0f} | {row['first_flag_ms']:.0f} |")
    print(f"| median (least to most) | {runs.spread([row['ready_ms'] for row in rows], 0)} "
          f"| {runs.spread([row['first_flag_ms'] for row in rows], 0)} |")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--documents", type=int, default=1_000_000, help="in the state before the first kill")
    arguments.add_argument("--runs", type=int, default=5, help="restarts (5)")
    options = rig.parse(arguments)
    with rig.started() as bench:
        rows, size = measure(bench, options)
    rig.report("Restart after kill -9",
               f"Generated documents of {WORDS} words, {COPIES:.0%} of them copies; one partition, exactly once, "
               f"default settings; the state takes {size / 1e6:,.0f} MB at the end. The service is killed at work at a "
               f"random time and started at once. Ready: until `/readyz` says 200, asked every {POLL * 1e3:.0f} ms. "
               "First new flag: until a reader of committed records has one that was not there before.", options, rows)
    table(rows)


if __name__ == "__main__":
    main()
