#!/usr/bin/env python3
"""What the engines of `neardup similar` find on real documents, and how long a query through a state on disk takes.

  NEARDUP_CORPUS=DIR bench/engines/recall.py [build/neardup]

The truth are the ten most similar documents with J >= 0.3, by comparing all sketches (`scan` that may read every row).
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import corpus_runs as runs

QUERIES = 500
SETTINGS = ("against=all", "similar.index=on")
RANGES = ((0.8, 1.01), (0.6, 0.8), (0.4, 0.6), (0.3, 0.4), (0.3, 1.01))
STATES = {"match, 32 keywords": ("similar.engine=match",),
          "match, 64 keywords": ("similar.engine=match", "similar.keywords=64"),
          "ewh": ("similar.engine=ewh",)}
ANY = "match, 32 keywords"
ENGINES = (("scan", ANY), *((name, name) for name in STATES), ("lsh", ANY))  # with the state


def ask(binary, state, lines, *options):
    done = subprocess.run([binary, "similar", "--state", state, *options, "-"], input=lines, stdout=subprocess.PIPE,
                          text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def settings(*keys):
    return [word for key in ("against=all", *keys) for word in ("--set", key)]


def make_state(binary, documents, folder, name):
    state = folder / name
    runs.scan(binary, documents, folder / "flags", [*SETTINGS, *STATES[name]], state)
    return state


def found(truth, answers):
    """The share of the true hits in each range of similarity that the answers have."""
    shares = []
    for least, most in RANGES:
        wanted = hits = 0
        for true, answer in zip(truth, answers):
            ids = {hit["id"] for hit in answer["hits"]}
            for hit in true["hits"]:
                if least <= hit["similarity"] < most:
                    wanted += 1
                    hits += hit["id"] in ids
        shares.append(f"{hits / wanted:.4f}" if wanted else "-")
    return shares


def main():
    binary = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/neardup")
    documents = runs.plain_corpus(runs.corpus())
    ids = [json.loads(line)["id"] for line in open(documents, encoding="utf-8")]
    asked = random.Random(7).sample(sorted(set(ids)), QUERIES)
    lines = "".join(json.dumps({"id": name}) + "\n" for name in asked)
    print(f"{len(ids)} documents, {QUERIES} queries by id, 10 hits of J >= 0.3.\n")
    print("| engine | " + " | ".join(f"J {a} to {min(b, 1)}" for a, b in RANGES) + " | ms a query, all at once |")
    print("| --- | " + "---: | " * (len(RANGES) + 1))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        states = {name: make_state(binary, documents, folder, name) for name in STATES}
        truth = ask(binary, states[ANY], lines, *settings("similar.candidates=100000"), "--engine", "scan")
        for name, state in ENGINES:
            engine = name.partition(",")[0]
            answers = ask(binary, states[state], lines, *settings(), "--engine", engine)
            milliseconds = answers[0]["took_ms"] / QUERIES
            print(f"| {name} | " + " | ".join(found(truth, answers)) + f" | {milliseconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
