"""What a service does not understand of its requests: the answer, the metric and one line of log."""

import gzip
import json
import re
import subprocess
import unittest

from server import Server

import neardup
from folder import FolderTest

TEXT = "one two three four five six seven eight"
GOOD = b'{"id":"good","text":"%s","ts":1711843200}\n' % TEXT.encode()


class Notices(FolderTest):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server(self.state, ("retention.max_age=1h",)))

    def counted(self):
        text = self.server.get("/metrics")[1].decode()
        found = re.findall(r'^neardup_notices_total\{kind="(\w+)"\} (\d+)$', text, re.MULTILINE)
        self.assertEqual(len(found), 7)
        return {kind: int(count) for kind, count in found if count != "0"}

    def warnings(self):
        lines = [json.loads(line) for line in self.server.log_text().splitlines()]
        return [line["kind"] for line in lines if line["event"] == "not understood"]

    def flag(self, body, **headers):
        flags = self.server.flags(body, **headers).splitlines()
        return json.loads(flags[-1])

    def test_records_are_counted_and_said_once(self):
        late = b'{"id":"%d","text":"x","timestamp":"2024-01-01T00:00:00Z"}\n'
        self.server.flags(b"".join(late % i for i in range(3)) + GOOD)
        self.server.flags(late % 4)
        self.flag(b'{"id":"bytes","ts":1,"text":"\xf0\x9f"}\n{"id":"half","ts":1,"text":"\\ud83d"}\n')
        self.assertEqual(self.counted(), {"unread_time": 4, "replaced_bytes": 1, "half_surrogate": 1})
        self.assertEqual(sorted(self.warnings()), ["half_surrogate", "replaced_bytes", "unread_time"])

    def test_those_of_checks_and_queries_add_up(self):
        broken = b'{"id":"bytes","ts":1,"text":"%s \xf0\x9f"}\n' % TEXT.encode()
        for times, path in enumerate(("/v1/documents", "/v1/check", "/v1/similar"), 1):
            status, answer, _ = self.server.send(broken + GOOD, path=path)
            self.assertEqual(status, 200, answer)
            self.assertEqual(self.counted(), {"replaced_bytes": times})
        self.server.send(b'{"id":"late","text":"%s"}\n' % TEXT.encode(), path="/v1/similar")
        self.assertEqual(self.counted(), {"replaced_bytes": 3})
        self.server.flags(broken)
        self.assertEqual(self.counted(), {"replaced_bytes": 4})
        self.assertEqual(self.warnings(), ["replaced_bytes"])

    def test_the_command_says_what_a_service_cannot_see(self):
        self.server.flags(GOOD)
        broken = b'{"id":"q","text":"%s \xf0\x9f"}\n' % TEXT.encode()
        for queries, count in ((broken * 2 + GOOD, 2), (GOOD, 0)):
            done = subprocess.run([neardup.BINARY, "similar", "--state", self.state, "-"], input=queries,
                                  capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count(b"\n"), queries.count(b"\n"))
            said = done.stderr.decode()
            self.assertEqual(f"{count}  record" in said and "UTF-8" in said, count > 0, said)

    def test_an_array_has_the_hint_of_scan(self):
        for kind, body in (("application/json", b'[{"id":"a","text":"b"},{"id":"c","text":"d"}]'),
                           ("application/x-ndjson", b"[\n")):
            flag = self.flag(body, Content_Type=kind)
            self.assertEqual(flag["reason"], "invalid_json")
            self.assertIn("jq -c '.[]'", flag["detail"])
        self.assertEqual(self.counted(), {"json_array": 2})

    def test_utf16_and_frames_are_named(self):
        self.assertIn("iconv", self.flag(GOOD.strip().decode().encode("utf-16"))["detail"])
        self.assertIn("schema 7", self.flag(b"\0\0\0\0\7" + GOOD)["detail"])
        self.assertEqual(self.counted().keys(), {"utf16", "schema_frame"})

    def test_other_charsets_are_refused_on_every_route(self):
        refused = 0
        for charset in ("iso-8859-1", '"UTF-16"', "windows-1252"):
            for path in ("/v1/documents", "/v1/check", "/v1/similar", "/v1/compare", "/v1/control/stats"):
                status, answer, _ = self.server.send(GOOD, path=path, Content_Type=f"text/plain; charset={charset}")
                self.assertEqual((status, json.loads(answer)["reason"]), (415, "unknown_charset"), (path, charset))
                refused += 1
        self.assertEqual(self.counted(), {"charset": refused})
        self.assertEqual(self.warnings(), ["charset"])

    def test_utf8_is_taken_in_any_case(self):
        for charset in ("utf-8", '"UTF-8"', "Utf-8"):
            self.server.flags(GOOD, Content_Type=f"application/x-ndjson; Charset={charset}")
        self.assertEqual(self.counted(), {})

    def test_a_compressed_body_is_whole(self):
        packed = gzip.compress(GOOD)
        self.server.flags(packed + bytes(512), Content_Encoding="gzip")
        for body in (b"", packed + bytes(512) + b"x"):
            status, answer, _ = self.server.send(body, Content_Encoding="gzip")
            self.assertEqual((status, json.loads(answer)["reason"]), (400, "damaged_body"))


if __name__ == "__main__":
    unittest.main()
