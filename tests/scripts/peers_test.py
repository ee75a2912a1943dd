"""What bench/peers is made of: the stream that the Python peers share, the banding, the ratios."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "peers"))
import cases  # noqa: E402
import report  # noqa: E402
import stream  # noqa: E402


class ExactIndex:
    """Sketches are the sets themselves, and every document is a candidate."""

    def __init__(self):
        self.batches = []
        self.keys = []

    def sketch(self, shingle_lists):
        self.batches.append(len(shingle_lists))
        return [set(shingles) for shingles in shingle_lists]

    def candidates(self, sketch):
        return self.keys

    def similarity(self, sketch, other):
        return len(sketch & other) / len(sketch | other)

    def insert(self, key, sketch):
        self.keys.append(key)


def words(first, last):
    return " ".join(f"w{i}" for i in range(first, last))


def flags(texts, index=None):
    documents = [{"id": str(place), "text": text} for place, text in enumerate(texts)]
    return list(stream.flags(documents, index or ExactIndex()))


def originals(texts):
    return [flag.get("duplicate_of") for flag in flags(texts)]


class Shingles(unittest.TestCase):
    def test_a_shingle_is_five_words_in_lower_case(self):
        self.assertEqual(stream.shingles("One, two-three\n_Four FÜNF six"),
                         ["one two three _four fünf", "two three _four fünf six"])

    def test_a_short_text_is_one_shingle_and_a_text_without_words_none(self):
        self.assertEqual(stream.shingles("One two!"), ["one two"])
        self.assertEqual(stream.shingles("?! ..."), [])


class Flags(unittest.TestCase):
    def test_a_copy_names_its_original_in_a_record_the_referee_reads(self):
        self.assertEqual(flags([words(0, 20), words(0, 20)]), [
            {"id": "0", "status": "unique"},
            {"id": "1", "status": "near_duplicate", "duplicate_of": "0", "similarity": 1.0}])

    def test_a_flagged_document_is_not_inserted_so_no_flag_points_along_a_chain(self):
        self.assertEqual(originals([words(0, 100), words(8, 108), words(16, 116)]), [None, "0", None])

    def test_the_most_similar_is_named_and_of_equals_the_earlier(self):
        self.assertEqual(originals([words(0, 100), words(18, 118), words(10, 110)]), [None, None, "1"])
        self.assertEqual(originals([words(0, 100), words(20, 120), words(10, 110)]), [None, None, "0"])

    def test_texts_without_words_are_neither_copies_nor_originals(self):
        self.assertEqual(originals(["?", "?", words(0, 9), "!", words(0, 9)]), [None, None, None, None, "2"])

    def test_copies_are_found_within_a_batch_and_across_batches(self):
        index = ExactIndex()
        texts = [words(1000 * i, 1000 * i + 9) for i in range(stream.BATCH)]
        found = [flag.get("duplicate_of") for flag in flags(texts[:3] + texts[:1] + texts[3:] + texts[1:2], index)]
        self.assertEqual({place: of for place, of in enumerate(found) if of}, {3: "0", stream.BATCH + 1: "1"})
        self.assertEqual(index.batches, [stream.BATCH, 2])

    def test_flags_are_json(self):
        self.assertEqual(json.loads(json.dumps(flags(["a"]))), [{"id": "0", "status": "unique"}])


class Banding(unittest.TestCase):
    def test_every_banding_fits_its_size_and_finds_a_pair_at_the_threshold(self):
        for size, by_peer in cases.BANDING.items():
            for peer, (bands, rows) in [*by_peer.items(), ("neardup", cases.OUR_BANDING)]:
                with self.subTest(peer=peer, size=size):
                    self.assertLessEqual(bands * rows, size)
                    self.assertGreaterEqual(1 - (1 - cases.THRESHOLD**rows) ** bands, 0.99)


class Ratios(unittest.TestCase):
    def test_peers_are_compared_with_our_default_store_by_wall_and_by_cpu_time(self):
        row = {"bytes": 10e6, "seconds": 1, "cpu_seconds": 2}
        rows = [{**row, "peer": "neardup"}, {**row, "peer": "neardup", "seconds": 9},
                {**row, "peer": "rensa", "seconds": 50, "cpu_seconds": 20}]
        self.assertEqual(report.ratios(rows), [(rows[2], 50, 10)])


if __name__ == "__main__":
    unittest.main()
