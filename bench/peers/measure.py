"""Running the cases on the same documents, and what each run cost."""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import corpus_runs as runs  # noqa: E402


def run(case, documents, flags):
    """Wall and CPU seconds and peak memory of the whole process, and by how much its memory grew if it says so."""
    command = [str(part).format(documents=documents, flags=flags) for part in case.command]
    threads = {"RAYON_NUM_THREADS": str(case.threads)} if case.threads else {}
    runs.warm(documents)
    with tempfile.TemporaryFile("w+") as printed:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=printed, stderr=printed, env={**os.environ, **threads})
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        lines = printed.read().splitlines()
    if process.returncode:
        sys.exit(f"{case.name} ended with {process.returncode}:\n" + "\n".join(lines[-20:]))
    return {"seconds": wall, "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_rss_bytes": usage.ru_maxrss * 1024,
            "memory_grown": json.loads(lines[-1]).get("memory_grown")}


def state_bytes(binary, size, documents, scratch):
    """Our state on disk after `compact`."""
    state = scratch / f"state-{size}-{documents.name}"
    if not state.exists():
        runs.scan(binary, documents, scratch / "state-flags.jsonl", [f"sketch.size={size}"], state)
        subprocess.run([binary, "compact", "--state", state], check=True, stdout=subprocess.DEVNULL)
    return sum(file.stat().st_size for file in state.rglob("*") if file.is_file())


def texts(documents):
    """How many documents a file has, and the bytes of their texts."""
    with open(documents, "rb") as lines:
        sizes = [len(json.loads(line)["text"].encode()) for line in lines]
    return {"documents": len(sizes), "bytes": sum(sizes)}


def summary(case, results, documents, folder, flags, binary):
    """The medians of one case, with the referee's verdict on the flags of its last run."""
    row = {"name": case.name, "peer": case.peer, "size": case.size, "bands": case.banding[0], "rows": case.banding[1]}
    row.update(texts(documents))
    row["seconds_all"] = [result["seconds"] for result in results]
    for column in ("seconds", "cpu_seconds", "peak_rss_bytes"):
        row[column] = statistics.median(result[column] for result in results)
    score = runs.score(folder, documents, flags)
    row.update(precision=score["precision"], recall=score["recall"])
    held = results[-1]["memory_grown"] or state_bytes(binary, case.size, documents, flags.parent)
    row["bytes_per_kept"] = held / (row["documents"] - score["flagged"])
    return row


def measure(cases, documents, folder, binary, repeats, scratch):
    """A row for each case. Repeats go round all cases, so that noise meets each alike."""
    flags = [scratch / f"flags-{place}.jsonl" for place in range(len(cases))]
    results = [[] for _ in cases]
    for _ in range(repeats):
        for case, file, of_case in zip(cases, flags, results):
            of_case.append(run(case, documents, file))
    return [summary(case, of_case, documents, folder, file, binary)
            for case, file, of_case in zip(cases, flags, results)]


def sketching(binary, python, sizes):
    """Rows of M shingles/s on one core, hashed before: ours and FastSketchLSH's, by size and count of shingles."""
    printed = subprocess.run([binary.parent / "bench" / "sketch", "--json", "--only", "fast_similarity"],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    ours = [json.loads(line) for line in printed.splitlines()]
    fastest = max(ours, key=lambda row: row["m_elements_per_s"])["simd"]
    found = []
    for size in sizes:
        rows = [row for row in ours if row["simd"] == fastest and row["size"] == size]
        counts = [round(row["bytes"] * row["m_elements_per_s"] / row["mb_per_s"]) for row in rows]
        printed = subprocess.run([python, "-B", HERE / "sketch_rate.py", *map(str, [size, *counts])],
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
        for row, count, line in zip(rows, counts, printed.splitlines()):
            found.append({"name": "sketching", "size": size, "shingles": count,
                          "neardup_m_per_s": row["m_elements_per_s"],
                          "FastSketchLSH_m_per_s": json.loads(line)["m_elements_per_s"]})
    return found
