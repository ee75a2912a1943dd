"""A state with another threshold, other bands or other limits decides as if its index had always had them."""

import json
import subprocess
import unittest
from fractions import Fraction

import neardup
from corpus import Corpus
from folder import FolderTest
from oracle import Oracle, Retention
from oracle_test import DAY, options, spoken

SEED = 20260405
EXACT = ("verify.mode=exact", "storage.keep_texts=true", "lsh.bucket_cap=1000000")
BANDS = {"0.7": ("lsh.bands=64", "lsh.rows=4"), "0.9": ("lsh.bands=50", "lsh.rows=5")}  # miss nothing at these
LINES = Corpus(SEED).lines(1600)
HALF = 800


def migrate_command(state, sets):
    return [neardup.BINARY, "migrate", "--json", "--state", str(state), *(x for s in sets for x in ("--set", s))]


def migrate(state, sets):
    """The summary of a run that must succeed."""
    done = subprocess.run(migrate_command(state, sets), capture_output=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"{done.args} ended with {done.returncode}: {done.stderr.decode()}")
    return json.loads(done.stdout)


class Folder(FolderTest):
    def write(self, name, lines):
        path = self.folder / name
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    def scan(self, name, lines, sets, state=None):
        """The flags of these lines, which come next in the state."""
        return neardup.scan_or_fail([self.write(name, lines)], self.folder / f"{name}.flags", state or self.state, sets)


class AgainstEverything(Folder):
    """What was decided stays; what comes is decided as the plainest program does, told of the new rule."""

    def check(self, against, before, after):
        """`before`, `after`: a threshold and what is forgotten."""
        self.state = self.folder / f"{against} {before[0]} {after[0]} {self.id()} {len(list(self.folder.iterdir()))}"
        oracle = Oracle(before[0], against == "all", before[1])
        sets = [(*EXACT, f"against={against}", f"threshold={t}", *BANDS[t], *options(limits))
                for t, limits in (before, after)]
        flags = neardup.parse_flags(self.scan("first", LINES[:HALF], sets[0]))
        wanted = [spoken(oracle.decide(line)) for line in LINES[:HALF]]
        summary = migrate(self.state, sets[1])
        self.assertEqual(summary["indexed"], summary["documents"] if before[0] != after[0] else 0)
        oracle.threshold, oracle.retention = Fraction(after[0]), after[1]
        flags += neardup.parse_flags(self.scan("second", LINES[HALF:], sets[1]), HALF + 1)
        wanted += [spoken(oracle.decide(line)) for line in LINES[HALF:]]
        wrong = [(w, spoken(f)) for w, f in zip(wanted, flags) if w != spoken(f)]
        self.assertEqual(len(flags), len(wanted))
        self.assertFalse(wrong, f"seed {SEED}: {len(wrong)} flags differ, (wanted, found): {wrong[:3]}")
        return oracle

    def test_another_threshold_and_other_bands(self):
        for against in ("kept", "all"):
            for before, after in (("0.7", "0.9"), ("0.9", "0.7")):
                with self.subTest(against=against, before=before):
                    self.check(against, (before, Retention()), (after, Retention()))

    def test_limits_of_retention_come_and_go(self):
        none, limits = Retention(), Retention(max_age=90 * DAY, max_documents=900, max_bytes=120_000)
        for against, before, after in (("kept", none, limits), ("all", limits, none),
                                       ("all", none, Retention(max_bytes=200_000)),
                                       ("kept", Retention(max_bytes=300_000), Retention(max_bytes=60_000)),
                                       ("kept", none, Retention(max_age=20 * DAY))):
            with self.subTest(against=against, before=before, after=after):
                oracle = self.check(against, ("0.9", before), ("0.9", after))
                self.assertGreater(oracle.forgotten, 50, "too few to prove anything")

    def test_limits_that_went_and_come_again(self):
        sets = [(*EXACT, "threshold=0.9", *BANDS["0.9"], *options(limits))
                for limits in (Retention(max_bytes=10**9), Retention())]
        limited = (*EXACT, "threshold=0.9", *BANDS["0.9"], *options(Retention(max_bytes=90_000)))
        self.scan("first", LINES[:400], sets[0])
        migrate(self.state, sets[1])
        self.scan("second", LINES[400:HALF], sets[1])
        migrate(self.state, limited)
        oracle = Oracle("0.9", False)
        for line in LINES[:HALF]:
            oracle.decide(line)
        oracle.retention = Retention(max_bytes=90_000)
        flags = neardup.parse_flags(self.scan("third", LINES[HALF:], limited), HALF + 1)
        self.assertEqual([spoken(f) for f in flags], [spoken(oracle.decide(line)) for line in LINES[HALF:]])


class AsFromTheStart(Folder):
    """Under `against: all` what is stored does not depend on threshold and bands: all flags must be the same bytes."""

    CHANGES = {"fewer bands": ("lsh.bands=6", "lsh.rows=9"), "more bands": ("lsh.bands=30", "lsh.rows=5"),
               "bands of another threshold": ("threshold=0.6",), "cap": ("lsh.bucket_cap=2",),
               "limit": ("retention.max_documents=2000",)}

    def test_flags_are_those_of_a_state_that_never_had_another_rule(self):
        for name, change in self.CHANGES.items():
            with self.subTest(name):
                sets = ("against=all", "storage.memory=16MiB", "batch.documents=100")
                self.state = self.folder / name
                self.scan("first", LINES[:HALF], sets)
                migrate(self.state, (*sets, *change))
                found = self.scan("second", LINES[HALF:], (*sets, *change))
                other = self.folder / f"{name} from the start"
                self.scan("first", LINES[:HALF], (*sets, *change), other)
                wanted = self.scan("second", LINES[HALF:], (*sets, *change), other)
                self.assertIsNone(neardup.first_difference(wanted, found))

    def test_the_way_back(self):
        self.scan("first", LINES[:HALF], ())
        migrate(self.state, ("lsh.bands=8", "lsh.rows=8", "threshold=0.9"))
        migrate(self.state, ())
        found = self.scan("second", LINES[HALF:], ())
        other = self.folder / "other"
        self.scan("first", LINES[:HALF], (), other)
        self.assertIsNone(neardup.first_difference(self.scan("second", LINES[HALF:], (), other), found))


if __name__ == "__main__":
    unittest.main()
