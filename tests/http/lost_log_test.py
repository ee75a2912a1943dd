"""A state that lost its newest bytes is not taken for one that crashed: the start ends with 74 or 75 and names the file, and
`output.file` stays as it was."""

import json
import os
import shutil
import unittest

from server import Server

import neardup
from folder import FolderTest

DOCUMENTS = 2000
REFUSALS = (74, 75)


def documents(run):
    texts = ((i, f"a{i} b{run} c{i} d{run} e{i} f{i * 7} g{run * i}") for i in range(DOCUMENTS))
    return b"".join(json.dumps({"id": f"r{run}-{i}", "text": text}).encode() + b"\n" for i, text in texts)


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def empty(path):
    os.truncate(path, 0)


class LostLog(FolderTest):
    def setUp(self):
        super().setUp()
        self.sets = (f"output.file={self.output}", "storage.keep_texts=all")

    def make(self, end):
        """Two runs: a start moves the log of the run before into tables."""
        for run in range(2):
            server = Server(self.state, self.sets).start()
            server.flags(documents(run))
            end(server)
        return [path for path in self.state.glob("*.log") if path.stat().st_size > 0]

    def assert_refused(self, name):
        before = self.output.read_bytes()
        self.assertEqual(before.count(b"\n"), 2 * DOCUMENTS)
        for _ in range(2):  # a refusal changes nothing
            server = Server(self.state, self.sets)
            server.launch()
            status = server.wait()
            self.assertIn(status, REFUSALS, server.log_text()[-2000:])
            if status == 74:
                self.assertIn(name, server.log_text())
            self.assertEqual(self.output.read_bytes(), before)
        return status

    def test_after_a_clean_end(self):
        logs = self.make(Server.stop)
        for damage in (cut, empty, os.remove):
            with self.subTest(damage=damage.__name__):
                kept = {path: path.read_bytes() for path in logs}
                for path in logs:
                    damage(path)
                self.assertEqual(self.assert_refused(logs[0].name), 74)
                for words in (["stats"], ["delete", "r0-1"], ["compact"], ["backup", self.folder / "backup"],
                              ["scan", "-o", self.folder / "none", os.devnull]):
                    command = words[0]
                    with self.assertRaisesRegex(AssertionError, f"ended with 74.*{logs[0].name}"):
                        neardup.run(command, "--state", self.state, *words[1:])
                for path, whole in kept.items():
                    path.write_bytes(whole)
        with Server(self.state, self.sets) as server:
            for run in range(2):
                self.assertEqual(server.get(f"/v1/documents/r{run}-{DOCUMENTS - 1}")[0], 200)

    def test_after_a_kill(self):
        for damage in (empty, os.remove):
            with self.subTest(damage=damage.__name__):
                logs = self.make(Server.kill)
                for path in logs:
                    damage(path)
                self.assert_refused(logs[0].name)
                shutil.rmtree(self.state)
                self.output.unlink()


if __name__ == "__main__":
    unittest.main()
