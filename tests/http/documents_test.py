"""Documents over HTTP get the flags that `scan` gives them."""

import concurrent.futures
import contextlib
import gzip
import json
import os
import random
import re
import subprocess
import unittest
import urllib.parse

from server import Server, body_of, comparable, wait_until

import neardup
from corpus import Corpus
from folder import FolderTest

SEED = 20261123
CLIENTS = 16


def zstd(body, *options):
    return subprocess.run(["zstd", "-qc", *options], input=body, capture_output=True, check=True).stdout


class Documents(FolderTest):
    def scanned(self, lines, sets=()):
        """What `scan` says of the lines."""
        file = self.folder / "scanned.jsonl"
        file.write_bytes(body_of(lines))
        return neardup.without_source(neardup.scan_or_fail([file], self.output, sets=sets))

    def assert_same(self, wanted, found):
        self.assertIsNone(neardup.first_difference(wanted, found))

    def test_one_request(self):
        lines = Corpus(SEED).lines(3000)
        wanted = self.scanned(lines)
        for name, body in (("length", body_of(lines)), ("chunks", iter([line + b"\n" for line in lines])),
                           ("no last line end", body_of(lines)[:-1]), ("CR LF", b"\r\n".join([*lines, b""])),
                           ("blank lines", b"\n \n" + b"\n\n".join(lines))):
            with self.subTest(name), Server(self.folder / name) as server:
                flags = server.flags(body)
                neardup.parse_flags(flags)
                self.assert_same(wanted, comparable(flags))

    def test_many_requests_of_one_client(self):
        lines = Corpus(SEED + 1).lines(1000)
        with Server(self.state) as server:
            connection = server.connect()
            self.addCleanup(connection.close)
            found = b"".join(server.flags(line + b"\n", connection) for line in lines)
        self.assert_same(self.scanned(lines), comparable(found))

    def test_many_clients_at_once_are_one_order(self):
        lines = Corpus(SEED + 2).lines(3200)
        with Server(self.state) as server:
            def client(number):
                mine, answers = lines[number::CLIENTS], []
                with contextlib.closing(server.connect()) as connection:
                    for at in range(0, len(mine), 10):
                        flags = server.flags(body_of(mine[at:at + 10]), connection)
                        answers += zip(mine[at:at + 10], flags.splitlines(keepends=True), strict=True)
                return answers
            with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
                answers = [one for done in pool.map(client, range(CLIENTS)) for one in done]
        answers.sort(key=lambda answer: json.loads(answer[1])["seq"])
        found = b"".join(flag for _, flag in answers)
        neardup.parse_flags(found)
        self.assert_same(self.scanned([line for line, _ in answers]), comparable(found))

    def test_settings_of_the_rule(self):
        lines = Corpus(SEED + 3).lines(600)
        for sets in (("against=all",), ("verify.mode=exact", "storage.keep_texts=true"), ("batch.documents=7",)):
            with self.subTest(sets), Server(self.folder / sets[0], sets) as server:
                self.assert_same(self.scanned(lines, sets), comparable(server.flags(body_of(lines))))

    def test_a_later_service_goes_on(self):
        lines = Corpus(SEED + 4).lines(600)
        found = b""
        for part in (lines[:200], lines[200:]):
            with Server(self.state) as server:
                found += server.flags(body_of(part))
        self.assert_same(self.scanned(lines), comparable(found))

    def test_counts_are_told_in_the_head(self):
        with Server(self.state) as server:
            text = "one two three four five six"
            status, flags, head = server.send(body_of([b'{"id":"a","text":"%s"}' % text.encode()] * 2 + [b"no"]))
            self.assertEqual(status, 200)
            self.assertEqual(head["Neardup-Counts"], "unique=1, unchanged=1, rejected=1")
            self.assertEqual(head["Content-Type"], "application/x-ndjson")
            self.assertEqual([json.loads(flag)["source"] for flag in flags.splitlines()],
                             [{"line": 1}, {"line": 2}, {"line": 3}])
            self.assertEqual(server.send(b"")[:2], (200, b""))

    def test_a_retry_has_the_verdict(self):
        lines = Corpus(SEED + 5).lines(400)
        with Server(self.state, ("against=all",)) as server:
            last = {}
            for flag in map(json.loads, server.flags(body_of(lines)).splitlines()):
                last[flag.get("namespace"), flag["id"]] = flag
            told = 0
            for flag in map(json.loads, server.flags(body_of(lines)).splitlines()):
                first = last.get((flag.get("namespace"), flag["id"]))
                if flag["status"] != "unchanged" or flag["verdict"]["seq"] != first["seq"]:
                    continue
                told += 1
                self.assertEqual(flag["verdict"]["kept"], "duplicate_of" not in first)
                if "duplicate_of" in flag["verdict"]:
                    self.assertEqual(flag["verdict"]["duplicate_of"], first["duplicate_of"])
                    self.assertEqual(flag["verdict"]["similarity"], first["similarity"])
            self.assertGreater(told, 100)

    def test_a_text_is_a_document_with_the_id_of_the_query(self):
        records = [("a b/c", "", "one two three four five six"), ("", "", "a text without an id"),
                   ("é", "news", "one two\nthree four\r\nfive six"), ("b", "", ""), ("x" * 1025, "", "too long an id"),
                   ("c", "", "one two three four five six " * 400), ("d", "", "\ufeffone two three four five seven")]
        lines = [json.dumps({"id": name, "text": text} | ({"namespace": space} if space else {})).encode()
                 for name, space, text in records]
        with Server(self.state, ("input.max_record_bytes=4096", "text.max_bytes=2048")) as server:
            found = b""
            for name, space, text in records:
                query = urllib.parse.urlencode({"id": name} | ({"namespace": space} if space else {}))
                found += server.flags(text.encode(), path=f"/v1/documents?{query}", Content_Type="text/plain; charset=utf-8")
            for path, kind in (("?id=a", "application/json"), ("?namespace=a", "text/plain"), ("?id=%ff", "text/plain")):
                status, answer, _ = server.send(b"one two", path=f"/v1/documents{path}", Content_Type=kind)
                self.assertEqual((status, json.loads(answer)["reason"]), (400, "wrong_parameter"))
        wanted = self.scanned(lines, ("input.max_record_bytes=40960", "text.max_bytes=2048"))
        without_words = lambda flags: re.sub(rb'"(detail)":"[^"]*"', rb"", flags)
        self.assert_same(without_words(wanted).replace(b"text_too_large", b"record_too_large"),
                         without_words(comparable(found)))

    def test_one_object_may_have_many_lines(self):
        with Server(self.state) as server:
            text = json.dumps({"id": "a", "text": "one two three four five"}, indent=2).encode()
            flags = neardup.parse_flags(server.flags(text, Content_Type="application/json; charset=utf-8"))
            self.assertEqual([flag["status"] for flag in flags], ["unique"])

    def test_bodies_may_be_compressed(self):
        lines = Corpus(SEED + 7).lines(2000)
        wanted = self.scanned(lines)
        half = len(lines) // 2
        members = gzip.compress(body_of(lines[:half])) + gzip.compress(body_of(lines[half:]))
        for name, coding, body in (("gzip", "gzip", gzip.compress(body_of(lines))), ("members", "gzip", members),
                                   ("pieces", "gzip", (members[at:at + 100] for at in range(0, len(members), 100))),
                                   ("zstd", "zstd", zstd(body_of(lines))), ("identity", "identity", body_of(lines))):
            with self.subTest(name), Server(self.folder / name) as server:
                self.assert_same(wanted, comparable(server.flags(body, Content_Encoding=coding)))

    def test_curl_sends_a_file(self):
        lines = Corpus(SEED + 6).lines(300)
        file = self.folder / "docs.jsonl"
        file.write_bytes(body_of(lines))
        with Server(self.state) as server:
            line = server.line.replace("docs.jsonl", str(file))
            done = subprocess.run(["sh", "-c", line], capture_output=True, check=True, timeout=60)
        self.assert_same(self.scanned(lines), comparable(done.stdout))

    @unittest.skipUnless(os.environ.get("NEARDUP_CORPUS"), "NEARDUP_CORPUS is not set")
    def test_real_documents(self):
        packed = f"{os.environ['NEARDUP_CORPUS']}/peps.jsonl.zst"
        lines = subprocess.run(["zstd", "-dcq", packed], capture_output=True, check=True).stdout.splitlines()[:6000]
        with Server(self.state) as server:
            self.assert_same(self.scanned(lines), comparable(server.flags(body_of(lines))))


