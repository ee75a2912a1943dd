"""Commands on a file system that fills up at every size: each ends with 74 or succeeds, in time, and never by a signal; with
more space the same command succeeds, with the same result as on a large disk.

  disk_full_test.py SIZES      how many sizes of the file system each command is tried with
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
import small_disk  # noqa: E402
from corpus import Corpus  # noqa: E402

SIZES = 12
SEED = 20260601
DOCUMENTS = 2400
SECONDS = 30  # timeout of a run, which usually takes less than one
SETS = ("storage.memory=16MiB", "batch.documents=100", "storage.keep_texts=true")
OTHER_BANDS = ("storage.memory=16MiB", "lsh.bands=30", "lsh.rows=4")
DELETED = 300


def run(*words, environment=None):
    return subprocess.run([neardup.BINARY, *map(str, words)], capture_output=True, text=True, timeout=SECONDS,
                          env=environment)


def succeed(*words):
    done = run(*words)
    assert done.returncode == 0, f"{done.args} ended with {done.returncode}: {done.stderr}"
    return done.stdout


def set_options(sets):
    return [word for setting in sets for word in ("--set", setting)]


class FullDisk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-full-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.disk = small_disk.Disk(cls.folder / "disk")
        cls.addClassCleanup(cls.disk.remove)
        lines = Corpus(SEED).lines(DOCUMENTS + 200)
        cls.input = cls.write("in.jsonl", lines[:DOCUMENTS])
        cls.more = cls.write("more.jsonl", lines[DOCUMENTS:])
        cls.made = cls.folder / "state"  # never changed
        cls.flags = neardup.scan_or_fail([cls.input], cls.folder / "flags", cls.made, SETS)
        last = {flag["id"]: flag for flag in neardup.parse_flags(cls.flags) if "namespace" not in flag}
        cls.ids = [name for name, flag in last.items() if flag["status"] not in ("deleted", "rejected")][:DELETED]

    @classmethod
    def write(cls, name, lines):
        path = cls.folder / name
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    def stats(self, state):
        stats = json.loads(succeed("stats", "--state", state, "--json"))
        return {key: stats[key] for key in ("documents", "ids", "next_seq", "uuid")}

    def later_flags(self, state, sets=SETS):
        """What the state decides of later documents."""
        copy = shutil.copytree(state, self.folder / "copy")
        flags = neardup.scan_or_fail([self.more], self.folder / "later", copy, sets)
        shutil.rmtree(copy)
        return flags

    def check(self, prepare, words, outcome, environment=None):
        """prepare() puts the initial files on the disk; `outcome()` returns the result of the command. The sizes go from
        that of the initial files up to one that is enough."""
        self.disk.clear()
        prepare()
        before = self.disk.used()
        self.assertEqual(run(*words, environment=environment).returncode, 0)
        wanted = outcome()
        enough = self.enough(prepare, words, environment, before)
        failed = 0
        for number in range(SIZES):
            kib = before + (enough - before) * number // SIZES
            with self.subTest(kib=kib):
                failed += self.one_size(kib, prepare, words, environment, outcome, wanted)
        self.assertGreater(failed, SIZES // 2, "too few disks were full to prove anything")

    def enough(self, prepare, words, environment, before):
        """A size with which the command succeeds, at most a quarter too large."""
        more = 64
        while True:
            self.disk.clear()
            prepare()
            self.disk.resize(before + more)
            if self.ends_well(words, environment):
                return before + more
            more += more // 4

    def ends_well(self, words, environment):
        done = run(*words, environment=environment)
        self.assertIn(done.returncode, (0, 74), done.stderr)
        if done.returncode != 0:
            self.assertIn("neardup: ", done.stderr)
        return done.returncode == 0

    def one_size(self, kib, prepare, words, environment, outcome, wanted):
        self.disk.clear()
        prepare()
        self.disk.resize(kib)
        failed = not self.ends_well(words, environment)
        self.disk.resize(small_disk.PLENTY)
        if failed:
            again = run(*words, environment=environment)
            self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(outcome(), wanted)
        return failed

    def put_state(self):
        shutil.copytree(self.made, self.disk.path / "state")

    def test_scan(self):
        state, flags = self.disk.path / "state", self.disk.path / "flags"
        words = neardup.scan_command([self.input], flags, state, SETS)[1:]
        self.check(lambda: None, words, flags.read_bytes)
        self.assertEqual(flags.read_bytes(), self.flags)

    def test_scan_with_emit(self):
        files = [self.disk.path / name for name in ("flags", "kept.jsonl", "duplicates.jsonl.zst", "rejected.jsonl.gz")]
        options = [word for path in files[1:] for word in ("--emit", f"{path.name.split('.')[0]}={path}")]
        words = neardup.scan_command([self.input], files[0], self.disk.path / "state", SETS, options)[1:]
        self.check(lambda: None, words, lambda: [path.read_bytes() for path in files])
        self.assertEqual(files[0].read_bytes(), self.flags)

    def test_scan_with_a_temporary_state(self):
        flags = self.folder / "temporary-flags"
        words = neardup.scan_command([self.input], flags, sets=SETS)[1:]
        self.check(lambda: None, words, flags.read_bytes, {"TMPDIR": str(self.disk.path)})
        self.assertEqual(flags.read_bytes(), self.flags)
        self.assertEqual(list(self.disk.path.iterdir()), [])

    def test_delete(self):
        state = self.disk.path / "state"

        def outcome():
            logged = [json.loads(line)["id"] for line in (state / "deletes").read_text().splitlines()[1:]]
            return sorted(logged), self.stats(state)["documents"], self.later_flags(state)

        self.check(self.put_state, ["delete", "--state", state, *self.ids], outcome)
        self.assertEqual(outcome()[0], sorted(self.ids))

    def test_compact(self):
        state = self.disk.path / "state"
        words = ["compact", "--purge", "--state", state]
        self.check(self.put_state, words, lambda: (self.stats(state), self.later_flags(state)))

    def test_migrate(self):
        state = self.disk.path / "state"
        words = ["migrate", "--state", state, *set_options(OTHER_BANDS)]
        sets = (*SETS, *OTHER_BANDS)
        self.check(self.put_state, words, lambda: (self.stats(state), self.later_flags(state, sets)))

    def backup_outcome(self, backup):
        restored = self.folder / "restored"
        succeed("restore", "--state", restored, backup)
        outcome = self.stats(restored), self.later_flags(restored)
        shutil.rmtree(restored)
        return outcome

    def test_backup_to_it(self):
        backup = self.disk.path / "backup"
        self.check(lambda: None, ["backup", "--state", self.made, backup], lambda: self.backup_outcome(backup))

    def test_backup_of_a_state_on_it(self):
        state, backup = self.disk.path / "state", self.folder / "backup"

        def prepare():
            self.put_state()
            shutil.rmtree(backup, ignore_errors=True)

        def outcome():
            self.assertFalse((state / "backup").exists())
            return self.backup_outcome(backup), self.stats(state), self.later_flags(state)

        self.check(prepare, ["backup", "--state", state, backup], outcome)

    def test_restore(self):
        state, backup = self.disk.path / "state", self.folder / "to-restore"
        succeed("backup", "--state", self.made, backup)
        words = ["restore", "--state", state, backup]
        self.check(lambda: None, words, lambda: (self.stats(state), self.later_flags(state)))
        self.assertEqual(self.stats(state), self.stats(self.made))


if __name__ == "__main__":
    small_disk.private()
    if len(sys.argv) > 1:
        SIZES = int(sys.argv.pop(1))
    unittest.main()
