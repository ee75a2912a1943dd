#!/usr/bin/env python3
"""Documents over HTTP: the speed of bulk requests compared with `scan`, and the time that a request of one document takes.

  NEARDUP_CORPUS=DIR bench/serve/documents.py > bench/results/serve-documents.md
"""

import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import rig
import throughput
from rig import runs

sys.path.insert(0, str(rig.ROOT / "tests" / "http"))

CLIENTS = 16
AT_ONCE = 1000  # documents of a request of one of the clients
SINGLE = 2000  # requests of one document, over one connection


def scan(binary, file, folder):
    begin = time.monotonic()
    subprocess.run([binary, "scan", "--state", folder / "state", "-o", folder / "flags", file], check=True,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def curl(server, file, folder):
    begin = time.monotonic()
    subprocess.run(["curl", "-sS", "-f", "-T", file, "-H", f"Authorization: Bearer {server.token}", "-o",
                    folder / "flags", f"http://{server.address}/v1/documents"], check=True)
    return time.monotonic() - begin


def clients(server, lines):
    """The lines by several clients at once, each in requests over one connection."""
    def send(number):
        with contextlib.closing(server.connect()) as connection:
            for at in range(number * AT_ONCE, len(lines), CLIENTS * AT_ONCE):
                server.flags(b"".join(lines[at:at + AT_ONCE]), connection)
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(send, range(CLIENTS)))
    return time.monotonic() - begin


def single(server, lines):
    took = []
    with contextlib.closing(server.connect()) as connection:
        for line in lines[:SINGLE]:
            begin = time.monotonic()
            server.flags(line, connection)
            took.append(time.monotonic() - begin)
    return sorted(took)


def measure(options, file, lines):
    from server import Server

    rows = []
    for run in range(options.runs):
        with tempfile.TemporaryDirectory(prefix="neardup-bench-") as name:
            folder = pathlib.Path(name)
            row = {"scan": scan(options.binary, file, folder)}
            with Server(folder / "one") as server:
                row["one request"] = curl(server, file, folder)
                row["cpu"] = rig.cpu_seconds(server.process.pid)
            with Server(folder / "many") as server:
                row["clients"] = clients(server, lines)
            with Server(folder / "single") as server:
                row["took"] = single(server, lines)
            rows.append(row)
        rig.progress(f"run {run}: " + ", ".join(f"{key} {row[key]:.2f} s" for key in ("scan", "one request", "clients")))
    return rows


def table(rows, size):
    print("| | MB/s | of scan's speed |")
    print("| --- | --- | --- |")
    for key, name in (("scan", "`scan --state`"), ("one request", "one request, by curl"),
                      ("clients", f"{CLIENTS} clients, {AT_ONCE} documents a request")):
        print(f"| {name} | {runs.spread([size / 1e6 / row[key] for row in rows], 0)} "
              f"| {runs.spread([row['scan'] / row[key] for row in rows])} |")
    took = sorted(seconds for row in rows for seconds in row["took"])
    p50, p99 = (1e3 * took[len(took) * share // 100] for share in (50, 99))
    print(f"\nA request of one document over an open connection, one after another, synced to disk: p50 {p50:.2f} ms, "
          f"p99 {p99:.2f} ms ({len(took)} requests).")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--copies", type=int, default=4, help="times that the corpus is sent (4)")
    arguments.add_argument("--runs", type=int, default=5, help="in turn (5)")
    options = rig.parse(arguments)
    os.environ["NEARDUP_BINARY"] = str(options.binary)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="neardup-bench-"))
    file = folder / "documents.jsonl"
    documents = throughput.copies(options.copies, file)
    lines = file.read_bytes().splitlines(keepends=True)
    rows = measure(options, file, lines)
    size = file.stat().st_size
    shutil.rmtree(folder)
    rig.report("Documents over HTTP",
               f"{documents:,} documents, {size / 1e6:.0f} MB of JSON Lines: the corpus {options.copies} times, each in a "
               f"separate namespace; default settings; {options.runs} runs in turn, median (least to most). The clients "
               "share the cores with the service.", options, rows)
    table(rows, size)


if __name__ == "__main__":
    main()
