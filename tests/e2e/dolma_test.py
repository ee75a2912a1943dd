"""`scan --emit dolma=`: attributes of documents, a line for each record."""

import gzip
import json
import pathlib
import shutil
import subprocess
import unittest

import neardup
from emit_test import KIND_OF, records, unpack
from folder import ScanTest

TEXT = "Ein Satz über Zugvögel, \U0001f426 und noch einer, damit er lang genug ist."


def line(name, text):
    return json.dumps({"id": name, "text": text}).encode() + b"\n"


class Dolma(ScanTest):
    def setUp(self):
        super().setUp()
        self.documents = self.folder / "documents"
        self.attributes = self.folder / "attributes" / "near"
        self.options = ["--emit", f"dolma={self.attributes}"]

    def write(self, name, lines):
        path = self.documents / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = b"".join(lines)
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
        return path

    def lines_of(self, name):
        return [json.loads(line) for line in unpack(self.attributes / name).splitlines()]

    def names(self):
        return sorted(str(path.relative_to(self.attributes)) for path in self.attributes.rglob("*") if path.is_file())

    def test_a_line_for_each_record_below_the_same_names(self):
        whole = records(3000)
        parts = {"2024/a.jsonl": whole[:1000], "2024/b.jsonl.gz": whole[1000:2500], "2025/a.jsonl": whole[2500:], "none.jsonl": []}
        for name, part in parts.items():
            self.write(name, part)
        said = self.scan(self.documents, options=self.options)
        self.assertIn(f"3000  dolma in {self.attributes}", said)
        self.assertRegex(said, r"note: \d+ lines of attributes have no id")
        self.assertEqual(self.names(), sorted(parts))
        flags = iter(self.flags())
        for name in sorted(parts):
            for got, record in zip(self.lines_of(name), parts[name], strict=True):
                flag = next(flags)
                self.assertEqual(got["id"], flag.get("id") or "")
                spans = got["attributes"]["near"]
                if KIND_OF[flag["status"]] == "duplicates":
                    text = json.loads(record.decode(errors="replace"))["text"]
                    self.assertEqual(spans, [[0, len(text), flag.get("similarity", 1.0)]])
                else:
                    self.assertEqual(spans, [])

    def test_lengths_are_those_of_characters(self):
        self.write("a.jsonl", [line("a", TEXT), line("b", TEXT), line("c", TEXT + " x")])
        self.scan(self.documents, options=self.options)
        spans = [got["attributes"]["near"] for got in self.lines_of("a.jsonl")]
        self.assertEqual(spans[:2], [[], [[0, len(TEXT), 1.0]]])
        self.assertNotEqual(len(TEXT), len(TEXT.encode()))
        self.assertEqual(spans[2][0][1], len(TEXT) + 2)

    def test_beside_the_records_themselves_and_as_the_first_filter(self):
        whole = records(500)
        self.write("a.jsonl", whole)
        kept = self.folder / "kept.jsonl"
        self.scan(self.documents, options=[*self.options, "--emit", f"kept={kept}"])
        wanted = b"".join(record for record, status in zip(whole, self.statuses(), strict=True) if KIND_OF[status] == "kept")
        self.assertEqual(kept.read_bytes(), wanted)
        self.assertEqual(len(self.lines_of("a.jsonl")), 500)

    def test_a_later_run_goes_on_in_an_input_that_has_grown(self):
        whole = records(3000)
        for name in ("a.jsonl", "b.jsonl"):
            self.write(name, [])
        path = self.write("a.jsonl", whole[:2000])
        self.scan(self.documents, state=self.state, options=self.options)
        first = self.lines_of("a.jsonl")
        self.write("a.jsonl", whole)
        self.write("b.jsonl", records(100, seed=8))
        self.scan(self.documents, state=self.state, options=self.options)
        self.assertEqual(self.lines_of("a.jsonl")[:2000], first)
        self.assertEqual(len(self.lines_of("a.jsonl")), 3000)
        self.assertEqual(len(self.lines_of("b.jsonl")), 100)
        # Lines that a run without the option has read have no attributes, so there is no file that could be continued.
        self.write("a.jsonl", whole + records(10, seed=9))
        self.scan(path, state=self.state)
        self.write("a.jsonl", whole + records(20, seed=9))
        said = self.scan(path, status=75, state=self.state, options=self.options)
        self.assertIn("has not the attributes of that", said)
        self.scan(path, state=self.state, options=[*self.options, "--rescan"])
        self.assertEqual(self.lines_of("a.jsonl")[:2000][-1]["id"], first[-1]["id"])

    def test_many_inputs_of_a_batch_need_few_files_at_once(self):
        for number in range(300):
            self.write(f"{number:03}.jsonl.gz", [line(f"d{number}", f"{TEXT} {number}")])
        done = subprocess.run(["bash", "-c", 'ulimit -n 150; exec "$@"', "_", *neardup.scan_command(
            [self.documents], self.output, self.state, options=self.options)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.names()), 300)
        self.assertEqual(self.lines_of("299.jsonl.gz")[0]["id"], "d299")

    def test_attributes_that_are_gone_are_not_begun_in_the_middle(self):
        path = self.write("a.jsonl", records(100))
        self.scan(path, state=self.state, options=self.options)
        self.write("a.jsonl", records(100) + records(10, seed=8))
        shutil.rmtree(self.attributes)
        said = self.scan(path, status=75, state=self.state, options=self.options)
        self.assertIn(str(self.attributes / "a.jsonl"), said)
        self.assertEqual(self.names(), [])

    def test_wrong_usage_is_named(self):
        path = self.write("a.jsonl", records(5))
        table = self.folder / "a.csv"
        table.write_bytes(b"id,text\na,x y\n")
        other = self.folder / "other" / "a.jsonl"
        other.parent.mkdir()
        other.write_bytes(path.read_bytes())
        for inputs, emit, reason in (([table], self.attributes, "is CSV, and attributes are for files of JSON Lines"),
                                     ([path], self.documents, "is another file of this run"),
                                     ([path, other], self.attributes, "would both have the attributes")):
            said = self.scan(*inputs, status=64, options=["--emit", f"dolma={emit}"])
            self.assertIn(reason, said)
        self.assertEqual(self.names(), [])
        done = neardup.scan([pathlib.Path("-")], self.output, options=self.options, input=path.read_bytes())
        self.assertEqual(done.returncode, 64, done.stderr)
        (self.folder / "file").write_bytes(b"x")
        said = self.scan(path, status=74, options=["--emit", f"dolma={self.folder}/file"])
        self.assertIn("cannot make the folder", said)


if __name__ == "__main__":
    unittest.main()