class BadRequests(FolderTest):
    def test_a_record_may_be_too_large(self):
        small = b'{"id":"a","text":"one two three four five"}'
        with Server(self.state, ("input.max_record_bytes=1KiB",)) as server:
            flags = neardup.parse_flags(server.flags(body_of([small, b'{"id":"b","text":"%s"}' % (b"x " * 50_000), small])))
            self.assertEqual([flag.get("reason", flag["status"]) for flag in flags],
                             ["unique", "record_too_large", "unchanged"])

    def test_without_the_token_nobody_writes(self):
        with Server(self.state) as server:
            for token in ("", "x" * 64, server.token[:-1]):
                status, answer, head = server.send(b"{}", Authorization=f"Bearer {token}")
                self.assertEqual((status, head["WWW-Authenticate"]), (401, "Bearer"))
                self.assertEqual(head["Content-Type"], "application/problem+json")
                self.assertEqual(json.loads(answer)["reason"], "no_token")
            self.assertEqual(server.get("/v1/check")[0], 405)
            self.assertIn(b"neardup_documents_total", server.get("/metrics")[1])

    def test_forms_are_refused(self):
        with Server(self.state) as server:
            status, body, _ = server.send(b"--x", Content_Type="multipart/form-data; boundary=x")
            self.assertEqual(status, 415)
            self.assertIn(b"curl -T", body)
            self.assertEqual(server.send(b'{"id":"a","text":"b"}', Content_Type="application/x-www-form-urlencoded")[0],
                             200)

    def test_a_damaged_body_is_told_and_its_sound_part_decided(self):
        lines = Corpus(SEED).lines(3000)
        packed = gzip.compress(body_of(lines), mtime=0)
        garbage = packed[:len(packed) // 2] + b"\xff" * 1000 + packed[len(packed) // 2 + 1000:]
        decided = 0
        with Server(self.state) as server:
            for coding, body in (("gzip", garbage), ("gzip", packed[:-20]), ("gzip", b"{}"), ("zstd", zstd(b"{}")[:-1]),
                                 ("zstd", packed)):
                status, answer, head = server.send(body, Content_Encoding=coding)
                self.assertEqual((status, head["Content-Type"]), (400, "application/problem+json"), coding)
                self.assertEqual(json.loads(answer)["reason"], "damaged_body")
                self.assertIn("decided", json.loads(answer)["detail"])
                seq = json.loads(server.flags(b'{"id":"x","delete":true}'))["seq"]
                self.assertGreaterEqual(seq, decided)
                decided = seq
            self.assertGreater(decided, 2000)
            status, answer, _ = server.send(b"x", Content_Encoding="br")
            self.assertEqual((status, json.loads(answer)["reason"]), (415, "unknown_encoding"))

    def test_a_large_window_is_refused(self):
        """It would take memory; what every encoder makes by default is taken."""
        body = random.Random(SEED).randbytes(20_000_000).hex().encode()
        with Server(self.state) as server:
            self.assertEqual(server.send(zstd(body, "--long=27"), Content_Encoding="zstd")[0], 400)
            self.assertEqual(server.send(zstd(body), Content_Encoding="zstd")[0], 200)

    def test_an_unfinished_request_leaves_its_whole_records(self):
        with Server(self.state) as server:
            connection = server.connect()
            connection.putrequest("POST", "/v1/documents")
            connection.putheader("Authorization", f"Bearer {server.token}")
            connection.putheader("Content-Length", "1000")
            connection.endheaders(b'{"id":"a","text":"one two three four five"}\n{"id":"b","text":"half of')
            wait_until(lambda: b'status="unique"} 1\n' in server.get("/metrics")[1], "the first record")
            connection.close()
            flags = neardup.parse_flags(server.flags(b'{"id":"a","text":"one two three four five"}\n{"id":"b","text":"x"}'), 2)
            self.assertEqual([flag["status"] for flag in flags], ["unchanged", "too_short"])

    def test_the_token_is_kept_and_needed_elsewhere(self):
        with Server(self.state) as server:
            token = server.token
            self.assertEqual((self.state / "http_token").stat().st_mode & 0o777, 0o600)
        with Server(self.state) as server:
            self.assertEqual(server.token, token)
        done = subprocess.run([neardup.BINARY, "serve", "--state", str(self.state), "--set", "http.listen=0.0.0.0:0"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 78)
        self.assertIn("http.token_file", done.stderr)

    def test_commands_reach_the_service(self):
        with Server(self.state) as server:
            server.flags(body_of(Corpus(SEED).lines(50)) + b'{"id":"mine","text":"some words that nobody else has"}')
            neardup.run("delete", "--state", self.state, "mine")
            self.assertEqual(json.loads(neardup.run("stats", "--json", "--state", self.state))["next_seq"], 52)
            flags = neardup.parse_flags(server.flags(b'{"id":"mine","delete":true}'), 52)
            self.assertEqual(flags[0]["known"], False)


class Bounds(FolderTest):
    def test_a_large_body_takes_little_memory(self):
        """Sent in chunks; what is bounded does not grow with it."""
        piece = b"".join(b'{"id":"%d","text":"%s"}\n' % (i, b"word " * 200) for i in range(1000))
        with Server(self.state, ("storage.memory=64MiB",)) as server:
            server.flags(iter([piece] * 40))
            before = server.memory()
            flags = server.flags(iter([piece] * 95))
            self.assertEqual(flags.count(b"\n"), 95_000)
            self.assertLess(server.memory() - before, 60e6)


if __name__ == "__main__":
    unittest.main()
