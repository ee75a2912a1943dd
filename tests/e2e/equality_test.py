"""The same input gives the same flags, however it is processed: a generated corpus in which everything happens."""

import collections
import unittest

import configurations as ways
import neardup
from corpus import Corpus

SEED = 20260401
MODES = [("against=all",), ("verify.mode=exact",), ("verify.mode=none",), ("sketch.family=minhash",),
         ("lsh.bucket_cap=2", "against=all"), ("lsh.bucket_cap=1", "threshold=0.6"),
         ("shingle.unit=char", "text.min_tokens=12"),
         ("sketch.bits=1", "sketch.size=1024", "lsh.bands=32", "lsh.rows=32"),
         ("sketch.bits=16", "sketch.size=100", "threshold=0.7"),
         ("retention.max_age=20d", "lsh.bucket_cap=2", "against=all"),
         ("retention.max_documents=100", "retention.max_bytes=100kB")]


class Equality(unittest.TestCase):
    def check(self, lines, sets, some_ways):
        reference = ways.flags_of(lines, ways.Way("plain"), sets)
        found = ways.differences(lines, reference, some_ways, sets)
        self.assertFalse(found, f"seed {SEED}, {sets}: " + "\n".join(found))
        return neardup.parse_flags(reference)

    def test_a_generated_corpus_has_one_answer(self):
        flags = self.check(Corpus(SEED).lines(3000), (), ways.all_ways())
        # What does not occur would not be compared.
        by_status = collections.Counter(flag["status"] for flag in flags)
        self.assertEqual(set(by_status), neardup.STATUSES)
        self.assertGreater(by_status["near_duplicate"], 300)
        self.assertGreater(by_status["unique"], 300)

    def test_every_mode_has_one_answer(self):
        lines = Corpus(SEED + 1).lines(1200)
        some_ways = ways.named("batch of 1", "batch of 777", "2 threads", "simd portable", "without the 1-bit filter",
                               "bit count naive", "runs over one state")
        self.assertEqual(len(some_ways), 7)
        for sets in MODES:
            with self.subTest(sets=sets):
                self.check(lines, sets, some_ways)

    def test_a_changed_flag_is_noticed(self):
        lines = Corpus(SEED).lines(50)
        reference = ways.flags_of(lines, ways.Way("plain"))
        wrong = reference.replace(b'"seq":7,', b'"seq":8,', 1)
        self.assertTrue(ways.differences(lines, wrong, ways.THREADS[:1]))
        self.assertRaises(AssertionError, neardup.parse_flags, wrong)


if __name__ == "__main__":
    unittest.main()
