"""`scan` on a device: the same flags as on the CPU, also when it fails, and a summary that tells what it did."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import neardup
from corpus import Corpus
from folder import FolderTest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
SEED = 20260411
SETS = [(), ("shingle.unit=char",), ("sketch.family=minhash", "sketch.size=128"), ("batch.documents=77",),
        ("verify.mode=exact", "cpu.threads=3")]
PHASES = ("copy_in_seconds", "kernel_seconds", "copy_out_seconds")


def verify_vectors():
    return subprocess.run([neardup.BINARY, "verify-vectors"], capture_output=True, text=True)


class Device(FolderTest):
    def setUp(self):
        super().setUp()
        self.input = self.folder / "documents.jsonl"
        self.input.write_bytes(b"".join(line + b"\n" for line in Corpus(SEED).lines(2000)))

    def scan(self, backend, sets=(), options=(), **environment):
        output = self.folder / f"{backend}.jsonl"
        done = neardup.scan([self.input], output, sets=(*sets, f"backend={backend}", "storage.store=memory"),
                            options=options, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return output.read_bytes(), done.stderr.decode().splitlines()

    def test_the_flags_are_those_of_the_cpu(self):
        for sets in SETS:
            with self.subTest(sets=sets):
                self.assertIsNone(neardup.first_difference(self.scan("cpu", sets)[0], self.scan("cuda", sets)[0]))

    def test_the_summary_tells_the_phases(self):
        _, said = self.scan("cuda", options=["--json"])
        summary = json.loads(said[-1])
        self.assertTrue(summary["backend"].startswith("cuda ("), summary["backend"])
        self.assertGreater(summary["gpu"]["pieces"], 0)
        self.assertGreater(sum(summary["gpu"][phase] for phase in PHASES), 0)
        self.assertEqual((summary["gpu"]["failures"], summary["gpu"]["documents_on_cpu"]), (0, 0))
        self.assertTrue(any(line.startswith("GPU: ") for line in self.scan("cuda")[1]))
        self.assertNotIn("gpu", json.loads(self.scan("cpu", options=["--json"])[1][-1]))

    @unittest.skipUnless("host_device" in neardup.BINARY, "a real device does not fail when it is told to")
    def test_a_failing_device_changes_no_flag(self):
        flags, said = self.scan("cuda", sets=("batch.documents=77",), options=["--json"], NEARDUP_DEVICE_FAILS_AFTER="100")
        self.assertIsNone(neardup.first_difference(self.scan("cpu", ("batch.documents=77",))[0], flags))
        gpu = json.loads(said[-1])["gpu"]
        self.assertEqual(gpu["failures"], 1)
        self.assertGreater(gpu["pieces"], 0)
        self.assertGreater(gpu["documents_on_cpu"], 0)
        self.assertIn("launch failure", gpu["last_failure"])

    def test_the_known_answers_are_computed_on_it(self):
        done = verify_vectors()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("\ncuda: 176 cases, all right\n", done.stdout)

    def test_the_bench_of_scan_has_both_backends(self):
        done = subprocess.run([sys.executable, BENCH / "gpu_scan.py", neardup.BINARY, "--documents", self.input,
                               "--repeat", "1"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| cpu |", done.stdout)
        self.assertIn("| cuda |", done.stdout)


if __name__ == "__main__":
    reason = [line for line in verify_vectors().stdout.splitlines() if line.startswith("cuda: skipped")]
    if reason:
        print(reason[0])
        sys.exit(77)
    unittest.main()
