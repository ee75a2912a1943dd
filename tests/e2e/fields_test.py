"""Inputs as data teams have them: records in the field names of public data sets, directories, patterns, lists, and archives of
every kind. All give the flags of the same texts as JSON Lines with id and text."""

import bz2
import gzip
import json
import lzma
import subprocess
import unittest

import neardup
from folder import ScanTest

TEXTS = ["a first document with words enough to be compared with the others of its file",
         "another document about something else, also long enough to have shingles of its words",
         "a first document with words enough to be compared with the others of its file"]
WANTED = ["unique", "unique", "exact_duplicate"]

# Records as the data sets have them, in their field names; the texts are ours.
SHAPES = {
    "C4": lambda i, text: {"text": text, "timestamp": "2019-04-25T12:57:54Z", "url": f"https://example.org/{i}"},
    "FineWeb": lambda i, text: {"text": text, "id": f"<urn:uuid:{i}>", "dump": "CC-MAIN-2024-10", "url": f"https://example.org/{i}",
                                "date": "2024-02-20T01:02:03Z", "file_path": "s3://x/y.warc.gz", "language": "en",
                                "language_score": 0.98, "token_count": 17},
    "RedPajama": lambda i, text: {"text": text, "meta": {"pred_label": "__label__wiki", "wikipedia_prediction": 0.6, "source": "cc"}},
    "RedPajama-V2": lambda i, text: {"url": f"https://example.org/{i}", "date_download": "2023-01-01", "digest": "sha1:X", "length": 99,
                                     "nlines": 1, "source_domain": "example.org", "title": "t", "raw_content": text},
    "Dolma": lambda i, text: {"id": f"dolma-{i}", "text": text, "source": "reddit", "added": "2023-03-01", "created": "2020-01-01",
                              "metadata": {"subreddit": "x"}},
    "OSCAR": lambda i, text: {"content": text, "warc_headers": {"warc-record-id": f"<urn:uuid:{i}>", "warc-type": "conversion"},
                              "metadata": {"identification": {"label": "en", "prob": 0.9}}},
    "Wikipedia": lambda i, text: {"id": str(i), "url": f"https://en.wikipedia.org/wiki/{i}", "title": "T", "text": text},
    "HPLT": lambda i, text: {"id": i, "document_lang": "en", "scores": [0.9], "langs": ["en"], "text": text,
                             "url": f"https://example.org/{i}", "collection": "cc40"},
}


def lines(records):
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


