#!/usr/bin/env python3
"""`neardup search` on data of the size and kind of GENIE's (Zhou et al. 2018, section 6): strings by edit distance, with rapidfuzz on the same
data where it is installed, sets of words, and rows of a table with ranges.

  NEARDUP_BINARY=build/neardup bench/engines/items.py strings|words|rows [--items N] [--gram N] [--threads N] [--checked N]

Strings are word pairs of docs/*.md in a chain, like titles; queries are strings of 36 to 44 bytes with a share of their characters changed. Times
are what the command says. Prints a JSON object a row.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("NEARDUP_BINARY", "neardup")
SUMMARY = re.compile(r"(\d+) items in ([\d.]+) s; \d+ queries in ([\d.]+) s, CPU ([\d.]+) s.*; (\d+) answers certain, (\d+) of them")
QUERIES = 1024
DEFAULT_ITEMS = {"strings": 1_000_000, "words": 6_800_000, "rows": 980_000}


class Bench:
    def __init__(self, folder, threads):
        self.folder, self.threads = pathlib.Path(folder), threads

    def write(self, schema, items):
        (self.folder / "schema.json").write_text(json.dumps(schema))
        with open(self.folder / "items.jsonl", "w", encoding="utf-8") as file:
            file.writelines(items)

    def search(self, queries, *options):
        """The answers, and a row of times."""
        (self.folder / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries))
        command = [BINARY, "search", "--schema", "schema.json", "--items", "items.jsonl", "--set", f"cpu.threads={self.threads}", *options,
                   "queries.jsonl"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        items, build, seconds, cpu, certain, at_once = SUMMARY.search(done.stderr).groups()
        return [json.loads(line) for line in done.stdout.splitlines()], {
            "items": int(items), "threads": self.threads, "read_and_build_s": float(build), "search_s": float(seconds),
            "cpu_ms_query": round(1e3 * float(cpu) / len(queries), 3), "certain": round(int(certain) / len(queries), 4),
            "by_candidates": round(int(at_once) / len(queries), 4)}


def titles(count):
    words = [word for page in sorted(ROOT.glob("docs/**/*.md")) for word in re.findall("[a-z]{2,15}", page.read_text(encoding="utf-8").lower())]
    following = {}
    for word, after in itertools.pairwise(words):
        following.setdefault(word, []).append(after)
    chosen = random.Random(5)
    for _ in range(count):
        size, word = 25 + int(chosen.random() * 70), words[int(chosen.random() * len(words))]
        title = word
        while len(title) < size and word in following:
            after = following[word]
            word = after[int(chosen.random() * len(after))]
            title += " " + word
        yield title


def changed(text, share, chosen):
    for _ in range(round(len(text) * share)):
        at, kind, letter = chosen.randrange(len(text)), chosen.randrange(3), chr(97 + chosen.randrange(26))
        text = text[:at] + (letter if kind < 2 else "") + text[at + (kind != 1):]
    return text


def strings(bench, arguments):
    texts = list(titles(arguments.items))
    bench.write({"fields": {"s": {"kind": "string", "gram": arguments.gram}}}, (f'{{"s": "{text}"}}\n' for text in texts))
    likely = [text for text in texts if 36 <= len(text) <= 44]
    for share in (0.1, 0.2, 0.3, 0.4):
        chosen = random.Random(int(share * 1000))
        queries = [changed(chosen.choice(likely), share, chosen) for _ in range(QUERIES)]
        truth = rapidfuzz_rows(queries[:arguments.checked], texts, share)
        for mode, options in (("32 candidates", ["--candidates", "32"]), ("until certain", [])):
            if share > arguments.most_changed and not options:
                continue
            answers, row = bench.search([{"s": query} for query in queries], "-k", "1", *options)
            right = sum(bool(answer["hits"]) and answer["hits"][0]["distance"] == best for answer, best in zip(answers, truth))
            print(json.dumps({"kind": "strings", "mode": mode, "gram": arguments.gram, "changed": share,
                              "bytes": round(sum(map(len, texts)) / len(texts), 1), "right": f"{right} of {len(truth)}", **row}), flush=True)


def rapidfuzz_rows(queries, texts, share):
    """The least distance of each query."""
    try:
        import rapidfuzz
    except ImportError:
        return []
    begin = time.process_time()
    best = [rapidfuzz.process.extractOne(query, texts, scorer=rapidfuzz.distance.Levenshtein.distance)[1] for query in queries]
    spent = time.process_time() - begin
    print(json.dumps({"kind": "strings", "mode": f"rapidfuzz {rapidfuzz.__version__} extractOne", "changed": share,
                      "cpu_ms_query": round(1e3 * spent / len(queries), 1)}), flush=True)
    return best


def words(bench, arguments):
    """4 to 14 draws of 100 000 words by Zipf's law."""
    chosen = random.Random(1)
    weights = list(itertools.accumulate(1 / (place + 10) for place in range(100_000)))
    vocabulary = [f"w{place}" for place in range(len(weights))]
    queries = []

    def items():
        for place in range(arguments.items):
            line = json.dumps({"w": chosen.choices(vocabulary, cum_weights=weights, k=chosen.randint(4, 14))})
            if place % (arguments.items // QUERIES) == 0:
                queries.append(json.loads(line))
            yield line + "\n"

    bench.write({"fields": {"w": {"kind": "words"}}}, items())
    print(json.dumps({"kind": "words", **bench.search(queries[:QUERIES])[1]}), flush=True)


def rows(bench, arguments):
    """14 attributes as in Adult, 6 of them numbers of which a query names ± 50; each row stands there 20 times, as in the paper."""
    values = [1024] * 6 + [9, 16, 7, 15, 6, 5, 2, 42]
    chosen = random.Random(3)

    def row():
        for place, different in enumerate(values):
            skewed = chosen.random()
            if place >= 6:
                yield f"f{place}", f"c{int(skewed ** 2 * different)}"
            else:
                yield f"f{place}", int(1023 * skewed ** 3 if place % 2 else min(1023, max(0, chosen.gauss(400, 150))))

    items = [dict(row()) for _ in range(max(1, arguments.items // 20))]
    lines = [json.dumps(item) + "\n" for item in items]
    kinds = [{"kind": "number", "min": 0, "max": 1023} if place < 6 else {"kind": "category"} for place in range(len(values))]
    bench.write({"fields": {f"f{place}": kind for place, kind in enumerate(kinds)}}, lines * 20)
    queries = [{key: [value - 50, value + 50] if isinstance(value, int) else value for key, value in chosen.choice(items).items()}
               for _ in range(QUERIES)]
    print(json.dumps({"kind": "rows", **bench.search(queries, "-k", "100")[1]}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=DEFAULT_ITEMS)
    parser.add_argument("--items", type=int)
    parser.add_argument("--gram", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--checked", type=int, default=64, help="queries that rapidfuzz answers")
    parser.add_argument("--most-changed", type=float, default=0.2, help="greatest share of changes to search until certain")
    arguments = parser.parse_args()
    arguments.items = arguments.items or DEFAULT_ITEMS[arguments.kind]
    with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
        {"strings": strings, "words": words, "rows": rows}[arguments.kind](Bench(folder, arguments.threads), arguments)


if __name__ == "__main__":
    main()
