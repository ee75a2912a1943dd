"""Client and AsyncClient with a real service, and with servers that misbehave."""

import asyncio
import contextlib
import http.server
import signal
import threading

import package
from package import Server, Test, lines, package as neardup, records, scan, words


class Service(Test):
    def setUp(self):
        super().setUp()
        server = Server(self.folder / "state", ("storage.keep_texts=all",))
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.server = stack.enter_context(server)
        self.url = f"http://{self.server.address}"
        self.client = neardup.Client(self.url, self.server.token)
        self.addCleanup(self.client.close)

    def test_the_flags_are_those_of_scan(self):
        documents = records(11, 10_000)
        self.assert_same(scan(documents), lines(self.client.add(documents)))

    def test_a_stream_answers_while_it_reads(self):
        documents = records(12, 3000)
        read = []

        def reading():
            for document in documents:
                read.append(document)
                yield document
        found, flags = b"", None
        for flags in self.client.stream(reading(), size=500):
            if not found:
                self.assertLess(len(read), 1001)
            found += lines(flags)
        self.assert_same(scan(documents), found)

    def test_questions_are_answered_as_in_process(self):
        texts, ids = [words(1, 100), words(1, 99), words(300, 400)], ["a/b", "b", "c"]
        with neardup.Deduplicator(**{"storage.keep_texts": "all"}) as index:
            for target in self.client, index:
                flags = target.add(texts, ids)
                self.assertEqual((flags.kept, flags.duplicate_of), ([True, False, True], [None, "a/b", None]))
                self.assertEqual(target.check([words(1, 98)], ["d"]).duplicate_of, ["a/b"])
                self.assertEqual([hit["id"] for hit in target.similar(words(1, 90), k=1)], ["a/b"])
                self.assertEqual([hit["id"] for hit in target.similar(id="c", k=5)], ["a/b"])
                self.assertIn("shared: w1 w2", str(target.explain("a/b", {"text": words(1, 50)})))
                self.assertEqual(target.groups(), [{"group": "a/b", "seq": 1, "copies": 1}])
                self.assertEqual(target.delete(["c", "z"])["unknown"], ["z"])
                self.assertEqual(target.stats()["documents"], 1)
            self.assertEqual(self.client.rule, index.rule)

    def test_a_long_request_that_is_refused_says_why(self):
        texts = [words(i, i + 4000) for i in range(0, 200 * 4000, 4000)]  # 5 MB
        with self.assertRaises(neardup.ServiceError) as caught:
            neardup.Client(self.url, "wrong").add(texts)
        self.assertEqual(caught.exception.status, 401)
        self.assertEqual(self.client.add(texts).counts, {"unique": 200})

    def test_a_call_that_is_interrupted_leaves_a_client_that_works(self):
        def interrupt(*_):
            raise KeyboardInterrupt
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, interrupt))
        texts = [words(i, i + 4000) for i in range(0, 1000 * 4000, 4000)]
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with self.assertRaises(KeyboardInterrupt):
            self.client.add(texts, list(map(str, range(1000))))
        flags = self.client.add(texts, list(map(str, range(1000))))
        self.assertEqual(flags.kept, [True] * 1000)

    def test_what_is_added_again_has_the_first_decision(self):
        texts, ids = [words(1, 100), words(1, 99)], ["a", "b"]
        first = self.client.add(texts, ids).kept
        self.assertEqual(self.client.add(texts, ids).kept, first)

    def test_refusals(self):
        with self.assertRaises(neardup.ServiceError) as caught:
            neardup.Client(self.url, "wrong").add(["a"])
        self.assertEqual(caught.exception.status, 401)
        with self.assertRaisesRegex(neardup.InputError, "text 1: int"):
            self.client.add(["a", 3])
        with self.assertRaisesRegex(neardup.InputError, "half of a surrogate"):
            self.client.add(["\ud800"])
        with self.assertRaisesRegex(neardup.InputError, "1 ids for 2 texts"):
            self.client.add(["a", "b"], ["1"])
        with self.assertRaises(neardup.InputError):
            self.client.similar("short")
        with self.assertRaises(neardup.ServiceError):
            self.client.explain("no", "such")
        self.assertEqual(self.client.stats()["next_seq"], 1)

    def test_a_service_that_is_killed_in_a_stream(self):
        documents = records(13, 4000)
        client = neardup.Client(self.url, self.server.token, retries=1)

        def reading():
            for i, document in enumerate(documents):
                if i == 2000:
                    self.server.kill()
                yield document
        with self.assertRaises(neardup.UnreachableError):
            for _ in client.stream(reading(), size=100):
                pass
        self.server.start()
        again = neardup.Client(f"http://{self.server.address}", self.server.token)
        flags = again.add(documents)
        self.assertEqual(len(flags), len(documents))

    def test_asynchronous(self):
        documents = records(14, 2000)

        async def work():
            async with neardup.AsyncClient(self.url, self.server.token) as client:
                flags = await client.add(documents[:1000])
                found = [lines(flags)]

                async def reading():
                    for document in documents[1000:]:
                        yield document
                async for flags in client.stream(reading(), size=300):
                    found.append(lines(flags))
                self.assertEqual((await client.stats())["next_seq"], len(documents) + 1)
                self.assertEqual(await client.rule(), self.client.rule)
                checks = await asyncio.gather(*(client.check([document]) for document in documents[:10]))
                self.assertTrue(all(len(check) == 1 for check in checks))
                return b"".join(found)
        self.assert_same(scan(documents), asyncio.run(work()))


