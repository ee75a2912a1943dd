"""What web pages of other origins, and requests that RFC 9112 refuses, get; what revokes a token."""

import json
import unittest

from server import Server, wait_until

import hostile_clients as hostile
from folder import FolderTest

BODY = b'{"a":"kept","b":"kept","id":"x","text":"one two three four five six"}'
RECORD = b'{"id":"kept","text":"one two three four five six"}'
PAGE = "https://ui.example.org"
TOKEN = "0123456789abcdef"


class Origins(FolderTest):
    def assert_answers(self, server, wanted, **fields):
        for path in ("/v1/similar", "/v1/check", "/v1/compare"):
            for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
                with self.subTest(path, kind=kind, **fields):
                    status, answer, _ = server.send(BODY, path=path, Authorization="", Content_Type=kind, **fields)
                    self.assertEqual(status, wanted, answer)
                    if wanted == 403:
                        self.assertEqual(json.loads(answer)["reason"], "unknown_origin")

    def test_a_page_of_another_origin_has_nothing_done(self):
        with Server(self.state, (f"http.cors_origins={PAGE}",)) as server:
            server.flags(RECORD)
            for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
                self.assert_answers(server, 403, Origin=origin)
                status, _, _ = server.send(BODY, path="/v1/documents", Origin=origin)
                self.assertEqual(status, 403, origin)
            self.assert_answers(server, 403, Sec_Fetch_Site="cross-site")
            self.assert_answers(server, 200)
            for origin in (f"http://{server.address}", PAGE):
                self.assert_answers(server, 200, Origin=origin)
            self.assert_answers(server, 200, Origin=PAGE, Sec_Fetch_Site="cross-site")
            self.assert_answers(server, 200, Sec_Fetch_Site="same-origin")

    def test_its_body_is_not_read(self):
        """A client that waits before it sends the body hears the refusal first."""
        with Server(self.state) as server:
            answer = hostile.ask(server.address, b"POST /v1/similar HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
                                 b"Expect: 100-continue\r\nContent-Length: 4000000\r\n\r\n")
            self.assertTrue(answer.startswith(b"HTTP/1.1 403 "), answer)

    def test_probes_and_the_page_are_for_everybody(self):
        with Server(self.state) as server:
            for path in ("/healthz", "/metrics", "/"):
                answer = hostile.ask(server.address, b"GET %s HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n"
                                     b"Connection: close\r\n\r\n" % path.encode())
                self.assertTrue(answer.startswith(b"HTTP/1.1 200 "), answer[:200])


class Rfc9112(FolderTest):
    def test_hosts_targets_and_schemes(self):
        with Server(self.state) as server:
            server.flags(RECORD)
            token = server.token.encode()
            for target, fields, status in (
                    (b"/v1/documents/kept", b"", 400),
                    (b"/v1/documents/kept", b"Host: localhost\r\nHost: localhost\r\n", 400),
                    (b"/v1/documents/kept", b"Host: a b\r\n", 400),
                    (b"/v1/documents/kept", b"Host: localhost\r\n", 200),
                    (b"http://localhost:80/v1/documents/kept", b"Host: elsewhere.example\r\n", 200),
                    (b"http://elsewhere.example/v1/documents/kept", b"Host: localhost\r\n", 403),
                    (b"ftp://localhost/v1/documents/kept", b"Host: localhost\r\n", 400)):
                with self.subTest(target, fields=fields):
                    answer = hostile.ask(server.address, b"GET " + target + b" HTTP/1.1\r\n" + fields + b"Connection: close\r\n\r\n")
                    self.assertEqual(int(answer[9:12]), status, answer)
            for scheme in (b"Bearer", b"bearer", b"BEARER"):
                answer = hostile.ask(server.address, b"POST /v1/control/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                     b"Authorization: %s %s\r\nContent-Length: 2\r\n\r\n{}" % (scheme, token))
                self.assertTrue(answer.startswith(b"HTTP/1.1 200 "), answer)


class Revoked(FolderTest):
    def assert_revoked_and_back(self, server, file, token):
        good = file.read_text()
        writes = lambda: server.send(RECORD, Authorization=f"Bearer {token}")[0]  # noqa: E731
        self.assertEqual(writes(), 200)
        for revoke in (lambda: file.write_text(""), file.unlink, lambda: file.write_text("short\n")):
            revoke()
            wait_until(lambda: writes() == 401, "the token to be revoked")
            self.assertIn('"event":"tokens revoked"', server.log_text().splitlines()[-1])
            file.write_text(good)
            wait_until(lambda: writes() == 200, "the token to be good again")
        self.assertEqual(server.log_text().count('"event":"tokens reloaded"'), 3)

    def test_an_emptied_or_removed_file_of_tokens_lets_nobody_in(self):
        file = self.folder / "tokens"
        file.write_text(TOKEN + "\n")
        with Server(self.state, (f"http.token_file={file}",)) as server:
            self.assert_revoked_and_back(server, file, TOKEN)

    def test_so_does_that_of_the_state(self):
        with Server(self.state) as server:
            self.assert_revoked_and_back(server, self.state / "http_token", server.token)

    def test_readers_too(self):
        file = self.folder / "readers"
        file.write_text(TOKEN + "\n")
        with Server(self.state, (f"http.read_token_file={file}",)) as server:
            reads = lambda: server.send(RECORD, path="/v1/check", Authorization=f"Bearer {TOKEN}")[0]  # noqa: E731
            self.assertEqual(reads(), 200)
            file.unlink()
            wait_until(lambda: reads() == 401, "the token to be revoked")


if __name__ == "__main__":
    unittest.main()
