"""What goes through a real broker and comes back: flags, passed-on messages, dead letters (docs/formats/kafka.md)."""

import hashlib
import json
import random
import sys
import unittest

import needs

needs.broker()
import documents  # noqa: E402
import exactly_once  # noqa: E402
import traces  # noqa: E402
from client import Record  # noqa: E402
from schemas import FLAG, INPUT  # noqa: E402
from service_case import ServiceCase  # noqa: E402

PASSED = {"unique", "too_short", "empty", "deleted"}
OWN = {"neardup-status", "neardup-seq", "neardup-rule", "neardup-duplicate-of", "neardup-duplicate-of-seq",
       "neardup-similarity", "neardup-flag"}
OF_DEAD = {"neardup-reason", "neardup-detail", "neardup-topic", "neardup-partition", "neardup-offset", "neardup-seq",
           "neardup-size", "neardup-sha256", "neardup-headers-dropped", "neardup-key-dropped"}
HEADERS = [("trace", b"1"), ("trace", None), ("bin", b"\xff\x00"), ("neardup-flag", b"old"), ("", b"nameless"),
           ("neardup-reason", b"old"), ("neardup-seq", b"0")]
TEXT = " ".join(f"token{i}" for i in range(60))


def document(name, text, **more):
    return json.dumps({"id": name, "text": text, **more}).encode()


def mixed(count, seed, partitions=1):
    """Documents of the corpus in all forms that a message can have, with headers and times."""
    rng = random.Random(seed)
    for number, record in enumerate(documents.records(count, seed, keys=True)):
        yield in_some_way(record, rng)._replace(
            headers=rng.sample(HEADERS, rng.randrange(len(HEADERS))) + (own_headers(record) or []) +
            traces.brought(number),
            timestamp=1_600_000_000_000 + rng.randrange(10 ** 9), partition=number % partitions)


def in_some_way(record, rng):
    fields = as_object(record.value)
    if record.key is None or fields is None:
        return record._replace(key=rng.choice([None, b"some key"]))
    if fields.get("delete") is True and rng.random() < 0.7:
        return Record(None, record.key)
    if rng.random() < 0.3 and record.value.count(b'"id"') == 1:
        return Record(json.dumps({key: value for key, value in fields.items() if key != "id"}).encode(), record.key)
    return record._replace(key=rng.choice([None, record.key, b"some key"]))


def own_headers(record):
    fields = as_object(record.value)
    name_space = fields.get("namespace") if fields else None
    return [("neardup-namespace", name_space.encode())] if isinstance(name_space, str) else None


def as_object(value):
    try:
        fields = json.loads(value)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def as_scan_reads_it(message):
    """The equivalent JSON record for scan, which has no keys and headers."""
    name_space = (message.header("neardup-namespace") or b"").decode()
    fields = as_object(message.value) if message.value is not None else None
    if message.value is None:
        fields = {"id": message.key.decode(), "delete": True, "namespace": name_space}
    elif fields is None or "id" in fields or message.key is None:
        return message
    return message._replace(value=json.dumps({"id": message.key.decode(), **fields}).encode())


def as_raw(message):
    """As as_scan_reads_it, of messages whose value is the text."""
    fields = {"id": message.key.decode(), "namespace": (message.header("neardup-namespace") or b"").decode()}
    fields.update({"delete": True} if message.value is None else {"text": message.value.decode()})
    return message._replace(value=json.dumps(fields).encode())


def status_headers(flag):
    """The headers of a flag in mode annotate; flag: the record as text."""
    fields = json.loads(flag, parse_float=str, parse_int=str)
    names = ["status", "seq", "rule", "duplicate_of", "duplicate_of_seq", "similarity"]
    return [(f"neardup-{name.replace('_', '-')}", fields[name].encode()) for name in names if name in fields] + [
        ("neardup-flag", flag)]


def without(headers, names):
    return [header for header in headers if header[0] not in names]


def essence(message):
    return message.key, message.value, message.headers, message.timestamp


def annotated(message, flag):
    return message.key, message.value, without(message.headers, OWN) + status_headers(flag), message.timestamp


