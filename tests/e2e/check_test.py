"""`neardup check` gives the flags that records would get if each came next, and changes nothing."""

import hashlib
import json
import random
import shutil
import subprocess
import unittest

import neardup
from folder import FolderTest
from similar_test import make_texts

STATE = 300
ASKED = 60
ALONE = 12  # of those asked about: each is also scanned, after a separate state


class Check(FolderTest):
    def setUp(self):
        super().setUp()
        self.chosen = random.Random(20261123)
        self.count = 0
        self.texts = []

    def records(self, count):
        """Records of few ids, so that many are new versions, with some that delete or are rejected."""
        for text in make_texts(self.chosen, count):
            self.count += 1
            if self.texts and self.chosen.random() < 0.4:
                text = self.chosen.choice(self.texts) + self.chosen.choice(["", " more"])
            self.texts.append(text)
            record = {"id": f"d{self.chosen.randrange(STATE)}", "text": text, "ts": 1_000_000 + 1000 * self.count}
            if self.chosen.random() < 0.2:
                record["namespace"] = "b"
            if self.chosen.random() < 0.05:
                record = {"id": record["id"], "delete": True}
            elif self.chosen.random() < 0.05:
                del record["text"]
            yield json.dumps(record) + "\n"

    def check_lines(self, lines, sets=(), status=0, options=()):
        command = [neardup.BINARY, "check", "--state", str(self.state), *options]
        for setting in sets:
            command += ["--set", setting]
        done = subprocess.run(command, input="".join(lines).encode(), capture_output=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.splitlines(keepends=True)

    def scan(self, lines, state, sets=()):
        """The last flag."""
        path = self.folder / "input.jsonl"
        path.write_text("".join(lines))
        flags = neardup.scan_or_fail([path], self.output, state, sets, ["--allow-all-rejected", "--rescan"])
        return flags.splitlines(keepends=True)[-1]

    def files(self):
        return {path.relative_to(self.state): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(self.state.rglob("*")) if path.is_file() and not path.name.startswith("LOG")}

    def expect_flags_of_a_scan(self, *sets):
        self.scan(self.records(STATE), self.state, sets)
        asked = list(self.records(ASKED))
        before = self.files()
        checks = self.check_lines(asked, sets)
        self.assertEqual(self.files(), before)
        self.assertEqual(len(checks), ASKED)
        self.assertTrue(all(json.loads(line)["as_of_seq"] == STATE for line in checks))
        self.assertGreater(len({json.loads(line)["status"] for line in checks}), 2)
        for place in self.chosen.sample(range(ASKED), ALONE):
            copy = self.folder / "copy"
            shutil.copytree(self.state, copy)
            wanted = neardup.without_source(self.scan([asked[place]], copy, sets))
            shutil.rmtree(copy)
            self.assertEqual(neardup.flags_of_checks(checks[place]), wanted, asked[place])

    def test_flags_are_those_of_a_scan(self):
        self.expect_flags_of_a_scan()

    def test_flags_are_those_of_a_scan_against_all(self):
        self.expect_flags_of_a_scan("against=all", "lsh.bucket_cap=4")

    def test_flags_are_those_of_a_scan_with_texts(self):
        self.expect_flags_of_a_scan("verify.mode=exact", "storage.keep_texts=true")

    def test_flags_are_those_of_a_scan_that_forgets(self):
        self.expect_flags_of_a_scan("retention.max_age=100s", "retention.max_documents=250")

    def test_records_of_one_check_do_not_see_each_other(self):
        self.scan(self.records(10), self.state)
        record = json.dumps({"id": "new", "text": " ".join(f"unheard{i}" for i in range(40))}) + "\n"
        checks = self.check_lines([record, record.replace('"new"', '"newer"')])
        self.assertEqual([json.loads(line)["status"] for line in checks], ["unique", "unique"])

    def test_mistakes_are_told(self):
        self.check_lines(["{}\n"], status=75)
        self.scan(self.records(10), self.state)
        self.check_lines(["{}\n"], status=65)
        self.check_lines(["{}\n"], options=["--allow-all-rejected"])
        self.check_lines(["{}\n"], sets=["threshold=0.7"], status=78)
        self.check_lines([], options=["nowhere.jsonl"], status=65)
        self.assertEqual(self.check_lines([]), [])


if __name__ == "__main__":
    unittest.main()
