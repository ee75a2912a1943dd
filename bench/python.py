#!/usr/bin/env python3
"""The Python package, the command and other libraries on the same documents: rates, quality, memory, sizes.

  "$(scripts/python-packages)" bench/python.py [--documents N] [--generated N] [--repeats N]

NEARDUP_BINARY names the command, NEARDUP_CORPUS the folder of the corpus (bench/quality.py). scripts/python-wheel comes first. Prints
Markdown. Each program runs in a separate process, with the documents in memory before the clock starts; `scan` reads its file.
"""

import argparse
import json
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(HERE / "peers")]
PACKAGE = ROOT / "build" / "python" / "package"
SETS = {"sketch.size": 128, "lsh.bands": 16, "lsh.rows": 6}  # as the peers
PEERS = {"datasketch": (128, 16, 6), "rensa": (128, 32, 4)}


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def written(lines, path):
    pathlib.Path(path).write_bytes(lines)


def timed(work):
    """What `work` returns, and its wall and CPU seconds."""
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu}


def add(data, flags, **settings):
    """Seconds that one `add` takes."""
    import neardup
    with neardup.Deduplicator(**{**SETS, **settings}) as index:
        index.check(["a first call, so that all is loaded"])
        found, seconds = timed(lambda: index.add(data))
        written(found.to_jsonl(), flags)
    return seconds


def run_frame(documents, flags):
    import polars
    return add(polars.DataFrame({key: [d[key] for d in documents] for key in ("id", "text")}), flags)


def run_list(documents, flags):
    return add([{"id": d["id"], "text": d["text"]} for d in documents], flags)


def run_iterator(documents, flags):
    return add(({"id": d["id"], "text": d["text"]} for d in documents), flags)


def run_client(documents, flags):
    import neardup
    with serving() as (url, token), neardup.Client(url, token) as client:
        found, seconds = timed(lambda: client.add([{"id": d["id"], "text": d["text"]} for d in documents]))
        written(found.to_jsonl(), flags)
    return seconds


def serving():
    import contextlib
    sys.path[:0] = [str(ROOT / "tests" / "http"), str(ROOT / "tests" / "e2e")]
    package = sys.modules.pop("neardup", None)
    from server import Server
    sys.modules["neardup"] = package

    @contextlib.contextmanager
    def service():
        with tempfile.TemporaryDirectory() as folder:
            with Server(pathlib.Path(folder, "state"), [f"{key}={value}" for key, value in SETS.items()]) as server:
                yield f"http://{server.address}", server.token
    return service()


def run_peer(name, documents, flags):
    import importlib
    import stream
    index = importlib.import_module(f"{name}_index").Index(*PEERS[name])
    found, seconds = timed(lambda: list(stream.flags(documents, index)))
    written("".join(json.dumps(flag) + "\n" for flag in found).encode(), flags)
    return seconds


def run_datasketch(documents, flags):
    return run_peer("datasketch", documents, flags)


def run_rensa(documents, flags):
    return run_peer("rensa", documents, flags)


def run_single(documents, flags):
    """Calls of one text each."""
    import neardup
    texts = [f"text {i} of a run of short ones, with {i * 7919 % 1000} and {i * 104729 % 1000} in it" for i in range(5000)]
    with neardup.Deduplicator() as index:
        for text in texts[:1000]:
            index.add([text])

        def calls():
            for text in texts[1000:]:
                index.add([text])
        _, seconds = timed(calls)
    return {**seconds, "calls": len(texts) - 1000}


def run_generator(documents, flags):
    """Short texts of a generator through dedup."""
    import neardup
    count = int(os.environ["GENERATED"])

    def texts():
        for i in range(count):
            yield f"short text {i} about {i * 7919 % 99991} and {i * 104729 % 99989} with words"
    before = peak()
    kept, seconds = timed(lambda: sum(1 for _ in neardup.dedup(texts())))
    return {**seconds, "calls": count, "kept": kept, "peak_before": before, "peak": peak()}


