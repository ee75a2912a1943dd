"""Flags agree with a plain comparison of everything with everything: where bands and estimates lose nothing, and where
candidates are those of the buckets under their cap, verified by sketch, exactly or not at all."""

import pathlib
import subprocess
import tempfile
import unittest

import configurations as ways
import neardup
from corpus import REJECTED, Corpus, SpacelessCorpus
from oracle import Bands, Oracle, Retention, SketchOracle, Text

SEED = 20260405
# 64 bands of 4 rows miss a pair at 0.8 with a chance below 1e-14, and the cap is never reached.
SETS = ("verify.mode=exact", "lsh.bands=64", "lsh.rows=4", "lsh.bucket_cap=1000000", "storage.store=memory")
DAY = 86400
FIELDS = ("seq", "status", "known", "duplicate_of", "duplicate_of_seq", "similarity")
EVIDENCE = ("verified_by", "bands_hit")  # of an original that shares a bucket


def options(retention):
    return (f"retention.max_age={retention.max_age}s" if retention.max_age else "retention.max_age=0",
            f"retention.max_documents={retention.max_documents}", f"retention.max_bytes={retention.max_bytes}",
            f"retention.max_step={retention.max_step}s")


def spoken(flag, evidence=()):
    previous = flag.get("previous")
    fields = [(name, flag[name]) for name in (*FIELDS, *evidence) if flag.get(name) is not None]
    return fields + [("previous", previous["seq"] if isinstance(previous, dict) else previous)]


class AgainstEverything(unittest.TestCase):
    def check(self, against, threshold, retention=Retention()):
        lines = Corpus(SEED).lines(1500)
        sets = (*SETS, f"against={against}", f"threshold={threshold}", *options(retention))
        flags = neardup.parse_flags(ways.flags_of(lines, ways.Way("plain"), sets))
        oracle = Oracle(threshold, against == "all", retention)
        wrong = [(spoken(wanted), spoken(found)) for wanted, found in zip(map(oracle.decide, lines), flags)
                 if spoken(wanted) != spoken(found)]
        self.assertEqual(len(flags), len(lines))
        self.assertFalse(wrong, f"seed {SEED}: {len(wrong)} flags differ, (wanted, found): {wrong[:3]}")
        return oracle

    def test_against_kept(self):
        self.check("kept", "0.8")

    def test_against_all(self):
        self.check("all", "0.8")

    def test_a_high_threshold(self):
        self.check("kept", "0.95")

    def test_scripts_without_spaces(self):
        lines = SpacelessCorpus(SEED).lines(1000)
        flags = neardup.parse_flags(ways.flags_of(lines, ways.Way("plain"), SETS))
        wanted = list(map(Oracle("0.8", False).decide, lines))
        self.assertEqual(list(map(spoken, wanted)), list(map(spoken, flags)))
        self.assertGreater(sum(flag["status"] == "near_duplicate" for flag in flags), 50)

    def test_what_is_forgotten(self):
        for retention in (Retention(max_age=20 * DAY), Retention(max_age=90 * DAY, max_step=7 * DAY),
                          Retention(max_documents=150), Retention(max_bytes=80_000),
                          Retention(max_age=30 * DAY, max_documents=300, max_bytes=100_000)):
            for against in ("kept", "all"):
                with self.subTest(retention=retention, against=against):
                    oracle = self.check(against, "0.8", retention)
                    self.assertGreater(oracle.forgotten, 300, "too few to prove anything")
                    self.assertGreater(len(oracle.living), 20, "so few that nothing is compared")


    def test_other_units_and_least_lengths(self):
        for text in (Text(min_tokens=1), Text(min_tokens=50), Text("char", 5), Text("char", 400)):
            with self.subTest(text=text):
                lines = Corpus(SEED + 1).lines(600)
                flags = neardup.parse_flags(ways.flags_of(lines, ways.Way("plain"), (*SETS, *text_sets(text))))
                oracle = Oracle("0.8", False, text=text)
                wanted = list(map(oracle.decide, lines))
                self.assertEqual(list(map(spoken, wanted)), list(map(spoken, flags)))
                short = sum(flag["status"] == "too_short" for flag in flags)
                self.assertGreater(short, 20 if text.min_tokens >= 50 else -1)


def text_sets(text):
    return (f"shingle.unit={text.unit}", f"text.min_tokens={text.min_tokens}")


def band_sets(bands):
    return (f"sketch.size={bands.size}", f"sketch.bits={bands.bits}", f"lsh.bands={bands.bands}", f"lsh.rows={bands.rows}",
            f"lsh.bucket_cap={bands.cap}", "storage.expected_documents=1000")


