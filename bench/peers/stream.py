"""What the Python peers share: documents in, flags out, one after another.

An index of a library is a class with
  sketch(shingle_lists)      the sketches of a batch, by the fastest bulk call of the library
  candidates(sketch)         keys of inserted sketches that share a band
  similarity(sketch, other)  the estimate of the library
  insert(key, sketch)        keys are 0, 1, 2 …
"""

import itertools
import json
import re
import sys

from cases import THRESHOLD

SHINGLE_WORDS = 5
BATCH = 64  # documents sketched in one call; a larger one is no faster, and hides the index in the memory it takes

words_of = re.compile(r"\w+").findall


def shingles(text):
    """Five words each; a shorter text has one shingle of all its words, a text without words none."""
    words = words_of(text.lower())
    if len(words) < SHINGLE_WORDS:
        return [" ".join(words)] if words else []
    return list(map(" ".join, zip(*(words[i:] for i in range(SHINGLE_WORDS)))))


def original(index, sketch, kept):
    """(similarity, key) of the most similar kept document, the earlier one of equals; None below the threshold."""
    found = [(index.similarity(sketch, kept[key][1]), -key) for key in index.candidates(sketch)]
    similarity, key = max(found, default=(0, 0))
    return (similarity, -key) if similarity >= THRESHOLD else None


def flag(index, identifier, sketch, kept):
    found = None if sketch is None else original(index, sketch, kept)
    if found:
        similarity, key = found
        return {"id": identifier, "status": "near_duplicate", "duplicate_of": kept[key][0],
                "similarity": round(float(similarity), 3)}
    if sketch is not None:
        index.insert(len(kept), sketch)
        kept.append((identifier, sketch))
    return {"id": identifier, "status": "unique"}


def flags(documents, index):
    """The flag of each document in order: query, then insert if it is kept."""
    kept = []
    documents = iter(documents)
    while batch := list(itertools.islice(documents, BATCH)):
        shingle_lists = [shingles(document["text"]) for document in batch]
        sketches = iter(index.sketch([each for each in shingle_lists if each]))
        for document, each in zip(batch, shingle_lists):
            yield flag(index, document["id"], next(sketches) if each else None, kept)


def memory_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))


def main(make_index):
    """PROGRAM INPUT FLAGS SIZE BANDS ROWS: prints {"memory_grown": bytes} at the end."""
    import orjson  # the fastest parser; only the private environment has it

    documents, flags_file = sys.argv[1:3]
    index = make_index(*map(int, sys.argv[3:6]))
    before = memory_bytes()
    with open(documents, "rb") as lines, open(flags_file, "wb") as out:
        for record in flags(map(orjson.loads, lines), index):
            out.write(orjson.dumps(record) + b"\n")
    print(json.dumps({"memory_grown": memory_bytes() - before}))
