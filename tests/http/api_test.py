"""What is asked about the state of a service, and the OpenAPI document of all requests."""

import contextlib
import gzip
import json
import random
import subprocess
import unittest
import urllib.parse

from server import Server, body_of

import neardup
from corpus import Corpus
from folder import FolderTest

SEED = 20261124
COUNT = 600


class Api(FolderTest):
    def request(self, server, method, path, body=None, token=True, **headers):
        """Status, JSON (or text), header fields."""
        fields = {key.replace("_", "-"): value for key, value in headers.items()}
        if token:
            fields["Authorization"] = f"Bearer {server.token}"
        with contextlib.closing(server.connect()) as connection:
            connection.request(method, path, body, fields)
            reply = connection.getresponse()
            content = reply.read()
            kind = reply.headers.get("Content-Type", "")
            if "json" in kind and "ndjson" not in kind:
                content = json.loads(content)
            return reply.status, content, dict(reply.getheaders())

    def get(self, server, path, status=200):
        found, content, _ = self.request(server, "GET", path, token=False)
        self.assertEqual(found, status, content)
        return content

    def filled(self, server, sets=()):
        """The last flag of each id; nothing for a deleted one."""
        current = {}
        for flag in map(json.loads, server.flags(body_of(Corpus(SEED).lines(COUNT))).splitlines()):
            key = flag.get("namespace", ""), flag["id"]
            if flag["status"] == "deleted":
                current[key] = None
            elif flag["status"] not in ("rejected", "unchanged"):
                current[key] = flag
        return current

    @staticmethod
    def path_of(key):
        name_space, name = key
        query = "?" + urllib.parse.urlencode({"namespace": name_space}) if name_space else ""
        return f"/v1/documents/{urllib.parse.quote(name, safe='')}{query}"

    def test_the_page_is_where_the_service_says(self):
        with Server(self.state) as server:
            self.assertEqual(server.process.stdout.readline(), f"Page: http://{server.address}/\n")
            self.assertIn(b'<script type="module"', server.get("/")[1])

    def test_a_document_by_its_id(self):
        with Server(self.state) as server:
            current = self.filled(server)
            self.assertGreater(sum(flag is None for flag in current.values()), 3)
            for key, flag in current.items():
                if flag is None:
                    self.assertEqual(self.get(server, self.path_of(key), 404)["reason"], "unknown_id")
                    continue
                found = self.get(server, self.path_of(key))
                self.assertEqual((found.get("namespace", ""), found["id"], found["seq"]), (*key, flag["seq"]))
                self.assertEqual(found["kept"], "duplicate_of" not in flag)
                if not found["kept"]:
                    self.assertEqual(found["duplicate_of_seq"], flag["duplicate_of_seq"])
                    self.assertEqual(found["similarity"], flag["similarity"])
            self.get(server, "/v1/documents/x?name=y", 400)
            self.get(server, "/v1/documents/%zz", 404)

    def test_pages_of_documents_do_not_shift(self):
        with Server(self.state) as server:
            current = self.filled(server)
            wanted = sorted((flag["seq"], *key) for key, flag in current.items()
                            if flag is not None and "duplicate_of" not in flag and flag["status"] != "empty")
            found, after, pages = [], 0, 0
            while after is not None:
                page = self.get(server, f"/v1/documents?after={after}&limit=37")
                found += [(row["seq"], row.get("namespace", ""), row["id"]) for row in page["documents"]]
                after, pages = page.get("next"), pages + 1
                self.assertEqual(page["as_of_seq"], COUNT + pages - 1)
                server.flags(json.dumps({"id": "a later one", "text": f"{pages} " * 9}).encode())
            self.assertEqual([row for row in found if row[0] <= COUNT], wanted)
            self.assertGreater(pages, 5)

    def copies(self, server, key):
        """The copies of an id: by pages of three."""
        found, after = [], 0
        while after is not None:
            join = "&" if key[0] else "?"
            path = self.path_of(key).replace("?", "/copies?") if key[0] else self.path_of(key) + "/copies"
            page = self.get(server, f"{path}{join}after={after}&limit=3")
            self.assertEqual((page.get("namespace", ""), page["id"]), key)
            found += [(row["seq"], row.get("namespace", ""), row["id"], row["similarity"]) for row in page["copies"]]
            after = page.get("next")
        return found

    def test_the_copies_of_a_document_and_the_largest_groups(self):
        for sets in ((), ("against=all",)):
            with self.subTest(sets), Server(self.state.with_name(f"state{len(sets)}"), sets) as server:
                current = {key: flag for key, flag in self.filled(server).items() if flag is not None}
                groups = {flag["seq"]: [] for flag in current.values()}
                for (space, name), flag in sorted(current.items(), key=lambda item: item[1]["seq"]):
                    if flag.get("duplicate_of_seq") in groups:
                        groups[flag["duplicate_of_seq"]].append((flag["seq"], space, name, flag["similarity"]))
                for key, flag in current.items():
                    self.assertEqual(self.copies(server, key), groups[flag["seq"]], key)
                self.get(server, "/v1/documents/none/copies", 404)
                wanted = sorted(((len(copies), -seq) for seq, copies in groups.items() if copies), reverse=True)
                self.assertGreater(len(wanted), 20)
                for top in (1, 7, 1000):
                    found = self.get(server, f"/v1/groups?top={top}")["groups"]
                    self.assertEqual([(row["copies"], -row["seq"]) for row in found], wanted[:top])
                names = {flag["seq"]: key for key, flag in current.items()}
                self.assertEqual({names[row["seq"]] for row in found}, {(row.get("namespace", ""), row["group"]) for row in found})
                self.get(server, "/v1/groups?top=0", 400)

    def test_a_deleted_document_is_compared_with_no_more(self):
        with Server(self.state) as server:
            key = next(key for key, flag in self.filled(server).items() if flag and flag["status"] == "unique")
            status, answer, _ = self.request(server, "DELETE", self.path_of(key), token=False)
            self.assertEqual((status, answer["reason"]), (401, "no_token"))
            status, answer, _ = self.request(server, "DELETE", self.path_of(key))
            self.assertEqual((status, answer["deleted"], answer["documents"]), (200, 1, 1))
            for method in ("GET", "DELETE"):
                self.assertEqual(self.request(server, method, self.path_of(key))[0], 404)
            status, _, head = self.request(server, "PATCH", self.path_of(key))
            self.assertEqual((status, head["Allow"]), (405, "GET, HEAD, DELETE"))

    def test_similar_documents_are_those_of_the_command(self):
        with Server(self.state) as server:
            current = self.filled(server)
            asked = random.Random(SEED).sample([key for key, flag in current.items() if flag], 20)
            lines = "".join(json.dumps({"namespace": space, "id": name}) + "\n" for space, name in asked).encode()
            status, answers, head = self.request(server, "POST", "/v1/similar?k=4&floor=0.2", lines, token=False)
            self.assertEqual((status, head["Content-Type"]), (200, "application/x-ndjson"))
            text = "one two three four five six seven eight nine ten".encode()
            status, one, _ = self.request(server, "POST", "/v1/similar?k=4", text, Content_Type="text/plain")
            self.assertEqual((status, one.count(b"\n")), (200, 1))
            self.assertEqual(self.request(server, "POST", "/v1/similar", b"x", Content_Type="text/plain")[0], 422)
            for query in ("k=0", "floor=2", "floor=x", "engine=none", "top=3"):
                self.assertEqual(self.request(server, "POST", f"/v1/similar?{query}", lines)[0], 400, query)
        done = subprocess.run([neardup.BINARY, "similar", "--state", str(self.state), "-k", "4", "--min-similarity", "0.2",
                               "-"], input=lines, capture_output=True, timeout=60, check=True)

        def without_times(lines):
            return [{key: value for key, value in json.loads(line).items() if key != "took_ms"} for line in lines.splitlines()]
        self.assertEqual(without_times(answers), without_times(done.stdout))

    def test_only_documents_and_checks_may_be_compressed(self):
        text = gzip.compress(b'{"id":"a","text":"one two three"}')
        with Server(self.state) as server:
            for path in ("/v1/similar", "/v1/compare", "/v1/control/stats"):
                for coding in ("gzip", "zstd", "br"):
                    status, answer, _ = self.request(server, "POST", path, text, Content_Encoding=coding)
                    self.assertEqual((status, answer["reason"]), (415, "unknown_encoding"), (path, coding))
            self.assertEqual(self.request(server, "POST", "/v1/documents", text, Content_Encoding="gzip")[0], 200)
            for path, body in (("/v1/similar", b'{"id":"a"}'), ("/v1/compare", b'{"a":"a","b":"a"}')):
                self.assertEqual(self.request(server, "POST", path, body, Content_Encoding="identity")[0], 200)

    def test_documents_side_by_side(self):
        words = [f"w{i}" for i in range(60)]
        texts = {"a": " ".join(words), "b": " ".join(["new"] + words[1:]), "copy": " ".join(words)}
        with Server(self.state, ("storage.keep_texts=true",)) as server:
            server.flags(b"".join(json.dumps({"id": name, "text": text}).encode() + b"\n" for name, text in texts.items()))

            def compare(a, b, status=200):
                found, answer, _ = self.request(server, "POST", "/v1/compare", json.dumps({"a": a, "b": b}), token=False)
                self.assertEqual(found, status, answer)
                return answer
            shared, every = 55, 57  # shingles of 5 words: of 56 each, one differs
            answer = compare("copy", {"text": texts["a"].upper()})
            self.assertEqual(answer["a"], {"name": "copy", "text": False,
                                           "flagged": {"duplicate_of": "a", "duplicate_of_seq": 1, "similarity": 1.0}})
            self.assertTrue(answer["same_content"])
            answer = compare("a", {"text": texts["b"].upper().replace(" ", ", ")})
            self.assertFalse(answer["same_content"])
            marks = answer["passages"]["marks"]
            self.assertEqual(marks["a"], [[texts["a"].index("w1"), len(texts["a"])]])
            self.assertEqual(marks["b"], [[len("NEW, "), len(texts["b"]) + 59]])
            self.assertEqual([row["text"] for row in answer["passages"]["only_b"]], ["NEW,"])
            answer = compare("a", {"text": texts["b"]})
            self.assertEqual((answer["a"]["name"], answer["b"]["name"], answer["b"]["tokens"]), ("a", "b", 60))
            self.assertEqual(answer["exact"], {"similarity": shared * 1000 // every / 1000, "contained_a": shared * 1000 // 56 / 1000,
                                               "contained_b": shared * 1000 // 56 / 1000, "shared_shingles": shared,
                                               "shingles": every, "reaches_threshold": True})
            self.assertEqual([row["text"] for row in answer["passages"]["only_b"]], ["new"])
            self.assertEqual([row["tokens"] for row in answer["passages"]["shared"]], [59])
            sketch = answer["sketch"]
            self.assertEqual((sketch["values"], sketch["bands"], sketch["rows"]), (256, 16, 6))
            self.assertLessEqual(sketch["similarity_low"], shared / every)
            self.assertGreaterEqual(sketch["similarity_high"], shared / every)
            self.assertNotIn("content", answer["a"])
            body = json.dumps({"a": "a", "b": {"text": texts["b"].upper()}, "texts": True})
            answer = self.request(server, "POST", "/v1/compare", body, token=False)[1]
            self.assertEqual((answer["a"]["content"], answer["b"]["content"]), (texts["a"], texts["b"].upper()))
            same = compare({"text": texts["a"].upper()}, {"text": texts["a"] + "!"})
            self.assertEqual((same["exact"]["similarity"], same["sketch"]["equal"]), (1, 256))
            short = compare("a", {"text": "two words"})
            self.assertNotIn("passages", compare("a", {"text": ""}))
            self.assertEqual(short["exact"]["similarity"], 0)
            flagged = compare("a", "copy")
            self.assertTrue(flagged["same_content"])
            self.assertFalse({"sketch", "exact", "passages"} & flagged.keys())
            self.assertIn("no such id", compare("a", "nobody", 422)["detail"])
            for body in (b"", b"{}", b'{"a":1,"b":"a"}', b'{"a":"a","b":{}}', b'{"a":"a","b":{"text":[]}}',
                         b'{"a":"a","b":"a","texts":1}'):
                self.assertEqual(self.request(server, "POST", "/v1/compare", body, token=False)[0], 400, body)

    def test_evidence_is_that_of_the_flag_under_a_secret_seed(self):
        seed, words = "sketch.seed=00112233445566778899aabbccddeeff", [f"w{i}" for i in range(120)]
        texts = {"a": " ".join(words), "b": " ".join([*words, "and", "one"])}

        def command(*sets, status=0):
            done = subprocess.run([neardup.BINARY, "explain", "--state", self.state, *sets, "a", "b"], capture_output=True, text=True,
                                  timeout=60)
            self.assertEqual(done.returncode, status, done.stderr)
            return done.stdout + done.stderr
        with Server(self.state, (seed, "storage.keep_texts=all")) as server:
            flags = server.flags(b"".join(json.dumps({"id": name, "text": text}).encode() + b"\n" for name, text in texts.items()))
            flag = json.loads(flags.splitlines()[1])
            for side in ("b", {"text": texts["b"]}):
                answer = self.request(server, "POST", "/v1/compare", json.dumps({"a": "a", "b": side}), token=False)[1]
                self.assertEqual((answer["sketch"]["bands_hit"], answer["sketch"]["similarity"]), (flag["bands_hit"], flag["similarity"]))
                self.assertNotIn("no_sketch", answer)
            for sets in ((), ("--set", seed)):
                self.assertIn(f"buckets shared   {flag['bands_hit']} of 16", command(*sets))
            for key, value in (("threshold", "0.7"), ("sketch.size", "64")):
                self.assertIn(f"--set: `{key}` is {value}, that of the state is", command("--set", f"{key}={value}", status=78))
            self.assertIn("seed given is not that of the state", command("--set", seed.replace("0", "1"), status=78))
        self.assertIn("the seed of the state is secret", command())
        with Server(self.state.with_name("short")) as server:
            server.flags(b'{"id":"a","text":"word"}\n')
            answer = self.request(server, "POST", "/v1/compare", json.dumps({"a": "a", "b": "a"}), token=False)[1]
            self.assertEqual((answer["no_sketch"], "sketch" in answer), ("a side is too short for a sketch", False))

    def test_probes_and_metrics_may_have_a_port_of_their_own(self):
        with Server(self.state, ("http.metrics_listen=127.0.0.1:0",)) as server:
            self.assertNotEqual(server.probes(), server.address)
            for path in ("/healthz", "/readyz", "/version", "/metrics"):
                self.assertEqual(server.get(path, server.probes())[0], 200)
                self.assertEqual(server.get(path)[0], 404)
            for path in ("/v1/stats", "/v1/documents", "/openapi.json"):
                self.assertEqual(server.get(path, server.probes())[0], 404)
                self.assertEqual(server.get(path)[0], 200)
            self.assertNotIn("/metrics", self.get(server, "/openapi.json")["paths"])

    def test_only_who_knows_the_name_of_the_service_is_answered(self):
        document = json.dumps({"id": "a", "text": "one two three"}).encode()
        requests = (("GET", "/v1/stats", None), ("GET", "/openapi.json", None), ("POST", "/v1/documents", document),
                    ("POST", "/v1/check", document), ("DELETE", "/v1/documents/a", None), ("POST", "/v1/control/stats", b"{}"))
        with Server(self.state, ("http.hosts=dedup.example",)) as server:
            for name in ("evil.example", "127.0.0.1.evil.example", "evil.example:8080"):
                for method, path, body in requests:
                    status, answer, _ = self.request(server, method, path, body, Host=name)
                    self.assertEqual((status, answer["reason"]), (403, "unknown_host"), (name, path))
                self.assertEqual(self.request(server, "GET", "/healthz", Host=name)[0], 200)
            self.assertEqual(self.get(server, "/v1/stats")["documents"], 0)
            for name in ("dedup.example", "Dedup.Example:8080", "localhost", "127.0.0.1"):
                self.assertEqual(self.request(server, "POST", "/v1/documents", document, Host=name)[0], 200, name)

    def test_pages_of_listed_origins_may_ask(self):
        page = "https://ui.example.org"
        with Server(self.state, (f"http.cors_origins={page}",)) as server:
            asked = {"Origin": page, "Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "authorization"}
            status, body, head = self.request(server, "OPTIONS", "/v1/documents", token=False, **asked)
            self.assertEqual((status, body, head["Access-Control-Allow-Origin"]), (204, b"", page))
            self.assertIn("POST", head["Access-Control-Allow-Methods"].split(", "))
            self.assertIn("Authorization", head["Access-Control-Allow-Headers"].split(", "))
            status, body, head = self.request(server, "OPTIONS", "/v1/documents", token=False,
                                              **{**asked, "Origin": "https://evil.example"})
            self.assertEqual((status, body["reason"]), (403, "unknown_origin"))
            self.assertNotIn("Access-Control-Allow-Origin", head)
            for origin, listed in ((page, True), ("https://evil.example", False)):
                for token, wanted in ((True, 200), (False, 401)):
                    status, _, head = self.request(server, "POST", "/v1/documents", b'{"id":"a","text":"one two"}', token,
                                                   Origin=origin)
                    self.assertEqual(status, wanted if listed else 403)
                    self.assertEqual(head.get("Access-Control-Allow-Origin"), page if listed else None)
                    self.assertEqual(head.get("Vary"), "Origin" if listed else None)
            self.assertEqual(head.get("Access-Control-Expose-Headers"), None)
        for wrong in ("*", "ui.example.org", f"{page}/"):
            done = subprocess.run([neardup.BINARY, "serve", "--state", str(self.state), "--set", f"http.cors_origins={wrong}"],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 78)
            self.assertIn("`http.cors_origins` must be", done.stderr)

    def test_the_service_tells_of_itself(self):
        with Server(self.state, ("sketch.size=128",)) as server:
            flag = json.loads(server.flags(b'{"id":"a","text":"one two three four five six"}'))
            rule = self.get(server, "/v1/rule")
            self.assertEqual((rule["rule"], rule["rule_text"]["sketch.size"]), (flag["rule"], "128"))
            self.assertEqual(self.get(server, "/v1/stats")["documents"], 1)
            self.assertIn(b"\nsketch:\n", self.get(server, "/v1/config"))
            self.assertNotIn(server.token.encode(), self.get(server, "/v1/config"))

    def test_each_request_answers_with_a_status_that_the_openapi_names(self):
        with Server(self.state) as server:
            document = self.get(server, "/openapi.json")
            names = [operation["operationId"] for operations in document["paths"].values()
                     for operation in operations.values()]
            self.assertEqual(len(names), len(set(names)))
            self.assertEqual({"put", "post"}, set(document["paths"]["/v1/documents"]) - {"get"})
            tried = 0
            for path, operations in document["paths"].items():
                for method, operation in operations.items():
                    for body in (None, b"", b"{}", b'{"id":"a"}', b"\xff\x00", b"[1"):
                        for query in ("", "?limit=x", "?namespace=%ff", "?k=3", "?a=1&a=2"):
                            target = path.replace("{id}", "%00%c3%28") + query
                            status, answer, head = self.request(server, method.upper(), target, body)
                            tried += 1
                            self.assertIn(str(status), operation["responses"], (method, target, body, answer))
                            self.assertIn(head["Content-Type"].partition(";")[0],
                                          operation["responses"][str(status)]["content"], (method, target, body, answer))
                            if status >= 400:
                                self.assertEqual(head["Content-Type"], "application/problem+json")
                                self.assertEqual(answer["status"], status)
                            if "/v1/control/" in path:
                                self.assertNotEqual(status, 500, (target, body, answer))
                                continue  # a second checkpoint, for example, has to wait
                            self.assertLess(status, 500, (method, target, body, answer))
            self.assertGreater(tried, 300)


if __name__ == "__main__":
    unittest.main()
