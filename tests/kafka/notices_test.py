"""What a service does not understand of its topics: counted in a metric, said once, and frames of a schema registry skipped."""

import json
import unittest

import needs

needs.broker()
import exposition  # noqa: E402
from client import Record  # noqa: E402
from service_case import ServiceCase  # noqa: E402

TEXT = "one two three four five six seven eight"
FRAME = b"\0\0\0\0\7"


def document(name, **more):
    return json.dumps({"id": name, "text": TEXT, **more}).encode()


class Notices(ServiceCase):
    def served(self, records, **keys):
        """A service that has flagged the records, and its notices that are not 0."""
        topic = self.topic()
        self.client.produce(topic, records)
        made = self.make([topic], **keys).start().wait_ready()
        made.wait_flags(self.client, len(records))
        found = exposition.parse(made.get("/metrics")[1].decode())["neardup_notices_total"]
        counts = {dict(labels)["kind"]: value for (_, labels), value in found.samples.items()}
        return made, {kind: count for kind, count in counts.items() if count}

    def warnings(self, made):
        lines = [json.loads(line) for line in made.log_text().splitlines() if line.startswith("{")]
        return [line["kind"] for line in lines if line["event"] == "not understood"]

    def flags(self, made):
        return [json.loads(message.value) for message in self.outputs(made)]

    def test_records_are_counted_and_said_once(self):
        bad = [document("text", ts="1711843200"), document("another", ts="soon"), FRAME + document("framed"),
               b'[%s]' % document("listed"), document("wide").decode().encode("utf-16"),
               b'{"id":"half","text":"%s \\ud83d"}' % TEXT.encode()]
        made, counts = self.served([Record(value, None) for value in [document("good"), *bad]], retention__max_age="1h")
        self.assertEqual(counts, {"unread_time": 2, "schema_frame": 1, "json_array": 1, "utf16": 1, "half_surrogate": 1})
        self.assertEqual(sorted(self.warnings(made)), sorted(counts))
        said = b" ".join(message.header("neardup-detail") for message in self.dead_letters(made)).decode()
        for word in ("input.frame", "jq -c '.[]'", "iconv -f UTF-16 -t UTF-8"):
            self.assertIn(word, said)

    def test_frames_are_skipped_where_that_is_set(self):
        made, counts = self.served([Record(FRAME + document("framed"), None), Record(None, b"deleted"),
                                    Record(document("bare"), None)], input__frame="confluent")
        self.assertEqual([(flag["id"], flag["status"]) for flag in self.flags(made)],
                         [("framed", "unique"), ("deleted", "deleted"), ("bare", "rejected")])
        self.assertEqual(counts, {"schema_frame": 1})
        letter, = self.dead_letters(made)
        self.assertIn(b"input.frame", letter.header("neardup-detail"))
        self.assertEqual(letter.value, document("bare"))


if __name__ == "__main__":
    unittest.main()
