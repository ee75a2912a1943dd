"""Flags agree with a plain comparison of everything with everything, where bands and estimates lose nothing."""

import unittest

import configurations as ways
import neardup
from corpus import Corpus
from oracle import Oracle

SEED = 20260405
# 64 bands of 4 rows miss a pair at 0.8 with a chance below 1e-14, and the cap is never reached.
SETS = ("verify.mode=exact", "lsh.bands=64", "lsh.rows=4", "lsh.bucket_cap=1000000", "storage.store=memory")
FIELDS = ("seq", "status", "known", "duplicate_of", "duplicate_of_seq", "similarity")


def spoken(flag):
    previous = flag.get("previous")
    fields = [(name, flag[name]) for name in FIELDS if flag.get(name) is not None]
    return fields + [("previous", previous["seq"] if isinstance(previous, dict) else previous)]


class AgainstEverything(unittest.TestCase):
    def check(self, against, threshold):
        lines = Corpus(SEED).lines(1500)
        sets = (*SETS, f"against={against}", f"threshold={threshold}")
        flags = neardup.parse_flags(ways.flags_of(lines, ways.Way("plain"), sets))
        oracle = Oracle(threshold, against == "all")
        wrong = [(spoken(wanted), spoken(found)) for wanted, found in zip(map(oracle.decide, lines), flags)
                 if spoken(wanted) != spoken(found)]
        self.assertEqual(len(flags), len(lines))
        self.assertFalse(wrong, f"seed {SEED}: {len(wrong)} flags differ, (wanted, found): {wrong[:3]}")

    def test_against_kept(self):
        self.check("kept", "0.8")

    def test_against_all(self):
        self.check("all", "0.8")

    def test_a_high_threshold(self):
        self.check("kept", "0.95")


if __name__ == "__main__":
    unittest.main()
