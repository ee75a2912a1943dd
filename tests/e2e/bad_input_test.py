"""Inputs, outputs, states and configurations that cannot be used: the exit status, what is said, and what is left."""

import gzip
import json
import os
import re
import resource
import signal
import subprocess
import unittest

import neardup
from corpus import Corpus
from folder import FolderTest

LINES = Corpus(20260404).lines(2000)
WHOLE = b"".join(line + b"\n" for line in LINES)
MiB = 1 << 20


class Folder(FolderTest):
    def setUp(self):
        super().setUp()
        self.input = self.write("input.jsonl", WHOLE)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def assert_fails(self, done, status, *words):
        said = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, said)
        for word in words:
            self.assertIn(word, said)
        return said

    def undisturbed(self):
        return neardup.scan_or_fail([self.input], self.folder / "wanted.jsonl", sets=("storage.store=memory",))


class Inputs(Folder):
    def check_cut_archive(self, whole, name):
        """What came before the cut is flagged and kept; with the whole file the same command goes on."""
        path = self.write(name, whole[: len(whole) * 2 // 3])
        sets = ("batch.documents=100",)
        self.assert_fails(neardup.scan([path], self.output, self.state, sets), 65, str(path), "ends too early")
        flags = self.output.read_bytes()
        self.assertGreater(len(neardup.parse_flags(flags)), 500)
        path.write_bytes(whole)
        found = neardup.scan_or_fail([path], self.output, self.state, sets)
        self.assertTrue(found.startswith(flags))
        self.assertIsNone(neardup.first_difference(neardup.without_source(self.undisturbed()),
                                                   neardup.without_source(found)))

    def test_a_gzip_file_that_is_cut_off(self):
        self.check_cut_archive(gzip.compress(WHOLE), "cut.jsonl.gz")

    def test_a_zstd_file_that_is_cut_off(self):
        packed = subprocess.run(["zstd", "-qc", "-3"], input=WHOLE, capture_output=True, check=True).stdout
        self.check_cut_archive(packed, "cut.jsonl.zst")

    def test_damaged_archives(self):
        for name, head in (("x.gz", b"\x1f\x8b\x08\0"), ("x.zst", b"\x28\xb5\x2f\xfd")):
            path = self.write(name, head + b"rubbish" * 100)
            self.assert_fails(neardup.scan([path], self.output), 65, str(path))
            self.assertEqual(self.output.read_bytes(), b"")

    def test_an_empty_file_has_no_flags(self):
        self.assertEqual(neardup.scan_or_fail([self.write("empty", b"")], self.output), b"")
        self.assertEqual(neardup.scan_or_fail([self.write("blank", b"\n \n\t\r\n")], self.output), b"")
        self.assertEqual(neardup.scan_or_fail(["/dev/null"], self.output), b"")

    def test_a_directory_without_records_is_no_input(self):
        folder = self.folder / "notes"
        folder.mkdir()
        (folder / "README.md").write_text("no record")
        self.assert_fails(neardup.scan([folder], self.output), 65, str(folder), "has no file whose name ends with .jsonl")

    def test_a_missing_file_is_noticed_before_anything_is_done(self):
        missing = self.folder / "missing.jsonl"
        self.assert_fails(neardup.scan([self.input, missing], self.output), 65, str(missing))
        self.assertFalse(self.output.exists())

    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_an_unreadable_file(self):
        self.input.chmod(0)
        self.assert_fails(neardup.scan([self.input], self.output), 65, str(self.input))

    def test_no_input_is_wrong_usage(self):
        self.assert_fails(neardup.scan([], self.output), 64, "INPUT")

    def test_an_unknown_option_is_wrong_usage(self):
        self.assert_fails(neardup.scan([self.input], self.output, options=["--no-such-option"]), 64, "--no-such-option")

    def test_options_may_stand_in_front_of_many_inputs(self):
        more = [self.write(f"{i}.jsonl", LINES[i] + b"\n") for i in range(3)]
        flags = neardup.scan_or_fail(more, self.output, sets=("threshold=0.9", "storage.store=memory"))
        self.assertEqual(len(neardup.parse_flags(flags)), 3)

    def test_stdin_is_an_input_and_stdout_the_default_output(self):
        done = neardup.scan(["-"], sets=("storage.store=memory",), input=WHOLE)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(neardup.without_source(done.stdout), neardup.without_source(self.undisturbed()))

    def test_a_summary_as_json_counts_every_flag(self):
        done = neardup.scan([self.input], self.output, options=["--json"])
        summary = json.loads(done.stderr.splitlines()[-1])
        names = ["unique", "exact_duplicates", "near_duplicates", "unchanged", "too_short", "empty", "deleted",
                 "rejected"]
        self.assertEqual(summary["documents"], len(LINES))
        self.assertEqual(sum(summary[name] for name in names), len(LINES))
        others = {"bytes", "seconds", "documents_per_second", "peak_rss_bytes", "state_bytes", "backend"}
        self.assertFalse(others - summary.keys())


class Disks(Folder):
    def test_flags_to_a_full_disk(self):
        self.assert_fails(neardup.scan([self.input], "/dev/full"), 74, "/dev/full")

    def test_flags_to_a_folder_that_is_not_there(self):
        self.assert_fails(neardup.scan([self.input], self.folder / "no" / "flags"), 74, str(self.folder / "no"))

    def test_a_reader_of_stdout_that_goes_away(self):
        process = subprocess.Popen(neardup.scan_command(["-"], sets=("batch.documents=1",)), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        said = process.communicate(WHOLE)[1] if process.poll() is None else b""
        self.assertEqual(process.returncode, 74, said)

    def run_limited(self, limit, output, state):
        """No file may pass `limit` bytes: what a full disk is to a process that ignores the signal."""
        def lower():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        sets = ("batch.documents=100", "storage.memory=16MiB")
        return neardup.scan([self.input], output, state, sets, preexec_fn=lower)

    def test_a_state_on_a_full_disk_is_completed_when_there_is_room_again(self):
        # Stdout is a pipe, which the limit spares: the state is what fails, as its log of some 340 KB cannot grow.
        self.assert_fails(self.run_limited(MiB // 8, None, self.state), 74, str(self.state))
        done = neardup.scan([self.input], None, self.state, ("batch.documents=100",))
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        wanted = neardup.without_source(self.undisturbed())
        self.assertTrue(wanted.endswith(neardup.without_source(done.stdout)))

    def test_a_flags_file_on_a_full_disk_is_completed_when_there_is_room_again(self):
        limit = 64 * 1024
        said = self.assert_fails(self.run_limited(limit, self.output, self.state), 74)
        self.assertTrue(str(self.output) in said or str(self.state) in said, said)
        self.assertLessEqual(self.output.stat().st_size, limit)
        found = neardup.scan_or_fail([self.input], self.output, self.state, ("batch.documents=100",))
        self.assertIsNone(neardup.first_difference(self.undisturbed(), found))


class States(Folder):
    def test_a_state_of_another_rule_is_refused_with_both_spelled_out(self):
        flags = neardup.scan_or_fail([self.input], self.output, self.state)
        rules = set(re.findall(rb'"rule":"([0-9a-f]+)"', flags))
        self.assertEqual(len(rules), 1)
        done = neardup.scan([self.input], self.output, self.state, ("against=all", "lsh.bucket_cap=7"))
        self.assert_fails(done, 78, rules.pop().decode(), "against: kept in the state, all now",
                          "lsh.bucket_cap: 64 in the state, 7 now")
        self.assertEqual(self.output.read_bytes(), flags)

    def test_what_does_not_decide_may_change_from_run_to_run(self):
        first = ("batch.documents=1", "cpu.threads=1")
        second = ("batch.documents=7", "filter.one_bit=false", "cpu.simd=portable", "storage.memory=64MiB")
        neardup.scan_or_fail([self.write("a", LINES[0])], self.output, self.state, first)
        neardup.scan_or_fail([self.write("b", LINES[1])], self.output, self.state, second)
        self.assertEqual(len(neardup.parse_flags(self.output.read_bytes())), 2)

    def test_a_memory_store_cannot_be_kept(self):
        self.assert_fails(neardup.scan([self.input], self.output, self.state, ("storage.store=memory",)), 78, "--state")
        self.assertFalse(self.state.exists())

    def test_a_directory_of_something_else_is_refused(self):
        self.state.mkdir()
        (self.state / "letter.txt").write_text("dear reader")
        self.assert_fails(neardup.scan([self.input], self.output, self.state), 78, "letter.txt")
        self.assertEqual([path.name for path in self.state.iterdir()], ["letter.txt"])
        self.assertFalse(self.output.exists())

    def test_exact_verification_of_a_kept_state_needs_its_texts(self):
        done = neardup.scan([self.input], self.output, self.state, ("verify.mode=exact",))
        self.assert_fails(done, 78, "storage.keep_texts")


class Configurations(Folder):
    def check(self, text, *words):
        path = self.write("config.yaml", text.encode())
        return self.assert_fails(neardup.scan([self.input], self.output, options=["-c", str(path)]), 78, *words)

    def test_all_mistakes_are_listed_with_their_lines_and_what_was_meant(self):
        self.check("treshold: 0.9\nsketch:\n  size: many\n  num_perm: 128\nagainst: nobody\n",
                   "config.yaml:1", "treshold", "did you mean `threshold`", "config.yaml:3", "config.yaml:4",
                   "sketch.size", "config.yaml:5", "kept or all")
        self.assertFalse(self.output.exists())

    def test_a_key_that_stands_twice(self):
        self.check("threshold: 0.9\nthreshold: 0.8\n", "config.yaml:2", "threshold")

    def test_what_is_not_yaml(self):
        self.check("threshold: [0.9\n", "config.yaml")

    def test_bands_that_cannot_be_had(self):
        self.check("lsh: {bands: 100, rows: 10}\n", "config.yaml:1", "sketch.size")

    def test_a_misspelt_setting(self):
        done = neardup.scan([self.input], self.output, sets=("verify.mod=exact",))
        self.assert_fails(done, 78, "--set", "did you mean `verify.mode`")

    def test_a_missing_configuration_file(self):
        done = neardup.scan([self.input], self.output, options=["-c", str(self.folder / "no.yaml")])
        self.assert_fails(done, 78, "no.yaml")


if __name__ == "__main__":
    unittest.main()
