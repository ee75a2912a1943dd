"""How the service starts, tells of itself and ends: HTTP, logs, signals, start checks."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import unittest

import needs

needs.broker()
import documents  # noqa: E402
import exactly_once  # noqa: E402
import proxy  # noqa: E402
import service  # noqa: E402
import traces  # noqa: E402
from client import Record  # noqa: E402
from confluent_kafka.admin import AdminClient, ConfigResource  # noqa: E402
from service_case import ServiceCase  # noqa: E402

INIT_PRODUCER_ID = 22
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LEVELS = {"debug", "info", "warning", "error"}


# A transaction for every few documents, so that the service is still busy when the test sees its first flags.
SLOW = {"batch__documents": 10}


class Operation(ServiceCase):
    @classmethod
    def setUpClass(cls):
        cls.proxy = cls.enterClassContext(proxy.Proxy())
        cls.CLUSTER = {"proxies": {1: cls.proxy}}
        super().setUpClass()

    def fill(self, count, partitions=1):
        topic = self.topic(partitions=partitions)
        self.client.produce(topic, documents.records(count, partitions=partitions))
        return topic

    @contextlib.contextmanager
    def no_network(self):
        """The service cannot reach the broker; the fixture can."""
        self.proxy.refuse()
        self.proxy.cut()
        try:
            yield
        finally:
            self.proxy.accept()

    def wait_answer(self, made, path, status, body):
        made.wait_until(lambda: made.get(path) == (status, body), f"{path} to be {status} {body}")

    def wait_event(self, made, event):
        made.wait_until(lambda: made.events(event), f"the log line {event!r}")

    def assert_right(self, made, topic):
        """All of the topic is flagged, once and as scan does it."""
        made.wait_caught_up(self.cluster)
        inputs = self.client.read_committed_all(topic)
        self.assertEqual(exactly_once.problems(inputs, self.outputs(made), made.folder), [])

    def test_an_error_of_the_reader_that_stays_delivers_what_is_decided_first(self):
        made = self.make([self.fill(500)], batch__documents=10, batch__in_flight=8)
        made.start({"NEARDUP_FAILPOINT": "before_read:40:fail"})
        self.assertEqual(made.wait_exit(), 75, made.log_text()[-3000:])
        ended, = made.events("ended")
        self.assertIn("kafka: the call at a failpoint failed", ended["reason"])
        sent = len(self.outputs(made))
        made.start().wait_ready()
        recovered, = made.events("recovered")
        self.assertGreater(sent, 0)
        self.assertEqual(recovered["next_seq"], sent + 1, "the start had to deliver the rest")

    # Health, metrics and logs

    def test_http_says_how_it_stands(self):
        made = self.make([self.fill(10)])
        with self.no_network():
            made.start()
            self.wait_answer(made, "/readyz", 503, b"connecting to Kafka\n")
            self.assertEqual(made.get("/healthz"), (200, b"ok\n"))
            self.wait_event(made, "waiting for Kafka")
        made.wait_ready()
        self.assertEqual((made.get("/readyz"), made.get("/healthz")), ((200, b"ready\n"), (200, b"ok\n")))
        self.assertEqual(made.get("/other")[0], 404)
        status, body = made.get("/version")
        said = subprocess.run([service.BINARY, "--version"], capture_output=True, check=True).stdout.decode()
        version = json.loads(body)
        self.assertEqual(status, 200)
        self.assertIn(f"neardup {version['version']}\nrevision {version['revision']}\n", said)
        for name, number in version["libraries"].items():
            self.assertIn(f"{name} {number}", said)

    def test_it_is_not_ready_while_it_recovers(self):
        topic = self.fill(300)
        made = self.make([topic])
        made.start({"NEARDUP_FAILPOINT": "before_commit:3"})
        made.wait_exit()
        self.proxy.cut_before(INIT_PRODUCER_ID)
        trap = self.proxy.cut_before(INIT_PRODUCER_ID)
        made.start()
        trap.wait()
        with self.no_network():
            self.wait_answer(made, "/readyz", 503, b"recovering\n")
            self.assertEqual(made.get("/healthz"), (200, b"ok\n"))
        made.wait_ready()
        self.assert_right(made, topic)

    def test_it_is_ready_again_when_brokers_are_back_without_news(self):
        topic = self.fill(10)
        made = self.make([topic]).start().wait_ready()
        made.wait_caught_up(self.cluster)
        with self.no_network():
            self.wait_answer(made, "/readyz", 503, b"brokers unreachable\n")
        made.wait_ready()
        self.assertTrue(made.running())

    def test_every_log_line_is_an_object_with_time_level_and_event(self):
        made = self.make([self.fill(400)], log__level="debug")
        made.start()
        made.wait_caught_up(self.cluster)
        self.assertEqual(made.stop(), 0)
        lines = [json.loads(line) for line in made.log_text().splitlines()]
        for line in lines:
            self.assertRegex(line["ts"], TIME)
            self.assertIn(line["level"], LEVELS)
            self.assertTrue(line["event"])
        batches = [line for line in lines if line["event"] == "batch delivered"]
        self.assertEqual(sum(line["flags"] for line in batches), 400)
        numbers = [line["batch"] for line in batches]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
        self.assertEqual({line["level"] for line in batches}, {"debug"})
        drained, = made.events("drained")
        self.assertEqual((drained["documents"], drained["level"]), (400, "info"))

    def test_a_document_is_followed_from_its_flag_through_the_log(self):
        topic = self.topic()
        for number in range(4):
            self.client.produce(topic, [Record(b"no JSON", b"k", [("traceparent", traces.parent(number))]),
                                        *documents.records(60, seed=number)])
        made = self.make([topic], log__level="debug")
        made.start()
        made.wait_caught_up(self.cluster)
        self.assertEqual(made.stop(), 0)
        self.assertEqual(traces.batch_problems(made.events()), [])
        for message in self.outputs(made):
            seq = json.loads(message.value)["seq"]
            told = {name: [line["trace_id"] for line in made.events(name) if line["first_seq"] <= seq < line["next_seq"]]
                    for name in ("batch decided", "batch sent", "batch delivered")}
            self.assertEqual([len(ids) for ids in told.values()], [1, 1, 1], told)
            self.assertEqual(len({ids[0] for ids in told.values()}), 1, told)
        letters = {line["offset"]: line for line in made.events("dead letter")}
        self.assertEqual(len(letters), len(self.dead_letters(made)))
        for number in range(4):
            line = letters[61 * number]
            self.assertEqual((line["reason"], line["partition"], line["seq"]), ("invalid_json", f"{topic}[0]",
                                                                               61 * number + 1))
            self.assertEqual(line["record_trace_id"].encode(), traces.parent(number)[3:35])
        self.assertEqual(sum(line["dead_letters"] for line in made.events("batch sent")), len(letters))

    def test_rates_are_told_while_it_works(self):
        topic = self.fill(100)
        made = self.make([topic]).start().wait_ready()

        def rate():
            self.client.produce(topic, documents.records(20))
            return made.events("rate")

        made.wait_until(rate, "a rate")
        self.assertGreater(made.events("rate")[0]["documents_per_second"], 0)
        self.assertEqual(made.events("batch delivered"), [], "of level debug")

    def test_the_text_log_is_for_people(self):
        made = self.make([self.fill(10)], log__format="text", log__level="debug")
        made.start()
        made.wait_caught_up(self.cluster)
        self.assertEqual(made.stop(), 0)
        for line in made.log_text().splitlines():
            self.assertRegex(line, rf"^{TIME.pattern} ({'|'.join(LEVELS)}) ")
        self.assertRegex(made.log_text(), r" debug batch delivered .*flags=10 ")

    # Ends

    def ends_and_goes_on(self, number):
        topic = self.fill(3000)
        made = self.make([topic]).start()
        made.wait_flags(self.client, 200)
        made.process.send_signal(number)
        self.assertEqual(made.wait_exit(), 0, made.log_text()[-3000:])
        flags = self.outputs(made)
        committed = self.cluster.committed(made.keys["kafka.group_id"])[topic, 0].offset
        self.assertEqual((len(flags), [one["documents"] for one in made.events("drained")]), (committed, [committed]))
        self.assertLess(committed, 3000, "it ended with all done: this shows nothing")
        made.start()
        self.assert_right(made, topic)
        self.assertEqual(made.stop(), 0)

    def test_sigterm_delivers_what_is_decided(self):
        self.ends_and_goes_on(signal.SIGTERM)

    def test_sigint_delivers_what_is_decided(self):
        self.ends_and_goes_on(signal.SIGINT)

    def test_a_drain_that_takes_too_long_is_given_up_and_made_good(self):
        topic = self.fill(3000)
        made = self.make([topic], shutdown__drain_seconds=1, **SLOW).start()
        made.wait_flags(self.client, 200)
        self.cluster.pause()
        try:
            made.terminate()
            self.assertEqual(made.wait_exit(), 143, made.log_text()[-3000:])
        finally:
            self.cluster.resume()
        self.assertEqual([line["level"] for line in made.events("not drained in time")], ["error"])
        made.start()
        self.assert_right(made, topic)

    def test_while_it_drains_it_is_healthy_and_not_ready_and_a_second_sigterm_ends_it_at_once(self):
        topic = self.fill(3000)
        made = self.make([topic], shutdown__drain_seconds=3600, **SLOW).start()
        made.wait_flags(self.client, 200)
        self.cluster.pause()
        try:
            made.terminate()
            made.wait_until(lambda: made.get("/readyz")[1].startswith(b"draining\n"), "readiness to end")
            self.assertEqual((made.get("/readyz")[0], made.get("/healthz")), (503, (200, b"ok\n")))
            made.terminate()
            self.assertEqual(made.wait_exit(), -signal.SIGTERM)
        finally:
            self.cluster.resume()
        made.start()
        self.assert_right(made, topic)

    def test_sigterm_ends_the_wait_for_brokers(self):
        made = self.make([self.fill(1)])
        with self.no_network():
            made.start()
            self.wait_event(made, "waiting for Kafka")
            self.assertEqual(made.stop(), 0)

    # Start checks

    def test_all_missing_topics_are_named_and_none_is_made(self):
        wanted = [f"{self.name}.{kind}" for kind in ("a", "b")]
        made = self.make_bare(wanted)
        topics = [*wanted, made.keys["kafka.output_topic"], made.keys["kafka.dead_letter_topic"]]
        self.assert_fails(made, 78, "--create-topics", *(f"topic {topic} does not exist" for topic in topics))
        self.assertEqual(self.cluster.metadata().topics.keys() & set(topics), set())

    def test_create_topics_makes_what_is_missing_with_sane_settings(self):
        topic = self.topic(partitions=3, max_message_bytes=3_000_000)
        self.client.produce(topic, documents.records(30))
        made = self.make_bare([topic, f"{self.name}.more"], options=["--create-topics"]).start()
        made.wait_ready()
        made.wait_flags(self.client, 30)
        output, dead = made.keys["kafka.output_topic"], made.keys["kafka.dead_letter_topic"]
        self.assertEqual([len(self.cluster.partitions(name)) for name in (output, dead)], [3, 3])
        settings = self.settings_of(output, dead, f"{self.name}.more")
        self.assertEqual({one["cleanup.policy"] for one in settings.values()}, {"delete"})
        self.assertGreater(int(settings[dead]["max.message.bytes"]), 3_000_000)

    def settings_of(self, *topics):
        admin = AdminClient({"bootstrap.servers": self.cluster.internal_bootstrap})
        asked = admin.describe_configs([ConfigResource("topic", topic) for topic in topics])
        return {one.name: {entry.name: entry.value for entry in answer.result(30).values()}
                for one, answer in asked.items()}

    def test_all_wrong_settings_are_named_at_once(self):
        made = self.make_bare([self.topic()], kafka__librdkafka={"transaction.timeout.ms": "900001"})
        self.topic("service.out", cleanup_policy="compact")
        self.topic("service.dead", max_message_bytes=1000)
        self.assert_fails(made, 78, "cleanup.policy=compact", "max.message.bytes=1000", "transaction.max.timeout.ms")

    def test_all_configuration_problems_are_listed_with_their_lines(self):
        made = self.make_bare(["docs"])
        text = ("threshold: 2\nkafka:\n  brokers: here\n  topics: [\"a b\"]\n  grup_id: x\n  librdkafka:\n"
                "    enable.idempotence: \"false\"\nlog: {level: loud}\n")
        file = made.folder / "wrong.yaml"
        file.write_text(text)
        done = subprocess.run([service.BINARY, "serve", "-c", str(file)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 78)
        for line, word in [(1, "threshold"), (4, "kafka.topics"), (5, "grup_id"), (7, "enable.idempotence"),
                           (8, "log.level"), (None, "kafka.output_topic")]:
            found = [one for one in done.stderr.splitlines() if word in one]
            self.assertTrue(found, f"{word} is not in {done.stderr}")
            if line:
                self.assertIn(f"wrong.yaml:{line}:", found[0])

    def test_a_key_that_librdkafka_does_not_know_is_named(self):
        made = self.make([self.topic()], kafka__librdkafka={"fetch.min.byts": "1"})
        self.assert_fails(made, 78, "fetch.min.byts")

    def test_a_state_in_use_is_told(self):
        topic = self.fill(1)
        first = self.make([topic]).start().wait_ready()
        second = self.make([topic], "other", storage__path=first.keys["storage.path"])
        self.assert_fails(second, 75, "in use")
        self.assertTrue(first.ready())

    def test_an_address_in_use_is_told(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            self.assert_fails(self.make([self.topic()], http__listen=address), 78, address)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main()
