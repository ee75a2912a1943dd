"""The same input gives the same flags, however it is processed: a generated corpus, and real documents."""

import collections
import os
import subprocess
import unittest

import configurations as ways
import neardup
from corpus import Corpus

SEED = 20260401
FOLDER = os.environ.get("NEARDUP_CORPUS", "")


def all_ways():
    return [*ways.BATCHES, *ways.THREADS, *ways.FILTERS, *ways.simd_ways(), *ways.BIT_COUNTS, *ways.PACKINGS,
            ways.Way("batch of 16384", ("batch.documents=16384", "storage.store=memory")),
            ways.Way("small batches in bytes", ("batch.max_bytes=100KiB", "storage.store=memory", "batch.in_flight=1")),
            ways.Way("ten files in one run", ("storage.store=memory",), pieces=10, one_run=True),
            ways.Way("ten runs over one state", pieces=10)]


class Equality(unittest.TestCase):
    def check(self, lines, sets, some_ways=None):
        reference = ways.flags_of(lines, ways.Way("plain"), sets)
        found = ways.differences(lines, reference, some_ways or all_ways(), sets)
        self.assertFalse(found, f"seed {SEED}, {sets}: " + "\n".join(found))
        return neardup.parse_flags(reference)

    def test_a_generated_corpus_has_one_answer(self):
        flags = self.check(Corpus(SEED).lines(3000), ())
        # What does not occur would not be compared.
        by_status = collections.Counter(flag["status"] for flag in flags)
        self.assertEqual(set(by_status), neardup.STATUSES)
        self.assertGreater(by_status["near_duplicate"], 300)
        self.assertGreater(by_status["unique"], 300)

    def test_every_mode_has_one_answer(self):
        lines = Corpus(SEED + 1).lines(1200)
        some_ways = [way for way in all_ways() if way.name in ("batch of 1", "batch of 777", "2 threads", "simd portable",
                                                               "without the 1-bit filter", "bit count naive",
                                                               "ten runs over one state")]
        for sets in (("against=all",), ("verify.mode=exact",), ("verify.mode=none",), ("sketch.family=minhash",),
                     ("lsh.bucket_cap=2", "against=all"), ("lsh.bucket_cap=1", "threshold=0.6"),
                     ("shingle.unit=char", "text.min_tokens=12"), ("sketch.bits=1", "sketch.size=1024", "lsh.bands=32", "lsh.rows=32"),
                     ("sketch.bits=16", "sketch.size=100", "threshold=0.7")):
            with self.subTest(sets=sets):
                self.check(lines, sets, some_ways)

    def test_a_changed_flag_is_noticed(self):
        lines = Corpus(SEED).lines(50)
        reference = ways.flags_of(lines, ways.Way("plain"))
        wrong = reference.replace(b'"seq":7,', b'"seq":8,', 1)
        self.assertTrue(ways.differences(lines, wrong, ways.THREADS[:1]))
        self.assertRaises(AssertionError, neardup.parse_flags, wrong)


@unittest.skipUnless(FOLDER, "NEARDUP_CORPUS is not set")
class RealDocuments(Equality):
    # The inherited tests are run once, above.
    test_a_generated_corpus_has_one_answer = None
    test_every_mode_has_one_answer = None
    test_a_changed_flag_is_noticed = None

    def documents(self, count=None):
        plain = subprocess.run(["zstd", "-dcq", f"{FOLDER}/peps.jsonl.zst"], capture_output=True, check=True).stdout
        return plain.splitlines()[:count]

    def test_six_thousand_real_documents_have_one_answer(self):
        names = ("batch of 777", "1 thread", "ten runs over one state", "simd portable")
        self.check(self.documents(6000), (), [way for way in all_ways() if way.name in names])

    @unittest.skipUnless(os.environ.get("NEARDUP_SLOW"), "one of the slow tests")
    def test_all_real_documents_have_one_answer(self):
        self.check(self.documents(), ())


if __name__ == "__main__":
    unittest.main()
