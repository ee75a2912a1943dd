"""Killed at any moment and run again until it ends, a migration gives the state of an undisturbed one; until it ends, the
state is the old one.

  migrate_test.py ROUNDS [SEED]
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
from folder import FolderTest
from migrate_test import migrate, migrate_command  # noqa: E402

ROUNDS = 3
SEED = 20260407
MOST_KILLS = 8
DOCUMENTS = 40_000  # several generations of the new index
OLD = ("storage.memory=16MiB",)
NEW = (*OLD, "threshold=0.6", "lsh.bands=30", "lsh.rows=4")


def lines(chance, first, count):
    """Short documents, a tenth of them like one of the first thousands."""
    made = []
    for i in range(first, first + count):
        words = random.Random(chance.randrange(5000) if chance.random() < 0.1 else 10_000 + i)
        text = " ".join(str(words.randrange(10**6)) for _ in range(14)) + chance.choice(["", " more words", " 1"])
        made.append(json.dumps({"id": f"d{i}", "text": text}).encode())
    return made


class Migration(FolderTest):
    def setUp(self):
        super().setUp()
        self.pieces = []
        chance = random.Random(SEED)
        for i, count in enumerate((DOCUMENTS, 3000, 3000)):
            path = self.folder / f"{i}.jsonl"
            path.write_bytes(b"".join(line + b"\n" for line in lines(chance, i * DOCUMENTS, count)))
            self.pieces.append(path)
        self.original = self.folder / "original"
        self.scan(0, self.original, OLD)

    def scan(self, piece, state, sets):
        return neardup.scan_or_fail([self.pieces[piece]], self.folder / f"{state.name}.flags", state, sets)

    def copy(self, name):
        return pathlib.Path(shutil.copytree(self.original, self.folder / name))

    def undisturbed(self, name, between):
        """Migrates undisturbed: (seconds, flags of later documents)."""
        state = self.copy(name)
        if between:
            self.scan(1, state, OLD)
        begin = time.monotonic()
        migrate(state, NEW)
        return time.monotonic() - begin, self.scan(2, state, NEW)

    def rule(self, state):
        done = subprocess.run([neardup.BINARY, "stats", "--json", "--state", str(state)], capture_output=True, check=True)
        return json.loads(done.stdout)["rule_text"]["threshold_ppm"]

    def attempt(self, state, chance, seconds, early):
        """A migration, killed after some new files or at any moment. Returns its summary if it was faster."""
        before, new = set(state.glob("*.sst")), chance.randint(3, 7) if early or chance.random() < 0.5 else None
        process = subprocess.Popen(migrate_command(state, NEW), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        after = time.monotonic() + chance.random() * seconds
        while process.poll() is None and (
                len(set(state.glob("*.sst")) - before) < new if new else time.monotonic() < after):
            time.sleep(0.001)
        process.kill()
        out, said = process.communicate()
        self.assertIn(process.returncode, (0, -9), said.decode())
        return json.loads(out) if process.returncode == 0 else None

    def until_done(self, state, chance, seconds, between):
        """The summary of the run that ended, how many were killed before, and whether the old state was used."""
        for kills in range(MOST_KILLS):
            if between and kills == 1 and self.rule(state) == "800000":
                self.scan(1, state, OLD)
                between = False
            summary = self.attempt(state, chance, seconds, kills < 2)
            if summary:
                return summary, kills, not between
        return migrate(state, NEW), MOST_KILLS, not between

    def test_killed_ones_end_with_the_state_of_an_undisturbed_one(self):
        wanted = [self.undisturbed(f"undisturbed {between}", between) for between in (False, True)]
        self.assertNotEqual(wanted[0][1], wanted[1][1])
        self.assertIn(b'"near_duplicate"', wanted[0][1])
        kills = resumed = 0
        for round_number in range(ROUNDS):
            seed = f"{SEED}/{round_number}"
            with self.subTest(seed=seed):
                chance = random.Random(seed)
                between = chance.random() < 0.5
                seconds, flags = wanted[between]
                state = self.copy(f"round {round_number}")
                summary, killed, used = self.until_done(state, chance, seconds, between)
                if not used:
                    continue  # it was over before the old state could be
                kills += killed
                resumed += 0 < summary["indexed"] < summary["documents"]
                self.assertEqual(self.rule(state), "600000")
                self.assertIsNone(neardup.first_difference(flags, self.scan(2, state, NEW)))
                shutil.rmtree(state)
        self.assertGreaterEqual(kills, ROUNDS, "too few kills came in the middle to prove anything")
        self.assertGreater(resumed, 0, "none was taken up where it was cut off")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROUNDS = int(sys.argv.pop(1))
    if len(sys.argv) > 1:
        SEED = int(sys.argv.pop(1))
    unittest.main()
