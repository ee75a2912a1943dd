"""`scan` and `similar` on a device: the same flags and hits as on the CPU, also when it fails, and what it did is told."""

import json
import os
import pathlib
import shutil
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


class SimilarOnADevice(FolderTest):
    """Of the documents, 16 384 are in a segment of the index of keywords, the others behind it."""
    SETS = ("sketch.size=128", "against=all")

    def setUp(self):
        super().setUp()
        self.input = self.folder / "documents.jsonl"
        lines = [line for line in Corpus(SEED).lines(30_000)]
        self.input.write_bytes(b"".join(line + b"\n" for line in lines))
        self.queries = self.folder / "queries.jsonl"
        self.queries.write_bytes(b"".join(line + b"\n" for line in lines[::600]))

    def similar(self, engine, *sets, **environment):
        """The answers without their times, and what was said."""
        command = [neardup.BINARY, "similar", "--state", str(self.state), "--engine", engine, "--min-similarity", "0.1"]
        for setting in (*self.SETS, *sets):
            command += ["--set", setting]
        done = subprocess.run([*command, str(self.queries)], capture_output=True, text=True,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertGreater(sum(len(answer.get("hits", [])) for answer in answers), 50)
        for answer in answers:
            answer.pop("took_ms", None)
        return answers, done.stderr

    def test_the_hits_are_those_of_the_cpu(self):
        for engine, index in (("scan", "off"), ("match", "on"), ("ewh", "on")):
            with self.subTest(engine=engine):
                shutil.rmtree(self.state, ignore_errors=True)
                neardup.scan_or_fail([self.input], self.folder / "flags", self.state,
                                     (*self.SETS, f"similar.index={index}", f"similar.engine={engine}"))
                on_cpu, _ = self.similar(engine)
                device = ("backend=cuda", "similar.memory=128MiB")
                on_device, said = self.similar(engine, *device)
                self.assertEqual((on_device, said), (on_cpu, ""))
                if "host_device" in neardup.BINARY:
                    for step in (0, 5, 10):
                        failing, said = self.similar(engine, *device, NEARDUP_DEVICE_FAILS_AFTER=str(step))
                        self.assertEqual(failing, on_cpu)
                        self.assertIn("neardup: warning: the GPU has failed, the CPU searches: ", said)


if __name__ == "__main__":
    reason = [line for line in verify_vectors().stdout.splitlines() if line.startswith("cuda: skipped")]
    if reason:
        print(reason[0])
        sys.exit(77)
    unittest.main()
