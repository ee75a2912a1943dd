"""The checks are checked: the service is broken on purpose, in a copy of the source, and the tests must report it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import needs

needs.broker()

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESET = "release"

# Mistakes: (file, what stands there once, what stands there instead)…
DELIVERED_BEFORE_STORED = [
    ("service/kafka/deliver/kafka_delivery.cc", "  if (sends_) thread_.push(std::move(batch_));\n", ""),
    ("service/kafka/deliver/kafka_delivery.cc",
     '  failpoint("before_store");\n',
     '  if (sends_) thread_.push(std::move(batch_));\n  thread_.drain();\n  failpoint("before_store");\n'),
]
STATE_NOT_COMPARED = [
    ("service/kafka/store/recovery_plan.cc",
     "  return Planner(head, committed, outbox, trust_state).run();\n",
     "  return head ? RecoveryPlan() : Planner(head, committed, outbox, trust_state).run();\n"),
]
NOBODY_FENCED = [
    ("service/kafka/client/client_conf.cc", "#include <fmt/core.h>\n", "#include <fmt/core.h>\n#include <unistd.h>\n"),
    ("service/kafka/client/client_conf.cc",
     'return fmt::format("{}/{}/{}", options.group_id, options.instances, options.instance);\n',
     'return fmt::format("{}/{}/{}/{}", options.group_id, options.instances, options.instance, ::getpid());\n'),
]


def _not_source(folder, names):
    return [name for name in names
            if name in (".git", ".cache", "__pycache__") or pathlib.Path(folder, name) == ROOT / "build"]


class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-broken-")
        cls.addClassCleanup(folder.cleanup)
        cls.tree = pathlib.Path(folder.name) / "tree"
        shutil.copytree(ROOT, cls.tree, symlinks=True, ignore=_not_source)
        cls.run_well("cmake", "--preset", PRESET, "-DNEARDUP_BENCH=OFF")

    @classmethod
    def run_well(cls, *command):
        # The compiler cache of the real tree serves the copy.
        environment = {**os.environ, "CCACHE_BASEDIR": str(cls.tree), "CCACHE_NOHASHDIR": "true"}
        done = subprocess.run(command, cwd=cls.tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        if done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout[-4000:]}")

    def break_it(self, mistakes):
        """The binary with these mistakes."""
        for name, old, new in mistakes:
            file = self.tree / name
            text = file.read_text()
            self.assertEqual(text.count(old), 1, f"{name} has changed: this test proves nothing until it finds\n{old}")
            self.addCleanup(file.write_text, text)
            file.write_text(text.replace(old, new))
        self.run_well("cmake", "--build", "--preset", PRESET, "--parallel", "2", "--target", "neardup_failpoints")
        return self.tree / "build" / "tests" / "neardup_failpoints"

    def assert_reported(self, mistakes, program, case, *words):
        binary = self.break_it(mistakes)
        done = subprocess.run([sys.executable, "-B", program, "-k", case], cwd=pathlib.Path(__file__).parent,
                              env={**os.environ, "NEARDUP_BINARY": str(binary)}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_batches_that_are_delivered_before_they_are_stored_when_the_state_is_not_compared_with_kafka(self):
        self.assert_reported(DELIVERED_BEFORE_STORED + STATE_NOT_COMPARED, "crash_test.py",
                             "killed_before_a_batch_is_stored_flags", " has two flags, ")

    def test_stored_batches_that_are_not_sent_again(self):
        self.assert_reported(STATE_NOT_COMPARED, "crash_test.py", "killed_when_a_batch_is_stored_flags", " has no flag")

    def test_instances_that_do_not_fence_each_other(self):
        self.assert_reported(NOBODY_FENCED, "state_faults_test.py", "the_second_fences_the_first", " has two flags, ")


if __name__ == "__main__":
    unittest.main(verbosity=0)
