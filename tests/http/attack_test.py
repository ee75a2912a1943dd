"""Requests under /v1 from clients that mean no good: what they cost, that nothing of them is done, and that others are
answered meanwhile. bench/serve/attack.py measures the same at a hundred times the size."""

import contextlib
import gzip
import json
import re
import subprocess
import unittest

from server import Server, body_of

import hostile_clients as hostile
from folder import FolderTest

MB = 1_000_000
ADDRESSES = [f"127.0.0.{i}" for i in range(2, 7)]
DRIPPING = 15  # clients of each kind
RECORD = b'{"id":"kept","text":"one two three four five six"}'
KEPT = "/v1/documents/kept"


def zstd(body):
    return subprocess.run(["zstd", "-qc1"], input=body, capture_output=True, check=True).stdout


class Attack(FolderTest):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server(self.state, ("storage.memory=64MiB", "input.max_record_bytes=1MiB",
                                                           "http.idle_seconds=5")))
        self.token = f"Authorization: Bearer {self.server.token}\r\n".encode()

    def head(self, line, fields=b""):
        """Of a request with the token: `line` is its method and target."""
        return line + b" HTTP/1.1\r\nHost: localhost\r\n" + self.token + fields


class Costs(Attack):
    SIZE = 200 * MB
    MOST = 60 * MB  # pieces that wait, and batches

    def setUp(self):
        super().setUp()
        for _ in range(3):  # memory of the first requests is kept
            self.server.flags(RECORD)
        hostile.flood(self.server.address, self.head(b"POST /v1/documents", b"X: "), b"x" * 4096, MB)
        self.before = hostile.settled_memory(self.server.process)

    def assert_costs_less_than(self, most):
        self.assertLess(self.server.memory() - self.before, most)

    def test_3_mb_of_a_header_line_take_no_memory(self):
        for path in (b"POST /v1/documents", b"POST /v1/check", b"GET /v1/documents?after="):
            sent, _ = hostile.flood(self.server.address, self.head(path, b"X: "), b"x" * 65536, 3 * MB)
            self.assertGreater(sent, 0)
        self.assert_costs_less_than(2 * MB)
        self.assertEqual(self.server.get("/healthz")[0], 200)

    def send(self, body, coding="identity"):
        return self.server.send(body, Content_Encoding=coding)

    def test_a_body_of_any_size_takes_bounded_memory(self):
        piece = body_of([json.dumps({"id": f"{i}", "text": f"{i} two three four " * 5000}).encode() for i in range(10)])
        for coding, part in (("identity", piece), ("gzip", gzip.compress(piece)), ("zstd", zstd(piece))):
            with self.subTest(coding):
                times = self.SIZE // len(piece)
                status, flags, head = self.send((part for _ in range(times)), coding)
                self.assertEqual((status, flags.count(b"\n")), (200, 10 * times), head)
        self.assert_costs_less_than(self.MOST)

    def test_a_small_body_that_becomes_large_takes_bounded_memory(self):
        giant, blank = b'{"id":"a","text":"' + b"x" * self.SIZE, b"\n" * self.SIZE
        for name, coding, body, records in (("one record", "gzip", gzip.compress(giant, 1), 1),
                                            ("one record", "zstd", zstd(giant), 1),
                                            ("blank lines", "gzip", gzip.compress(blank, 1), 0),
                                            ("blank lines", "zstd", zstd(blank), 0)):
            with self.subTest(name, coding=coding):
                status, flags, _ = self.send(body, coding)
                self.assertEqual((status, flags.count(b"\n")), (200, records))
                self.assertEqual(flags.count(b'"reason":"record_too_large"'), records)
        self.assert_costs_less_than(self.MOST)


class Drippers(Attack):
    def test_who_drips_keeps_nobody_waiting(self):
        upload = b"Content-Length: 1000000\r\n\r\n" + b'{"id":"'
        begun = [hostile.BEGUN, self.head(b"POST /v1/documents", b"X: "), self.head(b"POST /v1/documents", upload),
                 self.head(b"POST /v1/check", upload)]
        with contextlib.ExitStack() as stack:
            for start in begun:
                stack.enter_context(hostile.Drippers(self.server.address, DRIPPING, ADDRESSES, start))
            more = [f"127.0.1.{i}" for i in range(1, 4)]  # with which more drip into checks than may be open
            stack.enter_context(hostile.Drippers(self.server.address, 75, more, begun[-1]))
            for number in range(100):
                record = json.dumps({"id": f"{number}", "text": f"one two three four five {number}"}).encode()
                self.assertEqual(json.loads(self.server.flags(record))["id"], str(number))
                self.assertEqual(self.server.send(record, path="/v1/check")[0], 200)
                for path in ("/healthz", "/readyz", f"/v1/documents/{number}"):
                    self.assertEqual(self.server.get(path)[0], 200, path)


