"""`serve` answers bad messages as `scan` answers bad records; also faults that only messages can have."""

import pathlib
import sys

import needs

needs.broker()
import batches  # noqa: E402
import documents  # noqa: E402
import trial  # noqa: E402
from client import Record  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import bad_records_test  # noqa: E402

MiB = 1 << 20
TEXT = b'{"id":"%d","text":"a good document number %d with words enough"}'
TO_THE_END_OF_TIME = (1 << 63) - 1


class AsScanSays(trial.Trial, bad_records_test.BadRecords):
    """The cases of scan, each record a message."""

    options = {"properties": {"message.max.bytes": 64 * MiB, "socket.request.max.bytes": 128 * MiB}}
    test_a_line_of_1_gb_takes_no_memory = None  # no broker takes it
    test_the_memory_of_floods_is_bounded = None

    def setUp(self):
        trial.Trial.setUp(self)
        bad_records_test.BadRecords.setUp(self)

    def flags(self, *lines, sets=()):
        topic = self.topic()
        self.fill(topic, [self.good[0], *lines, self.good[1]])
        service = self.service(topic, **dict(setting.replace(".", "__").split("=") for setting in sets))
        self.finish(service.start(), sets=sets)
        flags = self.flag_records(service)
        self.assertEqual([flags[0]["id"], flags[-1]["id"]], ["good-0", "good-1"])
        return flags[1:-1]


class Messages(trial.Trial):
    options = {"properties": {"message.max.bytes": 64 * MiB, "socket.request.max.bytes": 128 * MiB}}

    def good(self, count, first=0):
        return [TEXT % (first + i, first + i) for i in range(count)]

    def test_documents_of_5_mb(self):
        words = b" ".join(b"word%d" % (i * i % 9973) for i in range(560_000))
        large = [b'{"id":"large-%d","text":"%s %d"}' % (i, words, i // 2) for i in range(12)]
        self.assertGreater(len(large[0]), 5 * MiB - 500_000)
        small = self.good(60)
        topic = self.topic()
        self.fill(topic, [line for i in range(12) for line in (large[i], *small[5 * i:5 * i + 5])])
        service = self.service(topic, batch__max_bytes="16MiB")
        self.finish(service.start())

    def test_a_large_record_costs_no_other_its_place(self):
        topic = self.topic()
        huge = b'{"id":"huge","text":"' + b"x " * (20 * MiB) + b'"}'
        self.fill(topic, [*self.good(3), huge, *self.good(3, 3)])
        service = self.service(topic)
        service.start()
        service.wait_flags(self.direct, 7)
        flags = self.flag_records(service)
        self.assertEqual([flag.get("reason") for flag in flags], [None] * 3 + ["record_too_large"] + [None] * 3)
        self.assertEqual(service.stop(), 0)
        self.assertEqual(self.dead_letter_problems(service, self.direct.read_committed_all(topic)), [])

    def test_many_and_huge_headers(self):
        many = [(f"name {i}", b"value %d" % i) for i in range(20_000)]
        huge = [("huge", b"h" * 900_000), ("null", None), ("empty", b"")]
        records = [Record(value, headers=headers) for headers in (many, huge, [("", b"")])
                   for value in (*self.good(1, len(headers)), b"no JSON")]
        topic = self.topic()
        self.fill(topic, records)
        service = self.service(topic)
        self.finish(service.start())
        for letter, came in zip(self.dead_letters(service), records[1::2], strict=True):
            self.assertEqual(letter.headers[:len(came.headers)], came.headers)

    def test_headers_larger_than_dead_letters_may_be(self):
        topic = self.topic()
        self.fill(topic, [Record(b"no JSON", b"key", [("huge", b"h" * 2_000_000)])])
        service = self.service(topic)
        self.cluster.set_topic_config(service.keys["kafka.dead_letter_topic"], max_message_bytes=MiB)
        self.finish(service.start())
        letter, = self.dead_letters(service)
        self.assertEqual(letter.header("neardup-headers-dropped"), b"1")

    def test_missing_early_and_late_times(self):
        topic = self.topic(message_timestamp_after_max_ms=TO_THE_END_OF_TIME)
        times = [-1, 0, 1, 253_402_300_800_000, TO_THE_END_OF_TIME]
        for i, time in enumerate(times):
            records = [TEXT % (i, i), b"no JSON"]
            encoded = b"".join(batches.one_record(j, None, value) for j, value in enumerate(records))
            batches.produce(self.cluster, topic, batches.batch(encoded, time, count=len(records)))
        service = self.service(topic)
        self.finish(service.start())

    def check_damaged(self, told, compression, change, checksum=True):
        """Three batches of 20 documents, the second damaged on the broker's disk: told, not skipped, and no end of the
        others once it is deleted."""
        topic = self.topic()
        for first in (0, 20, 40):
            self.direct.produce(topic, self.good(20, first), compression_type=compression, linger_ms=200)
        whole = self.direct.read_committed_all(topic)
        log = self.cluster.nodes[1].data / f"{topic}-0" / f"{0:020}.log"
        self.cluster.stop()
        batches.damage(log, 1, change, checksum)
        self.cluster.restart()
        service = self.service(topic, librdkafka={"topic.metadata.refresh.interval.ms": "1000"}).start()
        service.wait_flags(self.direct, 20)
        service.wait_until(lambda: any(event["partition"] == f"{topic}[0]" for event in service.events(told)),
                           "a line about the damage")
        service.kill()
        self.assertEqual([flag["source"]["offset"] for flag in self.flag_records(service)], list(range(20)))
        self.cluster.delete_records(topic, 0, 40)
        service.options = ["--skip-gap"]
        self.finish(service.start(), inputs=whole[:20] + whole[40:])

    def test_a_batch_whose_compressed_records_are_garbage(self):
        self.check_damaged("reading from Kafka", "gzip", garbage)

    def test_a_batch_with_a_wrong_checksum(self):
        self.check_damaged("reading from Kafka", "none", lambda data: data.replace(b"good", b"food"), checksum=False)

    def test_a_batch_whose_records_are_garbage(self):
        self.check_damaged("partition stalled", "none", garbage)


def garbage(data):
    return bytes(byte ^ 0x5A for byte in data)


if __name__ == "__main__":
    trial.main()
