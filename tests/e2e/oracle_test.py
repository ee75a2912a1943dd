"""Flags agree with a plain comparison of everything with everything, where bands and estimates lose nothing."""

import unittest

import configurations as ways
import neardup
from corpus import Corpus
from oracle import Oracle, Retention

SEED = 20260405
# 64 bands of 4 rows miss a pair at 0.8 with a chance below 1e-14, and the cap is never reached.
SETS = ("verify.mode=exact", "lsh.bands=64", "lsh.rows=4", "lsh.bucket_cap=1000000", "storage.store=memory")
DAY = 86400
FIELDS = ("seq", "status", "known", "duplicate_of", "duplicate_of_seq", "similarity")


def options(retention):
    return (f"retention.max_age={retention.max_age}s" if retention.max_age else "retention.max_age=0",
            f"retention.max_documents={retention.max_documents}", f"retention.max_bytes={retention.max_bytes}",
            f"retention.max_step={retention.max_step}s")


def spoken(flag):
    previous = flag.get("previous")
    fields = [(name, flag[name]) for name in FIELDS if flag.get(name) is not None]
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

    def test_what_is_forgotten(self):
        for retention in (Retention(max_age=20 * DAY), Retention(max_age=90 * DAY, max_step=7 * DAY),
                          Retention(max_documents=150), Retention(max_bytes=80_000),
                          Retention(max_age=30 * DAY, max_documents=300, max_bytes=100_000)):
            for against in ("kept", "all"):
                with self.subTest(retention=retention, against=against):
                    oracle = self.check(against, "0.8", retention)
                    self.assertGreater(oracle.forgotten, 300, "too few to prove anything")
                    self.assertGreater(len(oracle.living), 20, "so few that nothing is compared")


if __name__ == "__main__":
    unittest.main()
