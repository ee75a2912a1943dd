"""bench/gpu and bench/gpu_scan.py run here, too, and have the rows that they promise."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
COLUMNS = ["stage", "backend", "size", "bytes", "batch", "items_per_s", "items_per_s_min", "items_per_s_max", "gb_per_s",
           "kernel_gb_per_s", "share_of_peak", "copy_in_gb_per_s", "ratio"]


class GpuBench(unittest.TestCase):
    def rows(self, *arguments):
        done = subprocess.run([os.environ["NEARDUP_BENCH_GPU"], "--json", "--repeat", "1", "--least-ms", "0", *arguments],
                              capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_every_stage_has_a_row_of_the_cpu(self):
        rows, said = self.rows()
        by_stage = {(row["stage"], row["size"]) for row in rows if row["backend"] == "cpu"}
        for family in "fast_similarity", "minhash_2u", "minhash_4u", "minhash_ms32":
            for size in 64, 128, 256, 512, 1024:
                self.assertIn((family, size), by_stage)
        for setting in "webspam", "rcv1":
            for method in "permutation", "2u", "4u", "ms32":
                self.assertIn((f"{setting}_{method}", 500), by_stage)
        for pairs in "pairs_same", "pairs_own":
            self.assertIn((f"{pairs}_filter", 256), by_stage)
            self.assertIn((f"{pairs}_estimate", 256), by_stage)
        on_device = any(row["backend"] == "cuda" for row in rows)
        self.assertNotEqual(on_device, "no device" in said)
        for row in rows:
            self.assertEqual(list(row), COLUMNS)
            self.assertGreater(row["items_per_s"], 0)

    def test_a_ratio_is_to_the_row_before(self):
        rows, _ = self.rows("--only", "webspam")
        first = rows[0]
        self.assertEqual(first["stage"], "webspam_permutation")
        for row in rows:
            self.assertAlmostEqual(row["ratio"], row["items_per_s"] / first["items_per_s"], delta=0.02 * row["ratio"] + 0.1)


class GpuScan(unittest.TestCase):
    def test_the_script_runs_without_a_device(self):
        with tempfile.TemporaryDirectory() as folder:
            documents = pathlib.Path(folder) / "documents.jsonl"
            documents.write_text("".join(json.dumps({"id": str(i), "text": f"some words that are not many {i}"}) + "\n"
                                         for i in range(100)))
            done = subprocess.run([sys.executable, BENCH / "gpu_scan.py", os.environ["NEARDUP_BINARY"], "--documents",
                                   documents, "--repeat", "1"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| cpu |", done.stdout)
        self.assertTrue("| cuda |" in done.stdout or "no device: " in done.stdout, done.stdout)


if __name__ == "__main__":
    unittest.main()
