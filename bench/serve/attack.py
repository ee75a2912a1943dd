#!/usr/bin/env python3
"""Requests under /v1 from clients that mean no good: what they cost, and how long others wait meanwhile.

  bench/serve/attack.py > bench/results/serve-attack.md
"""

import contextlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import rig

sys.path.insert(0, str(rig.ROOT / "tests" / "http"))

import hostile_clients as hostile  # noqa: E402

MB = 1_000_000
FLOOD = 300 * MB
ADDRESSES = [f"127.0.0.{i}" for i in range(2, 12)]
DRIPPING = 500
PAUSE = 0.01  # seconds between two requests of a good client
RECORDS, TEXT_BYTES, PIECE_RECORDS = 1000, 100_000, 10  # that a large body repeats


def head(server, line, fields):
    return b"%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n%s" % (line, server.token.encode(), fields)


def floods(folder, Server):
    rows = []
    for line in (b"POST /v1/documents", b"POST /v1/check"):
        with Server(folder / f"flood {len(rows)}") as server:
            server.flags(b'{"id":"a","text":"one two three four five six"}')
            before = hostile.settled_memory(server.process)
            sent, seconds = hostile.flood(server.address, head(server, line, b"X: "), b"x" * MB, FLOOD)
            rows.append({"request": line.decode(), "sent": sent, "seconds": seconds, "before": before,
                         "most": server.memory()})
            rig.progress(rows[-1])
    return rows


def asked(count, ask):
    """Seconds of each of so many requests, and how many were not answered with 200."""
    took, failed = [], 0
    for number in range(count):
        begin = time.monotonic()
        try:
            failed += not ask(number)
        except OSError:
            failed += 1
        took.append(time.monotonic() - begin)
        time.sleep(PAUSE)
    return sorted(took), failed


def good_client(server, count):
    """Checks of one document over one connection, and probes by a connection each."""
    with contextlib.closing(server.connect()) as connection:
        def check(number):
            record = json.dumps({"id": f"{number}", "text": f"one two three four five {number}"}).encode()
            return server.send(record, connection, "/v1/check")[0] == 200
        checks = asked(count, check)
    return checks, asked(count, lambda _: hostile.ask(server.address).endswith(b"ok\n"))


def drips(folder, Server, count):
    upload = b"Content-Length: 1000000\r\n\r\n" + b'{"id":"'
    rows = []
    for name, line, fields in (("none", None, None), ("heads", b"POST /v1/documents", b"X: "),
                               ("bodies of /v1/documents", b"POST /v1/documents", upload),
                               ("bodies of /v1/check", b"POST /v1/check", upload)):
        with Server(folder / name.replace("/", "-")) as server, contextlib.ExitStack() as stack:
            if line:
                stack.enter_context(hostile.Drippers(server.address, DRIPPING, ADDRESSES, head(server, line, fields)))
            checks, probes = good_client(server, count)
            rows.append({"drip": name, "checks": checks, "probes": probes})
            rig.progress(f"{name}: {checks[1]} checks and {probes[1]} probes failed")
    return rows


def pieces():
    """Of a body of RECORDS large records."""
    for first in range(0, RECORDS, PIECE_RECORDS):
        yield b"".join(b'{"id":"%d","text":"%s"}\n' % (i, (b"%d one two three " % i * TEXT_BYTES)[:TEXT_BYTES])
                       for i in range(first, first + PIECE_RECORDS))


def packed(piece):
    return subprocess.run(["zstd", "-qc1"], input=piece, capture_output=True, check=True).stdout


class Sampler:
    """The memory of a process every half second."""

    def __init__(self, process):
        self.process, self.samples, self.end = process, [], threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.end.wait(0.5):
            self.samples.append(rig.memory_bytes(self.process.pid, "VmRSS"))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()


def bodies(folder, Server, gigabytes):
    rows = []
    plain = list(pieces())
    for coding, parts in (("identity", plain), ("zstd", [packed(piece) for piece in plain])):
        rounds = round(gigabytes * 1000 * MB / sum(map(len, plain)))
        with Server(folder / coding) as server, Sampler(server.process) as sampler:
            begin = time.monotonic()
            body = (part for _ in range(rounds) for part in parts)
            status, _, answer = server.send(body, Content_Encoding=coding)
            seconds = time.monotonic() - begin
            if status != 200:
                raise RuntimeError(f"{coding}: {status}")
            rows.append({"coding": coding, "bytes": rounds * sum(map(len, plain)), "sent": rounds * sum(map(len, parts)),
                         "seconds": seconds, "counts": answer["Neardup-Counts"], "most": server.memory(),
                         "samples": sampler.samples})
        rig.progress({key: value for key, value in rows[-1].items() if key != "samples"})
    return rows


def table(found):
    print(f"| {FLOOD // MB} MB of a header line | taken, MB | closed after, s | RSS before, MB | most, MB | growth, MB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in found["floods"]:
        print(f"| `{row['request']}` | {row['sent'] / MB:.0f} | {row['seconds']:.1f} | {row['before'] / MB:.1f} "
              f"| {row['most'] / MB:.1f} | {(row['most'] - row['before']) / MB:.1f} |")
    print(f"\n| {DRIPPING} clients drip | checks of one document | failed | probes | failed |")
    print("| --- | --- | ---: | --- | ---: |")
    for row in found["drips"]:
        print(f"| {row['drip']} | {of_millis(row['checks'][0])} | {row['checks'][1]} | {of_millis(row['probes'][0])} "
              f"| {row['probes'][1]} |")
    print("\n| body | sent, MB | s | flags | most memory, MB | after a tenth, half, all of the time, MB |")
    print("| --- | ---: | ---: | --- | ---: | --- |")
    for row in found["bodies"]:
        at = [row["samples"][int((len(row["samples"]) - 1) * share)] / MB for share in (0.1, 0.5, 1)]
        print(f"| {row['bytes'] / 1e9:.0f} GB, {row['coding']} | {row['sent'] / MB:,.1f} | {row['seconds']:.0f} "
              f"| {row['counts']} | {row['most'] / MB:.0f} | {at[0]:.0f}, {at[1]:.0f}, {at[2]:.0f} |")


def of_millis(took):
    cuts = statistics.quantiles(took, n=100)
    return f"p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms, most {took[-1] * 1e3:.1f} ms"


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--requests", type=int, default=1000, help="checks, and probes, of the good client (1000)")
    arguments.add_argument("--gigabytes", type=float, default=20, help="of a body (20)")
    options = rig.parse(arguments)
    os.environ["NEARDUP_BINARY"] = str(options.binary.resolve())
    from server import Server

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="neardup-bench-") as name:
        folder = pathlib.Path(name)
        found = {"floods": floods(folder, Server), "drips": drips(folder, Server, options.requests),
                 "bodies": bodies(folder, Server, options.gigabytes)}
    rig.report("Requests under /v1 from hostile clients",
               f"Default settings. All clients are Python programs on the same cores. {DRIPPING} clients from ten addresses send "
               "a byte a second each and come again when they are cut off; a good one asks 127.0.0.1 for checks of one document "
               "over one connection, and then for `/healthz` by a connection each. A large body repeats "
               f"{RECORDS} records of {TEXT_BYTES // 1000} KB, in chunks.", options, [found])
    table(found)


if __name__ == "__main__":
    main()