class Misbehaving(Test):
    @contextlib.contextmanager
    def server(self, answers):
        """Answers each request by the next of `answers`: (status, head, body), or None, which cuts the connection."""
        seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                seen.append(self.rfile.read(int(self.headers["Content-Length"])) if "Content-Length" in self.headers else self.pieces())
                answer = answers[min(len(seen), len(answers)) - 1]
                if answer is None:
                    self.close_connection = True
                    return
                status, head, body = answer
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **head}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def pieces(self):
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", seen
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    FLAG = b'{"id":"a","seq":1,"status":"unique","threshold":0.8,"rule":"b82c3c6882490bab","source":{"line":1}}\n'
    OK = (200, {}, FLAG)

    def test_a_request_is_sent_again(self):
        busy = (503, {"Retry-After": "0"}, b'{"detail":"busy","reason":"busy"}')
        for answers in [None, self.OK], [busy, busy, self.OK], [(429, {}, b""), self.OK]:
            with self.subTest(answers=answers), self.server(answers) as (url, seen):
                self.assertEqual(neardup.Client(url).add(["text"], ["a"]).status, ["unique"])
                self.assertEqual((len(set(seen)), len(seen)), (1, len(answers)))

    def test_a_long_request_is_sent_again_from_its_begin(self):
        texts = [words(i, i + 4000) for i in range(0, 40 * 4000, 4000)]  # 1 MB, in pieces
        flags = (200, {}, self.FLAG * len(texts))
        with self.server([None, flags]) as (url, seen):
            self.assertEqual(len(neardup.Client(url).add(texts)), len(texts))
            self.assertEqual((len(set(seen)), len(seen), seen[0].count(b"\n")), (1, 2, len(texts)))

    def test_a_service_on_kafka_that_takes_its_time(self):
        places = (202, {}, b'{"topic":"docs","partition":0,"offset":0}\n')
        with self.server([places]) as (url, _), self.assertRaisesRegex(neardup.ServiceError, "output topic") as caught:
            neardup.Client(url).add(["text"])
        self.assertEqual(caught.exception.status, 202)

    def test_no_answer_ends_with_an_error(self):
        with self.server([None]) as (url, seen):
            with self.assertRaisesRegex(neardup.UnreachableError, "after 3 tries"):
                neardup.Client(url, retries=2).add(["text"])
            self.assertEqual(len(seen), 3)
        with self.assertRaises(neardup.UnreachableError):
            neardup.Client("http://127.0.0.1:1", retries=0).stats()
        with self.assertRaises(neardup.ServiceError):
            neardup.Client("ftp://host")

    def test_a_body_that_ends_early(self):
        with self.server([(200, {"Content-Length": "9999"}, self.FLAG), self.OK]) as (url, _):
            with contextlib.suppress(ConnectionError):
                self.assertEqual(neardup.Client(url, timeout=2).add(["text"], ["a"]).status, ["unique"])

    def test_other_versions(self):
        older = (404, {}, b'{"status":404,"detail":"there is no /v1/documents","reason":"not_found"}')
        newer = (200, {}, self.FLAG.replace(b"unique", b"half_duplicate"))
        for answer, pattern in ((older, "there is no"), (newer, "half_duplicate"), ((200, {}, b"<html>"), "does not know"),
                                ((200, {}, b""), "0 flags for 1")):
            with self.subTest(answer=answer), self.server([answer]) as (url, _):
                with self.assertRaisesRegex(neardup.UnsupportedError, pattern):
                    neardup.Client(url).add(["text"])


if __name__ == "__main__":
    package.main()
