"""Tests with a separate folder, which is removed when they end."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import neardup


class FolderTest(unittest.TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="neardup-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.state = self.folder / "state"
        self.output = self.folder / "flags.jsonl"


class ScanTest(FolderTest):
    """Scans files and looks at the flags."""

    def scan(self, *inputs, status=0, output=None, **run):
        """What the command says; `run` as in neardup.scan."""
        done = neardup.scan(inputs, output or self.output, **run)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stderr.decode()

    def flags(self):
        return neardup.parse_flags(self.output.read_bytes())

    def statuses(self):
        return [flag["status"] for flag in self.flags()]


class PageTest(FolderTest):
    """A page of docs that works from top to bottom."""

    def run_page(self, blocks):
        """Runs each (command, what it prints), with `neardup` in the folder."""
        shutil.copy(neardup.BINARY, self.folder / "neardup")
        for command, wanted in blocks:
            with self.subTest(command):
                done = subprocess.run(["bash", "-o", "pipefail", "-ec", f"PATH=$PWD:$PATH; {command}"], cwd=self.folder, timeout=60,
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, wanted)
