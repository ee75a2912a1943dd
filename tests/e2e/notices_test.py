"""What `scan` does not understand is counted and said once, and inputs that look like it are named."""

import gzip
import json
import subprocess
import unittest

import neardup
from folder import FolderTest

TEXT = "one two three four five six seven eight"
BROKEN = b'{"id":"bytes","text":"%s \xf0\x9f"}\n{"id":"half","text":"%s \\ud83d"}\n' % (TEXT.encode(), TEXT.encode())
AGE = ("retention.max_age=1h",)


def record(name, **more):
    return json.dumps({"id": name, "text": TEXT, **more}).encode() + b"\n"


class Folder(FolderTest):
    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def scan(self, *inputs, sets=(), options=(), status=0):
        """What is said on stderr, and the flags."""
        done = neardup.scan(inputs, self.output, sets=sets, options=options)
        said = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, said)
        return said, [json.loads(line) for line in self.output.read_bytes().splitlines()]

    def notices(self, content, sets=(), status=0):
        """Those that are not 0; every line of text with a count is of one that JSON has, too."""
        path = self.write("input.jsonl", content)
        json_said, _ = self.scan(path, sets=sets, options=["--json"], status=status)
        counted = {kind: count for kind, count in json.loads(json_said.splitlines()[-1])["notices"].items() if count}
        said, _ = self.scan(path, sets=sets, status=status)
        for kind, words in WORDS.items():
            lines = [line.split()[0] for line in said.splitlines() if words in line]
            self.assertEqual(lines, [str(counted[kind])] if kind in counted else [], said)
        return counted


WORDS = {"unread_time": "records without a time that can be read", "replaced_bytes": "records with bytes that are not UTF-8",
         "half_surrogate": "records with half of a surrogate pair", "utf16": "records in UTF-16",
         "schema_frame": "messages with a schema registry frame", "json_array": "records that are a JSON array"}


class Counted(Folder):
    def test_times_while_age_decides(self):
        named = record("a", timestamp="2024-01-01T00:00:00Z") + record("b", timestamp="2025-01-01T00:00:00Z")
        self.assertEqual(self.notices(named, AGE), {"unread_time": 2})
        self.assertEqual(self.notices(named, (*AGE, "input.timestamp_field=/timestamp")), {})
        self.assertEqual(self.notices(record("a", ts="1711843200") + record("b", ts=1711843200), AGE), {"unread_time": 1})
        self.assertEqual(self.notices(record("a", ts=None) + record("b", ts="soon"), AGE), {"unread_time": 2})

    def test_times_where_no_age_is_set(self):
        self.assertEqual(self.notices(record("a", ts="soon") + record("b")), {})

    def test_deletes_and_rejected_records_need_no_time(self):
        self.assertEqual(self.notices(record("a", ts=5) + b'{"id":"a","delete":true}\n{"id":"b"}\n', AGE), {})

    def test_text_that_was_broken(self):
        self.assertEqual(self.notices(BROKEN), {"replaced_bytes": 1, "half_surrogate": 1})
        self.assertEqual(self.notices(record("c") + BROKEN, ("text.invalid_utf8=reject",)), {})

    def test_records_in_other_forms(self):
        good, frame = record("good"), b"\0\0\0\0\7"
        self.assertEqual(self.notices(good + frame + record("framed") + b"[%s]\n" % record("listed").strip()),
                         {"schema_frame": 1, "json_array": 1})
        self.assertEqual(self.notices(good + record("wide").decode().encode("utf-16-be")), {"utf16": 1})

    def test_what_is_understood_needs_no_notice(self):
        self.assertEqual(self.notices(record("a", ts=5) + record("b", ts=6), AGE), {})


