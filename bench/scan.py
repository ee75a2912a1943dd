#!/usr/bin/env python3
"""Speed of `neardup scan` over the corpus, with where the time goes.

  NEARDUP_CORPUS=DIR bench/scan.py [build/neardup] [REPEATS=5] > bench/results/scan.md
"""
import pathlib
import sys
import tempfile

import corpus_runs as runs

CONFIGURATIONS = [
    ("default, temporary state", [], False),
    ("default, state kept (synced)", [], True),
    ("memory store", ["storage.store=memory"], False),
    ("verify: exact", ["verify.mode=exact", "storage.keep_texts=true"], False),
    ("one preparing thread", ["cpu.threads=1"], False),
    ("portable code", ["cpu.simd=portable"], False),
    ("AVX2", ["cpu.simd=avx2"], False),
]


def measure(binary, documents, settings, keep_state):
    with tempfile.TemporaryDirectory() as scratch:
        state = pathlib.Path(scratch) / "state" if keep_state else None
        return runs.scan(binary, documents, pathlib.Path(scratch) / "flags.jsonl", settings, state)


def main():
    binary = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/neardup").resolve()
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    documents = runs.plain_corpus(runs.corpus())
    print("# Speed of `neardup scan` over 283 MB of text in 28 530 documents\n")
    print(f"`bench/scan.py`, {repeats} runs each in turn, median (least to most), {runs.machine()}.\n")
    print("| configuration | MB/s | CPU seconds | peak memory MB | prepare s | resolve s | commit s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    rows = {name: [] for name, _, _ in CONFIGURATIONS}
    for _ in range(repeats):
        for name, settings, keep_state in CONFIGURATIONS:
            rows[name].append(measure(binary, documents, settings, keep_state))
    for name, runs_of_one in rows.items():
        speed = [s["bytes"] / 1e6 / s["wall_seconds"] for s in runs_of_one]
        stage = lambda stage_name: runs.spread([s["stage_seconds"][stage_name] for s in runs_of_one])
        print(f"| {name} | {runs.spread(speed, 0)} | {runs.spread([s['cpu_seconds'] for s in runs_of_one])} "
              f"| {max(s['peak_rss_bytes'] for s in runs_of_one) / 1e6:.0f} "
              f"| {stage('prepare')} | {stage('resolve')} | {stage('commit')} |")
    print("\n`prepare` is summed over its threads; the wall time of a run includes starting and ending the process.")


if __name__ == "__main__":
    main()
