"""The checker finds each kind of mistake in made-up outputs, and none where there is none. Needs no broker."""

import json
import pathlib
import sys
import tempfile
import unittest
from typing import Any, NamedTuple

import exactly_once

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
from corpus import Corpus  # noqa: E402

PARTITIONS = 3
SETS = ("storage.store=memory",)


class Message(NamedTuple):
    """What the checker reads of a message."""

    topic: str
    partition: int
    offset: int
    key: Any
    value: Any
    headers: Any = ()

    @property
    def place(self):
        return self.topic, self.partition, self.offset


def output(record, at):
    """A flag as the service would send it."""
    value = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    key = record["id"].encode() if record["id"] is not None else None
    return Message("flags", 0, at, key, value, [("neardup-status", record["status"].encode())])


class Checker(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-checker-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        lines = Corpus(3).lines(150)
        cls.inputs = [Message("docs", i % PARTITIONS, i // PARTITIONS, None, line) for i, line in enumerate(lines)]
        cls.inputs.append(Message("docs", 0, 1000, b"doc-1", None))
        lines.append(b'{"id":"doc-1","delete":true}')
        (cls.folder / "in.jsonl").write_bytes(b"\n".join(lines) + b"\n")
        flags = neardup.scan_or_fail([cls.folder / "in.jsonl"], cls.folder / "flags", sets=SETS)
        cls.good = [cls.sent(line, message) for line, message in zip(flags.splitlines(), cls.inputs)]

    @staticmethod
    def sent(line, message):
        """The line of scan, with the source that a service gives."""
        source = json.dumps(dict(zip(("topic", "partition", "offset"), message.place)), separators=(",", ":"))
        value = line[: line.rindex(b',"source":')] + b',"source":' + source.encode() + b"}"
        return output(json.loads(value), message.offset)._replace(value=value)

    def problems(self, outputs, inputs=None):
        return exactly_once.problems(self.inputs if inputs is None else inputs, outputs, self.folder, SETS)

    def assert_told(self, outputs, *words, inputs=None):
        found = "\n".join(self.problems(outputs, inputs))
        for word in words:
            self.assertIn(word, found)

    def record(self, at):
        return json.loads(self.good[at].value)

    def changed(self, at, **fields):
        """The good flags, one with other fields, wrapped as the service would."""
        flags = list(self.good)
        value = flags[at].value
        for name, new in fields.items():
            old = json.dumps(self.record(at)[name], ensure_ascii=False, separators=(",", ":"))
            self.assertIn(f'"{name}":{old}'.encode(), value)
            value = value.replace(f'"{name}":{old}'.encode(), f'"{name}":{json.dumps(new)}'.encode())
        flags[at] = output(json.loads(value), at)._replace(value=value)
        return flags

    def first(self, status, after=0):
        return next(i for i in range(after, len(self.good)) if self.record(i)["status"] == status)

    def test_nothing_is_told_of_good_flags(self):
        self.assertEqual(self.problems(self.good), [])
        self.assertEqual(self.problems(self.good[::-1]), [], "the order of output partitions says nothing")
        self.assertEqual(self.problems([], inputs=[]), [])

    def test_a_lost_flag(self):
        place = self.record(70)["source"]
        self.assert_told(self.good[:70] + self.good[71:], f"docs/{place['partition']}@{place['offset']} has no flag",
                         "seq 71 is wanted where 72 stands")

    def test_a_lost_last_flag(self):
        self.assert_told(self.good[:-1], "docs/0@1000 has no flag")

    def test_all_flags_lost(self):
        self.assert_told([], "has no flag", f"… and {len(self.good) - exactly_once.SHOWN} more like that")

    def test_a_doubled_flag(self):
        self.assert_told(self.good + [self.good[5]], "has two flags, 6 and 6", "seq 6 stands twice")

    def test_a_flag_given_anew(self):
        again = {**self.record(5), "seq": len(self.good) + 1}
        self.assert_told(self.good + [output(again, 0)], f"has two flags, 6 and {len(self.good) + 1}")

    def test_a_flag_for_what_was_never_sent(self):
        self.assert_told(self.good, "which is no input", inputs=self.inputs[:-1])

    def test_a_gap_in_the_seqs(self):
        flags = self.good[:-1] + self.changed(-1, seq=500)[-1:]
        self.assert_told(flags, f"seq {len(self.good)} is wanted where 500 stands")

    def test_seqs_that_do_not_begin_at_1(self):
        self.assert_told(self.good[1:], "seq 1 is wanted where 2 stands", inputs=self.inputs[1:])

    def test_two_flags_with_one_seq(self):
        self.assert_told(self.changed(20, seq=20), "seq 20 stands twice")

    def test_an_input_partition_out_of_order(self):
        """The flags of two messages of one partition, swapped."""
        a, b = 30, 30 + PARTITIONS
        flags = list(self.good)
        flags[a], flags[b] = (output({**self.record(i), "seq": self.record(j)["seq"]}, i) for i, j in ((a, b), (b, a)))
        self.assert_told(flags, "docs/0@10 was taken (seq 34) after docs/0@11 (31)")

    def test_flags_with_swapped_sources(self):
        a, b = 30, 31  # of two partitions, so that each one's order stays
        flags = list(self.good)
        for i, j in ((a, b), (b, a)):
            flags[i] = output({**self.record(i), "source": self.record(j)["source"]}, i)
        self.assertNotEqual(self.problems(flags), [])

    def test_a_changed_decision(self):
        at = self.first("near_duplicate")
        original = self.record(at)["duplicate_of"]
        self.assert_told(self.changed(at, duplicate_of=original + "x"), "not as scan says", f"flag {at + 1}")

    def test_a_changed_digit(self):
        at = self.first("near_duplicate")
        more = self.record(at)["bands_hit"] + 1
        self.assert_told(self.changed(at, bands_hit=more), "not as scan says")

    def test_a_duplicate_called_unique(self):
        at = self.first("exact_duplicate")
        kept = {name: value for name, value in self.record(at).items()
                if not name.startswith(("duplicate_of", "similarity", "verified"))}
        flags = list(self.good)
        flags[at] = output({**kept, "status": "unique"}, at)
        self.assert_told(flags, "not as scan says")

    def test_an_invalid_flag(self):
        self.assert_told(self.changed(3, status="odd"), "against the contract", "unknown status")

    def test_what_is_no_flag_at_all(self):
        for value in (b"{", b"[]", b"{}", None, b'{"seq":"x","source":{}}', b'{"id":5,"seq":1,"source":null}'):
            with self.subTest(value=value):
                self.assert_told(self.good + [Message("flags", 0, 77, None, value)], "no flag at flags/0@77")

    def test_a_wrong_key_or_header(self):
        flags = list(self.good)
        flags[4] = flags[4]._replace(key=b"other")
        flags[9] = flags[9]._replace(headers=[])
        self.assert_told(flags, "has the key b'other'", "in its header")

    def test_other_settings_are_noticed(self):
        found = exactly_once.problems(self.inputs, self.good, self.folder, (*SETS, "threshold=0.7"))
        self.assertIn("not as scan says", "\n".join(found))

    def test_a_field_that_does_not_fit_the_schema(self):
        self.assert_told(self.changed(5, threshold=7), "against the schema", "7 is greater than")


if __name__ == "__main__":
    unittest.main()