class OfReaders(Folder):
    """Of `check` and `similar`, which read a state."""

    def setUp(self):
        super().setUp()
        path = self.write("stored.jsonl", record("stored", ts=5))
        neardup.scan_or_fail([path], self.output, self.state, AGE)

    def said(self, command, content, *words):
        """Counts of notices, by kind."""
        path = self.write("asked.jsonl", content)
        done = subprocess.run([neardup.BINARY, command, "--state", str(self.state), *words, str(path)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stderr.splitlines()
        return {kind: int(line.split()[0]) for kind, words in WORDS.items() for line in lines if words in line}

    def test_a_check_says_what_a_scan_says(self):
        content = 2 * BROKEN + record("late") + record("good", ts=6)
        self.assertEqual(self.said("check", content), {"replaced_bytes": 2, "half_surrogate": 2, "unread_time": 5})
        self.assertEqual(self.said("check", record("good", ts=6)), {})

    def test_a_query_needs_no_time(self):
        self.assertEqual(self.said("similar", 2 * BROKEN + record("late") + b"[%s]\n" % record("listed").strip()),
                         {"replaced_bytes": 2, "half_surrogate": 2, "json_array": 1})
        self.assertEqual(self.said("similar", record("late")), {})


class Named(Folder):
    def test_utf16_files(self):
        for coding, wanted in (("utf-16", "UTF-16"), ("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")):
            with self.subTest(coding):
                path = self.write("wide.jsonl", record("a").decode().encode(coding))
                said, flags = self.scan(path, status=65)
                self.assertIn(f"is {wanted}", said)
                self.assertEqual(flags, [])
                plain = subprocess.run(["iconv", "-f", wanted, "-t", "UTF-8", str(path)], capture_output=True, check=True)
                self.assertIn(f"`iconv -f {wanted} -t UTF-8`", said)
                _, flags = self.scan(self.write("plain.jsonl", plain.stdout))
                self.assertEqual([flag["status"] for flag in flags], ["unique"])

    def test_an_input_that_was_converted_is_taken_by_the_same_state(self):
        path = self.write("wide.jsonl", record("a").decode().encode("utf-16"))
        self.assertEqual(neardup.scan([path], self.output, self.state).returncode, 65)
        path.write_bytes(record("a"))
        self.assertEqual(len(neardup.parse_flags(neardup.scan_or_fail([path], self.output, self.state))), 1)

    def test_zero_bytes_behind_gzip(self):
        packed, zeros = gzip.compress(record("a")), bytes(512)
        _, flags = self.scan(self.write("padded.jsonl.gz", packed + zeros))
        self.assertEqual(len(flags), 1)
        for name, behind in (("garbage", zeros + b"x\n"), ("member", zeros + packed)):
            said, flags = self.scan(self.write(f"{name}.jsonl.gz", packed + behind), status=65)
            self.assertIn("is damaged", said)
            self.assertEqual(len(flags), 1)

    def test_archives_without_a_byte(self):
        for name in ("empty.jsonl.gz", "empty.jsonl.zst"):
            said, _ = self.scan(self.write(name, b""), status=65)
            self.assertIn(f"{name} ends too early", said)
        self.scan(self.write("empty.jsonl", b""))


class KeepGoing(Folder):
    def setUp(self):
        super().setUp()
        packed = gzip.compress(b"".join(record(f"{i}") for i in range(1000)))
        self.packed = packed
        self.inputs = [self.write("first.jsonl", record("first")), self.write("cut.jsonl.gz", packed[:-100]),
                       self.folder / "missing.jsonl", self.write("last.jsonl", record("last"))]

    def test_the_inputs_after_a_damaged_one_are_read(self):
        said, flags = self.scan(*self.inputs, options=["--keep-going", "--json"], status=65)
        self.assertEqual([flags[0]["id"], flags[-1]["id"]], ["first", "last"])
        self.assertEqual(json.loads(said.splitlines()[-1])["unreadable_inputs"], 2)
        self.assertIn("cut.jsonl.gz ends too early", said)
        self.assertIn("missing.jsonl", said)

    def test_without_it_the_run_ends_there(self):
        said, flags = self.scan(self.inputs[1], self.inputs[3], status=65)
        self.assertNotIn("last", [flag["id"] for flag in flags])

    def test_a_whole_copy_is_read_on_from_where_it_was_cut(self):
        done = neardup.scan(self.inputs, self.output, self.state, options=["--keep-going"])
        self.assertEqual(done.returncode, 65)
        self.write("cut.jsonl.gz", self.packed)
        self.write("missing.jsonl", record("missing"))
        flags = neardup.parse_flags(neardup.scan_or_fail(self.inputs, self.output, self.state))
        self.assertEqual(sorted(flag["id"] for flag in flags),
                         sorted([str(i) for i in range(1000)] + ["first", "last", "missing"]))

    def test_whole_inputs_end_with_0(self):
        self.scan(self.inputs[0], self.inputs[3], options=["--keep-going"])


if __name__ == "__main__":
    unittest.main()
