"""The flags file of a service: what `scan` writes, whatever happens to the service."""

import json
import shutil
import subprocess
import unittest

from server import Server, body_of, comparable

import neardup
from corpus import Corpus
from folder import FolderTest

SEED = 20261125
UNAVAILABLE = 75


class FlagsFile(FolderTest):
    def setUp(self):
        super().setUp()
        self.flags = self.folder / "served.jsonl"
        self.sets = (f"output.file={self.flags}",)

    def assert_file_is_scanned(self, lines):
        """It holds what `scan` says of the lines."""
        file = self.folder / "scanned.jsonl"
        file.write_bytes(body_of(lines))
        wanted = neardup.without_source(neardup.scan_or_fail([file], self.output))
        self.assertIsNone(neardup.first_difference(wanted, comparable(self.flags.read_bytes())))

    def refusal(self, *sets):
        server = Server(self.state, sets)
        server.launch()
        self.assertEqual(server.wait(), UNAVAILABLE)
        return server.log_text()

    def test_one_request(self):
        lines = Corpus(SEED).lines(2000)
        with Server(self.state, self.sets) as server:
            answer = server.flags(body_of(lines))
            self.assertEqual(answer, self.flags.read_bytes())
        self.assert_file_is_scanned(lines)

    def test_many_requests_some_of_which_want_few_flags(self):
        lines = Corpus(SEED + 1).lines(400)
        with Server(self.state, self.sets) as server:
            for at in range(0, len(lines), 20):
                path = "/v1/documents" + ("?only=rejected" if at % 40 else "")
                server.flags(body_of(lines[at:at + 20]), path=path)
        self.assert_file_is_scanned(lines)

    def test_a_later_service_goes_on(self):
        lines = Corpus(SEED + 2).lines(600)
        for part in (lines[:200], [], lines[200:]):
            with Server(self.state, self.sets) as server:
                server.flags(body_of(part))
        self.assert_file_is_scanned(lines)

    def test_what_a_crash_left_is_cut(self):
        lines = Corpus(SEED + 3).lines(300)
        for part in (lines[:100], lines[100:]):
            server = Server(self.state, self.sets).start()
            server.flags(body_of(part))
            server.kill()
            with self.flags.open("ab") as file:
                file.write(b'{"id":"half of')
        with Server(self.state, self.sets):
            self.assert_file_is_scanned(lines)

    def test_flags_that_the_state_does_not_know_are_not_cut(self):
        lines = Corpus(SEED + 5).lines(300)
        sets = (*self.sets, "batch.documents=50")
        with Server(self.state, sets) as server:
            server.flags(body_of(lines[:100]))
        shutil.copytree(self.state, self.folder / "older")
        with Server(self.state, sets) as server:
            server.flags(body_of(lines[100:]))
        shutil.rmtree(self.state)
        (self.folder / "older").rename(self.state)
        written = self.flags.read_bytes()
        log = self.refusal(*sets)
        self.assertIn("has 200 flags after the", log)
        self.assertIn("at most 50", log)
        self.assertEqual(self.flags.read_bytes(), written)

    def test_a_restore_keeps_the_later_flags_beside(self):
        lines = Corpus(SEED + 6).lines(300)
        sets = (*self.sets, "batch.documents=50")
        backup = self.folder / "backup"
        with Server(self.state, sets) as server:
            server.flags(body_of(lines[:100]))
            neardup.run("backup", "--state", self.state, backup)
            server.flags(body_of(lines[100:]))
        written = self.flags.read_bytes()
        done = subprocess.run([neardup.BINARY, "restore", "--state", self.folder / "restored", backup],
                              capture_output=True, text=True, check=True)
        self.assertIn(f"{self.flags} has 200 flags after this backup", done.stderr)
        self.assertEqual(self.flags.read_bytes(), written)
        for part in (b"", body_of(lines[100:])):
            with Server(self.folder / "restored", sets) as server:
                self.assertEqual(part.count(b"\n"), server.flags(part).count(b"\n") if part else 0)
        self.assert_file_is_scanned(lines)
        later = self.folder / "served.jsonl.later-1"
        self.assertEqual(later.read_bytes(), b"".join(written.splitlines(keepends=True)[100:]))
        self.assertFalse((self.folder / "served.jsonl.later-2").exists())

    def test_the_file_of_a_scan_is_continued(self):
        lines = Corpus(SEED + 4).lines(300)
        first = self.folder / "first.jsonl"
        first.write_bytes(body_of(lines[:100]))
        neardup.run("scan", "--state", self.state, "-o", self.flags, first)
        with Server(self.state, self.sets) as server:
            server.flags(body_of(lines[100:]))
        self.assert_file_is_scanned(lines)

    def test_a_file_that_was_changed_is_refused(self):
        with Server(self.state, self.sets) as server:
            server.flags(b'{"id":"a","text":"one two three four five"}')
        whole = self.flags.read_bytes()
        for damaged in (whole[:-1], whole.replace(b"a", b"b")):
            self.flags.write_bytes(damaged)
            self.assertIn("missing, shorter or changed", self.refusal(*self.sets))
            self.assertEqual(self.flags.read_bytes(), damaged)
        self.flags.unlink()
        self.assertIn("missing, shorter or changed", self.refusal(*self.sets))
        self.assertFalse(self.flags.exists())
        self.assertIn("is not the", self.refusal(f"output.file={self.folder}/other"))

    def test_a_state_can_begin_a_new_file(self):
        with Server(self.state, self.sets) as server:
            server.flags(b'{"id":"a","text":"one two three four five"}')
        with Server(self.state) as server:
            server.flags(b'{"id":"b","text":"quite another text than the first"}')
        self.assertIn("was not written by this state", self.refusal(*self.sets))
        self.flags.unlink()
        with Server(self.state, self.sets) as server:
            server.flags(b'{"id":"c","text":"a third text with words of its own"}')
        self.assertEqual([json.loads(line)["seq"] for line in self.flags.read_bytes().splitlines()], [3])


if __name__ == "__main__":
    unittest.main()