def run_import(documents, flags):
    _, seconds = timed(lambda: __import__("neardup"))
    return seconds


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measured(name, document_file, flags, repeats, needs_documents=True):
    """The results of runs in separate processes."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    results = []
    for _ in range(repeats):
        done = subprocess.run([sys.executable, "-B", __file__, "--run", name, str(document_file) if needs_documents else "-", str(flags)],
                              env=environment, stdout=subprocess.PIPE, text=True, check=True)
        results.append(json.loads(done.stdout.splitlines()[-1]))
    return results


def median(results, what="seconds"):
    return statistics.median(result[what] for result in results)


def report(arguments, scratch):
    import corpus_runs as runs
    folder = runs.corpus()
    document_file = scratch / "docs.jsonl"
    with open(runs.plain_corpus(folder), "rb") as lines, open(document_file, "wb") as out:
        for line, _ in zip(lines, range(arguments.documents)):
            out.write(line)
    count = sum(1 for _ in open(document_file, "rb"))
    flags = scratch / "flags.jsonl"
    sets = [f"{key}={value}" for key, value in SETS.items()]
    binary = os.environ["NEARDUP_BINARY"]
    rows = []

    def row(name, results):
        score = runs.score(folder, document_file, flags)
        rows.append((name, count / median(results), count / median(results, "cpu_seconds"), score["precision"], score["recall"]))

    row("`neardup scan`", [runs.scan(binary, document_file, flags, sets) for _ in range(arguments.repeats)])
    for name, words in (("frame", "`add` of a polars frame"), ("list", "`add` of a list of dicts"),
                        ("iterator", "`add` of an iterator of dicts"), ("client", "`Client.add` over loopback"),
                        ("datasketch", "datasketch"), ("rensa", "rensa")):
        repeats = 1 if name in PEERS else arguments.repeats
        row(words, measured(name, document_file, flags, repeats))
    print(f"{count:,} documents of the corpus, 128 values, threshold 0.8; load {os.getloadavg()[0]:.1f}, {platform.machine()}, "
          f"{os.cpu_count()} cores, Python {platform.python_version()}.\n")
    print("| program | documents/s | × `add` of a frame | documents/CPU s | × `add` of a frame | precision | recall |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    frame = rows[1]
    for name, rate, cpu_rate, precision, recall in rows:
        print(f"| {name} | {rate:,.0f} | {rate / frame[1]:.3f} | {cpu_rate:,.0f} | {cpu_rate / frame[2]:.3f} | {precision:.4f} | {recall:.4f} |")
    single = measured("single", "", flags, arguments.repeats, False)
    print(f"\n| | |\n| --- | --- |\n| `add` of one text each, temporary state | {single[0]['calls'] / median(single):,.0f} calls/s, "
          f"{single[0]['calls'] / median(single, 'cpu_seconds'):,.0f} a CPU second |")
    imported = measured("import", "", flags, 5, False)
    print(f"| import | {median(imported) * 1000:.0f} ms, {median(imported, 'cpu_seconds') * 1000:.0f} ms of CPU |")
    wheels = sorted((ROOT / "python" / "dist").glob("*.whl"), key=lambda file: file.stat().st_mtime)
    print(f"| wheel `{wheels[-1].name}` | {wheels[-1].stat().st_size / 1e6:.1f} MB |")
    os.environ["GENERATED"] = str(arguments.generated)
    generated = measured("generator", "", flags, 1, False)[0]
    print(f"| `dedup` of {generated['calls']:,} short texts of a generator | {generated['calls'] / generated['seconds']:,.0f} texts/s, "
          f"peak memory {generated['peak'] / 1e6:.0f} MB ({generated['peak_before'] / 1e6:.0f} MB before it) |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--generated", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        name, document_file, flags = arguments.run
        documents = [] if document_file == "-" else read(document_file)
        print(json.dumps(globals()[f"run_{name}"](documents, flags)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        report(arguments, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
