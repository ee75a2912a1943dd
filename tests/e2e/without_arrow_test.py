"""The program without its module for Parquet and buckets, as it is built where there is no Arrow."""

import pathlib
import shutil
import unittest

import neardup
from folder import FolderTest


class WithoutArrow(FolderTest):
    def setUp(self):
        super().setUp()
        alone = self.folder / "bin" / "neardup"
        alone.parent.mkdir()
        shutil.copy2(shutil.which(neardup.BINARY) or neardup.BINARY, alone)
        self.addCleanup(setattr, neardup, "BINARY", neardup.BINARY)
        neardup.BINARY = str(alone)
        self.input = self.folder / "in.bin"
        self.input.write_bytes(b"PAR1" + bytes(20) + b"PAR1")

    def scan(self, *inputs, status, output=None, options=()):
        done = neardup.scan(inputs, output or self.output, options=options)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stderr.decode()

    def test_a_parquet_file_is_named_with_the_ways_to_read_it(self):
        said = self.scan(self.input, status=65)
        self.assertEqual(len(said.splitlines()), 1)
        for word in (f"{self.input} is Parquet", "libarrow-dev and libparquet-dev", "scripts/arrow", "NEARDUP_ARROW_ROOT",
                     f"duckdb.sql(\\\"copy (select id, text from '{self.input}') to '/dev/stdout' (format json)\\\")\" | neardup scan -"):
            self.assertIn(word, said)

    def test_a_bucket_is_named_with_the_ways_to_read_it(self):
        for name in ("s3://bucket/x.jsonl", "s3://bucket/folder/", "gs://bucket/*.jsonl"):
            said = self.scan(name, status=65)
            for word in (f"{name} is in a bucket", "libarrow-dev and libparquet-dev", "NEARDUP_ARROW_ROOT", "aws s3 cp"):
                self.assertIn(word, said)

    def test_flags_as_parquet_are_refused_before_anything_is_written(self):
        lines = self.folder / "in.jsonl"
        lines.write_text('{"id":"a","text":"some words"}\n')
        said = self.scan(lines, status=64, output=self.folder / "flags.parquet")
        self.assertIn("scripts/arrow", said)
        self.assertEqual(list(self.folder.glob("flags*")), [])

    def test_parts_are_refused_before_anything_is_written(self):
        said = self.scan(self.input, status=64, options=["--emit", f"kept={self.folder}/clean/"])
        self.assertIn("scripts/arrow", said)
        self.assertFalse((self.folder / "clean").exists())
        self.assertFalse(self.output.exists())

    def test_the_other_inputs_are_read_with_keep_going(self):
        lines = self.folder / "in.jsonl"
        lines.write_text('{"id":"a","text":"some words"}\n')
        self.scan(self.input, lines, status=65, options=["--keep-going"])
        self.assertEqual(len(pathlib.Path(self.output).read_bytes().splitlines()), 1)

    def test_a_module_of_another_program(self):
        (self.folder / "bin" / "libneardup_arrow.so").write_bytes(b"no library")
        self.assertIn("libneardup_arrow.so", self.scan(self.input, status=65))


if __name__ == "__main__":
    unittest.main()
