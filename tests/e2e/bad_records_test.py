"""Records that are not what they should be: each becomes a flag with its reason, and the run goes on."""

import json
import unittest

import neardup
from folder import FolderTest

MiB = 1 << 20


def record(text, name="a"):
    return json.dumps({"id": name, "text": text}, ensure_ascii=False).encode()


class BadRecords(FolderTest):
    def setUp(self):
        super().setUp()
        self.good = [record(f"a good document number {i} with words enough", f"good-{i}") for i in range(2)]

    def run_scan(self, path, sets=()):
        """Flags and summary; the input stood between two good records, whose flags are taken off."""
        output = self.folder / "flags.jsonl"
        done = neardup.scan([path], output, sets=("storage.store=memory", *sets), options=["--json"])
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        flags = neardup.parse_flags(output.read_bytes())
        self.assertEqual([flags[0]["id"], flags[-1]["id"]], ["good-0", "good-1"])
        self.assertNotEqual(flags[-1]["status"], "rejected")
        return flags[1:-1], json.loads(done.stderr.splitlines()[-1])

    def flags(self, *lines, sets=()):
        path = self.folder / "input.jsonl"
        path.write_bytes(b"\n".join([self.good[0], *lines, self.good[1]]) + b"\n")
        return self.run_scan(path, sets)[0]

    def reasons(self, *lines, sets=()):
        return [(flag["id"], flag["status"], flag.get("reason")) for flag in self.flags(*lines, sets=sets)]

    def test_invalid_utf8_is_replaced_by_default(self):
        lines = [b'{"id":"bad","text":"one two three four five \xff\xfe six"}',
                 '{"id":"same","text":"one two three four five \ufffd six"}'.encode(),
                 b'{"id":"caf\xe9","text":"latin one in the id it is"}']
        flags = self.flags(*lines)
        self.assertEqual([flag["status"] for flag in flags], ["unique", "exact_duplicate", "unique"])
        self.assertEqual(flags[2]["id"], "caf\ufffd")

    def test_invalid_utf8_is_rejected_where_asked_for(self):
        lines = [b'{"id":"bad","text":"one two \xff three"}', b'{"id":"surrogate","text":"\xed\xa0\x80"}',
                 b'{"id":"long","text":"\xc0\xaf"}', b'{"id":"good","text":"gr\xc3\xbc\xc3\x9fe an alle die es lesen"}']
        flags = self.flags(*lines, sets=("text.invalid_utf8=reject",))
        self.assertEqual([flag.get("reason") for flag in flags], ["invalid_utf8"] * 3 + [None])

    def test_nul_bytes(self):
        lines = [b'{"id":"raw","text":"one\0two"}', b"\0\0\0", b'{"id":"escaped","text":"\\u0000"}']
        self.assertEqual(self.reasons(*lines),
                         [(None, "rejected", "invalid_json"), (None, "rejected", "invalid_json"),
                          ("escaped", "empty", None)])

    def test_lone_surrogates(self):
        self.check_lone_surrogates("replace", [None] * 3)

    def test_lone_surrogates_that_are_refused(self):
        self.check_lone_surrogates("reject", ["invalid_escape"] * 3)

    def check_lone_surrogates(self, policy, of_texts):
        lines = [b'{"id":"a","text":"\\ud800"}', b'{"id":"b","text":"\\udc00 x"}',
                 b'{"id":"c","text":"\\ud83d\\u0041"}',
                 b'{"id":"\\udfff","text":"x"}', b'{"id":"d","text":"\\uD83C\\uDF88 is a whole pair of them"}']
        flags = self.flags(*lines, sets=(f"text.invalid_utf8={policy}",))
        self.assertEqual([flag.get("reason") for flag in flags], [*of_texts, "invalid_escape", None])
        self.assertEqual([flag["id"] for flag in flags], ["a", "b", "c", None, "d"])

    def test_duplicate_keys(self):
        lines = [b'{"id":"a","id":"a","text":"x"}', b'{"id":"b","text":"x","te\\u0078t":"y"}',
                 b'{"id":"c","text":"x","ts":1,"ts":1}', b'{"id":"d","text":"x","other":1,"other":2}']
        self.assertEqual([flag.get("reason") for flag in self.flags(*lines)], ["duplicate_field"] * 3 + [None])

    def test_ids_of_wrong_kinds_and_sizes(self):
        self.assertEqual(
            [(status, reason) for _, status, reason in self.reasons(
                b'{"text":"x"}', b'{"id":null,"text":"x"}', b'{"id":1,"text":"x"}', b'{"id":["a"],"text":"x"}',
                b'{"id":"","text":"x"}', record("x", "i" * 1025), record("x", "ü" * 513), record("x", "i" * 1024))],
            [("rejected", "missing_id")] + [("rejected", "invalid_id")] * 6 + [("too_short", None)])

    def test_texts_of_wrong_kinds(self):
        self.assertEqual([reason for _, _, reason in self.reasons(
            b'{"id":"a"}', b'{"id":"a","text":null}', b'{"id":"a","text":5}', b'{"id":"a","text":{"x":"y"}}',
            b'{"id":"a","text":["y"]}', b'{"id":"a","text":true}')], ["missing_text"] + ["invalid_text"] * 5)

    def test_what_is_not_json(self):
        lines = [b"{", b"}", b'{"id":"a","text":"x"', b'{"id":"a" "text":"x"}', b"null", b'"id"', b"{}{}",
                 b'{"id":"a","text":"x"}]', b'{"id":"a","text":"x"} trailing', b"\xef\xbb\xbf{}"]
        flags = self.flags(*lines)
        self.assertEqual([flag["status"] for flag in flags], ["rejected"] * len(lines))
        self.assertEqual({flag["reason"] for flag in flags[:-1]}, {"invalid_json"})

    def test_nesting_100_000_deep(self):
        deep = 100_000
        lines = [b"[" * deep + b"]" * deep, b'{"x":' * deep + b"1" + b"}" * deep,
                 b'{"id":"a","text":"well nested but not read at all","x":' + b"[" * deep + b"]" * deep + b"}",
                 b'{"id":"b","text":' + b"[" * deep, b'{"id":"c","x":' + b'{"y":[' * deep + b"1" + b"]}" * deep + b"}"]
        flags = self.flags(*lines)
        self.assertEqual([flag["status"] for flag in flags[:2]], ["rejected"] * 2)
        self.assertIn(flags[2]["status"], ("unique", "rejected"))
        self.assertEqual([flag["status"] for flag in flags[3:]], ["rejected"] * 2)

    def test_a_line_of_1_gb_takes_no_memory(self):
        path = self.folder / "long.jsonl"
        with open(path, "wb") as file:
            file.write(self.good[0] + b"\n" + b'{"id":"long","text":"')
            file.seek(1 << 30, 1)  # a hole, read as zeros
            file.write(b'"}\n' + self.good[1] + b"\n")
        flags, summary = self.run_scan(path, ("cpu.threads=1",))
        self.assertEqual([flag["reason"] for flag in flags], ["record_too_large"])
        self.assertIn(str((1 << 30) + 23), flags[0]["detail"])
        self.assertLess(summary["peak_rss_bytes"], 300 * MiB)

    def test_a_token_of_9_mb_is_a_document(self):
        token = "x" * (9 * MiB)
        self.assertEqual([flag["status"] for flag in self.flags(record(token), record(token.upper(), "b"))],
                         ["too_short", "exact_duplicate"])

    def test_a_text_above_the_limit_is_rejected(self):
        self.assertEqual(self.reasons(record("x" * (10 * MiB)), record("x" * (10 * MiB + 1), "b")),
                         [("a", "too_short", None), ("b", "rejected", "text_too_large")])

    def test_100_000_alternating_marks(self):
        marks = "a" + "\u0301\u0323" * 50_000
        flags = self.flags(record(f"one two three four {marks}"), record(f"one two three four {marks}", "b"))
        self.assertEqual([flag["status"] for flag in flags], ["unique", "exact_duplicate"])

    def test_a_flood_of_ligatures_that_expand(self):
        # U+FDFA becomes 18 code points, 33 bytes from 3: above 4 times text.max_bytes it is refused, below it is taken.
        sets = ("text.max_bytes=300KiB",)
        self.assertEqual(self.reasons(record("\ufdfa" * 100_000), record("\ufdfa" * 20_000, "b"), sets=sets),
                         [("a", "rejected", "text_too_large"), ("b", "unique", None)])

    def test_the_memory_of_floods_is_bounded(self):
        path = self.folder / "floods.jsonl"
        floods = [record("\ufdfa" * 3_000_000, f"{i}") for i in range(8)]
        path.write_bytes(b"\n".join([self.good[0], *floods, self.good[1]]) + b"\n")
        flags, summary = self.run_scan(path, ("cpu.threads=1", "batch.max_bytes=16MiB"))
        self.assertEqual({flag["reason"] for flag in flags}, {"text_too_large"})
        self.assertLess(summary["peak_rss_bytes"], 700 * MiB)


if __name__ == "__main__":
    unittest.main()
