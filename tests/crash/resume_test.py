"""Interrupted runs, inputs that grow or change, and flags files that are not what the state remembers."""

import gzip
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
from corpus import Corpus  # noqa: E402
from folder import FolderTest

SETS = ("batch.documents=20", "storage.memory=16MiB")
LINES = Corpus(20260403).lines(3000)


class Folder(FolderTest):
    def setUp(self):
        super().setUp()
        self.input = self.write("input.jsonl", LINES)

    def write(self, name, lines):
        path = self.folder / name
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    def scan(self, *inputs, options=(), output=None, sets=SETS):
        return neardup.scan(inputs or [self.input], output or self.output, self.state, sets, options)

    def scan_well(self, *inputs, **more):
        done = self.scan(*inputs, **more)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stderr.decode()

    def assert_fails(self, done, status, *words):
        said = done.stderr.decode()
        self.assertEqual(done.returncode, status, said)
        for word in words:
            self.assertIn(word, said)

    def undisturbed(self):
        return neardup.scan_or_fail([self.input], self.folder / "wanted.jsonl", sets=("storage.store=memory",))

    def written(self):
        return self.output.stat().st_size if self.output.exists() else 0

    def interrupt(self, number, options=()):
        """A run stopped by that signal when some flags were written; its exit status."""
        before = self.written()
        process = subprocess.Popen(neardup.scan_command([self.input], self.output, self.state, SETS, options),
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and self.written() == before:
            time.sleep(0.001)
        process.send_signal(number)
        process.wait(60)
        self.assertLess(self.written() - before, len(self.undisturbed()) * 9 // 10, "the signal came too late")
        return process.returncode


class Signals(Folder):
    def check(self, number, status):
        self.assertEqual(self.interrupt(number), status)
        # What was decided is whole: flags and state agree to the last byte.
        neardup.parse_flags(self.output.read_bytes())
        self.scan_well()
        self.assertIsNone(neardup.first_difference(self.undisturbed(), self.output.read_bytes()))

    def test_sigint_ends_with_130_and_the_same_command_goes_on(self):
        self.check(signal.SIGINT, 130)

    def test_sigterm_ends_with_143_and_the_same_command_goes_on(self):
        self.check(signal.SIGTERM, 143)

    def test_a_temporary_state_goes_away(self):
        for stop in (None, signal.SIGTERM, signal.SIGINT):
            place = self.folder / f"tmp-{stop}"
            place.mkdir()
            process = subprocess.Popen(neardup.scan_command(["-"], self.output), stdin=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(place)})
            process.stdin.write(b"\n".join(LINES[:100]) + b"\n")
            process.stdin.flush()
            while process.poll() is None and not any(place.iterdir()):
                time.sleep(0.001)
            if stop:
                process.send_signal(stop)  # while it waits for more
                process.wait(60)
            process.stdin.close()
            self.assertEqual(process.wait(60), 128 + stop if stop else 0)
            self.assertEqual(list(place.iterdir()), [])


class Rescan(Folder):
    def test_an_interrupted_rescan_is_finished_by_the_same_command(self):
        self.scan_well()
        first = self.output.read_bytes()
        shutil.copytree(self.state, self.folder / "twin")
        wanted = self.folder / "twin.jsonl"
        neardup.scan_or_fail([self.input], wanted, self.folder / "twin", SETS, ["--rescan"])
        self.assertEqual(self.interrupt(signal.SIGTERM, ["--rescan"]), 143)
        self.scan_well(options=["--rescan"])
        # The twin wrote to a new flags file.
        self.assertIsNone(neardup.first_difference(first + wanted.read_bytes(), self.output.read_bytes()))


class HalfRead(Folder):
    """The state has read a part of its input; the flags file must be the one it wrote."""

    def setUp(self):
        super().setUp()
        self.interrupt(signal.SIGTERM)
        self.flags = self.output.read_bytes()

    def check_refused_then_restored(self, *words, **more):
        before = self.output.read_bytes() if self.output.exists() else None
        self.assert_fails(self.scan(**more), 75, *words)
        self.assertEqual(self.output.read_bytes() if self.output.exists() else None, before, "the file was touched")
        self.output.write_bytes(self.flags)
        self.scan_well()
        self.assertIsNone(neardup.first_difference(self.undisturbed(), self.output.read_bytes()))

    def test_a_missing_flags_file_is_refused(self):
        self.output.unlink()
        self.check_refused_then_restored(str(self.output))

    def test_a_shorter_flags_file_is_refused(self):
        self.output.write_bytes(self.flags[:-1])
        self.check_refused_then_restored(str(self.output))

    def test_an_edited_flags_file_is_refused(self):
        self.output.write_bytes(self.flags[:-10] + b"X" + self.flags[-9:])
        self.check_refused_then_restored(str(self.output))

    def test_another_flags_file_is_refused(self):
        other = self.folder / "other.jsonl"
        self.check_refused_then_restored(str(self.output), str(other), output=other)
        self.assertFalse(other.exists())

    def test_what_an_unfinished_batch_wrote_is_cut_off(self):
        self.output.write_bytes(self.flags + b'{"id":"from a batch that was never stored"')
        self.scan_well()
        self.assertIsNone(neardup.first_difference(self.undisturbed(), self.output.read_bytes()))

    def test_another_input_of_that_name_is_refused(self):
        whole = self.input.read_bytes()
        for other in (b'{"id":"other","text":"begins otherwise"}\n' + whole, whole[:5000]):
            self.input.write_bytes(other)
            self.assert_fails(self.scan(), 75, str(self.input))
            self.assertEqual(self.output.read_bytes(), self.flags)
        self.input.write_bytes(whole)
        self.scan_well()
        self.assertIsNone(neardup.first_difference(self.undisturbed(), self.output.read_bytes()))

    def test_another_rule_is_refused_and_spelled_out(self):
        self.assert_fails(self.scan(sets=(*SETS, "threshold=0.7")), 78, "threshold_ppm", "800000", "700000")
        self.assertEqual(self.output.read_bytes(), self.flags)


class Finished(Folder):
    def setUp(self):
        super().setUp()
        self.input = self.write("input.jsonl", LINES[:300])
        self.scan_well()
        self.flags = self.output.read_bytes()

    def test_a_second_run_leaves_the_input_alone(self):
        said = self.scan_well()
        self.assertIn("already read, skipped", said)
        self.assertEqual(self.output.read_bytes(), self.flags)

    def test_an_input_that_has_grown_is_read_on(self):
        self.write("input.jsonl", LINES[:500])
        self.assertIn("read on from line 301", self.scan_well())
        self.assertIsNone(neardup.first_difference(self.undisturbed(), self.output.read_bytes()))

    def test_an_archive_that_has_grown_by_a_member_is_read_on(self):
        path, output, state = (self.folder / name for name in ("grown.gz", "grown-flags", "grown-state"))
        halves = [gzip.compress(b"".join(line + b"\n" for line in lines)) for lines in (LINES[:200], LINES[200:300])]
        path.write_bytes(halves[0])
        neardup.scan_or_fail([path], output, state)
        path.write_bytes(halves[0] + halves[1])
        found = neardup.scan_or_fail([path], output, state)
        self.assertIsNone(neardup.first_difference(neardup.without_source(self.flags), neardup.without_source(found)))

    def test_another_file_of_that_name_is_read_as_new(self):
        self.write("input.jsonl", LINES[500:600])
        self.assertIn("is not the file of the last run", self.scan_well())
        self.assertEqual(len(neardup.parse_flags(self.output.read_bytes())), 400)

    def test_rescan_takes_it_as_new(self):
        self.scan_well(options=["--rescan"])
        again = neardup.parse_flags(self.output.read_bytes())[300:]
        self.assertEqual(len(again), 300)
        # A delete that came after a document has no effect on what comes again after it.
        self.assertIn("unchanged", {flag["status"] for flag in again})

    def test_new_data_meets_the_old_index_in_another_flags_file(self):
        other = self.write("more.jsonl", LINES[300:400])
        output = self.folder / "more-flags.jsonl"
        output.write_bytes(b"some other file\n" * 1000)
        self.scan_well(other, output=output)
        whole = neardup.scan_or_fail([self.write("both.jsonl", LINES[:400])], self.folder / "wanted.jsonl")
        self.assertIsNone(neardup.first_difference(neardup.without_source(whole),
                                                   neardup.without_source(self.flags + output.read_bytes())))

    def test_an_unfinished_last_line_is_left_for_later(self):
        line = LINES[300]
        whole = self.input.read_bytes()
        self.input.write_bytes(whole + line[:-5])
        self.assertIn("not complete yet", self.scan_well())
        self.assertEqual(self.output.read_bytes(), self.flags)
        self.input.write_bytes(whole + line)
        self.scan_well()
        self.assertEqual(len(neardup.parse_flags(self.output.read_bytes())), 301)

    def test_a_flags_file_that_is_gone_begins_anew(self):
        self.output.unlink()
        self.write("input.jsonl", LINES[:310])
        self.scan_well()
        self.assertEqual(len(neardup.parse_flags(self.output.read_bytes(), 301)), 10)

    def test_an_existing_flags_file_of_somebody_else_is_replaced(self):
        other = self.folder / "fresh-state"
        self.output.write_bytes(b"not ours\n")
        neardup.scan_or_fail([self.input], self.output, other, SETS)
        self.assertEqual(self.output.read_bytes(), self.flags)


class InUse(Folder):
    def test_a_second_process_is_refused(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        first = subprocess.Popen(neardup.scan_command([pipe], self.output, self.state, SETS), stderr=subprocess.PIPE)
        # Ends the wait below, should the first process never open its input.
        watchdog = threading.Timer(60, first.kill)
        watchdog.start()
        with open(pipe, "wb") as writer:  # waits until the first one reads, so holds the state
            self.assert_fails(self.scan(output=self.folder / "second.jsonl"), 75, str(self.state), str(first.pid))
            self.assertFalse((self.folder / "second.jsonl").exists())
            writer.write(b"\n".join(LINES[:10]) + b"\n")
        watchdog.cancel()
        self.assertEqual(first.wait(60), 0, first.communicate()[1])
        self.assertEqual(len(neardup.parse_flags(self.output.read_bytes())), 10)


if __name__ == "__main__":
    unittest.main()
