"""What requests may cost: answers that wait for their clients, connections under pressure, memory that runs out."""

import contextlib
import json
import os
import pty
import re
import resource
import signal
import socket
import subprocess
import threading
import time
import unittest

from server import Server, body_of, wait_until

import hostile_clients as hostile
import neardup
from folder import FolderTest

MB = 1_000_000
HITS = 1000  # of each query
QUERIES = 1500
SMALL = "storage.memory=64MiB"


def similar_documents(count):
    """Documents with a common part: many are hits of each other, and none is a duplicate."""
    for i in range(count):
        words = [f"w{j}" for j in range(60)]
        at = i * 7 % 40
        words[at:at + 20] = [f"x{i}_{j}" for j in range(20)]
        yield json.dumps({"id": f"d{i}", "text": " ".join(words)}).encode()


class Spools(FolderTest):
    def start(self, *sets):
        server = self.enterContext(Server(self.state, (SMALL, *sets)))
        server.flags(body_of(similar_documents(1200)))
        return server

    def metric(self, server, name, label):
        found = re.search(rf"^neardup_http_{name}\{{[^}}]*=\"{label}\"\}} (\S+)$", server.get("/metrics")[1].decode(), re.M)
        return float(found[1])

    def waiting(self, server):
        return self.metric(server, "spool_bytes", "memory") + self.metric(server, "spool_bytes", "disk")

    @staticmethod
    def ask(server, queries, hits=HITS):
        """Opens a request for similar documents, and reads no byte of its answer."""
        connection = server.connect()
        connection.request("POST", f"/v1/similar?k={hits}&floor=0", b'{"id":"d0"}\n' * queries)
        return connection

    def test_an_answer_of_many_hits_takes_bounded_memory(self):
        server = self.start()
        before = hostile.settled_memory(server.process)
        with contextlib.closing(self.ask(server, QUERIES)) as connection:
            reply = connection.getresponse()
            self.assertEqual(reply.status, 200)
            size = int(reply.headers["Content-Length"])
            self.assertGreater(size, 100 * MB)
            self.assertGreater(self.metric(server, "spool_bytes", "disk"), 0)
            self.assertEqual(self.metric(server, "spool_limit_bytes", "disk"), 4 << 30)
            got, lines = 0, 0
            while piece := reply.read(1 << 20):
                got, lines = got + len(piece), lines + piece.count(b"\n")
        self.assertEqual((got, lines), (size, QUERIES))
        self.assertLess(server.memory() - before, 100 * MB)
        wait_until(lambda: self.waiting(server) == 0, "the room to be given back")

    def test_answers_share_the_room_and_have_a_place_of_their_own(self):
        place = self.folder / "spools"
        place.mkdir()
        server = self.start("http.spool_disk=24MiB", "http.spool_memory=1MiB", f"http.spool_path={place}")
        with contextlib.closing(self.ask(server, 1000)) as connection:
            reply = connection.getresponse()
            self.assertEqual((reply.status, json.loads(reply.read())["reason"]), (413, "answer_too_large"))
        holders = [self.ask(server, 120) for _ in range(3)]
        statuses = []
        with contextlib.ExitStack() as stack:
            for connection in holders:
                stack.callback(connection.close)
                reply = connection.getresponse()
                statuses.append(reply.status)
                if reply.status == 503:
                    self.assertEqual(json.loads(reply.read())["reason"], "answers_waiting")
                    self.assertEqual(reply.headers["Retry-After"], "1")
            self.assertEqual(set(statuses), {200, 503})
            self.assertLessEqual(self.waiting(server), 25 << 20)
        self.assertGreaterEqual(self.metric(server, "refused_total", "answer"), 2)
        wait_until(lambda: self.waiting(server) == 0, "the room to be given back")
        self.assertEqual(list(place.iterdir()), [])
        with contextlib.closing(self.ask(server, 120)) as connection:
            self.assertEqual(connection.getresponse().read().count(b"\n"), 120)

    def test_a_place_where_no_file_can_be_made_is_refused(self):
        done = subprocess.run([neardup.BINARY, "serve", "--state", str(self.state), "--set", "http.listen=127.0.0.1:0",
                               "--set", f"http.spool_path={self.folder}/missing"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 78)
        self.assertIn("http.spool_path", json.loads(done.stderr.splitlines()[-1])["reason"])

    def test_the_search_of_a_client_that_has_left_ends(self):
        """Else the eight threads for such requests would be taken for long."""
        server = self.start()
        for _ in range(8):
            connection = self.ask(server, 300_000, hits=1)
            connection.close()

        def answered():
            with contextlib.closing(self.ask(server, 1)) as connection:
                return connection.getresponse().status == 200
        wait_until(answered, "a thread for a request")


class Pressure(FolderTest):
    UPLOADS = 8

    def flood(self, address, done):
        """Opens connections of which it uses none."""
        host, port = address.split(":")
        kept = []
        while not done.is_set():
            for _ in range(6):
                with contextlib.suppress(OSError):
                    kept.append(socket.create_connection((host, int(port))))
            while len(kept) > 200:
                kept.pop(0).close()
            time.sleep(0.01)
        for connection in kept:
            connection.close()

    def upload(self, server, number, results):
        head = (f"POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.token}\r\n"
                "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n").encode()
        with contextlib.suppress(OSError), hostile.connect(server.address) as client:
            client.sendall(head)
            for i in range(10):
                line = b'{"id":"u%d-%d","text":"one two three four five %d %d"}\n' % (number, i, number, i)
                client.sendall(b"%x\r\n%s\r\n" % (len(line), line))
                time.sleep(0.3)
            client.sendall(b"0\r\n\r\n")
            results.append(client.recv(12)[9:12].decode())

    def test_uploads_with_a_token_end_while_others_take_the_connections(self):
        with Server(self.state, (SMALL,)) as server:
            done, results = threading.Event(), []
            flooder = threading.Thread(target=self.flood, args=(server.address, done))
            flooder.start()
            time.sleep(0.3)
            uploads = [threading.Thread(target=self.upload, args=(server, i, results)) for i in range(self.UPLOADS)]
            for upload in uploads:
                upload.start()
            for upload in uploads:
                upload.join()
            done.set()
            flooder.join()
            self.assertEqual(results, ["200"] * self.UPLOADS)
            metrics = server.get("/metrics")[1].decode()
            cut = re.search(r'^neardup_http_connections_cut_total\{limit="connections_per_client"\} (\S+)', metrics, re.M)
            self.assertGreater(float(cut[1]), 0, "there was no pressure")


class Failures(FolderTest):
    def ended(self, *options, limit=None, environment=None, stderr=subprocess.PIPE):
        def lower():
            if limit:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        command = [neardup.BINARY, "serve", "--state", str(self.state), "--set", "http.listen=127.0.0.1:0", *options]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True, timeout=60, preexec_fn=lower,
                              env={**os.environ, **(environment or {})})

    def assert_told(self, done, *statuses):
        self.assertIn(done.returncode, statuses, done.stderr)
        event = json.loads(done.stderr.splitlines()[-1])
        self.assertEqual(event["level"], "error", done.stderr)
        return event

    def test_a_configuration_that_cannot_be_used_is_an_event(self):
        for options in (("--set", "nonsense=1"), ("--config", str(self.folder / "missing.yaml")), ("--set", "http.listen=256.0.0.1:1"),
                        ("--role", "resolver")):
            with self.subTest(options):
                told = self.assert_told(self.ended(*options), 78)
                self.assertEqual((told["event"], told["status"]), ("ended", 78))

    def test_all_problems_are_in_one_event_in_the_format_of_the_log(self):
        file = self.folder / "wrong.yaml"
        file.write_text("threshold: 2\ntreshold: 0.5\n")
        reason = self.assert_told(self.ended("--config", str(file)), 78)["reason"]
        self.assertRegex(reason, r"(?s)^the configuration cannot be used:\n.*wrong.yaml:1: .*wrong.yaml:2: .*threshold`")
        said = self.ended("--config", str(file), "--set", "log.format=text").stderr
        self.assertRegex(said, r"^\S+Z error ended status=78 reason=")

    def test_wrong_usage_is_an_event(self):
        told = self.assert_told(self.ended("--no-such-option"), 64)
        self.assertEqual((told["event"], told["status"]), ("ended", 64))
        self.assertIn("--no-such-option", told["reason"])

    def test_a_warning_about_a_setting_is_an_event(self):
        done = self.ended("--set", f"http.spool_path={self.folder}/missing", environment={"NEARDUP_TRESHOLD": "0.5"})
        self.assert_told(done, 78)
        events = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertEqual([event["level"] for event in events if event["event"] == "configuration"], ["warning"])
        self.assertIn("NEARDUP_TRESHOLD", events[0]["detail"])

    def test_people_at_a_terminal_are_told_in_plain_text(self):
        for options, status, begin in ((("--no-such-option",), 64, "neardup: "), (("--set", "nonsense=1"), 78, "neardup: warning: ")):
            with self.subTest(options):
                terminal, end = pty.openpty()
                done = self.ended(*options, environment={"NEARDUP_TRESHOLD": "0.5"}, stderr=end)
                said = os.read(terminal, 10_000).decode()
                os.close(terminal)
                os.close(end)
                self.assertEqual(done.returncode, status, said)
                self.assertTrue(said.startswith(begin), said)

    def test_memory_that_runs_out_is_an_event(self):
        """At each limit between one with which the program begins and one with which it serves."""
        least = self.least_that_begins()
        told = set()
        for more in range(0, 200, 20):
            try:
                done = self.ended("--set", "storage.memory=64MiB", "--set", "backend=cpu", limit=least + more * MB)
            except subprocess.TimeoutExpired as running:
                self.assertIn(b'"event":"serving"', running.stderr, "it hangs")
                break
            told.add(self.assert_told(done, 70, 74, 75, 78, -signal.SIGSEGV)["event"])  # the last: in the allocator
        self.assertEqual(told, {"ended"})

    def least_that_begins(self):
        for limit in range(20 * MB, 2000 * MB, 10 * MB):
            done = subprocess.run([neardup.BINARY, "--version"], capture_output=True,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))  # noqa: B023
            if done.returncode == 0:
                return limit
        return self.skipTest("neardup --version needs more than 2 GB")


if __name__ == "__main__":
    unittest.main()
