"""A run in which every record is rejected ends with 65 and says which setting mends it; the flags are written all the
same."""

import json
import os
import subprocess
import unittest

import neardup
from folder import FolderTest

GOOD = b'{"id":"a","text":"a good document with words enough to be compared"}\n'
CONTENT = b"".join(json.dumps({"id": f"d{i}", "title": "t", "content": "some words of a page"}).encode() + b"\n"
                   for i in range(3))
NUMBERS = b'{"id":1,"text":"one two three four five"}\n{"id":2,"text":"six seven eight nine ten"}\n'


class AllRejected(FolderTest):
    def write(self, content, name="input.jsonl"):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def scan(self, *inputs, status=65, state=None, options=(), sets=(), **run):
        done = neardup.scan(inputs, self.output, state, ["input.id=pointer", *sets], options, **run)
        said = done.stderr.decode()
        self.assertEqual(done.returncode, status, said)
        self.assertEqual("every record was rejected" in said, status == 65, said)
        return said

    def statuses(self):
        return [flag["status"] for flag in neardup.parse_flags(self.output.read_bytes())]

    def test_a_text_under_another_name(self):
        path = self.write(CONTENT)
        said = self.scan(path)
        sentence = next(line for line in said.splitlines() if "every record was rejected" in line)
        self.assertIn(f"(3 of 3 with missing_text); in {path}, line 1", sentence)
        setting = sentence.split("set ")[-1]
        self.assertEqual(setting, "input.text_field=/content")
        self.assertEqual(self.statuses(), ["rejected"] * 3)
        self.scan(path, status=0, sets=[setting])
        self.assertEqual(self.statuses(), ["unique", "exact_duplicate", "exact_duplicate"])

    def test_ids_that_are_numbers_or_missing(self):
        self.assertIn("/id must be a string: put the id in quotes", self.scan(self.write(NUMBERS)))
        self.assertIn("/id is missing", self.scan(self.write(b'{"text":"one two"}\n')))

    def test_the_option_keeps_0_and_the_flags_are_the_same(self):
        path = self.write(NUMBERS)
        self.scan(path)
        flags = self.output.read_bytes()
        self.scan(path, status=0, options=["--allow-all-rejected"])
        self.assertEqual(self.output.read_bytes(), flags)

    def test_all_inputs_of_the_run_are_counted_together(self):
        bad, good = self.write(NUMBERS, "bad.jsonl"), self.write(GOOD, "good.jsonl")
        self.scan(bad, good, status=0)
        self.scan(good, bad, status=0)
        self.scan(bad, self.write(b"{\n", "worse.jsonl"))
        # Whatever the batches: the good record may be in another one.
        self.scan(good, bad, status=0, sets=["batch.documents=1"])

    def test_no_record_at_all_is_no_mistake(self):
        for content in (b"", b"\n \n\t\r\n"):
            self.scan(self.write(content), status=0)
        self.scan("-", status=0, input=b"")

    def test_standard_input(self):
        self.scan("-", input=NUMBERS)

    def test_only_this_run_counts(self):
        path = self.write(GOOD)
        self.scan(path, status=0, state=self.state)
        path.write_bytes(GOOD + NUMBERS)
        self.assertIn("rerun with --rescan", self.scan(path, state=self.state))
        self.assertEqual(self.statuses(), ["unique", "rejected", "rejected"])
        # Nothing new: no record.
        self.scan(path, status=0, state=self.state)
        self.assertEqual(self.statuses(), ["unique", "rejected", "rejected"])

    def test_a_deleted_or_empty_document_was_understood(self):
        for line in (b'{"id":"x","delete":true}\n', b'{"id":"x","text":""}\n'):
            self.scan(self.write(NUMBERS + line), status=0)

    def test_the_summary_stays_the_last_line(self):
        said = self.scan(self.write(NUMBERS), options=["--json"])
        self.assertEqual(json.loads(said.splitlines()[-1])["rejected"], 2)

    def test_features_are_as_scan(self):
        def features(path, *options):
            return subprocess.run([neardup.BINARY, "features", "--set", "input.id=pointer", *options, path],
                                  capture_output=True, text=True)
        path = self.write(NUMBERS)
        done = features(path)
        self.assertEqual((done.returncode, done.stdout), (65, "0\n0\n"), done.stderr)
        self.assertIn("/id must be a string: put the id in quotes", done.stderr)
        self.assertEqual(features(path, "--allow-all-rejected").returncode, 0)
        self.assertEqual(features(self.write(NUMBERS + GOOD)).returncode, 0)
        self.assertEqual(features(os.devnull).returncode, 0)


if __name__ == "__main__":
    unittest.main()
