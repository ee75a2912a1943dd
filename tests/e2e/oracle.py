"""The decision in its plainest form: every document is compared with all before it. Written from the rules of the
design, not from the code, for the texts of corpus.py (words in ASCII, and ideographs)."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
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
    time: int  # stream time at its arrival, in seconds
    indexed: bool = True

    @property
    def bytes(self):
        return len(" ".join(self.tokens).encode())


@dataclass
class Retention:
    """What is forgotten; times in seconds, 0 for without limit."""
    max_age: int = 0
    max_documents: int = 0
    max_bytes: int = 0
    max_step: int = 86400


def tokens_of(text):
    return tuple(TOKEN.findall(text))


def shingles_of(tokens):
    return frozenset(tokens[i:i + SHINGLE] for i in range(max(1, len(tokens) - SHINGLE + 1)))


def time_of(ts):
    """Seconds, or nothing for what is no time."""
    if isinstance(ts, str):
        try:
            return int(datetime.fromisoformat(ts.replace("Z", "+00:00")).timestamp())
        except ValueError:
            return None
    return ts


class Oracle:
    def __init__(self, threshold, against_all, retention=Retention()):
        self.threshold, self.against_all, self.retention = Fraction(threshold), against_all, retention
        self.seq = 0
        self.time = 0
        self.living = {}  # (namespace, id) → Document
        self.forgotten = 0  # documents and ids

    def decide(self, line):
        self.seq += 1
        flag = {"seq": self.seq}
        if line in REJECTED:
            return {**flag, "status": "rejected"}
        record = json.loads(line)
        self._advance(time_of(record.get("ts")))
        self._forget()
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

    def _advance(self, time):
        if time is not None and time > self.time:
            if self.time == 0:  # the first time: it is as if all before had come at it
                self.time = time
                for document in self.living.values():
                    document.time = time
            else:
                self.time = min(time, self.time + (self.retention.max_step or time))

    def _forget(self):
        """Oldest first; what is older than a forgotten one is forgotten, too."""
        limits = self.retention
        for key, oldest in sorted(self.living.items(), key=lambda item: item[1].seq):
            size = sum(document.bytes for document in self.living.values() if document.indexed)
            if (limits.max_age and self.time - oldest.time > limits.max_age
                    or limits.max_documents and self.seq - oldest.seq > limits.max_documents
                    or limits.max_bytes and size > limits.max_bytes):
                del self.living[key]
                self.forgotten += 1
            else:
                break

    def _document(self, key, text):
        tokens = tokens_of(text)
        return Document(self.seq, *key, tokens, shingles_of(tokens), self.time)

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
