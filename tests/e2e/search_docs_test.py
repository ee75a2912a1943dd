"""docs/search.md works from top to bottom: its commands run in their order and print what stands below them."""

import pathlib
import re
import shutil
import subprocess
import unittest

import neardup
from folder import FolderTest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/search.md"
BLOCKS = re.findall(r"```sh\n(.*?)```\n```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


class SearchDocs(FolderTest):
    def test_every_command(self):
        self.assertEqual(len(BLOCKS), 5)
        shutil.copy(neardup.BINARY, self.folder / "neardup")
        for command, wanted in BLOCKS:
            with self.subTest(command):
                done = subprocess.run(["bash", "-o", "pipefail", "-ec", f"PATH=$PWD:$PATH; {command}"], cwd=self.folder, timeout=60,
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, wanted)


if __name__ == "__main__":
    unittest.main()
