"""A service that is killed at each step of a commit, and a client that asks again: each document is decided once, its
verdict is returned, and the flags file has the flag of each decision, as the answers have."""

import http.client
import json
import unittest

from crash_test import documents
from server import Server, body_of, comparable, wait_until

import neardup
from folder import FolderTest

PLACES = ("before_flags_file", "before_store", "after_store", "after_answers")
KILLS = (1, 2, 1, 1, 3)  # at the first commit, the second, twice in a row at the first of a start, and a later one
AT_ONCE = 20  # documents of a request
DOCUMENTS = 400


class Failpoints(FolderTest):
    def check(self, place):
        flags = self.folder / "served.jsonl"
        server = Server(self.state, (f"output.file={flags}",))
        lines = list(documents(DOCUMENTS))
        parts = [lines[at:at + AT_ONCE] for at in range(0, len(lines), AT_ONCE)]
        kills = list(KILLS)
        answers = []

        def start():
            server.start({"NEARDUP_FAILPOINT": f"{place}:{kills.pop(0)}"} if kills else None)

        def ask(part):
            """Asks until there is an answer, and after a kill starts the service again."""
            while True:
                try:
                    return server.flags(body_of(part)).splitlines(keepends=True)
                except (OSError, http.client.HTTPException):
                    self.assertEqual(server.wait(), -9)
                    start()

        start()
        for part in parts:
            answers.append(ask(part))
        wait_until(lambda: not kills, "all kills")
        self.assertEqual(server.stop(), 0)
        self.check_answers(lines, [flag for answer in answers for flag in answer], flags.read_bytes())

    def check_answers(self, lines, answers, written):
        records = [json.loads(line) for line in written.splitlines()]
        self.assertEqual([flag["seq"] for flag in records], list(range(1, len(records) + 1)))
        decided = [flag["id"] for flag in records if flag["status"] != "unchanged"]
        self.assertEqual(sorted(decided), sorted({json.loads(line)["id"] for line in lines}))
        by_seq = written.splitlines(keepends=True)
        for answer in answers:
            flag = json.loads(answer)
            self.assertEqual(answer, by_seq[flag["seq"] - 1])
            if "verdict" in flag:
                first = records[flag["verdict"]["seq"] - 1]
                self.assertEqual(flag["verdict"].get("duplicate_of"), first.get("duplicate_of"))
                self.assertEqual(flag["verdict"]["kept"], "duplicate_of" not in first)
        self.assertEqual([json.loads(answer)["id"] for answer in answers], [json.loads(line)["id"] for line in lines])
        self.check_against_scan(lines, records, written)

    def check_against_scan(self, lines, records, written):
        by_id = {json.loads(line)["id"]: line for line in lines}
        file = self.folder / "again.jsonl"
        file.write_bytes(body_of([by_id[flag["id"]] for flag in records]))
        wanted = neardup.without_source(neardup.scan_or_fail([file], self.output))
        self.assertIsNone(neardup.first_difference(wanted, comparable(written)))


for place in PLACES:
    setattr(Failpoints, f"test_{place}", lambda self, place=place: self.check(place))

if __name__ == "__main__":
    unittest.main()
