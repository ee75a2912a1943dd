#!/usr/bin/env python3
"""`neardup scan` with `backend: cuda` beside `cpu`, in turn over the same file: rates, stages, the device's phases.

  bench/gpu_scan.py [build/neardup] [--documents FILE] [--repeat 5]

FILE is JSON Lines; without one the corpus of NEARDUP_CORPUS is taken. The flags of both must be the same, byte for byte.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import corpus_runs as runs

PHASES = ("copy_in_seconds", "kernel_seconds", "copy_out_seconds")


def why_not(binary):
    """Why there is no device here, or None."""
    done = subprocess.run([binary, "scan", "--set", "backend=cuda", "/dev/null"], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def measure(binary, documents, backends, repeats):
    """The summaries of all runs, by backend."""
    rows = {backend: [] for backend in backends}
    with tempfile.TemporaryDirectory() as scratch:
        flags = {backend: pathlib.Path(scratch) / f"{backend}.jsonl" for backend in backends}
        for _ in range(repeats):
            for backend in backends:
                rows[backend].append(runs.scan(binary, documents, flags[backend], [f"backend={backend}"]))
        if len({file.read_bytes() for file in flags.values()}) != 1:
            sys.exit("the flags differ")
    for row in rows.get("cuda", []):
        if row["gpu"]["failures"] or row["gpu"]["documents_on_cpu"]:
            sys.exit(f"the device did not do all: {row['gpu']}")
    return rows


def print_row(backend, rows):
    stages = " | ".join(runs.spread([row["stage_seconds"][stage] for row in rows])
                        for stage in ("read", "prepare", "resolve", "commit"))
    phases = " | ".join(f"{statistics.median(row['gpu'][phase] for row in rows):.3f}" if "gpu" in rows[0] else ""
                        for phase in PHASES)
    print(f"| {backend} | {runs.spread([row['bytes'] / 1e6 / row['wall_seconds'] for row in rows], 0)} "
          f"| {runs.spread([row['cpu_seconds'] for row in rows])} | {stages} | {phases} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="?", default="build/neardup", type=pathlib.Path)
    parser.add_argument("--documents", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    documents = arguments.documents or runs.plain_corpus(runs.corpus())
    reason = why_not(binary)
    rows = measure(binary, documents, ["cpu"] if reason else ["cpu", "cuda"], arguments.repeat)
    print(f"`bench/gpu_scan.py`, {documents.name}, {arguments.repeat} runs each in turn, median (least to most), "
          f"{runs.machine()}, {', '.join(of_one[0]['backend'] for of_one in rows.values())}.\n")
    print("| backend | MB/s | CPU seconds | read s | prepare s | resolve s | commit s | to the device s | kernels s | back s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for backend, of_one in rows.items():
        print_row(backend, of_one)
    print("\nThe device's phases overlap with each other and with the host's stages; `prepare` is summed over its threads.")
    if reason:
        print(f"\nno device: {reason}")


if __name__ == "__main__":
    main()
