#!/usr/bin/env python3
"""POST /v1/check: what a check takes while documents arrive, what documents lose by it, and that nothing is stored.

  NEARDUP_CORPUS=DIR bench/serve/checks.py > bench/results/serve-checks.md
"""

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

PATH = "/v1/check"
SINGLE = 2000  # checks of one document, over one connection
MANY = 1_000_000  # checks of short documents


def put(server, file, flags, path="/v1/documents", rate=None):
    """By curl, at most `rate` bytes a second; its process."""
    limit = ["--limit-rate", str(int(rate))] if rate else []
    return subprocess.Popen(["curl", "-sS", "-f", *limit, "-T", file, "-H", f"Authorization: Bearer {server.token}", "-o",
                             flags, f"http://{server.address}{path}"])


def finish(process):
    if process.wait() != 0:
        raise RuntimeError(f"curl ended with {process.returncode}")


def checks(server, lines, busy):
    """Seconds of checks of one document each, one after another, while `busy()`."""
    took = []
    with contextlib.closing(server.connect()) as connection:
        while busy(len(took)):
            line = lines[len(took) * 7 % len(lines)]
            begin = time.monotonic()
            status, answer, _ = server.send(line, connection, PATH)
            took.append(time.monotonic() - begin)
            if status != 200:
                raise RuntimeError(answer)
    return took


def timed_put(server, file, folder, rate=None, lines=()):
    """Seconds for the documents, and of the checks beside them if there are lines to ask about."""
    begin = time.monotonic()
    putting = put(server, file, folder / "flags", rate=rate)
    took = checks(server, lines, lambda _: putting.poll() is None) if lines else []
    finish(putting)
    return time.monotonic() - begin, took


def one_run(folder, file, lines, Server):
    folder.mkdir()
    size = file.stat().st_size
    row = {}
    with Server(folder / "alone") as server:
        row["full"], _ = timed_put(server, file, folder)
        row["idle"] = checks(server, lines, lambda count: count < SINGLE)
    half = size / row["full"] / 2
    with Server(folder / "half") as server:
        row["half"], _ = timed_put(server, file, folder, half)
    with Server(folder / "half beside") as server:
        row["half beside"], row["beside half"] = timed_put(server, file, folder, half, lines)
    with Server(folder / "full beside") as server:
        row["full beside"], row["beside full"] = timed_put(server, file, folder, None, lines)
    return row


def many_checks(folder, file, Server):
    """Seconds of MANY checks in one request, and whether a file of the state has changed."""
    from server import digest
    asked = folder / "asked.jsonl"
    with asked.open("w") as out:
        for i in range(MANY):
            words = " ".join(f"w{(i * 7919 + j * j) % 50021}" for j in range(40))
            out.write(f'{{"id":"{i}","text":"{words}"}}\n')
    with Server(folder / "many") as server:
        finish(put(server, file, folder / "flags"))
        before = digest(server.state)
        begin = time.monotonic()
        finish(put(server, asked, folder / "checks", PATH))
        seconds = time.monotonic() - begin
        return seconds, digest(server.state) == before


def of_millis(rows, key):
    took = sorted(seconds for row in rows for seconds in row[key])
    return "p50 {:.2f} ms, p99 {:.2f} ms, most {:.1f} ms ({:,} checks)".format(
        *(1e3 * took[min(len(took) * share // 1000, len(took) - 1)] for share in (500, 990, 1000)), len(took))


def table(rows, size, many):
    def speed(key):
        return runs.spread([size / 1e6 / row[key] for row in rows], 0)

    def share(key, of):
        return runs.spread([row[of] / row[key] for row in rows])

    print("| documents | MB/s | with checks, MB/s | of that without | checks of one document beside |")
    print("| --- | --- | --- | --- | --- |")
    print(f"| none | | | | {of_millis(rows, 'idle')} |")
    print(f"| at half speed | {speed('half')} | {speed('half beside')} | {share('half beside', 'half')} "
          f"| {of_millis(rows, 'beside half')} |")
    print(f"| as fast as they go | {speed('full')} | {speed('full beside')} | {share('full beside', 'full')} "
          f"| {of_millis(rows, 'beside full')} |")
    seconds, same = many
    print(f"\n{MANY:,} checks of 40 words each in one request: {seconds:.0f} s ({MANY / seconds:,.0f} a second). The files of "
          f"the state {'are the same' if same else 'HAVE CHANGED'} afterwards, byte for byte but for RocksDB's logs.")


def main():
    arguments = rig.parser(__doc__)
    arguments.add_argument("--copies", type=int, default=2, help="times that the corpus is sent (2)")
    arguments.add_argument("--runs", type=int, default=3, help="in turn (3)")
    options = rig.parse(arguments)
    os.environ["NEARDUP_BINARY"] = str(options.binary)
    from server import Server

    folder = pathlib.Path(tempfile.mkdtemp(prefix="neardup-bench-"))
    file = folder / "documents.jsonl"
    documents = throughput.copies(options.copies, file)
    lines = file.read_bytes().splitlines(keepends=True)
    rows = []
    for run in range(options.runs):
        rows.append(one_run(folder / str(run), file, lines, Server))
        shutil.rmtree(folder / str(run), ignore_errors=True)
        rig.progress(f"run {run}: " + ", ".join(f"{key} {value:.1f} s" for key, value in rows[-1].items()
                                                if isinstance(value, float)))
    many = many_checks(folder, file, Server)
    shutil.rmtree(folder)
    size = (sum(map(len, lines)))
    rig.report("Checks", f"{documents:,} documents, {size / 1e6:.0f} MB of JSON Lines, by curl: the corpus {options.copies} "
               f"times, each in a separate namespace; default settings; {options.runs} runs in turn, median (least to most). "
               "Checks of one document, asked one after another over one connection, are of the same documents. All clients "
               "share the cores with the service.", options, rows)
    table(rows, size, many)


if __name__ == "__main__":
    main()
