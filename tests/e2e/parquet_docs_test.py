"""docs/parquet.md works from top to bottom: each of its commands runs, and prints what stands below it."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import parquet_files  # noqa: F401  (skips, or runs this again with pyarrow)

import neardup
from folder import FolderTest

TEXT = (pathlib.Path(__file__).resolve().parents[2] / "docs/parquet.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(.*?)```\n(?:```\n(.*?)```)?", TEXT, re.DOTALL)


class Page(FolderTest):
    def test_every_command(self):
        self.assertEqual(len(COMMANDS), TEXT.count("```sh"))
        self.assertGreater(sum(bool(wanted) for _, wanted in COMMANDS), 2)
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "neardup").symlink_to(pathlib.Path(neardup.BINARY).resolve())
        (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" -B "$@"\n')
        (programs / "python3").chmod(0o755)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for command, wanted in COMMANDS:
            with self.subTest(command):
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, env=environment, timeout=120,
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, wanted)


if __name__ == "__main__":
    unittest.main()
