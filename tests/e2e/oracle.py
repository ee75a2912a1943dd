"""The decision in its plainest form: every document is compared with all before it. Written from the rules of the
design, not from the code, for the texts of corpus.py (words in ASCII, ideographs, and scripts without spaces)."""

import json
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

import sketches
from corpus import REJECTED

SHINGLE = 5


@dataclass
class Document:
    seq: int
    space: str
    name: str
    tokens: tuple
    shingles: frozenset
    time: int  # stream time at its arrival, in seconds
    values: tuple = ()  # of its sketch, where the oracle makes one
    indexed: bool = True

    @property
    def text(self):
        return " ".join(self.tokens)

    @property
    def bytes(self):
        return len(self.text.encode())


@dataclass
class Retention:
    """What is forgotten; times in seconds, 0 for without limit."""
    max_age: int = 0
    max_documents: int = 0
    max_bytes: int = 0
    max_step: int = 86400


@dataclass
class Bands:
    """How sketches are made and cut into bands, and how many live documents of a bucket count."""
    size: int = 128
    bits: int = 8
    bands: int = 16
    rows: int = 4
    cap: int = 64

    def of(self, values):
        return [values[m * self.rows:(m + 1) * self.rows] for m in range(self.bands)]


@dataclass
class Text:
    """What texts are compared by."""
    unit: str = "word"
    min_tokens: int = 5

    def units(self, tokens):
        return tokens if self.unit == "word" else tuple(" ".join(tokens))


def tokens_of(text):
    return tuple(sketches.tokens(text))


def shingles_of(units):
    return frozenset(units[i:i + SHINGLE] for i in range(max(1, len(units) - SHINGLE + 1)))


def time_of(ts):
    """Seconds, or nothing for what is no time."""
    if isinstance(ts, str):
        try:
            return int(datetime.fromisoformat(ts.replace("Z", "+00:00")).timestamp())
        except ValueError:
            return None
    return ts


class Oracle:
    """Every earlier document is a candidate, and is compared exactly."""

    def __init__(self, threshold, against_all, retention=Retention(), text=Text()):
        self.threshold, self.against_all, self.retention = Fraction(threshold), against_all, retention
        self.text = text
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

    def delete(self, space, name):
        """By command: takes no seq."""
        self.living.pop((space, name), None)

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
        return Document(self.seq, *key, tokens, shingles_of(self.text.units(tokens)), self.time)

    def _status(self, new):
        if not new.tokens:
            return {"status": "empty"}
        earlier = sorted((d for d in self.living.values() if d.indexed and d.space == new.space), key=lambda d: d.seq)
        for document in earlier:
            if document.tokens == new.tokens:
                return self._duplicate("exact_duplicate", document, Fraction(1))
        if not self._has_sketch(new):
            return {"status": "too_short"}
        return self._near(new, [document for document in earlier if self._has_sketch(document)])

    def _has_sketch(self, document):
        return len(self.text.units(document.tokens)) >= self.text.min_tokens

    def _near(self, new, earlier):
        return self._most_similar(new, earlier)

    def _most_similar(self, new, candidates):
        similarity, original = Fraction(0), None
        for document in candidates:
            common = len(document.shingles & new.shingles)
            found = Fraction(common, len(document.shingles) + len(new.shingles) - common)
            if found > similarity:
                similarity, original = found, document
        if original and similarity >= self.threshold:
            return self._duplicate("near_duplicate", original, similarity)
        return {"status": "unique"}

    def _duplicate(self, status, original, similarity):
        return {"status": status, "duplicate_of": original.name, "duplicate_of_seq": original.seq,
                "similarity": similarity.numerator * 1000 // similarity.denominator / 1000}


class SketchOracle(Oracle):
    """Candidates share a bucket, of which the oldest live documents count, and are verified as `verify` says."""

    def __init__(self, threshold, against_all, verify, bands=Bands(), **options):
        super().__init__(threshold, against_all, **options)
        self.verify, self.bands = verify, bands
        self.capped = 0  # buckets that held more than the cap

    def _document(self, key, text):
        document = super()._document(key, text)
        if document.tokens and self._has_sketch(document):
            shape = self.bands.size, self.bands.bits
            document.values = sketches.values_of(document.text, self.text.unit, SHINGLE, *shape)
        return document

    def _near(self, new, earlier):
        candidates = self._candidates(new, earlier)
        counts = {document.seq: sketches.equal(document.values, new.values) for document in candidates}
        shape = self.bands.size, self.bands.bits
        if self.verify == "exact":
            least = sketches.lower_count(self.threshold, *shape)
            flag = self._most_similar(new, [document for document in candidates if counts[document.seq] >= least])
        else:
            least = 0 if self.verify == "none" else sketches.decision_count(self.threshold, *shape)
            flag = self._most_equal([document for document in candidates if counts[document.seq] >= least], counts)
        if "duplicate_of" in flag:
            original = next(document for document in candidates if document.seq == flag["duplicate_of_seq"])
            ours, theirs = self.bands.of(new.values), self.bands.of(original.values)
            flag.update(verified_by=self.verify, bands_hit=sketches.equal(ours, theirs))
        return flag

    def _candidates(self, new, earlier):
        """In the order of their seqs."""
        found = {}
        for m, values in enumerate(self.bands.of(new.values)):
            begin, end = m * self.bands.rows, (m + 1) * self.bands.rows
            bucket = [document for document in earlier if document.values[begin:end] == values]
            self.capped += len(bucket) > self.bands.cap
            found.update((document.seq, document) for document in bucket[:self.bands.cap])
        return [found[seq] for seq in sorted(found)]

    def _most_equal(self, candidates, counts):
        if not candidates:
            return {"status": "unique"}
        original = max(candidates, key=lambda document: (counts[document.seq], -document.seq))
        flag = self._duplicate("near_duplicate", original, Fraction(0))
        return {**flag, "similarity": sketches.similarity(counts[original.seq], self.bands.size, self.bands.bits)}
