"""POST /v1/check gives the flags that documents would get if each came next, while others come."""

import concurrent.futures
import contextlib
import json
import random
import subprocess
import unittest

from server import Server, body_of, comparable, digest

import neardup
from corpus import Corpus
from folder import FolderTest

SEED = 20261123
PATH = "/v1/check"
MOST = 64  # requests that may be open at once


def without_seq(flags):
    """Flags of which each is the next of another state."""
    return [{key: value for key, value in json.loads(flag).items() if key not in ("seq", "as_of_seq", "source")}
            for flag in flags.splitlines()]


class Checks(FolderTest):
    def check_flags(self, server, body, connection=None):
        status, checks, head = server.send(body, connection, PATH)
        self.assertEqual(status, 200, checks)
        return checks, head

    def test_a_check_is_the_flag_of_the_document_if_it_comes_next(self):
        lines = Corpus(SEED).lines(800)
        with Server(self.state, ("against=all",)) as server, contextlib.closing(server.connect()) as connection:
            server.flags(body_of(lines[:400]), connection)
            for line in lines[400:]:
                checks, _ = self.check_flags(server, line + b"\n", connection)
                flags = server.flags(line + b"\n", connection)
                self.assertEqual(neardup.flags_of_checks(checks), neardup.without_source(flags))

    def test_many_checks_of_one_request_do_not_see_each_other(self):
        lines = Corpus(SEED + 1).lines(900)
        with Server(self.state) as server:
            server.flags(body_of(lines[:400]))
            checks, head = self.check_flags(server, body_of(lines[400:]))
            one_by_one = b"".join(self.check_flags(server, line + b"\n")[0] for line in lines[400:])
            self.assertEqual(without_seq(checks), without_seq(one_by_one))
            self.assertEqual({json.loads(check)["as_of_seq"] for check in checks.splitlines()}, {400})
            self.assertEqual([json.loads(check)["source"]["line"] for check in checks.splitlines()], [*range(1, 501)])
            self.assertIn("unique=", head["Neardup-Counts"])
            flags = server.flags(lines[0] + b"\n")
            self.assertEqual(json.loads(flags)["seq"], 401)

    def test_checks_while_documents_come_are_of_one_commit(self):
        lines = Corpus(SEED + 2).lines(4000)
        asked = Corpus(SEED + 2).lines(4200)[-200:]
        with Server(self.state, ("batch.documents=50",)) as server:
            def write():
                with contextlib.closing(server.connect()) as connection:
                    for at in range(0, len(lines), 100):
                        server.flags(body_of(lines[at:at + 100]), connection)
            checks = []
            with concurrent.futures.ThreadPoolExecutor(1) as pool, contextlib.closing(server.connect()) as connection:
                writing = pool.submit(write)
                while not writing.done():
                    line = random.choice(asked)
                    checks.append((line, self.check_flags(server, line + b"\n", connection)[0]))
                writing.result()
        commits = {json.loads(check)["as_of_seq"] for _, check in checks}
        self.assertGreater(len(commits), 5)
        for line, check in random.sample(checks, 10):
            self.assert_as_of(lines, line, check)

    def test_ten_thousand_checks_leave_the_files_as_they_are(self):
        lines = Corpus(SEED + 4).lines(10_500)
        with Server(self.state, ("storage.keep_texts=all",)) as server, contextlib.closing(server.connect()) as connection:
            server.flags(body_of(lines[:500]), connection)
            before = digest(server.state)
            self.assertGreater(len(before), 3)
            for line in lines[500:700]:
                self.check_flags(server, line + b"\n", connection)
            checks, _ = self.check_flags(server, body_of(lines[700:]), connection)
            self.assertEqual(checks.count(b"\n"), 9_800)
            self.assertEqual(digest(server.state), before)
            server.flags(b'{"id":"a new one","text":"one two three four five six seven"}', connection)
            self.assertNotEqual(digest(server.state), before)

    def test_the_command_reads_the_state_beside_the_service(self):
        lines = Corpus(SEED + 3).lines(400)
        with Server(self.state) as server:
            server.flags(body_of(lines[:300]))
            checks, _ = self.check_flags(server, body_of(lines[300:]))
            self.assertEqual(self.command(self.state, body_of(lines[300:])), comparable(checks))
            server.flags(body_of(lines[300:]))

    def command(self, state, body):
        done = subprocess.run([neardup.BINARY, "check", "--state", str(state), "--allow-all-rejected"], input=body,
                              capture_output=True, timeout=60, check=True)
        return neardup.without_source(done.stdout)

    def assert_as_of(self, lines, line, check):
        """The command says the same of a state that a scan of so many lines has made."""
        count = json.loads(check)["as_of_seq"]
        state = self.folder / str(count)
        file = self.folder / "lines.jsonl"
        file.write_bytes(body_of(lines[:count]))
        if not state.exists():
            neardup.scan_or_fail([file], self.folder / "flags", state)
        self.assertEqual(self.command(state, line + b"\n"), comparable(check))

    def test_one_more_than_may_be_open_takes_the_place_of_one_that_waits_for_its_client(self):
        with Server(self.state, ("http.max_connections_per_client=100",)) as server:
            with contextlib.ExitStack() as stack:
                waiting = [self.begun(server, stack) for _ in range(MOST)]
                self.check_flags(server, b'{"id":"a","text":"b"}')
                for number, one in enumerate(waiting):
                    one.send(b'"b"}' + b" " * 90)
                    reply = one.getresponse()
                    self.assertEqual(reply.status, 429 if number == 0 else 200, number)
                    if number == 0:
                        self.assertEqual(json.loads(reply.read())["reason"], "too_many_requests")
                        self.assertEqual(reply.headers["Retry-After"], "1")

    def begun(self, server, stack):
        """A request that waits for the rest of its body."""
        one = stack.enter_context(contextlib.closing(server.connect()))
        one.putrequest("POST", PATH)
        one.putheader("Content-Length", "100")
        one.endheaders(b'{"id":')
        return one

    def test_reading_needs_no_token_here_but_an_own_name(self):
        with Server(self.state) as server:
            status, _, _ = server.send(b'{"id":"a","text":"b"}', path=PATH, Authorization="")
            self.assertEqual(status, 200)
            status, _, _ = server.send(b'{"id":"a","text":"b"}', path="/v1/documents", Authorization="")
            self.assertEqual(status, 401)

    def test_a_token_that_may_read_may_not_write(self):
        (self.folder / "readers").write_text("a-token-that-may-read\n")
        with Server(self.state, (f"http.read_token_file={self.folder}/readers",)) as server:
            for authorization, path, wanted in (("", PATH, 401), ("Bearer a-token-that-may-read", PATH, 200),
                                                ("Bearer a-token-that-may-read", "/v1/documents", 403),
                                                (f"Bearer {server.token}", PATH, 200)):
                status, _, _ = server.send(b'{"id":"a","text":"b"}', path=path, Authorization=authorization)
                self.assertEqual(status, wanted, (authorization, path))


if __name__ == "__main__":
    unittest.main()
