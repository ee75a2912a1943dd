#!/usr/bin/env python3
"""Documents a second of `neardup scan` by the length of documents and the number of threads, with the serial part.

  NEARDUP_CORPUS=DIR bench/lengths.py BINARY [EARLIER_BINARY] [REPEATS=5] > bench/results/lengths.md

Texts of 350 bytes and 2.3 KB are made here: words by a Zipf-like law, one document in ten a copy with two other words. Those
of 10 KB are the real documents of the corpus. Both programs run in turn; their flags must be the same.
"""
import itertools
import pathlib
import random
import sys
import tempfile

import corpus_runs as runs

THREADS = (1, 2)
WORDS = 50_000
MADE = (("350 B", 300_000, 60), ("2.3 KB", 150_000, 390))  # name, documents, words of each


def write_documents(path, documents, words, seed):
    chance = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = ["".join(chance.choices(letters, k=2 + int(chance.expovariate(1 / 4)))) for _ in range(WORDS)]
    sums = list(itertools.accumulate(1 / (i + 3) for i in range(WORDS)))
    stock = chance.choices(vocabulary, cum_weights=sums, k=4_000_000)
    recent = []
    with open(path, "w") as file:
        for i in range(documents):
            if recent and chance.random() < 0.1:
                text = list(chance.choice(recent))
                for _ in range(2):
                    text[chance.randrange(words)] = chance.choice(vocabulary)
            else:
                a, b = chance.randrange(len(stock) - words), chance.randrange(len(stock) - words)
                text = [stock[(a if (k * 7919 + i) % 3 else b) + k] for k in range(words)]
                if len(recent) < 20_000:
                    recent.append(text)
                else:
                    recent[chance.randrange(len(recent))] = text
            file.write(f'{{"id":"d{i}","text":"{" ".join(text)}"}}\n')


def measure(binaries, document_file, threads, repeats, scratch):
    """The summaries of each program."""
    found = {name: [] for name in binaries}
    flags = {name: scratch / f"flags-{name}.jsonl" for name in binaries}
    for _ in range(repeats):
        for name, binary in binaries.items():
            flags[name].unlink(missing_ok=True)
            found[name].append(runs.scan(binary, document_file, flags[name], [f"cpu.threads={threads}"]))
    if len({path.read_bytes() for path in flags.values()}) > 1:
        sys.exit(f"{document_file}: the flags differ")
    return found


def row(length, threads, name, summaries):
    each = lambda value: [value(s) for s in summaries]
    stage = lambda key: runs.spread(each(lambda s: 1e6 * s["stage_seconds"][key] / s["documents"])) if key in summaries[0]["stage_seconds"] else "–"
    print(f"| {length} | {threads} | {name} | {runs.spread(each(lambda s: s['documents'] / s['wall_seconds'] / 1000), 0)} "
          f"| {runs.spread(each(lambda s: s['bytes'] / 1e6 / s['wall_seconds']), 0)} "
          f"| {runs.spread(each(lambda s: 1e6 * s['cpu_seconds'] / s['documents']))} | {stage('resolve')} | {stage('decide_serial')} "
          f"| {stage('commit')} | {max(each(lambda s: s['peak_rss_bytes'])) / 1e6:.0f} |", flush=True)


def main():
    arguments = sys.argv[1:]
    repeats = int(arguments.pop()) if arguments and arguments[-1].isdigit() else 5
    names = ("now", "before")
    binaries = {name: pathlib.Path(path).resolve() for name, path in zip(names, arguments or ["build/neardup"])}
    print("# Documents a second by their length\n")
    print(f"`bench/lengths.py`, {repeats} runs each in turn, median (least to most), {runs.machine()}. Stages are µs of wall time a document; "
          "`resolve` has the look-ups on all threads and the decisions, `serial` the decisions alone.\n")
    print("| length | threads | program | 1 000 documents/s | MB/s | CPU µs a document | resolve | serial | commit | peak memory MB |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        files = {}
        for seed, (length, documents, words) in enumerate(MADE):
            files[length] = scratch / f"{words}.jsonl"
            write_documents(files[length], documents, words, seed)
        files["10 KB"] = runs.plain_corpus(runs.corpus())
        for length, document_file in files.items():
            for threads in THREADS:
                for name, summaries in measure(binaries, document_file, threads, repeats, scratch).items():
                    row(length, threads, name, summaries)


if __name__ == "__main__":
    main()