# What a second reader could take for a separate request. Nothing of it may be done.
HIDDEN = b"DELETE " + KEPT.encode() + b" HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
LENGTH = b"Content-Length: 5\r\n"
SHAPES = {  # fields of the head, and what follows it; %s: the token
    "two lengths": (LENGTH + b"Content-Length: 0\r\n", HIDDEN),
    "two equal lengths": (LENGTH * 2, b'{"x":' + HIDDEN),
    "a list of lengths": (b"Content-Length: 5, 5\r\n", b'{"x":' + HIDDEN),
    "a negative length": (b"Content-Length: -5\r\n", HIDDEN),
    "a length with a sign": (b"Content-Length: +5\r\n", b'{"x":' + HIDDEN),
    "a length in hexadecimal": (b"Content-Length: 0x5\r\n", b'{"x":' + HIDDEN),
    "a length above 64 bits": (b"Content-Length: 18446744073709551621\r\n", b'{"x":' + HIDDEN),
    "length and chunks": (LENGTH + CHUNKED, b"0\r\n\r\n" + HIDDEN),
    "chunks and length": (CHUNKED + LENGTH, b"0\r\n\r\n" + HIDDEN),
    "two codings": (CHUNKED + b"Transfer-Encoding: identity\r\n", b"0\r\n\r\n" + HIDDEN),
    "chunks in chunks": (b"Transfer-Encoding: chunked, chunked\r\n", b"0\r\n\r\n" + HIDDEN),
    "another coding": (b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n" + HIDDEN),
    "a blank before the colon": (LENGTH + b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n" + HIDDEN),
    "a folded field": (b"X: a\r\n " + CHUNKED + LENGTH, b"0\r\n\r\n" + HIDDEN),
    "a folded length": (b"Content-Length:\r\n 5\r\n", b'{"x":' + HIDDEN),
    "a bare line feed": (b"X: a\nTransfer-Encoding: chunked\r\n" + LENGTH, b"0\r\n\r\n" + HIDDEN),
    "a bare carriage return": (b"X: a\rTransfer-Encoding: chunked\r\n" + LENGTH, b"0\r\n\r\n" + HIDDEN),
    "a byte 0": (b"X: a\0b\r\n" + LENGTH, b'{"x":' + HIDDEN),
    "a negative chunk": (CHUNKED, b"-1\r\n" + HIDDEN),
    "a chunk above 64 bits": (CHUNKED, b"10000000000000000\r\n" + HIDDEN),
    "a chunk without a size": (CHUNKED, b"\r\n" + HIDDEN),
    "a chunk in hexadecimal with 0x": (CHUNKED, b"0x0\r\n\r\n" + HIDDEN),
    "a chunk longer than its size": (CHUNKED, b'5\r\n{"x":1\r\n0\r\n\r\n' + HIDDEN),
    "a chunk line with a bare line feed": (CHUNKED, b"0\n\r\n" + HIDDEN),
}


class Smuggling(Attack):
    def setUp(self):
        super().setUp()
        self.server.flags(RECORD)
        self.before = self.server.get(KEPT)

    def assert_refused(self, request, *statuses):
        answer = hostile.ask(self.server.address, request)
        self.assertIn(int(answer[9:12]), statuses or (400, 501), answer)
        self.assertEqual(len(re.findall(rb"HTTP/1\.1 \d", answer)), 1, answer)
        self.assertIn(b"\r\nConnection: close\r\n", answer)
        self.assertEqual(self.server.get(KEPT), self.before)

    def test_who_hides_a_request_in_another_is_refused(self):
        for path in (b"/v1/documents", b"/v1/check", b"/v1/similar"):
            for name, (fields, rest) in SHAPES.items():
                with self.subTest(name, path=path):
                    self.assert_refused(self.head(b"POST " + path, fields + b"\r\n" + rest.replace(b"%s", self.token)))

    def test_the_body_of_a_request_that_takes_none_is_no_request(self):
        hidden = HIDDEN.replace(b"%s", self.token)
        body = b"Content-Length: %d\r\n\r\n" % len(hidden) + hidden
        for line in (b"GET " + KEPT.encode(), b"GET /healthz", b"HEAD /v1/stats", b"DELETE /v1/documents/nobody"):
            with self.subTest(line):
                self.assert_refused(self.head(line, body), 200, 404)

    def test_a_chunk_of_any_size_is_only_body(self):
        """Its client goes away: the whole records in it are decided, and nothing else is done."""
        chunk = b"ffffffffffffffff\r\n" + RECORD + b"\n" + HIDDEN.replace(b"%s", self.token)
        with hostile.connect(self.server.address) as client:
            client.sendall(self.head(b"POST /v1/documents", CHUNKED + b"\r\n" + chunk))
        self.assertEqual(json.loads(self.server.flags(RECORD))["status"], "unchanged")
        self.assertEqual(self.server.get(KEPT), self.before)


if __name__ == "__main__":
    unittest.main()