def filtered(message, flag):
    """The message that mode filter passes on for `message`, or None."""
    fields = json.loads(flag)
    if fields["status"] not in PASSED:
        return None
    key, value, headers = message.key, message.value, list(message.headers)
    if fields["status"] == "deleted":
        value = None
        key = fields["id"].encode() if key is None else key
        said = (message.header("neardup-namespace") or b"").decode()
        if said != fields.get("namespace", ""):
            headers.append(("neardup-namespace", fields.get("namespace", "").encode()))
    return key, value, headers, message.timestamp


def dead(message, flag):
    fields = json.loads(flag)
    return message.key, message.value, sorted(without(message.headers, OF_DEAD), key=str) + [
        ("neardup-detail", fields["detail"].encode()), ("neardup-offset", b"%d" % message.offset),
        ("neardup-partition", b"%d" % message.partition), ("neardup-reason", fields["reason"].encode()),
        ("neardup-seq", b"%d" % fields["seq"]), ("neardup-topic", message.topic.encode())], message.timestamp


def dead_essence(message):
    """With our headers sorted: their order is not promised."""
    key, value, headers, timestamp = essence(message)
    ours = sorted(header for header in headers if header[0] in OF_DEAD)
    return key, value, sorted(without(headers, OF_DEAD), key=str) + ours, timestamp


