"""docs/api.md works from top to bottom: each of its commands runs, and prints what stands below it."""

import pathlib
import re
import subprocess
import unittest

from server import Server

from folder import FolderTest

TEXT = (pathlib.Path(__file__).parents[2] / "docs/api.md").read_text()
COMMANDS = re.findall(r"```sh\n(.*?)```.*?```\n(.*?)```", TEXT, re.DOTALL)


class ApiDocs(FolderTest):
    def test_every_command(self):
        self.assertEqual(len(COMMANDS), TEXT.count("```sh"))
        self.assertGreater(len(COMMANDS), 2)
        with Server(self.state, (f"output.file={self.folder}/flags.jsonl",)) as server:
            for command, wanted in COMMANDS:
                with self.subTest(command):
                    there = command.replace("127.0.0.1:8080", server.address).replace("curl ", "curl -sS ")
                    done = subprocess.run(["bash", "-o", "pipefail", "-c", there], cwd=self.folder, timeout=60,
                                          capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertEqual(done.stdout, wanted)


if __name__ == "__main__":
    unittest.main()
