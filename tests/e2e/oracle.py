"""The decision in its plainest form: every document is compared with all before it. Written from the rules of the
design, not from the code, for the texts of corpus.py (words in ASCII, and ideographs)."""

import json
import re
from dataclasses import dataclass
from fractions import Fraction

from corpus import REJECTED

TOKEN = re.compile("[a-z0-9]+|[\u4e00-\u9fff]")
SHINGLE = 5
MIN_TOKENS = 5


@dataclass
class Document:
    seq: int
    space: str
    name: str
    tokens: tuple
    shingles: frozenset
    indexed: bool = True


def tokens_of(text):
    return tuple(TOKEN.findall(text))


def shingles_of(tokens):
    return frozenset(tokens[i:i + SHINGLE] for i in range(max(1, len(tokens) - SHINGLE + 1)))


class Oracle:
    def __init__(self, threshold, against_all):
        self.threshold, self.against_all = Fraction(threshold), against_all
        self.seq = 0
        self.living = {}  # (namespace, id) → Document

    def decide(self, line):
        self.seq += 1
        flag = {"seq": self.seq}
        if line in REJECTED:
            return {**flag, "status": "rejected"}
        record = json.loads(line)
        key = (record.get("namespace", ""), record["id"])
        old = self.living.get(key)
        if record.get("delete"):
            self.living.pop(key, None)
            return {**flag, "status": "deleted", "known": None if old else False}
        new = self._document(key, record["text"])
        if old and old.tokens == new.tokens:
            return {**flag, "status": "unchanged"}
        if old:
            del self.living[key]
            flag["previous"] = old.seq
        flag.update(self._status(new))
        new.indexed = flag["status"] != "empty" and (self.against_all or "duplicate_of" not in flag)
        self.living[key] = new
        return flag

    def _document(self, key, text):
        tokens = tokens_of(text)
        return Document(self.seq, *key, tokens, shingles_of(tokens))

    def _status(self, new):
        if not new.tokens:
            return {"status": "empty"}
        earlier = sorted((d for d in self.living.values() if d.indexed and d.space == new.space), key=lambda d: d.seq)
        for document in earlier:
            if document.tokens == new.tokens:
                return self._duplicate("exact_duplicate", document, Fraction(1))
        if len(new.tokens) < MIN_TOKENS:
            return {"status": "too_short"}
        similarity, original = Fraction(0), None
        for document in earlier:
            if len(document.tokens) >= MIN_TOKENS:
                common = len(document.shingles & new.shingles)
                found = Fraction(common, len(document.shingles) + len(new.shingles) - common)
                if found > similarity:
                    similarity, original = found, document
        if similarity >= self.threshold:
            return self._duplicate("near_duplicate", original, similarity)
        return {"status": "unique"}

    def _duplicate(self, status, original, similarity):
        return {"status": status, "duplicate_of": original.name, "duplicate_of_seq": original.seq,
                "similarity": similarity.numerator * 1000 // similarity.denominator / 1000}
