"""Streams that attack the order of decisions: what a record finds was put, replaced, deleted or forgotten by records of its
own batch. The flags are those of a comparison of everything with everything, however many threads decide in batches of any size."""

import json
import random
import unittest

import configurations as ways
import neardup
from oracle import Oracle, Retention
from oracle_test import SETS, options, spoken

SEED = 20261128
RECORDS = 700
THREADS = (1, 2, 7)
BATCHES = (1, 2, 777, 16384)
RETENTION = Retention(max_documents=5)


def words(number, count=40, changed=()):
    """Text `number`; each of `changed` replaces a word."""
    text = [f"w{number}x{i}" for i in range(count)]
    for i in changed:
        text[i % count] = f"other{number}x{i}"
    return " ".join(text)


def line(identifier, text=None, **more):
    record = {"id": identifier, **({"delete": True} if text is None else {"text": text}), **more}
    return json.dumps(record).encode()


def one_id(chance):
    """All records have one id; a text comes back now and then."""
    return [line("the one", words(chance.randrange(5), changed=[chance.randrange(6)])) for _ in range(RECORDS)]


def one_text_in_all_namespaces(chance):
    return [line(f"d{i}", words(1), namespace=f"n{chance.randrange(300)}") for i in range(RECORDS)]


def originals_deleted_among_their_copies(chance):
    lines = []
    for i in range(RECORDS):
        group = i // 7
        if i % 7 == 3:
            lines.append(line(f"g{group}d{chance.randrange(3)}"))
        else:
            lines.append(line(f"g{group}d{i % 7}", words(group, changed=[] if chance.random() < 0.5 else [i])))
    return lines


def versions_replaced_twice(chance):
    lines = []
    for i in range(RECORDS):
        lines.append(line(f"d{i // 3}", words(i // 3 if i % 3 == 2 else chance.randrange(40), changed=[i % 5])))
    return lines


def a_watermark_that_always_moves(chance):
    return [line(f"d{i}", words(chance.randrange(4), changed=[i % 3])) for i in range(RECORDS)]


def copies_of_copies(_):
    """Each is nearly the one before, and little by little another text."""
    lines, changed = [], []
    for i in range(RECORDS):
        if i % 50 == 0:
            changed = []
        changed.append(i)
        lines.append(line(f"d{i}", words(i // 50, changed=changed)))
    return lines


def many_of_one_template(chance):
    return [line(f"d{i}", words(1, changed=[chance.randrange(40) for _ in range(chance.randrange(9))])) for i in range(RECORDS)]


STREAMS = {stream.__name__: stream for stream in
           (one_id, one_text_in_all_namespaces, originals_deleted_among_their_copies, versions_replaced_twice,
            a_watermark_that_always_moves, copies_of_copies, many_of_one_template)}


class AttackStreams(unittest.TestCase):
    def each_way(self):
        for threads in THREADS:
            for batch in BATCHES:
                store = "memory" if batch in (1, 2) else "rocksdb"
                yield ways.Way(f"{threads} threads, batches of {batch}",
                               (f"cpu.threads={threads}", f"batch.documents={batch}", f"storage.store={store}"))

    def check(self, lines, sets):
        reference = ways.flags_of(lines, ways.Way("plain"), sets)
        found = ways.differences(lines, reference, self.each_way(), sets)
        self.assertFalse(found, f"seed {SEED}, {sets}: " + "\n".join(found))
        return neardup.parse_flags(reference)


def add(name, stream, against):
    retention = RETENTION if stream is a_watermark_that_always_moves else Retention()

    def test_flags_are_those_of_comparing_everything(self):
        lines = stream(random.Random(SEED))
        flags = self.check(lines, (*SETS, f"against={against}", "threshold=0.8", *options(retention)))
        oracle = Oracle("0.8", against == "all", retention)
        self.assertEqual([spoken(oracle.decide(line)) for line in lines], [spoken(flag) for flag in flags])

    def test_caps_are_reached_inside_a_batch(self):
        for cap in (1, 3):
            with self.subTest(cap=cap):
                self.check(stream(random.Random(SEED)), (f"lsh.bucket_cap={cap}", f"against={against}", *options(retention)))

    for test in (test_flags_are_those_of_comparing_everything, test_caps_are_reached_inside_a_batch):
        setattr(AttackStreams, f"{test.__name__}_{name}_{against}", test)


for stream_name, make in STREAMS.items():
    for rule in ("kept", "all"):
        add(stream_name, make, rule)


if __name__ == "__main__":
    unittest.main()
