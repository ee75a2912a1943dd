"""docs/page.md and docs/api.md work from top to bottom: the service starts by their own command, and each of the other commands
runs; docs/api.md prints what stands below it."""

import json
import pathlib
import re
import shlex
import subprocess
import unittest

from server import Server

from folder import FolderTest

ROOT = pathlib.Path(__file__).parents[2]
TEXT = (ROOT / "docs/api.md").read_text()
COMMANDS = re.findall(r"```sh\n(.*?)```.*?```\n(.*?)```", TEXT, re.DOTALL)
PAGE = ("/", "/page.css", "/page/{script}")
TOUR = re.search(r"\n## From the clone to a pair\n(.*?)\n## ", (ROOT / "docs/page.md").read_text(), re.DOTALL)[1]


def serve_command(text):
    """The words of the first command `serve`."""
    return shlex.split(re.search(r"^\S*neardup serve .*", text, re.MULTILINE)[0])


class Documents(FolderTest):
    def run_command(self, server, command):
        """What it prints. It has to end well and to complain of nothing."""
        there = command.replace("127.0.0.1:8080", server.address).replace("curl ", "curl -sS ")
        done = subprocess.run(["bash", "-o", "pipefail", "-c", there], cwd=self.folder, timeout=60, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_every_command_of_the_api(self):
        self.assertEqual(len(COMMANDS), TEXT.count("```sh"))
        self.assertGreater(len(COMMANDS), 2)
        with Server(self.state, command=serve_command(TEXT)) as server:
            for command, wanted in COMMANDS:
                with self.subTest(command):
                    self.assertEqual(self.run_command(server, command), wanted)

    def test_every_path_has_a_command(self):
        """But for those that only commands use (docs/formats/control.md), and the files of the page."""
        asked = set(re.findall(r"http://127\.0\.0\.1:8080(/[^\s'?]*)", "".join(command for command, _ in COMMANDS)))
        with Server(self.state) as server:
            paths = json.loads(server.get("/openapi.json")[1])["paths"]
        for path in paths:
            if not path.startswith("/v1/control/") and path not in PAGE:
                with self.subTest(path):
                    self.assertTrue(any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), one) for one in asked))

    def test_the_commands_of_the_tour(self):
        """But for `scripts/run`, whose documents are two here."""
        first, serve, curl = [line for block in re.findall(r"```\n(.*?)```", TOUR, re.DOTALL) for line in block.splitlines()]
        self.assertEqual(first, "scripts/run")
        documents = self.folder / "build/run/documents.jsonl"
        documents.parent.mkdir(parents=True)
        documents.write_text('{"id":"a","text":"one two three four five six"}\n' '{"id":"b","text":"one two three four five six"}\n')
        with Server(self.state, command=serve_command(serve)) as server:
            flags = self.run_command(server, curl)
            self.assertEqual(re.findall('"status":"([^"]*)"', flags), ["unique", "exact_duplicate"])
            printed = server.line.replace(f"{self.state}/", "state/").replace(server.address, "127.0.0.1:8080")
            self.assertEqual(printed.split(" -H ")[1].strip(), curl.split(" -H ")[1])


if __name__ == "__main__":
    unittest.main()
