"""scripts/demo-cluster after the build: each document has its flag after the death of one process of each role."""

import pathlib
import subprocess
import sys
import unittest

import needs

needs.broker()
import documents  # noqa: E402
from folder import FolderTest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "serve-cluster"


class DemoCluster(FolderTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(subprocess.run, [SCRIPT.with_name("kafka"), "stop", self.folder / "broker"])

    def test_each_document_has_one_flag(self):
        file = self.folder / "documents.jsonl"
        file.write_bytes(b"".join(record.value + b"\n" for record in documents.records(400)))
        done = subprocess.run([sys.executable, SCRIPT, self.folder, file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        text = done.stdout
        self.assertEqual(done.returncode, 0, text)
        for role in ("sketcher-1", "shard-1"):
            self.assertIn(f"kill -9 of {role} after ", text)
        self.assertRegex(text, r"\nkill -9 of resolver-[12] after \d+ flags")
        self.assertIn(" s later there is a flag again: the other resolver has taken over\n", text)
        self.assertIn("placement 2 holds from seq ", text)
        self.assertIn("\n400 documents sent, 400 flags committed: ", text)
        self.assertIn("checked: one flag for each document", text)
        self.assertIn(f"the processes have ended with status {', '.join(8 * '0')}\n", text)
        self.assertFalse((self.folder / "broker" / "pid").exists())


if __name__ == "__main__":
    unittest.main()
