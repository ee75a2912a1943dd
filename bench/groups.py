#!/usr/bin/env python3
"""`neardup groups` on a flags file of a synthetic crawl: time and memory.

  bench/groups.py > bench/results/groups.md

A third of the documents are copies; ids are addresses. The flags are those of a scan, so they agree with each other.
"""
import argparse
import os
import pathlib
import random
import subprocess
import tempfile
import time

import corpus_runs as runs

COPIES = 0.33
RULES = [("oldest", False), ("longest", False), ("longest,shortest_url", False), ("score:/quality,longest", True)]


def write(documents, path):
    """JSON Lines of short texts. A copy is one of the last texts with another ending that normalisation removes."""
    chosen = random.Random(20261201)
    with open(path, "w", encoding="utf-8") as lines:
        texts = []
        for number in range(documents):
            copied = texts and chosen.random() < COPIES
            text = chosen.choice(texts) if copied else " ".join(f"w{chosen.randrange(50_000)}" for _ in range(12))
            texts = [*texts[-999:], text]
            url = f"https://www.example.org/section-{number % 97}/page-{number:09d}.html"
            spaces = " " * chosen.randrange(8)
            lines.write(f'{{"id":"{url}","text":"{text}{spaces}","url":"{url}","quality":{chosen.random():.6f}}}\n')


def measure(command):
    """(seconds, of the processor, peak resident bytes, groups) of one run."""
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        groups = process.stdout.read().count(b"\n")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, groups


def row(binary, flags, inputs, rules, with_inputs, repeats):
    command = [binary, "groups", "--prefer", rules, *(["--inputs", inputs] if with_inputs else []), flags]
    seconds, of_processor, memory, groups = zip(*(measure(command) for _ in range(repeats)))
    return (f"| `--prefer {rules}`{' with `--inputs`' if with_inputs else ''} | {runs.spread(seconds)} "
            f"| {runs.spread(of_processor)} | {max(memory) / 1e6:.0f} | {groups[0]:,} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/neardup")
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="neardup-groups-") as folder:
        inputs, flags = pathlib.Path(folder, "input.jsonl"), pathlib.Path(folder, "flags.jsonl")
        write(options.documents, inputs)
        runs.scan(options.binary, inputs, flags, ["output.fields=url,text_bytes"])
        runs.warm(flags)
        print(f"# Groups\n\n`bench/groups.py`, {runs.machine()}.\n\n{options.documents:,} flags, {flags.stat().st_size / 1e6:.0f} MB; "
              f"{COPIES:.0%} of the documents are copies. Median of {options.repeats} runs (least to most).\n\n"
              "| | seconds | of the processor | peak memory, MB | groups |\n| --- | --- | --- | --- | --- |")
        for rules, with_inputs in RULES:
            print(row(options.binary, flags, inputs, rules, with_inputs, options.repeats))


if __name__ == "__main__":
    main()
