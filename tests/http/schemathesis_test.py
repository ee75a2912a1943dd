"""Requests that schemathesis makes of the served OpenAPI document: none is answered with 500, nor with a status, a type or a
content that the document does not name."""

import os
import pathlib
import re
import subprocess
import unittest

import schemathesis_program

PROGRAM = schemathesis_program.needed()

from server import Server, body_of  # noqa: E402

from folder import FolderTest  # noqa: E402

SEED = 20261123
EXAMPLES = 50  # of each kind of request, besides those that cover its schema
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
# A service that is busy says so; that its 503 is in the document is another check.
CONFIGURATION = '[checks.not_a_server_error]\nexpected-statuses = ["2xx", "4xx", "503"]\n'
HOOKS = pathlib.Path(__file__).with_name("schemathesis_hooks.py")


class Schemathesis(FolderTest):
    def run_against(self, server, *options):
        (self.folder / "schemathesis.toml").write_text(CONFIGURATION)
        done = subprocess.run(
            [PROGRAM, "--config-file", "schemathesis.toml", "run", f"http://{server.address}/openapi.json", "--no-color",
             "--checks", ",".join(CHECKS), "--phases", "coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed", str(SEED),
             "--generation-database", "none", "--continue-on-failure", *options],
            cwd=self.folder, env={**os.environ, "SCHEMATHESIS_HOOKS": str(HOOKS)}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(int(re.search(r"(\d+) generated", done.stdout)[1]), 500, done.stdout)

    def served(self):
        (self.folder / "backups").mkdir()
        server = self.enterContext(Server(self.state, (f"backup.directory={self.folder}/backups", "storage.keep_texts=true")))
        server.flags(body_of([b'{"id":"%s","text":"one two three four five six"}' % name for name in (b"a", b"b", b"c/d")]))
        return server

    def test_with_a_token_that_may_write(self):
        server = self.served()
        self.run_against(server, "--header", f"Authorization: Bearer {server.token}")

    def test_without_a_token(self):
        self.run_against(self.served())


if __name__ == "__main__":
    unittest.main()
