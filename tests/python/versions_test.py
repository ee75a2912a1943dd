"""The wheels of python/dist with each Python from 3.10 on that is installed here: the tests of the package that need no other packages.

They run with the wheel unpacked in a folder. Versions without a Python or a wheel are named; without any the test is skipped (77)."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402
from interpreters import VERSIONS, interpreters  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
WHEELS = sorted(HERE.parents[1].glob("python/dist/*.whl"), key=lambda path: -path.stat().st_mtime)  # the newest first
PROGRAMS = ("same_flags_test.py", "bad_input_test.py", "client_test.py", "dedup_test.py")


def wheel(n):
    """The wheel for Python 3.n; None where it was not built."""
    for path in WHEELS:
        made_for = re.search(r"-cp3(\d+)-(\w+)-manylinux", path.name)
        if made_for and (int(made_for[1]) == n or (made_for[2] == "abi3" and int(made_for[1]) <= n)):
            return path
    return None


class Versions(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.package = pathlib.Path(holder.name)

    def run_tests(self, python, n):
        zipfile.ZipFile(wheel(n)).extractall(self.package)
        for program in PROGRAMS:
            with self.subTest(python=f"3.{n}", program=program):
                done = subprocess.run([python, "-s", "-B", HERE / program], capture_output=True, text=True, timeout=900,
                                      env={**os.environ, "PYTHONPATH": str(self.package)})
                self.assertEqual(done.returncode, 0, done.stderr[-4000:])
                self.assertRegex(done.stderr, r"\nRan [1-9]\d* tests? ")
                print(f"Python 3.{n}, {program}: {done.stderr.splitlines()[-1]}", flush=True)


def add_test(python, n):
    setattr(Versions, f"test_python_3_{n}", lambda self: self.run_tests(python, n))


if __name__ == "__main__":
    found = interpreters()
    usable = {n: python for n, python in found.items() if wheel(n)}
    for n in VERSIONS:
        if n not in usable:
            print(f"skipped: Python 3.{n}: {'no wheel for it in python/dist' if n in found else 'not installed'}", flush=True)
    if not usable:
        outside.skip("no wheel, or no Python for one", "NEARDUP_REQUIRE_PYTHON")
    for n, python in usable.items():
        add_test(python, n)
    unittest.main()
