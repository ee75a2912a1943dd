"""The checker of aftermath.py reports wrong output in every mode, and nothing for right output. Made-up
messages; needs no broker."""

import json
import unittest

import aftermath
import traces
from folder import FolderTest
from message import Message


TEXTS = ["one two three four five six seven eight", "something else that stands here all alone", "short"]


def came():
    """A unique document, a copy, one that is rejected, another unique one, a short one, a delete."""
    values = [TEXTS[0], TEXTS[0], None, TEXTS[1], TEXTS[2]]
    messages = []
    for i, text in enumerate(values):
        value = b"no JSON" if text is None else json.dumps({"id": f"d{i}", "text": text}).encode()
        key = f"d{i}".encode() if i else None
        messages.append(Message("docs", 0, i, 1000 + i, key, value, [("h", b"%d" % i)]))
    return [*messages, Message("docs", 0, 5, 1005, b"d0", None, [])]


class Aftermath(FolderTest):
    def setUp(self):
        super().setUp()
        self.inputs = came()
        self.flags = aftermath.reference(self.inputs, self.folder)
        self.assertEqual([flag["status"] for flag in self.flags],
                         ["unique", "exact_duplicate", "rejected", "unique", "too_short", "deleted"])
        more = [("neardup-topic", b"docs"), ("neardup-partition", b"0"), ("neardup-offset", b"2"),
                ("neardup-seq", b"3")]
        bad = self.inputs[2]
        self.letters = [bad._replace(topic="dead", headers=bad.headers + more)]
        self.annotated = [self.annotate(*both) for both in zip(self.inputs, self.lines(), strict=True)]
        self.passed = [self.inputs[i]._replace(topic="out") for i in (0, 3, 4, 5)]

    def lines(self):
        """The flags as a service writes them."""
        written = aftermath.exactly_once.scanned(self.inputs, self.folder).splitlines()
        for line, flag in zip(written, self.flags, strict=True):
            source = json.dumps(flag["source"], separators=(",", ":")).encode()
            yield line[:line.rindex(b',"source":')] + b',"source":' + source + b"}"

    @staticmethod
    def annotate(message, line):
        status = json.loads(line)["status"].encode()
        ours = [("neardup-status", status), ("neardup-flag", line)]
        return message._replace(topic="out", headers=message.headers + ours)

    def problems(self, mode, outputs, letters=None):
        letters = self.letters if letters is None else letters
        return "\n".join(aftermath.of_messages(mode, self.inputs, outputs, letters, self.folder))

    def assert_all_told(self, mode, good):
        self.assertEqual(self.problems(mode, good), "")
        for i, message in enumerate(good):
            with self.subTest(lost=i):
                self.assertNotEqual(self.problems(mode, good[:i] + good[i + 1:]), "")
            with self.subTest(doubled=i):
                self.assertNotEqual(self.problems(mode, good[:i] + [message] + good[i:]), "")
            for change in ({"key": b"other"}, {"value": b"other"}, {"timestamp": 1},
                           {"headers": [("other", b""), *message.headers]}):
                with self.subTest(changed=i, **change):
                    changed = message._replace(**change)
                    self.assertNotEqual(self.problems(mode, good[:i] + [changed] + good[i + 1:]), "")

    def test_messages_passed_by_the_filter(self):
        self.assert_all_told("filter", self.passed)

    def test_annotated_messages(self):
        self.assert_all_told("annotate", self.annotated)

    def test_traces_of_flags(self):
        self.inputs[0] = self.inputs[0]._replace(headers=[("traceparent", traces.parent(1)), ("tracestate", b"a=1")])
        flags = [message._replace(key=None if flag["id"] is None else flag["id"].encode(), value=line,
                                  headers=[("neardup-status", flag["status"].encode()), *traces.passed_on(message)])
                 for message, flag, line in zip(self.inputs, self.flags, self.lines(), strict=True)]
        self.assertEqual(self.problems("flags", flags), "")
        first, *others = flags
        for headers in (first.headers[:1], first.headers[:2], [*first.headers[:1], ("traceparent", traces.parent(2))],
                        [*first.headers, first.headers[1]]):
            self.assertIn("has the trace", self.problems("flags", [first._replace(headers=headers), *others]))

    def test_batches_in_the_log(self):
        sent = {"event": "batch delivered"}
        good = [{**sent, "batch": 1, "first_seq": 1, "next_seq": 9, "trace_id": "a" * 32}, {"event": "rate"},
                {**sent, "batch": 2, "first_seq": 9, "next_seq": 9, "trace_id": "b" * 32}]
        self.assertEqual(traces.batch_problems([*good, *good]), [])
        for wrong in ({"trace_id": "a" * 32}, {"first_seq": 8}, {"trace_id": "b" * 31}, {"trace_id": "0" * 32}):
            self.assertTrue(traces.batch_problems([*good[:2], {**good[2], **wrong}]), wrong)
        self.assertTrue(traces.batch_problems([*good, {**good[2], "trace_id": "c" * 32}]))

    def test_dead_letters(self):
        letter = self.letters[0]
        for letters, told in (([], "has no dead letter"), ([letter, letter], "two dead letters"),
                              ([letter._replace(value=b"x")], "another dead letter"),
                              ([letter._replace(key=None)], "another dead letter"),
                              ([letter._replace(headers=letter.headers[1:])], "another dead letter"),
                              ([letter._replace(headers=[*letter.headers[:-1], ("neardup-seq", b"9")])], "has seq 3")):
            self.assertIn(told, self.problems("filter", self.passed, letters))

    def test_only_repeats_that_are_equal_to_the_last_byte_may_be_left_out(self):
        one, two = self.annotated[:2]
        self.assertEqual(aftermath.without_repeats([one, two, one._replace(offset=9, timestamp=7)]), [one, two])
        for other in (one._replace(value=b"x"), one._replace(key=b"x"), one._replace(headers=one.headers[1:])):
            self.assertEqual(len(aftermath.without_repeats([one, other])), 2)


if __name__ == "__main__":
    unittest.main()
