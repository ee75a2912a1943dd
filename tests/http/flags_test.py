"""The latest flags of a service: in pages, and live as server-sent events."""

import contextlib
import json
import threading
import time
import unittest

from server import Server, body_of, wait_until

from corpus import Corpus
from folder import FolderTest

SEED = 20261201
SECONDS_BETWEEN_LOOKS = 1.5  # at a file of tokens, and more


class Watcher:
    """A client of the live flags. `data` are theirs; `seen` the last id; `missed` what it was told to have missed."""

    def __init__(self, server, query="", last=None, headers=()):
        self.connection = server.connect(timeout=30)
        self.connection.request("GET", "/v1/flags" + query,
                                headers={"Accept": "text/event-stream", **({"Last-Event-ID": str(last)} if last else {}), **dict(headers)})
        self.reply = self.connection.getresponse()
        self.data, self.missed, self.seen = [], [], None
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        event = {}
        with contextlib.suppress(OSError, ValueError, AttributeError):
            for line in self.reply:
                name, _, value = line.rstrip(b"\n").partition(b": ")
                if name:
                    event[name] = value
                    continue
                self.take(event)
                event = {}

    def take(self, event):
        if event.get(b"event") == b"missed":
            self.missed.append(json.loads(event[b"data"]))
        elif b"data" in event:
            self.data.append(event[b"data"])
        self.seen = int(event.get(b"id", self.seen or 0))

    def close(self):
        """Waits for the thread, which the end of the service ends."""
        self.thread.join(30)
        self.connection.close()

    def wait(self, seq):
        wait_until(lambda: (self.seen or 0) >= seq, f"flag {seq}")


def numbered(lines):
    return sorted(lines, key=lambda line: json.loads(line)["seq"])


class Flags(FolderTest):
    def send_at_once(self, server, lines, clients=4):
        """The flags of all answers by seq, of clients that send a part each at the same time."""
        answers = [None] * clients

        def send(client):
            answers[client] = server.flags(body_of(lines[client::clients]))
        threads = [threading.Thread(target=send, args=(client,)) for client in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return numbered(b"".join(answers).splitlines())

    @staticmethod
    def page(server, query=""):
        status, body = server.get("/v1/flags" + query)
        assert status == 200, body
        return json.loads(body)

    def test_pages_have_the_flags_of_all_requests_in_their_order(self):
        with Server(self.state) as server:
            self.assertEqual(self.page(server), {"flags": [], "next": 0})
            flags = [json.loads(line) for line in self.send_at_once(server, Corpus(SEED).lines(2000))]
            found, after = [], 0
            while page := self.page(server, f"?after={after}&limit=300")["flags"]:
                found += page
                after = page[-1]["seq"]
            self.assertEqual(found, flags)
            self.assertEqual(self.page(server, "?limit=7"), {"flags": flags[-7:], "next": 2000, "oldest": 1})
            near = [flag for flag in flags if flag["status"] == "near_duplicate"]
            self.assertGreater(len(near), 20)
            self.assertEqual(self.page(server, "?after=0&limit=1000&only=near_duplicate")["flags"], near)

    def test_live_flags_are_those_of_the_answers_and_come_while_others_are_sent(self):
        with Server(self.state) as server:
            every, near = Watcher(server), Watcher(server, "?only=near_duplicate")
            self.assertEqual(every.reply.status, 200)
            self.assertEqual(every.reply.headers["Content-Type"], "text/event-stream")
            flags = self.send_at_once(server, Corpus(SEED).lines(2000))
            every.wait(2000)
            near.wait(2000)
            self.assertEqual(every.data, flags)
            self.assertEqual(near.data, [flag for flag in flags if b'"status":"near_duplicate"' in flag])
            again = Watcher(server, last=every.seen)
            later = server.flags(b'{"id":"later","text":"one two three four five six"}\n').splitlines()
            for watcher in (every, again):
                watcher.wait(2001)
            self.assertEqual(every.data[2000:], later)
            self.assertEqual(again.data, later)
            self.assertEqual(every.missed + near.missed + again.missed, [])
        for watcher in (every, near, again):  # the service does not wait for those who watch
            watcher.close()

    def test_they_end_when_the_token_is_taken_back(self):
        tokens = self.state.parent / "readers"
        tokens.write_text("first-token-of-readers\n")
        with Server(self.state, (f"http.read_token_file={tokens}",)) as server:
            watcher = Watcher(server, headers={"Authorization": "Bearer first-token-of-readers"})
            self.assertEqual(watcher.reply.status, 200)
            server.flags(b'{"id":"a","text":"one two three four five six"}\n')
            watcher.wait(1)
            tokens.write_text("second-token-of-readers\n")
            time.sleep(SECONDS_BETWEEN_LOOKS)
            server.flags(b'{"id":"b","text":"one two three four five six"}\n')
            watcher.close()  # while the service goes on
            self.assertEqual(watcher.seen, 1)

    def test_what_a_client_missed_is_told(self):
        with Server(self.state) as server:
            server.flags(body_of(Corpus(SEED).lines(50)))
        with Server(self.state) as server:
            watcher = Watcher(server, last=20)
            self.assertEqual(self.page(server, "?after=20"), {"flags": [], "next": 20})
            later = server.flags(b'{"id":"later","text":"one two three four five six"}\n').splitlines()
            watcher.wait(51)
            self.assertEqual((watcher.missed, watcher.data), ([{"after": 20, "next": 51}], later))
            self.assertEqual(self.page(server, "?after=20")["oldest"], 51)
        watcher.close()

    def test_the_latest_are_kept_in_bounded_memory(self):
        long = "x" * 900  # of each id
        lines = [json.dumps({"id": f"{long}{number}", "text": ""}).encode() for number in range(12_000)]
        with Server(self.state) as server:
            server.flags(body_of(lines))
            page = self.page(server, "?after=0&limit=1")
            self.assertGreater(page["oldest"], 12_000 - (8 << 20) // 900)
            self.assertLess(page["oldest"], 9_000)
            self.assertEqual(page["flags"][0]["seq"], page["oldest"])

    def test_a_watcher_needs_a_token_where_readers_do(self):
        tokens = self.folder / "tokens"
        tokens.write_text("token-of-a-reader\n")
        with Server(self.state, (f"http.read_token_file={tokens}",)) as server:
            watcher = Watcher(server)
            self.assertEqual(watcher.reply.status, 401)
            watcher.close()

    def test_wrong_parameters(self):
        with Server(self.state) as server:
            for query in ("after=-1", "limit=0", "limit=1001", "only=nearly", "since=1"):
                status, body = server.get("/v1/flags?" + query)
                self.assertEqual((status, json.loads(body)["reason"]), (400, "wrong_parameter"))


if __name__ == "__main__":
    unittest.main()
