"""Backup and restore, killed at any moment, leave no backup and no state, or a complete one, and the same command
succeeds afterwards.

  backup_test.py ROUNDS [SEED]
"""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
from corpus import Corpus  # noqa: E402

ROUNDS = 10
SEED = 20260501
SETS = ("batch.documents=500", "storage.memory=16MiB", "storage.keep_texts=true")
LINES = 12_000


def run(*words):
    return subprocess.run([neardup.BINARY, *map(str, words)], capture_output=True, text=True, timeout=120)


def killed(seconds, *words):
    """Runs the command and kills it after `seconds`. Returns its exit status."""
    process = subprocess.Popen([neardup.BINARY, *map(str, words)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def took(*words):
    begin = time.monotonic()
    done = run(*words)
    assert done.returncode == 0, done.stderr
    return time.monotonic() - begin


class Killed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-backup-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.state = cls.folder / "state"
        inputs = cls.folder / "in.jsonl"
        inputs.write_bytes(b"\n".join(Corpus(SEED).lines(LINES)))
        neardup.scan_or_fail([inputs], cls.folder / "flags", cls.state, SETS)
        cls.stats = cls.stats_of(cls.state)

    @staticmethod
    def stats_of(state):
        done = run("stats", "--state", state, "--json")
        assert done.returncode == 0, done.stderr
        stats = json.loads(done.stdout)
        return {key: stats[key] for key in ("documents", "ids", "next_seq", "uuid")}

    def rounds(self, one_round, words):
        """Calls one_round(seconds until the kill, path) with random times up to what `words` take, and a new path for
        each round. It returns whether the command was interrupted. There are more than ROUNDS of them, with shorter
        times, until enough were interrupted to prove something."""
        longest = took(*words)
        cut = 0
        number = 0
        while number < ROUNDS or cut <= ROUNDS // 4:
            self.assertLess(number, 5 * ROUNDS, "too few kills came in the middle to prove anything")
            seed = f"{SEED}/{number}"
            with self.subTest(seed=seed):
                seconds = random.Random(seed).random() * longest
                interrupted = one_round(seconds, self.folder / f"{self.id().rpartition('.')[2]}-{number}")
                longest *= 1 if interrupted else 0.9  # other work may have slowed down the first run
                cut += interrupted
            number += 1

    def test_a_backup(self):
        self.rounds(self.killed_backup, ["backup", "--state", self.state, self.folder / "first"])
        self.assertEqual(self.stats_of(self.state), self.stats)

    def killed_backup(self, seconds, path):
        cut = False
        if killed(seconds, "backup", "--state", self.state, path) != 0:
            cut = not (path / "neardup-backup.json").exists()
            restored = run("restore", "--state", self.folder / "none", path)
            self.assertEqual(restored.returncode, 65 if cut else 0, restored.stderr)
            shutil.rmtree(self.folder / "none", ignore_errors=True)
            shutil.rmtree(path, ignore_errors=True)
            self.assertEqual(run("backup", "--state", self.state, path).returncode, 0)
        self.assertFalse((self.state / "backup").exists())
        self.assertEqual(run("restore", "--state", self.folder / "again", path).returncode, 0)
        self.assertEqual(self.stats_of(self.folder / "again"), self.stats)
        shutil.rmtree(self.folder / "again")
        return cut

    def test_a_restore(self):
        self.backup = self.folder / "whole"
        took("backup", "--state", self.state, self.backup)
        self.rounds(self.killed_restore, ["restore", "--state", self.folder / "usual", self.backup])

    def killed_restore(self, seconds, path):
        cut = False
        if killed(seconds, "restore", "--state", path, self.backup) != 0:
            done = run("stats", "--state", path, "--json")
            cut = done.returncode != 0
            if cut:
                self.assertEqual(done.returncode, 75, done.stderr)
                self.assert_no_state(path)
                self.assertEqual(run("restore", "--state", path, self.backup).returncode, 0)
            else:
                again = run("restore", "--state", path, self.backup)
                self.assertEqual(again.returncode, 0, again.stderr)
                self.assertIn("the state is complete", again.stdout)
        self.assertEqual(self.stats_of(path), self.stats)
        shutil.rmtree(path)
        return cut

    def assert_no_state(self, path):
        """A scan refuses the directory, unless it is empty or missing."""
        there = path.exists() and any(path.iterdir())
        done = neardup.scan([os.devnull], self.folder / "no-flags", path, SETS)
        self.assertEqual(done.returncode, 78 if there else 0, done.stderr)
        if not there:
            shutil.rmtree(path)

    def test_stopped_by_a_signal_they_leave_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            path = self.folder / "stopped"
            process = subprocess.Popen([neardup.BINARY, "backup", "--state", self.state, path],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and not path.exists():
                pass
            process.send_signal(number)
            if process.wait(60) == 0:
                continue  # it was faster
            self.assertEqual(process.returncode, 128 + number)
            self.assertFalse(path.exists())
            self.assertFalse((self.state / "backup").exists())

    def test_a_state_that_a_scan_holds_is_read_but_not_changed(self):
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        held = self.folder / "held"
        scan = subprocess.Popen(neardup.scan_command([fifo], self.folder / "held.flags", held, SETS),
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(scan.wait)
        self.addCleanup(scan.kill)
        with open(fifo, "wb", buffering=0) as pipe:
            pipe.write(b'{"id":"a","text":"one two three four five six"}\n')
            deadline = time.monotonic() + 60
            while run("stats", "--state", held).returncode != 0 and time.monotonic() < deadline:
                time.sleep(0.05)
            for words in (["delete", "a"], ["backup", self.folder / "not-made"]):
                done = run(words[0], "--state", held, *words[1:])
                self.assertEqual(done.returncode, 75, done.stderr)
                self.assertIn(f"is in use by process {scan.pid}", done.stderr)
        self.assertFalse((self.folder / "not-made").exists())


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROUNDS = int(sys.argv.pop(1))
    if len(sys.argv) > 1:
        SEED = int(sys.argv.pop(1))
    unittest.main()
