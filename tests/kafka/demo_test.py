"""scripts/demo-kafka after the build: it shows flags, survives its own kill -9, and leaves nothing running."""

import os
import pathlib
import signal
import subprocess
import sys
import unittest

import needs

needs.broker()
import documents  # noqa: E402
from folder import FolderTest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "serve-documents"
BINARY = os.environ.get("NEARDUP_BINARY", "neardup")


class Demo(FolderTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(subprocess.run, [SCRIPT.with_name("kafka"), "stop", self.folder / "broker"])

    def start(self, count, *options):
        file = self.folder / "documents.jsonl"
        file.write_bytes(b"".join(record.value + b"\n" for record in documents.records(count)))
        return subprocess.Popen([sys.executable, SCRIPT, *options, self.folder, file], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def assert_ended_orderly(self, demo, text):
        self.assertEqual(demo.returncode, 0, text)
        self.assertIn("the service has ended with status 0", text)
        self.assertFalse((self.folder / "broker" / "pid").exists())

    def test_each_document_has_one_flag_after_a_crash(self):
        demo = self.start(300, "--crash")
        text = demo.communicate(timeout=120)[0]
        self.assert_ended_orderly(demo, text)
        self.assertRegex(text, r"\n +\d+  near_duplicate +\S+ +[\d.]+ % like \S+\n")
        self.assertRegex(text, r"kill -9 after (1[5-9]\d|200) flags")
        self.assertIn("\n300 documents sent, 300 flags committed: ", text)
        self.assertIn("\nlag of group neardup-demo, as the broker has it: 0\n", text)
        self.assertIn("checked: one flag for each document", text)
        subprocess.run([BINARY, "config", "check", self.folder / "neardup.yaml"], check=True)
        self.assert_reported(text)

    def assert_reported(self, text):
        if "\nwithout Prometheus: " in text and not os.environ.get("NEARDUP_REQUIRE_PROMETHEUS"):
            return
        self.assertRegex(text, r"\n\d+ of \d+ queries of the dashboards have values: ")
        page = (self.folder / "panels.md").read_text(encoding="utf-8")
        self.assertRegex(page, r"\n\*\*Flags\*\*\n\n`[^`]*neardup_documents_total[^`]*`\n\n(- \w+: [\d.e+-]+\n)+")
        self.assertIn("\n## GPU: Does the GPU work?\n", page)

    def test_with_keep_it_goes_on_until_ctrl_c(self):
        demo = self.start(20, "--keep")
        self.addCleanup(demo.kill)
        lines = []
        while not lines or "tail -f" not in lines[-1]:
            lines.append(demo.stdout.readline())
            self.assertTrue(lines[-1], "".join(lines))
        demo.send_signal(signal.SIGINT)
        self.assert_ended_orderly(demo, "".join(lines) + demo.communicate(timeout=60)[0])


if __name__ == "__main__":
    unittest.main()
