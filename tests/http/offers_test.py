"""Every value that the OpenAPI document and the help of commands offer is answered."""

import contextlib
import json
import re
import subprocess
import unittest

from server import Server, body_of

import neardup
from folder import FolderTest

TEXT = "one two three four five six seven eight"
LINES = [json.dumps({"id": name, "text": f"{TEXT} {name}"}).encode() for name in ("a", "b", "c")]
INDEXES = {"without an index": (), "with match": ("similar.index=on",), "with ewh": ("similar.index=on", "similar.engine=ewh")}


class Offers(FolderTest):
    def ask(self, server, method, path, body=None):
        with contextlib.closing(server.connect()) as connection:
            connection.request(method, path, body)
            reply = connection.getresponse()
            return reply.status, reply.read()

    @staticmethod
    def words(document):
        """(method, path, name of a parameter, its words)"""
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                for parameter in operation.get("parameters", ()):
                    if words := parameter["schema"].get("enum"):
                        yield method.upper(), path, parameter["name"], words

    def test_every_word_of_openapi_is_answered_and_no_other(self):
        seen = set()
        for name, sets in INDEXES.items():
            with Server(self.folder / name.replace(" ", "-"), ("storage.memory=64MiB", *sets)) as server:
                server.flags(body_of(LINES))
                for method, path, parameter, words in self.words(json.loads(server.get("/openapi.json")[1])):
                    for word in words:
                        with self.subTest(path, **{parameter: word}, service=name):
                            status, answer = self.ask(server, method, f"{path}?{parameter}={word}", json.dumps({"text": TEXT}))
                            self.assertEqual(status, 200, answer)
                            self.assertIn(b'"id":"a"', answer)
                            seen.add((parameter, word))
                    status, answer = self.ask(server, method, f"{path}?{parameter}=nonsense", json.dumps({"text": TEXT}))
                    self.assertEqual(status, 400, answer)
        self.assertEqual(seen, {("engine", word) for word in ("auto", "scan", "match", "ewh", "lsh")})

    def test_an_engine_without_its_index_is_refused_with_the_setting(self):
        with Server(self.state) as server:
            status, answer = self.ask(server, "POST", "/v1/similar?engine=match", json.dumps({"text": TEXT}))
            self.assertEqual(status, 400)
            self.assertIn("similar.index", json.loads(answer)["detail"])

    def test_lsh_over_http_gives_the_hits_of_the_command(self):
        queries = b"".join(json.dumps({"text": f"{TEXT} {name}"}).encode() + b"\n" for name in "abcabcabcabcabcabcabcabc")
        with Server(self.state) as server:
            server.flags(body_of(LINES))
            status, answer = self.ask(server, "POST", "/v1/similar?engine=lsh&floor=0", queries)
            self.assertEqual(status, 200, answer)
            texts = self.ask(server, "POST", "/v1/similar?engine=lsh&floor=0&k=1", b'{"id":"a"}')
            self.assertEqual(texts[0], 200, texts)
        done = subprocess.run([neardup.BINARY, "similar", "--state", str(self.state), "--engine", "lsh", "--min-similarity", "0", "-"],
                              input=queries, capture_output=True, timeout=60, check=True)
        without_times = [re.sub(rb',"took_ms":[0-9.e+-]*', b"", given) for given in (answer, done.stdout)]
        self.assertEqual(without_times[0], without_times[1])
        self.assertEqual(answer.count(b"\n"), 24)

    def test_every_word_of_the_help_is_answered(self):
        help_text = subprocess.run([neardup.BINARY, "similar", "--help"], capture_output=True, text=True, check=True).stdout
        words = re.search(r"--engine \S+\s+((?:\w+, )+\w+ or \w+);", help_text)[1].replace(" or ", ", ").split(", ")
        self.assertEqual(len(words), 5)
        (self.folder / "in.jsonl").write_bytes(body_of(LINES))
        neardup.scan_or_fail([self.folder / "in.jsonl"], self.output, self.state)
        for word in words:
            with self.subTest(engine=word):
                done = subprocess.run([neardup.BINARY, "similar", "--state", str(self.state), "--engine", word, "-"],
                                      input=LINES[0], capture_output=True, timeout=60, check=True)
                self.assertIn(b'"id":"a"', done.stdout)
        for shell in ("bash", "zsh", "fish"):
            done = subprocess.run([neardup.BINARY, "completions", shell], capture_output=True, timeout=60, check=True)
            self.assertIn(b"neardup", done.stdout)

    def test_only_takes_every_status(self):
        with Server(self.state) as server:
            offered = self.ask(server, "GET", "/v1/flags?only=nonsense")
            statuses = [word for word in re.findall(r"[a-z_]+", json.loads(offered[1])["detail"]) if word in STATUSES]
            self.assertEqual(set(statuses), STATUSES, offered)
            for status in statuses:
                for method, path, body in (("GET", "/v1/flags", None), ("POST", "/v1/check", LINES[0])):
                    with self.subTest(path, only=status):
                        given, answer = self.ask(server, method, f"{path}?only={status}", body)
                        self.assertEqual(given, 200, answer)


STATUSES = {"rejected", "deleted", "unchanged", "empty", "exact_duplicate", "too_short", "near_duplicate", "unique"}

if __name__ == "__main__":
    unittest.main()
