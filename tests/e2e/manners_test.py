"""What `scan` says of its work, and what it does not say: progress, --quiet, presets."""

import json
import os
import pty
import subprocess
import time
import unittest

import neardup
from folder import FolderTest

RECORD = '{"id":"d%d","text":"document %d of a run that says how far it is, with words enough to be compared"}\n'


class Manners(FolderTest):
    def setUp(self):
        super().setUp()
        self.inputs = []
        self.data = self.folder / "data"
        self.data.mkdir()
        for part in range(3):
            self.inputs.append(self.data / f"part-{part}.jsonl")
            self.inputs[-1].write_text("".join(RECORD % (i, i) for i in range(part * 1000, part * 1000 + 1000)))

    def scan(self, *options, inputs=None):
        done = neardup.scan(inputs or self.inputs, self.output, options=options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stderr.decode()

    def test_quiet_says_nothing_but_errors(self):
        (self.data / "odd.txt").write_text("x")
        self.assertIn("was skipped", self.scan(inputs=[self.data]))
        self.assertEqual(self.scan("--quiet", inputs=[self.data]), "")
        self.assertEqual(self.scan("-q", "--preset", "web"), "")
        done = neardup.scan([self.folder / "missing"], self.output, options=["--quiet"])
        self.assertEqual(done.returncode, 65)
        self.assertIn("missing", done.stderr.decode())
        summary = self.scan("--quiet", "--json").splitlines()
        self.assertEqual([json.loads(line)["documents"] for line in summary], [3000])

    def dry(self, *options, inputs=None, status=0):
        done = neardup.scan(inputs or self.inputs, None, options=["--dry-run", *options])
        self.assertEqual(done.returncode, status, done.stderr.decode())
        self.assertEqual(done.stdout, b"")
        return done.stderr.decode()

    def test_a_dry_run_says_what_a_run_would_find_and_cost(self):
        state = self.folder / "state"
        said = json.loads(self.dry("--json", "--quiet", "--state", str(state)).splitlines()[-1])
        self.assertFalse(state.exists())
        self.scan("--state", str(state))
        flags = neardup.parse_flags(self.output.read_bytes())
        self.assertEqual(said["share"], 1)
        for status, count in said["statuses"].items():
            self.assertEqual(count, sum(flag["status"] == status for flag in flags), status)
        whole = said["whole"]
        self.assertEqual(whole["documents"], len(flags))
        self.assertEqual(whole["flag_bytes"], self.output.stat().st_size)
        self.assertGreater(whole["free_bytes"], 0)
        # Of a state that is not compacted, so with more or less than reckoned.
        on_disk = sum(file.stat().st_size for file in state.rglob("*") if file.suffix in (".sst", ".log"))
        self.assertGreater(whole["state_bytes"], on_disk / 4)
        self.assertLess(whole["state_bytes"], on_disk * 4)
        text = self.dry("--state", str(state))
        self.assertIn("All inputs: about 3000 documents", text)
        self.assertIn(f"in {state}, where", text)
        self.assertIn("Nothing was written", text)

    def test_a_sample_stands_for_the_rest(self):
        # Files are read by the block: of these, which are smaller than one, every tenth.
        inputs = [self.data / f"small-{i}.jsonl" for i in range(40)]
        for number, path in enumerate(inputs):
            path.write_text("".join(RECORD % (i, i) for i in range(number * 100, number * 100 + 100)))
        said = json.loads(self.dry("--json", "--quiet", "--sample", "10%", inputs=inputs).splitlines()[-1])
        self.assertAlmostEqual(said["share"], 0.1, delta=0.03)
        self.assertAlmostEqual(said["documents"], 400, delta=100)
        self.assertAlmostEqual(said["whole"]["documents"], 4000, delta=200)
        large = self.data / "large.jsonl"
        large.write_text("".join(RECORD % (i, i) for i in range(100_000)))
        text = self.dry("--sample", "0.1", inputs=[large])
        self.assertRegex(text, "Dry run over [12][0-9] % of the inputs")
        self.assertIn("A part has fewer duplicates than all", text)

    def test_a_dry_run_that_makes_no_sense_is_refused(self):
        for options, why in [(["--emit", "kept=k.jsonl"], "--emit has no meaning"), (["-o", "f"], "--output has no meaning"),
                             (["--sample", "0"], "is not a number between 0 and 1"), (["--sample", "1%x"], "is not a number between 0 and 1")]:
            self.assertIn(why, self.dry(*options, status=64))
        done = neardup.scan(["-"], None, options=["--dry-run", "--sample", "1%"], input=b"{}")
        self.assertEqual(done.returncode, 64)
        self.assertIn("have no size", done.stderr.decode())
        done = neardup.scan(self.inputs, None, options=["--sample", "1%"])
        self.assertEqual(done.returncode, 64)
        self.assertIn("--sample is for --dry-run", done.stderr.decode())

    def test_events_tell_of_progress(self):
        command = neardup.scan_command(["-"], self.output, options=["--json"])
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            end = time.monotonic() + 20
            seen = None
            os.set_blocking(run.stderr.fileno(), False)
            number = 0
            while seen is None and time.monotonic() < end:
                run.stdin.write((RECORD % (number, number)).encode())
                run.stdin.flush()
                number += 1
                time.sleep(0.02)
                line = run.stderr.readline()
                if line:
                    seen = json.loads(line)
            run.stdin.close()
            os.set_blocking(run.stderr.fileno(), True)
            rest = run.stderr.read().splitlines()
        self.assertIsNotNone(seen, "no event within 20 s")
        self.assertEqual((seen["event"], seen["files"], seen["files_read"]), ("progress", 1, 0))
        self.assertGreater(seen["documents"], 0)
        self.assertEqual(json.loads(rest[-1])["documents"], number)

    def test_a_terminal_shows_share_files_and_time_left(self):
        master, slave = pty.openpty()
        big = self.folder / "big.jsonl"
        big.write_text("".join(RECORD % (i, i) for i in range(10_000, 160_000)))
        command = neardup.scan_command([*self.inputs, big], self.output)
        with subprocess.Popen(command, stderr=slave) as run:
            os.close(slave)
            said = b""
            while True:
                try:
                    part = os.read(master, 4096)
                except OSError:  # the terminal's other end is closed
                    break
                said += part
            self.assertEqual(run.wait(), 0)
        os.close(master)
        text = said.decode()
        for word in ("left", "of 4 files", "documents", "duplicates", "MB/s"):
            self.assertIn(word, text)

    def test_a_preset_is_the_settings_that_it_says(self):
        said = self.scan("--preset", "short")
        note = next(line for line in said.splitlines() if "--preset short is" in line)
        sets = note.split(" is ")[1].split(" --set ")
        flags = self.output.read_bytes()
        sets[0] = sets[0].removeprefix("--set ")
        self.assertIn("shingle.unit=char", sets)
        self.assertEqual(neardup.scan_or_fail(self.inputs, self.output, sets=sets), flags)
        self.assertNotEqual(neardup.scan_or_fail(self.inputs, self.output), flags)
        # What is given wins.
        self.assertEqual(neardup.scan_or_fail(self.inputs, self.output, sets=["threshold=0.9"], options=["--preset", "web"]),
                         neardup.scan_or_fail(self.inputs, self.output, sets=["threshold=0.9", "shingle.size=5"]))
        done = neardup.scan(self.inputs, self.output, options=["--preset", "blogs"])
        self.assertEqual(done.returncode, 64)
        self.assertIn("web, code, news, short", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
