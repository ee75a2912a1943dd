"""Killed at any moment and run again until it ends, a scan leaves the flags file of an undisturbed run.

  kill_test.py ROUNDS [SEED]
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import configurations as ways  # noqa: E402
import neardup  # noqa: E402
from corpus import Corpus  # noqa: E402
from kills import kill_after  # noqa: E402

ROUNDS = 6
SEED = 20260402
SETS = ("batch.documents=50", "storage.memory=16MiB")
FORGETS = ("retention.max_age=40d", "retention.max_bytes=300kB")
# Many tables for postings, so small ones: the index is flushed every 768 documents and merged after 8 flushes.
FLUSHES = ("lsh.bands=62", "lsh.rows=3", "storage.expected_documents=1000")
FORGETS_MOST = ("retention.max_age=400d", "retention.max_documents=3000")
MOST_KILLS = 500


class Inputs:
    """The same lines in some files of some packing, with the flags of an undisturbed run."""

    def __init__(self, folder, packing, pieces, sets=(), lines=2400):
        self.paths = []
        self.sets = SETS + sets
        name = f"{packing}-{pieces}-{len(sets)}-{lines}"
        for i, piece in enumerate(ways.cut(Corpus(SEED).lines(lines), pieces)):
            path = folder / f"{name}-{i}.jsonl"
            path.write_bytes(b"\n".join(piece))  # without a line break at the end
            self.paths.append(ways.pack(path, packing))
        begin = time.monotonic()
        self.flags = neardup.scan_or_fail(self.paths, folder / f"{name}.flags", folder / f"{name}.state", self.sets)
        self.seconds = time.monotonic() - begin
        assert len(neardup.parse_flags(self.flags)) == lines


def kill_on_growth(process, output, times, pause):
    """Kills the process as soon as the flags file has grown `times` times: mostly between writing flags and state."""
    size = output.stat().st_size if output.exists() else 0
    while times > 0 and process.poll() is None:
        now = output.stat().st_size if output.exists() else 0
        times -= now > size
        size = now
    time.sleep(pause)
    process.kill()


def run_until_done(inputs, output, state, chance):
    """The numbers of kills, and of those that came when some but not all flags were written."""
    kills = within = 0
    while kills < MOST_KILLS:
        process = subprocess.Popen(neardup.scan_command(inputs.paths, output, state, inputs.sets),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if chance.random() < 0.5:
            kill_after(process, chance.random() * inputs.seconds)
        else:
            kill_on_growth(process, output, chance.randint(1, 8), chance.choice([0, 0, 0.001, 0.005]))
        said = process.communicate()[1].decode(errors="replace")
        if process.returncode == 0:
            return kills, within
        if process.returncode != -9:
            raise AssertionError(f"run {kills + 1} ended with {process.returncode}: {said}")
        kills += 1
        within += output.exists() and 0 < output.stat().st_size < len(inputs.flags)
    raise AssertionError(f"still not done after {kills} kills")


class Kill(unittest.TestCase):
    def test_killed_runs_end_with_the_same_flags(self):
        with tempfile.TemporaryDirectory(prefix="neardup-kill-") as name:
            folder = pathlib.Path(name)
            inputs = [Inputs(folder, "", 1), Inputs(folder, "gz", 1), Inputs(folder, "zst", 3),
                      Inputs(folder, "", 2, FORGETS), Inputs(folder, "", 1, FLUSHES, 8000),
                      Inputs(folder, "", 1, FLUSHES + FORGETS_MOST, 8000)]
            total = round_number = 0
            # A busy machine lets few kills come in the middle: then there are more rounds.
            while round_number < ROUNDS or (total <= ROUNDS and round_number < 5 * ROUNDS):
                seed = f"{SEED}/{round_number}"
                with self.subTest(seed=seed):
                    chance = random.Random(seed)
                    some = inputs[round_number % len(inputs)]
                    output, state = folder / f"{round_number}.flags", folder / f"{round_number}.state"
                    kills, within = run_until_done(some, output, state, chance)
                    self.assertIsNone(neardup.first_difference(some.flags, output.read_bytes()))
                    total += within
                round_number += 1
            self.assertGreater(total, ROUNDS, "too few kills came in the middle to prove anything")

    def test_one_wrong_byte_is_noticed(self):
        with tempfile.TemporaryDirectory(prefix="neardup-kill-") as name:
            flags = Inputs(pathlib.Path(name), "", 1).flags
        for wrong in (flags[:-1], flags + b"{}\n", flags.replace(b"unique", b"uniqeu", 1),
                      flags[flags.index(b"\n") + 1:]):
            self.assertIsNotNone(neardup.first_difference(flags, wrong))
        self.assertIsNone(neardup.first_difference(flags, bytes(flags)))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROUNDS = int(sys.argv.pop(1))
    if len(sys.argv) > 1:
        SEED = int(sys.argv.pop(1))
    unittest.main()
