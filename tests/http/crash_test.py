"""A service that is killed at any moment, and clients that ask again: each document is decided once.

  crash_test.py [KILLS]
"""

import concurrent.futures
import http.client
import json
import random
import sys
import unittest

from server import Server, body_of, wait_until

import neardup
from folder import FolderTest

KILLS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 5
SEED = 20261124
CLIENTS = 4
AT_ONCE = 20  # documents of a request


def documents(count):
    """Fresh texts and near copies of them, each with a separate id."""
    chosen, texts = random.Random(SEED), []
    for i in range(count):
        words = [f"w{chosen.randrange(5000)}" for _ in range(60)]
        if texts and chosen.random() < 0.5:
            words = list(chosen.choice(texts))
            words[chosen.randrange(60)] = f"edit{i}"
        texts.append(words)
        yield json.dumps({"id": f"d{i}", "text": " ".join(words)}).encode()


class Kills(FolderTest):
    def test_each_document_is_decided_once(self):
        lines = list(documents(KILLS * 1000))
        written = self.folder / "served.jsonl"
        server = Server(self.state, (f"output.file={written}",)).start()
        answered = {}  # id → the first flag, or the verdict in its place

        def send(part):
            """Asks until there is an answer, as a client does; the connection may break at any place."""
            while True:
                try:
                    flags = server.flags(body_of(part))
                    return [json.loads(flag) for flag in flags.splitlines()]
                except (OSError, http.client.HTTPException, AssertionError):
                    wait_until(lambda: server.process.poll() is None and server.get("/readyz")[0] == 200, "a restart")

        parts = [lines[at:at + AT_ONCE] for at in range(0, len(lines), AT_ONCE)]
        chosen = random.Random(SEED)
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            sent = [pool.submit(send, part) for part in parts]
            for kill in range(KILLS):
                enough = (kill + 1) * len(parts) // (KILLS + 1) + chosen.randrange(5)
                wait_until(lambda: sum(one.done() for one in sent) >= enough, "answers")
                server.kill()
                server.start()
            for one in sent:
                for flag in one.result():
                    answered[flag["id"]] = flag
        self.assertEqual(server.stop(), 0)
        self.assertEqual(len(answered), len(lines))
        self.check(lines, answered)
        self.check_file(written.read_bytes().splitlines(), answered)

    def check_file(self, written, answered):
        """It has the flag of each decision, as the answers have it."""
        records = [json.loads(line) for line in written]
        self.assertEqual([flag["seq"] for flag in records], list(range(1, len(records) + 1)))
        decided = [flag["id"] for flag in records if flag["status"] != "unchanged"]
        self.assertEqual(sorted(decided), sorted(answered))
        for flag in answered.values():
            self.assertEqual(flag, records[flag["seq"] - 1])

    def check(self, lines, answered):
        """Decided in the order of their seqs, the documents have these flags, and none was decided twice."""
        verdicts = {name: flag.get("verdict", flag) for name, flag in answered.items()}
        seqs = [verdict["seq"] for verdict in verdicts.values()]
        self.assertEqual(len(set(seqs)), len(seqs))
        by_seq = sorted(lines, key=lambda line: verdicts[json.loads(line)["id"]]["seq"])
        file = self.folder / "again.jsonl"
        file.write_bytes(body_of(by_seq))
        repeated = 0
        for wanted in map(json.loads, neardup.scan_or_fail([file], self.output).splitlines()):
            flag, verdict = answered[wanted["id"]], verdicts[wanted["id"]]
            self.assertEqual(verdict.get("duplicate_of"), wanted.get("duplicate_of"), flag)
            self.assertEqual(verdict.get("similarity"), wanted.get("similarity"), flag)
            if "verdict" in flag:
                repeated += 1
                self.assertEqual(verdict["kept"], "duplicate_of" not in wanted)
            else:
                self.assertEqual(flag["status"], wanted["status"])
        print(f"{KILLS} kills, {len(lines)} documents, {repeated} of them asked about again")


if __name__ == "__main__":
    unittest.main()