class Records(ServiceCase):
    def flag_all(self, made, count):
        """Runs it until so many messages have been answered; one answer each only in the modes that give one."""
        made.start()
        made.wait_caught_up(self.cluster)
        self.assertEqual(made.stop(), 0, made.log_text()[-3000:])
        outputs = self.outputs(made)
        if count is not None:
            self.assertEqual(len(outputs), count, made.log_text()[-3000:])
        return outputs

    def flags_of(self, inputs, said, **more):
        """place → flag as text, from a service in mode flags that scan agrees with; said: input → what scan reads."""
        topics = sorted({message.topic for message in inputs})
        made = self.make(topics, "flags", **more)
        outputs = self.flag_all(made, len(inputs))
        sets = [f"{key}={value}" for key, value in made.keys.items() if key.startswith("text.")]
        found = exactly_once.problems([said(message) for message in inputs], outputs, made.folder, sets)
        self.assertEqual(found, [])
        for message in outputs:
            self.assertEqual([error.message for error in FLAG.iter_errors(json.loads(message.value))], [])
        flagged = [(place_of(message.value), message) for message in outputs]
        self.assertEqual(list(traces.problems({message.place: message for message in inputs}, flagged)), [])
        self.in_order(outputs)
        self.dead_letters_are(made, inputs, {place_of(m.value): m.value for m in outputs})
        return {place_of(message.value): message.value for message in outputs}

    def in_order(self, outputs):
        by_partition = {}
        for message in outputs:
            by_partition.setdefault(message.partition, []).append(json.loads(message.value)["seq"])
        for seqs in by_partition.values():
            self.assertEqual(seqs, sorted(seqs))

    def dead_letters_are(self, made, inputs, flags):
        wanted = [dead(message, flags[message.place]) for message in inputs
                  if json.loads(flags[message.place])["status"] == "rejected"]
        self.assertEqual(sorted(map(dead_essence, self.dead_letters(made)), key=str), sorted(wanted, key=str))

    def produce(self, topic, records):
        self.client.produce(topic, records)
        return self.client.read_committed_all(topic)

    def test_flags_of_two_topics_are_those_of_scan_and_fit_their_schema(self):
        inputs = []
        for number in (1, 2):
            topic = self.topic(f"docs-{number}", partitions=2)
            inputs += self.produce(topic, mixed(400, seed=number, partitions=2))
        self.cluster.create_topic(f"{self.name}.flags.out", 3)
        flags = self.flags_of(inputs, as_scan_reads_it)
        self.assertEqual({json.loads(flag)["status"] for flag in flags.values()},
                         {"unique", "exact_duplicate", "near_duplicate", "unchanged", "too_short", "empty", "deleted",
                          "rejected"}, "the corpus must show everything")
        for message in inputs:
            read = as_object(as_scan_reads_it(message).value)
            if json.loads(flags[message.place])["status"] != "rejected":
                self.assertTrue(INPUT.is_valid(read), read)

    def test_annotate_and_filter_pass_on_what_came(self):
        inputs = self.produce(self.topic(), mixed(300, seed=3))
        self.modes_follow_flags(inputs, self.flags_of(inputs, as_scan_reads_it))

    def test_raw_texts_in_every_mode(self):
        rng = random.Random(4)
        records = []
        for number in range(200):
            text = None if rng.random() < 0.1 else b"%s %d" % (TEXT.encode(), rng.randrange(90))
            name_space = [("neardup-namespace", rng.choice([b"news", b"", None]))] if rng.random() < 0.5 else []
            records.append(Record(text, b"doc-%d" % rng.randrange(120), rng.sample(HEADERS, 2) + name_space,
                                  1_500_000_000_000 + number))
        inputs = self.produce(self.topic(), records)
        raw = {"input__format": "raw"}
        self.modes_follow_flags(inputs, self.flags_of(inputs, as_raw, **raw), **raw)

    def modes_follow_flags(self, inputs, flags, **more):
        """One partition: each service takes the same messages in the same order, and gives them the same flags."""
        topic = inputs[0].topic
        made = self.make([topic], "annotate", output__mode="annotate", **more)
        found = [essence(message) for message in self.flag_all(made, len(inputs))]
        self.assertEqual(found, [annotated(message, flags[message.place]) for message in inputs])
        self.dead_letters_are(made, inputs, flags)
        made = self.make([topic], "filter", output__mode="filter", **more)
        wanted = [filtered(message, flags[message.place]) for message in inputs]
        found = [essence(message) for message in self.flag_all(made, None)]
        self.assertEqual(found, [one for one in wanted if one is not None])
        self.dead_letters_are(made, inputs, flags)

    def flags_in_order(self, records, **more):
        """The flag of each record, as an object."""
        inputs = self.produce(self.topic(), records)
        made = self.make([inputs[0].topic], **more)
        return [json.loads(message.value) for message in self.flag_all(made, len(inputs))]

    def test_a_version_replaces_the_one_before_and_a_tombstone_ends_it(self):
        flags = self.flags_in_order([document("a", TEXT), document("a", TEXT + " more"), document("a", TEXT + " more"),
                                     Record(None, b"a"), Record(None, b"a"), document("b", TEXT)])
        self.assertEqual([flag["status"] for flag in flags],
                         ["unique", "unique", "unchanged", "deleted", "deleted", "unique"])
        self.assertEqual([flag.get("known") for flag in flags], [None, None, None, None, False, None])
        self.assertEqual(flags[1]["previous"]["seq"], 1)

    def test_a_tombstone_reaches_the_namespace_of_its_header_only(self):
        tombstone = Record(None, b"a", [("neardup-namespace", b"wrong"), ("neardup-namespace", b"news")])
        flags = self.flags_in_order([document("a", TEXT), document("a", TEXT, namespace="news"), tombstone,
                                     document("b", TEXT), document("b", TEXT, namespace="news")])
        self.assertEqual([(flag["status"], flag.get("namespace")) for flag in flags],
                         [("unique", None), ("unique", "news"), ("deleted", "news"), ("exact_duplicate", None),
                          ("unique", "news")])

    def test_lengths_of_texts_are_passed_on(self):
        fields = {"output__fields": ["url", "text_bytes"]}
        flags = self.flags_in_order([document("a", TEXT, url="https://example.org/a")], **fields)
        self.assertEqual(list(flags[0])[:4], ["id", "url", "text_bytes", "seq"])
        self.assertEqual(flags[0]["text_bytes"], len(TEXT.encode()))

    def test_urls_are_passed_on_in_flags_and_annotations(self):
        documents_with_urls = [document("a", TEXT, url="https://example.org/a"), document("b", "other " + TEXT * 2)]
        flags = self.flags_in_order(documents_with_urls, output__fields=["url"])
        self.assertEqual([flag.get("url") for flag in flags], ["https://example.org/a", None])
        self.assertEqual(list(flags[0])[:3], ["id", "url", "seq"])
        inputs = self.produce(self.topic("annotated"), documents_with_urls)
        made = self.make([inputs[0].topic], "annotate", output__mode="annotate", output__fields=["url"])
        annotations = [json.loads(message.header("neardup-flag")) for message in self.flag_all(made, 2)]
        self.assertEqual([flag.get("url") for flag in annotations], ["https://example.org/a", None])

    def test_bad_keys_and_values_are_rejected_with_their_reason(self):
        bad = {"missing_id": Record(None), "invalid_id": Record(None, b"\xff"), "invalid_json": Record(b"", b"a"),
               "missing_text": Record(b"{}", b"a"), "invalid_text": Record(b'{"text":1}', b"a")}
        flags = self.flags_in_order([*bad.values(), Record(document("x", TEXT), b"k" * 2000),
                                     Record(b'{"text":"t"}', b"k" * 1025), Record(b'{"text":"t"}', b"")])
        self.assertEqual([flag.get("reason") for flag in flags], [*bad, None, "invalid_id", "invalid_id"])
        for flag in flags:
            self.assertTrue(FLAG.is_valid(flag), flag)

    def test_bad_raw_messages_are_rejected_with_their_reason(self):
        records = [Record(b"text"), Record(b"text", b"\xff"), Record(b"caf\xe9", b"a"), Record(b"", b"b"),
                   Record(b"text", b"c", [("neardup-namespace", b"\xff")]), Record(b"x" * 200, b"d")]
        flags = self.flags_in_order(records, input__format="raw", text__invalid_utf8="reject", text__max_bytes=100)
        self.assertEqual([flag.get("reason", flag["status"]) for flag in flags],
                         ["missing_id", "invalid_id", "invalid_utf8", "empty", "invalid_id", "text_too_large"])

    def test_a_dead_letter_that_is_too_large_goes_by_reference(self):
        large = b'{"id":' + b"x" * 300_000
        larger = b'{"id":' + b"x" * 600_000
        inputs = self.produce(self.topic(), [Record(large, b"k" * 200_000, HEADERS), Record(larger, b"key", HEADERS),
                                             Record(large, b"key", [("h", b"h" * 300_000)])])
        self.topic("service.dead", max_message_bytes=200_000)
        made = self.make([inputs[0].topic], input__max_record_bytes=500_000,
                         kafka__librdkafka={"batch.size": "100000"})
        self.flag_all(made, 3)
        found = self.dead_letters(made)
        self.assertEqual([message.value for message in found], [None] * 3)
        self.assertEqual([message.key for message in found], [None, b"key", b"key"])
        self.assertEqual([message.header("neardup-size") for message in found], [b"300006", b"600006", b"300006"])
        self.assertEqual([message.header("neardup-sha256") for message in found],
                         [hashlib.sha256(value).hexdigest().encode() for value in (large, larger, large)])
        self.assertEqual([message.header("neardup-reason") for message in found],
                         [b"invalid_json", b"record_too_large", b"invalid_json"])
        self.assertEqual(found[0].header("neardup-key-dropped"), b"200000")
        self.assertEqual(found[2].header("neardup-headers-dropped"), b"1")
        self.assertEqual(without(found[1].headers, OF_DEAD), without(HEADERS, OF_DEAD))

    def test_what_the_output_topic_cannot_take_becomes_a_dead_letter(self):
        value = document("a", TEXT, more="x" * 300_000)
        inputs = self.produce(self.topic(), [value, document("b", "other " + TEXT)])
        self.topic("service.out", max_message_bytes=200_000)
        made = self.make([inputs[0].topic], output__mode="annotate", kafka__librdkafka={"batch.size": "100000"})
        outputs = self.flag_all(made, 1)
        self.assertEqual(outputs[0].header("neardup-seq"), b"2")
        letter, = self.dead_letters(made)
        self.assertEqual((letter.header("neardup-reason"), letter.header("neardup-offset")),
                         (b"too_large_to_pass_on", b"0"))
        self.assertIn(b"max.message.bytes", letter.header("neardup-detail"))

    def test_a_batch_of_messages_without_answers_moves_the_position(self):
        records = [document(f"doc-{number}", TEXT) for number in range(120)]
        inputs = self.produce(self.topic(), records)
        made = self.make([inputs[0].topic], output__mode="filter")
        self.flag_all(made, 1)
        committed = self.cluster.committed(made.keys["kafka.group_id"])
        self.assertEqual(committed[inputs[0].topic, 0].offset, 120)


def place_of(flag):
    source = json.loads(flag)["source"]
    return source["topic"], source["partition"], source["offset"]


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main()
