#!/usr/bin/env python3
"""Quality and cost over the corpus: the table from which the defaults were chosen.

  NEARDUP_CORPUS=DIR bench/quality.py [build/neardup] > bench/results/quality.md
"""
import pathlib
import subprocess
import sys
import tempfile

import corpus_runs as runs

# What is varied; everything else is the default.
CONFIGURATIONS = [
    ("default", []),
    ("exact", ["verify.mode=exact"]),
    ("no verification", ["verify.mode=none"]),
    ("t = 128", ["sketch.size=128"]),
    ("t = 512", ["sketch.size=512"]),
    ("t = 1024", ["sketch.size=1024"]),
    ("b = 4", ["sketch.bits=4"]),
    ("b = 16", ["sketch.bits=16"]),
    ("t = 512, b = 4", ["sketch.size=512", "sketch.bits=4"]),
    ("t = 1024, b = 2", ["sketch.size=1024", "sketch.bits=2"]),
    ("9 bands of 4", ["lsh.bands=9", "lsh.rows=4"]),
    ("12 bands of 5", ["lsh.bands=12", "lsh.rows=5"]),
    ("20 bands of 7", ["lsh.bands=20", "lsh.rows=7"]),
    ("minhash 2u", ["sketch.family=minhash", "sketch.hash=2u"]),
    ("minhash ms32", ["sketch.family=minhash", "sketch.hash=ms32"]),
    ("exact, t = 128", ["verify.mode=exact", "sketch.size=128"]),
]


def measure(binary, folder, documents, settings):
    with tempfile.TemporaryDirectory() as scratch:
        flags = pathlib.Path(scratch) / "flags.jsonl"
        state = pathlib.Path(scratch) / "state"
        keep = ["storage.keep_texts=true"] if "verify.mode=exact" in settings else []
        summary = runs.scan(binary, documents, flags, list(settings) + keep, state)
        subprocess.run([binary, "compact", "--state", state], check=True, stdout=subprocess.DEVNULL)
        bytes_on_disk = sum(f.stat().st_size for f in state.rglob("*") if f.is_file())
        return summary, runs.score(folder, documents, flags), bytes_on_disk


def main():
    binary = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/neardup").resolve()
    folder = runs.corpus()
    documents = runs.plain_corpus(folder)
    print("# Quality and cost over 28 530 revisions of real documents\n")
    print(f"`bench/quality.py`, threshold 0.8, {runs.machine()}. Flags are judged by the corpus' referee; "
          "disk is the whole state after `compact`.\n")
    print("| configuration | precision | recall | F1 | documents per CPU second | bytes on disk per kept document |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, settings in CONFIGURATIONS:
        summary, score, disk = measure(binary, folder, documents, settings)
        kept = summary["unique"] + summary["too_short"]
        print(f"| {name} | {score['precision']:.4f} | {score['recall']:.4f} | {score['f1']:.4f} "
              f"| {summary['documents'] / summary['cpu_seconds']:,.0f} | {disk / kept:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
