"""Whatever happens to a file of a state, the next run gives the flags of an undisturbed one, or ends with a failure that names
the file.

  damage_test.py [SEED]
"""

import http.client
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "e2e"))
sys.path.insert(0, str(TESTS / "http"))
import neardup  # noqa: E402
from corpus import Corpus  # noqa: E402
from server import Server, body_of  # noqa: E402

SEED = 20261127
# Many tables of postings, so small ones: there are flushes of the index.
SETS = ("storage.memory=16MiB", "storage.keep_texts=all", "lsh.bands=62", "lsh.rows=3", "storage.expected_documents=1000")
PARTS = (1000, 1200, 100)  # documents of two runs, and of the one that is compared


def flip(data, chance):
    """One bit, anywhere."""
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:]


def zeros(data, chance):
    """A block of zeros, as after a repair of the file system."""
    begin = chance.choice((0, len(data) // 2, max(0, len(data) - 512)))
    end = min(len(data), begin + 4096)
    return data[:begin] + bytes(end - begin) + data[end:]


def cut(data, chance):
    return data[:chance.randrange(len(data))]


def emptied(_data, _chance):
    return b""


def removed(_data, _chance):
    return None


def swapped(_data, _chance):
    """With the file of this name, or of this kind, in a state of other documents."""


WAYS = (flip, zeros, cut, emptied, removed, swapped)


def kind(path):
    return path.suffix or path.name.split("-")[0]


class Damage:
    """Of the folder `work` with a state, which is put back before each damage. `make(inputs)` makes the state; `go_on()` returns
    status, flags and messages of the run that is compared. Paths stay the same, as the state names its flags file."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-damage-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.work, cls.made, cls.other = (cls.folder / name for name in ("work", "made", "other"))
        cls.state = cls.work / "state"
        cls.output = cls.work / "flags.jsonl"
        for number, made in enumerate((cls.other, cls.made)):
            lines = Corpus(SEED + number).lines(sum(PARTS))
            cls.inputs = [cls.folder / f"{part}.jsonl" for part in range(3)]
            for path, part in zip(cls.inputs, (lines[:PARTS[0]], lines[PARTS[0]:-PARTS[2]], lines[-PARTS[2]:])):
                path.write_bytes(body_of(part))
            cls.work.mkdir()
            cls.make()
            cls.work.rename(made)
        cls.put_back()
        status, cls.wanted, said = cls.go_on()
        if status != 0:
            raise AssertionError(said)

    @classmethod
    def put_back(cls):
        shutil.rmtree(cls.work, ignore_errors=True)
        shutil.copytree(cls.made, cls.work)

    def damage(self, name, way, chance):
        """False: it makes no difference."""
        path = self.work / name
        before = path.read_bytes()
        if way is swapped:
            same = [other for other in sorted(self.other.rglob("*")) if kind(other) == kind(path)]
            same = [other for other in same if other.name == path.name] or same
            after = same[0].read_bytes() if same else before
        else:
            after = way(before, chance) if before else before
        path.unlink()
        if after is not None:
            path.write_bytes(after)
        return after != before

    def check(self, names):
        counts = {True: 0, False: 0}
        for name in names:
            # A flags file is compared in its length and its last 4 096 bytes.
            for way in WAYS if name.parts[0] == "state" else (cut, emptied, removed, swapped):
                seed = f"{SEED}/{name}/{way.__name__}"
                with self.subTest(seed):
                    self.put_back()
                    if not self.damage(name, way, random.Random(seed)):
                        continue
                    status, flags, said = self.go_on()
                    counts[status == 0] += 1
                    if status == 0:
                        self.assertIsNone(neardup.first_difference(self.wanted, flags))
                    else:
                        self.assertIn(status, (74, 75, 78), said)
                        self.assertIn(name.name, said)
        print(f"{self.id()}: {counts[True]} times the same flags, {counts[False]} refusals")
        self.assertGreater(counts[False], 10)

    def names(self):
        """All files but the token, which has no part in flags, and the log of the service itself."""
        files = (path.relative_to(self.made) for path in self.made.rglob("*") if path.is_file())
        return sorted(name for name in files if name.name not in ("http_token", "state.log"))


class WatchedServer(Server):
    def get(self, path, address=None):
        ended = self.process.poll() is not None  # then start() waits no longer
        return (200, b"") if ended else super().get(path, address)


class OfServe(Damage, unittest.TestCase):
    @classmethod
    def server(cls):
        return WatchedServer(cls.state, (*SETS, f"output.file={cls.output}"))

    @classmethod
    def make(cls):
        for path in cls.inputs[:2]:
            with cls.server() as server:
                server.flags(path.read_bytes())

    @classmethod
    def go_on(cls):
        server = cls.server()
        try:
            server.start().flags(cls.inputs[2].read_bytes())
            status = server.stop()
        except (AssertionError, OSError, http.client.HTTPException):
            try:
                status = server.wait(20)  # it has ended, or ends by itself
            except subprocess.TimeoutExpired:
                status = server.kill()
        return status, cls.output.read_bytes() if cls.output.exists() else b"", server.log_text()

    def test_a_file_of_each_kind(self):
        latest = {}
        for name in self.names():
            latest[kind(name)] = name
        latest[".jsonl"] = pathlib.Path(self.output.name)
        self.check(sorted(latest.values()))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        SEED = int(sys.argv.pop(1))
    unittest.main()