class Fields(ScanTest):
    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def test_public_data_sets_need_no_setting(self):
        for name, shape in SHAPES.items():
            with self.subTest(name):
                path = self.write(f"{name}.jsonl", lines(shape(i, text) for i, text in enumerate(TEXTS)))
                said = self.scan(path)
                self.assertEqual(self.statuses(), WANTED)
                usual = name in ("FineWeb", "Dolma", "Wikipedia")
                self.assertEqual("note: " in said, not usual, said)

    def test_ids_are_those_of_the_records_or_of_their_lines(self):
        def ids(shape):
            path = self.write("in.jsonl", b"\n" + lines(SHAPES[shape](i, text) for i, text in enumerate(TEXTS)))
            said = self.scan(path)
            return said, [flag["id"] for flag in self.flags()]

        said, found = ids("C4")
        self.assertEqual(found, [f"https://example.org/{i}" for i in range(3)])
        self.assertIn("ids are taken from /url, texts from /text", said)
        said, found = ids("HPLT")
        self.assertEqual(found, ["0", "1", "2"])
        said, found = ids("RedPajama")
        self.assertEqual(found, [f"{self.folder}/in.jsonl:{line}" for line in (2, 3, 4)])
        self.assertIn("ids are INPUT:LINE", said)
        self.assertIn("(input.id_field and input.text_field name other fields)", said)

    def test_a_first_record_with_id_and_text_keeps_the_rule(self):
        path = self.write("in.jsonl", lines([{"id": "a", "text": TEXTS[0]}, {"id": 7, "text": TEXTS[1]}, {"url": "u", "text": TEXTS[2]}]))
        self.scan(path)
        self.assertEqual(self.statuses(), ["unique", "rejected", "rejected"])

    def test_settings_turn_it_off(self):
        path = self.write("in.jsonl", lines(SHAPES["C4"](i, text) for i, text in enumerate(TEXTS)))
        self.scan(path, status=65, sets=["input.id=pointer"])
        self.scan(path, status=65, sets=["input.text_field=/text"])
        self.scan(path, sets=["input.id_field=/url"])
        self.assertEqual(self.statuses(), WANTED)
        self.scan(path, status=78, sets=["input.id=auto", "input.id_field=/url"])

    def test_a_later_run_reads_a_grown_file_as_it_began(self):
        path = self.write("in.jsonl", lines(SHAPES["C4"](i, text) for i, text in enumerate(TEXTS[:2])))
        self.scan(path, state=self.state)
        with path.open("ab") as file:
            file.write(lines([{"id": "x", "text": TEXTS[2], "url": "https://example.org/2"}]))
        self.scan(path, state=self.state)
        self.assertEqual([flag["id"] for flag in self.flags()][-1], "https://example.org/2")
        self.assertEqual(self.statuses(), WANTED)

    def test_other_commands_find_the_same_fields(self):
        path = self.write("in.jsonl", lines({"content": text, "n": i} for i, text in enumerate(TEXTS)))
        self.scan(path, state=self.state)
        self.assertIn("1.000", neardup.run("explain", f"@{path}:1", f"@{path}:3"))
        check = neardup.run("check", "--state", self.state, path)
        self.assertEqual([json.loads(line)["status"] for line in check.splitlines()], ["unchanged"] * 3)
        page = self.folder / "report.html"
        neardup.run("report", "-o", page, self.output, path)
        groups = neardup.run("groups", self.output, "--prefer", "longest", "--inputs", path)
        self.assertEqual(len(groups.splitlines()), 1)

    def test_directories_patterns_and_lists_are_their_files_in_order(self):
        for i, text in enumerate(TEXTS):
            self.write(f"data/{'abc'[i]}/part.jsonl", lines([{"id": str(i), "text": text}]))
        self.write("data/_SUCCESS", b"")
        wanted = [self.folder / f"data/{name}/part.jsonl" for name in "abc"]
        self.scan(*wanted)
        flags = self.output.read_bytes()
        said = self.scan(self.folder / "data")
        self.assertEqual(self.output.read_bytes(), flags)
        self.assertIn("1 file whose name tells no known format was skipped", said)
        self.scan(self.folder / "data/**/*.jsonl")
        self.assertEqual(self.output.read_bytes(), flags)
        names = self.write("list", "\n".join(map(str, wanted)).encode())
        self.scan(options=["--files-from", str(names)])
        self.assertEqual(self.output.read_bytes(), flags)
        self.assertIn("INPUT or --files-from is needed", self.scan(status=64))
        self.assertIn("no file has such a name", self.scan(self.folder / "*.csv", status=65))

    def test_archives_of_every_kind(self):
        content = lines({"id": str(i), "text": text} for i, text in enumerate(TEXTS))
        plain = self.write("in.jsonl", content)
        self.scan(plain)
        flags = neardup.without_source(self.output.read_bytes())
        for suffix, archive in (("gz", gzip.compress(content)), ("bz2", bz2.compress(content)), ("xz", lzma.compress(content))):
            self.scan(self.write(f"in.jsonl.{suffix}", archive))
            self.assertEqual(neardup.without_source(self.output.read_bytes()), flags, suffix)
            said = self.scan(self.write(f"cut.jsonl.{suffix}", archive[:-3]), status=65)
            self.assertIn("ends too early", said)

    def test_an_interrupted_run_with_found_fields_ends_as_a_whole_one(self):
        records = [{"n": i, "content": f"{TEXTS[i % 2]} and its number {i // 3} of many such documents"} for i in range(4000)]
        path = self.write("in.jsonl", lines(records))
        whole = self.folder / "whole.jsonl"
        neardup.scan_or_fail([path], whole, self.folder / "other", sets=["batch.documents=64"])
        command = neardup.scan_command([path], self.output, self.state, ["batch.documents=64"])
        for seconds in (0.05, 0.1, 0.15, 0.2):
            try:
                subprocess.run(command, capture_output=True, timeout=seconds)
            except subprocess.TimeoutExpired:
                pass  # killed
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        self.assertEqual(self.output.read_bytes(), whole.read_bytes())


if __name__ == "__main__":
    unittest.main()
