"""States go from one RocksDB to another and back: one that was written with 7.8.3 opens, goes on and is found again, and
what this build writes is in the form that 7.8.3 reads.

states/0.1.0-rocksdb-7.8.3.tar.gz holds the documents old-0 to old-19, compacted, and old-20 to old-24, in the log of
RocksDB, as `scan --state` wrote them.
"""

import json
import pathlib
import struct
import tarfile
import unittest

import neardup
from folder import FolderTest

STATE = pathlib.Path(__file__).resolve().parent / "states" / "0.1.0-rocksdb-7.8.3.tar.gz"
OLDEST_READER = 5  # the newest table format of 7.8.3
FOOTER = struct.Struct("<IQ")  # of a block-based table: its format and the magic number
MAGIC = 0x88E241B785F4CFF7


def text(i):
    return [f"word{(i * 37 + j * 11) % 997}" for j in range(40)]


def record(name, words):
    return json.dumps({"id": name, "text": " ".join(words)}).encode() + b"\n"


class OldState(FolderTest):
    def setUp(self):
        super().setUp()
        with tarfile.open(STATE) as packed:
            packed.extractall(self.state)
        # Rebuilds an index whose format is older than that of this build.
        self.said = neardup.run("migrate", "--state", self.state)

    def scan(self, *records):
        path = self.folder / "new.jsonl"
        path.write_bytes(b"".join(records))
        flags = neardup.scan_or_fail([path], self.folder / "flags", self.state)
        return [json.loads(line) for line in flags.splitlines()]

    def test_its_documents_are_found_by_content_sketch_and_id(self):
        flags = self.scan(*(record(f"new-{i}", text(i)) for i in range(25)),
                          *(record(f"near-{i}", [*text(i), "more"]) for i in range(25)),
                          *(record(f"old-{i}", text(i)) for i in range(25)))
        self.assertEqual([flag["seq"] for flag in flags], list(range(26, 101)))
        self.assertEqual([flag["status"] for flag in flags],
                         ["exact_duplicate"] * 25 + ["near_duplicate"] * 25 + ["unchanged"] * 25)
        self.assertEqual([flag["duplicate_of"] for flag in flags[:50]], [f"old-{i % 25}" for i in range(50)])

    def test_migrate_says_what_becomes_of_texts_without_spaces(self):
        self.assertIn("\ntext model 2 instead of 1: texts in Thai, Lao, Khmer, Burmese", self.said)

    def test_it_can_be_compacted(self):
        neardup.run("compact", "--state", self.state)
        self.assertEqual(self.scan(record("new", text(3)))[0]["duplicate_of"], "old-3")

    def test_tables_are_in_the_form_of_the_oldest_reader(self):
        self.scan(*(record(f"new-{i}", text(1000 + i)) for i in range(1000)))
        neardup.run("compact", "--state", self.state)
        tables = sorted(self.state.glob("*.sst"))
        self.assertTrue(tables)
        for table in tables:
            form, magic = FOOTER.unpack(table.read_bytes()[-FOOTER.size:])
            self.assertEqual(magic, MAGIC)
            self.assertLessEqual(form, OLDEST_READER, table)


if __name__ == "__main__":
    unittest.main()