class BucketsAndSketches(unittest.TestCase):
    """The candidates are those of the buckets."""

    def check(self, oracle, count, sets=(), way=ways.Way("plain", ("storage.store=memory",)), lines=None):
        lines = lines or Corpus(SEED + 2).lines(count)
        sets = (*band_sets(oracle.bands), *text_sets(oracle.text), *options(oracle.retention), *sets,
                f"verify.mode={oracle.verify}", f"threshold={float(oracle.threshold)}",
                f"against={'all' if oracle.against_all else 'kept'}")
        flags = neardup.parse_flags(ways.flags_of(lines, way, sets))
        self.compare(oracle, list(map(oracle.decide, lines)), flags)
        return flags

    def compare(self, oracle, wanted, flags):
        found = [flag if flag["status"] == "near_duplicate" else {**flag, "verified_by": None} for flag in flags]
        wrong = [(spoken(a, EVIDENCE), spoken(b, EVIDENCE)) for a, b in zip(wanted, found)
                 if spoken(a, EVIDENCE) != spoken(b, EVIDENCE)]
        self.assertEqual(len(wanted), len(flags))
        self.assertFalse(wrong, f"seed {SEED}: {len(wrong)} flags differ, (wanted, found): {wrong[:3]}")

    def test_caps_under_each_verification(self):
        for verify in ("sketch", "exact", "none"):
            for against_all in (False, True):
                for cap in (1, 3):
                    with self.subTest(verify=verify, against_all=against_all, cap=cap):
                        oracle = SketchOracle("0.9", against_all, verify, Bands(cap=cap))
                        flags = self.check(oracle, 400)
                        self.assertGreater(sum("duplicate_of" in flag for flag in flags), 40)
                        if against_all or verify != "none":  # otherwise kept documents share no bucket
                            self.assertGreater(oracle.capped, 20)

    def test_caps_while_documents_are_forgotten(self):
        for against_all in (False, True):
            with self.subTest(against_all=against_all):
                oracle = SketchOracle("0.7", against_all, "sketch", Bands(cap=2), retention=Retention(max_documents=120))
                self.check(oracle, 800)
                self.assertGreater(oracle.forgotten, 300)

    def test_other_sketches(self):
        for bands in (Bands(256, 8, 16, 6, 2), Bands(64, 16, 16, 3, 4), Bands(128, 4, 10, 6, 4)):
            with self.subTest(bands=bands):
                self.check(SketchOracle("0.8", True, "sketch", bands), 400)

    def test_other_units_and_least_lengths(self):
        for text in (Text(min_tokens=1), Text(min_tokens=50), Text("char", 5)):
            with self.subTest(text=text):
                self.check(SketchOracle("0.8", True, "sketch", Bands(cap=2), text=text), 250)

    def test_runs_that_go_on_where_the_last_one_stopped(self):
        for cap in (1, 64):
            for way in (ways.Way("runs over one state", pieces=12), ways.Way("batch of 7", ("batch.documents=7",))):
                with self.subTest(cap=cap, way=way.name):
                    self.check(SketchOracle("0.7", True, "sketch", Bands(cap=cap)), 500, way=way)


class DeletesByCommand(unittest.TestCase):
    def test_between_two_runs_over_one_state(self):
        """Every third document that lives is deleted between the runs."""
        folder = tempfile.TemporaryDirectory(prefix="neardup-oracle-")
        self.addCleanup(folder.cleanup)
        folder = pathlib.Path(folder.name)
        state, oracle = folder / "state", SketchOracle("0.7", True, "sketch", Bands(cap=2))
        sets = (*band_sets(oracle.bands), "against=all", "threshold=0.7")
        lines, wanted = Corpus(SEED + 3).lines(600), []
        for piece in ways.cut(lines, 6):
            path = folder / f"{len(wanted)}.jsonl"
            path.write_bytes(b"".join(line + b"\n" for line in piece))
            flags = neardup.parse_flags(neardup.scan_or_fail([path], folder / "flags", state, sets))
            wanted += map(oracle.decide, piece)
            for space in ("", "news"):
                names = sorted(name for key, name in oracle.living if key == space)[::3]
                command = [neardup.BINARY, "delete", "--state", str(state), "--namespace", space, *names]
                subprocess.run(command, check=True, capture_output=True, timeout=60)
                for name in names:
                    oracle.delete(space, name)
        BucketsAndSketches.compare(self, oracle, wanted, flags)


if __name__ == "__main__":
    unittest.main()
