"""What scripts/run is made of: files become documents, flags become text for people."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"

FLAGS = [
    {"id": "a", "seq": 1, "status": "unique"},
    {"id": "b", "seq": 2, "status": "near_duplicate", "duplicate_of": "a", "similarity": 0.95},
    {"id": "c", "seq": 3, "status": "near_duplicate", "duplicate_of": "a", "duplicate_of_seq": 1,
     "similarity": 0.851},
    {"id": "d", "seq": 4, "status": "exact_duplicate", "duplicate_of": "a", "similarity": 1.0},
    {"id": None, "seq": 5, "status": "rejected", "reason": "invalid_json", "detail": "no such thing"},
]


def run(script, *arguments):
    command = [sys.executable, SCRIPTS / script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def documents(self, *paths):
        return [json.loads(line) for line in run("documents", *paths).splitlines()]

    def test_a_file_is_a_document_with_its_path_as_id(self):
        path = self.file("a", 'größe\n"quoted"\n'.encode())
        self.assertEqual(self.documents(path), [{"id": str(path), "text": 'größe\n"quoted"\n'}])

    def test_a_file_met_twice_through_a_link_is_one_document(self):
        path = self.file("a", b"text")
        link = self.folder / "b"
        link.symlink_to(path)
        self.assertEqual(len(self.documents(link, path)), 1)

    def test_a_folder_and_a_dangling_link_are_passed_over(self):
        dangling = self.folder / "dangling"
        dangling.symlink_to("nowhere")
        self.assertEqual(self.documents(self.folder, dangling), [])

    def test_bytes_that_are_not_utf8_are_replaced(self):
        path = self.file("latin1", "größe".encode("latin-1"))
        self.assertEqual(self.documents(path)[0]["text"], "gr\ufffd\ufffde")


class ShowFlags(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.flags = pathlib.Path(folder.name) / "flags.jsonl"

    def write(self, flags):
        self.flags.write_text("".join(json.dumps(flag) + "\n" for flag in flags))

    def test_each_status_is_shown_with_its_count_and_evidence(self):
        self.write(FLAGS)
        shown = run("show-flags", self.flags)
        self.assertIn("near_duplicate: 2 ", shown)
        self.assertIn("  c\n      85.1 % like a\n", shown)
        self.assertIn("  d\n      same as a\n", shown)
        self.assertIn("  record 5\n      no such thing\n", shown)
        self.assertNotIn("deleted", shown)

    def test_the_pair_to_explain_is_the_least_similar_near_duplicate_and_its_original(self):
        self.write(FLAGS)
        folder = pathlib.Path(self.flags).parent
        records = folder / "records.jsonl"
        records.write_text("".join(json.dumps({"id": flag["id"], "text": f"text {flag['seq']}"}) + "\n" for flag in FLAGS))
        self.write([{**flag, "source": {"file": str(records), "line": line}} for line, flag in enumerate(FLAGS, 1)])
        files = run("show-flags", "--pair", self.flags, folder).splitlines()
        self.assertEqual([pathlib.Path(name).read_text() for name in files], ["text 1", "text 3"])

    def test_without_near_duplicates_there_is_no_pair(self):
        self.write(FLAGS[:1])
        self.assertEqual(run("show-flags", "--pair", self.flags, "."), "")


if __name__ == "__main__":
    unittest.main()
