"""Sketchers on a real broker: each record of the input counts once in the log, whatever happens to them."""

import json
import os
import random
import re
import sys
import threading
import time
import unittest

import needs

needs.broker()
import exposition  # noqa: E402
from client import Record  # noqa: E402
from cluster_case import ClusterCase  # noqa: E402
from cluster_log import message  # noqa: E402
from view import Committed  # noqa: E402

SEED = int(os.environ.get("NEARDUP_SEED", random.randrange(1 << 30)))
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
MARK = re.compile(r"neardup-log/[12] (\d+)( \S+ \S+)?")


def document(name, **fields):
    return json.dumps({"id": name, "text": f"The document {name} has words of its own. " * 5, **fields}).encode()


class Feed:
    """Produces documents over all partitions of a topic, some at a time, from a thread."""

    def __init__(self, case, topic, partitions, batches, records=200, pause=0.1):
        self.inputs = {}  # place → id
        self._case, self._topic, self._partitions = case, topic, partitions
        self._batches, self._records, self._pause = batches, records, pause
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        for batch in range(self._batches):
            names = [f"{self._topic}-{batch}-{i}" for i in range(self._records)]
            places = self._case.client.produce(self._topic, [
                Record(document(name), partition=i % self._partitions) for i, name in enumerate(names)])
            self.inputs.update({(self._topic, *place): name for place, name in zip(places, names)})
            time.sleep(self._pause)

    def running(self):
        return self._thread.is_alive()

    def finish(self):
        self._thread.join()
        return self.inputs


class Sketchers(ClusterCase):
    def produce(self, topic, records):
        """place → id of the documents with these ids."""
        places = self.client.produce(topic, records)
        return [(topic, *place) for place in places]

    def scrape(self, made):
        status, body = made.get("/metrics")
        self.assertEqual(status, 200)
        return exposition.parse(body.decode())

    def assert_marks(self, group, log):
        """What is committed are the ends of chunks, and the log has those at the offsets of their marks."""
        messages = self.client.read_committed_all(f"{self.name}.log")
        found = self.cluster.committed(group)
        note = found.pop((f"{self.name}.decisions", 0))
        self.assertEqual(note.metadata.split()[:2], ["neardup-sources/1", self.uuid])
        for (topic, partition), committed in found.items():
            mark = MARK.fullmatch(committed.metadata)
            self.assertTrue(mark, committed)
            again = type(log)(self.uuid, log.rule)
            for one in messages[:int(mark[1]) + 1]:
                again.take(one.value)
            self.assertGreaterEqual(again.positions.get((topic, partition), 0), committed.offset)

    # What is in the log

    def test_every_kind_of_record_arrives_with_what_it_carries(self):
        topic = self.topic(partitions=2)
        self.cluster_of_roles()
        sent = [
            Record(document("a", namespace="n", ts="2026-01-02T03:04:05Z"), partition=0),
            Record(document("b"), headers=[("traceparent", TRACE.encode()), ("tracestate", b"v=1")], partition=0,
                   timestamp=1_700_000_000_123),
            Record(b"{not json", key=b"k", headers=[("h", b"1")], partition=0),
            Record(None, key=b"a", headers=[("neardup-namespace", b"n")], partition=1, timestamp=5),
            Record(json.dumps({"id": "short", "text": "x"}).encode(), partition=1),
            Record(json.dumps({"id": "empty", "text": ""}).encode(), partition=1),
            Record(json.dumps({"id": "url", "text": "U " * 50, "url": "https://x/"}).encode(), partition=1),
        ]
        places = self.produce(topic, sent)
        made = self.sketcher([topic], output__fields=["url", "text_bytes"]).start().wait_ready()
        self.wait_accepted(made, len(sent))
        found = {record.place: record for record in self.read_log().accepted}
        a, b, bad, gone, short, empty, url = (found[place] for place in places)
        self.assertEqual((a.kind, a.id, a.namespace, a.ts_ms), ("document", "a", "n", 1767323045000))
        self.assertEqual((b.id, b.trace, b.ts_ms), ("b", (TRACE, "v=1"), 1_700_000_000_123))
        self.assertEqual((bad.kind, bad.reason, a.trace), ("rejected", "invalid_json", None))
        self.assertEqual((gone.kind, gone.id, gone.namespace, gone.ts_ms), ("delete", "a", "n", 5))
        self.assertEqual((short.tokens, short.text_bytes, short.sketch), (1, 1, None))
        self.assertEqual((empty.tokens, empty.text_bytes), (0, 0))
        self.assertEqual((url.url, url.raw_text_bytes, url.tokens), ("https://x/", 100, 50))
        for record in a, b, url:
            self.assertEqual(len(record.sketch), 256)
            self.assertIsNone(record.text)
        self.assertEqual(made.stop(), 0)
        letter, = self.client.read_committed_all(f"{self.name}.dead")
        self.assertEqual((letter.key, letter.value, letter.header("h")), (b"k", b"{not json", b"1"))
        self.assertEqual((letter.header("neardup-reason"), letter.header("neardup-topic"),
                          letter.header("neardup-partition"), letter.header("neardup-offset")),
                         (b"invalid_json", topic.encode(), b"0", b"2"))
        self.assertIsNone(letter.header("neardup-seq"))

    def test_texts_travel_where_pairs_are_verified_exactly(self):
        topic = self.topic(max_message_bytes=10_000_000)
        exact = {"verify.mode": "exact", "storage.keep_texts": "kept"}
        self.cluster_of_roles(rule=self.rule_of(exact), max_message_bytes=1_000_000)
        rng = random.Random(SEED)
        noise = " ".join("%x" % rng.getrandbits(60) for _ in range(150_000))
        places = self.produce(topic, [document("a"), json.dumps({"id": "huge", "text": noise}).encode()])
        made = self.sketcher([topic], verify__mode="exact", storage__keep_texts="kept").start().wait_ready()
        self.wait_accepted(made, 2)
        found = {record.place: record for record in self.read_log().accepted}
        words = re.findall(r"\w+", json.loads(document("a"))["text"].lower())
        self.assertEqual(found[places[0]].text.decode().split(), words)
        self.assertEqual((found[places[1]].kind, found[places[1]].reason), ("rejected", "text_too_large"))
        self.assertEqual(made.stop(), 0)
        letter, = self.client.read_committed_all(f"{self.name}.dead")
        self.assertEqual((letter.header("neardup-reason"), letter.header("neardup-offset")), (b"text_too_large", b"1"))
        self.assertIn(b"max.message.bytes", letter.header("neardup-detail"))

    def test_ranges_join_over_markers_and_aborted_records(self):
        topic = self.topic()
        self.cluster_of_roles()
        made = self.sketcher([topic]).start().wait_ready()
        inputs = {}
        for batch in range(3):
            self.client.produce_and_abort(topic, [document("never")])
            self.client.produce_and_commit(topic, [document(f"{batch}")])
            inputs[topic, 0, 4 * batch + 2] = f"{batch}"
            self.wait_accepted(made, batch + 1)
        made.wait_caught_up(self.cluster)
        log = self.read_log()
        self.assert_each_once(log, inputs)
        self.assertEqual(log.positions, {(topic, 0): 12})
        self.assertEqual(log.count("chunk"), len(log.outcomes))

    def test_a_source_begins_at_0_wherever_its_first_record_is(self):
        topic = self.topic()
        self.cluster_of_roles()
        self.produce(topic, [document(f"{i}") for i in range(10)])
        self.cluster.delete_records(topic, 0, 4)
        made = self.sketcher([topic]).start().wait_ready()
        self.wait_accepted(made, 6)
        self.assert_each_once(self.read_log(), {(topic, 0, i): f"{i}" for i in range(4, 10)})

    def test_latest_begins_where_the_first_sketcher_found_the_end(self):
        topic = self.topic()
        self.cluster_of_roles()
        self.produce(topic, [document("old")])
        made = self.sketcher([topic], kafka__start="latest").start().wait_ready()
        made.wait_until(lambda: self.decider.log.positions.get((topic, 0)) == 1, "an accepted end")
        self.assertEqual(made.stop(), 0)
        self.produce(topic, [document("new")])
        made.start().wait_ready()
        self.wait_accepted(made, 1)
        self.assert_each_once(self.read_log(), {(topic, 0, 1): "new"})

    def test_a_partition_that_is_added_is_read_from_its_beginning(self):
        topic = self.topic()
        self.cluster_of_roles()
        made = self.sketcher([topic], kafka__start="latest",
                             kafka__librdkafka={"topic.metadata.refresh.interval.ms": "500"}).start().wait_ready()
        places = self.produce(topic, [document("0")])
        self.wait_accepted(made, 1)
        self.cluster.create_partitions(topic, 2)
        places += self.produce(topic, [Record(document("1"), partition=1)])
        self.wait_accepted(made, 2)
        self.assert_each_once(self.read_log(), dict(zip(places, "01")))

    def test_a_cluster_that_was_made_of_a_state_goes_on_at_its_positions(self):
        topic = self.topic()
        self.produce(topic, [document(f"{i}") for i in range(5)])
        positions = {(topic, 0): 3}
        self.cluster_of_roles(positions)
        made = self.sketcher([topic]).start().wait_ready()
        self.wait_accepted(made, 2)
        log = self.read_log(positions)
        self.assert_each_once(log, {(topic, 0, 3): "3", (topic, 0, 4): "4"})
        self.assertEqual(log.count("chunk"), len(log.outcomes))

    # What happens to sketchers

    def test_a_stop_in_the_middle_leaves_nothing_to_be_done_twice(self):
        topic = self.topic(partitions=4)
        self.cluster_of_roles()
        made = self.sketcher([topic], batch__linger_ms=200)
        feed = Feed(self, topic, 4, batches=20, pause=0.05)
        while feed.running():
            made.start().wait_ready()
            time.sleep(random.Random(SEED).uniform(0.1, 0.6))
            self.assertEqual(made.stop(), 0)
        inputs = feed.finish()
        made.start().wait_ready()
        self.wait_accepted(made, len(inputs))
        self.assertEqual(made.stop(), 0)
        log = self.read_log()
        self.assert_each_once(log, inputs)
        self.assertEqual(log.count("chunk"), len(log.outcomes))
        self.assert_marks(made.keys["kafka.group_id"], log)

    def test_two_of_which_one_is_killed_again_and_again(self):
        print(f"seed {SEED}", flush=True)
        rng = random.Random(SEED)
        topic = self.topic(partitions=4)
        self.cluster_of_roles()
        first, second = self.sketcher([topic], "first").start(), self.sketcher([topic], "second").start()
        feed = Feed(self, topic, 4, batches=60, records=1000)
        for _ in range(6):
            time.sleep(rng.uniform(0.2, 1.5))
            victim = rng.choice([first, second])
            victim.kill()
            time.sleep(rng.uniform(0, 1))
            victim.start()
        inputs = feed.finish()
        self.wait_accepted(first, len(inputs), 120)
        log = self.read_log()
        self.assert_each_once(log, inputs)
        first.wait_caught_up(self.cluster)
        self.assert_marks(first.keys["kafka.group_id"], log)
        print(f"outcomes: { {one: log.count(one) for one in set(log.outcomes)} }", flush=True)

    def test_what_was_appended_and_not_committed_counts_once(self):
        self.cluster_of_roles()
        for place in "after_append:2", "before_log_commit:1", "before_log_commit:4":
            with self.subTest(place):
                topic = self.topic(f"docs.{place.replace(':', '-')}", partitions=2)
                places = self.produce(topic, [Record(document(f"{i}"), partition=i % 2) for i in range(1000)])
                before = len(self.decider.log.accepted)
                made = self.sketcher([topic], place.replace(":", "-"), group=f"{self.name}.{place}")
                self.decider.pause()  # what has counted, the next one cannot know
                made.start({"NEARDUP_FAILPOINT": place})
                self.assertEqual(made.wait_exit(), -9)
                made.start().wait_ready()
                made.wait_caught_up(self.cluster)
                self.decider.resume()
                self.wait_accepted(made, before + 1000)
                accepted = self.read_log().accepted[before:]
                self.assertEqual({record.place for record in accepted}, set(places))
                self.assertEqual(len(accepted), 1000)
                made.stop()
        self.assertGreater(self.read_log().count("seen"), 0)

    def test_one_that_was_thought_dead_adds_nothing(self):
        topic = self.topic(partitions=2)
        self.cluster_of_roles()
        first, second = self.sketcher([topic], "first").start().wait_ready(), self.sketcher([topic], "second")
        feed = Feed(self, topic, 2, batches=120)
        self.wait_accepted(first, 200)
        second.start().wait_ready()
        time.sleep(1)
        first.pause()
        time.sleep(10)
        first.resume()
        inputs = feed.finish()
        self.wait_accepted(second, len(inputs))
        self.assert_each_once(self.read_log(), inputs)
        for made in first, second:
            self.assertEqual(made.stop(), 0)

    def test_a_broker_that_goes_away_for_a_while(self):
        topic = self.topic(partitions=2)
        self.cluster_of_roles()
        made = self.sketcher([topic]).start().wait_ready()
        inputs = {place: f"{i}" for i, place in enumerate(
            self.produce(topic, [Record(document(f"{i}"), partition=i % 2) for i in range(3000)]))}
        self.wait_accepted(made, 100)
        self.cluster.kill()
        time.sleep(1)
        self.cluster.start()
        more = self.produce(topic, [Record(document(f"more {i}"), partition=i % 2) for i in range(100)])
        inputs.update({place: f"more {i}" for i, place in enumerate(more)})
        self.wait_accepted(made, len(inputs), 120)
        self.assert_each_once(self.read_log(), inputs)
        made.wait_until(made.ready, "readiness")

    def test_a_stop_while_no_broker_answers_ends_in_time(self):
        topic = self.topic(partitions=2)
        self.cluster_of_roles()
        made = self.sketcher([topic], shutdown__drain_seconds=2).start().wait_ready()
        places = self.produce(topic, [Record(document(f"{i}"), partition=i % 2) for i in range(10_000)])
        self.wait_accepted(made, 100)
        self.cluster.kill()
        begun = time.monotonic()
        made.terminate()
        self.assertIn(made.wait_exit(), (0, 143))
        self.assertLess(time.monotonic() - begun, 15)
        self.cluster.start()
        made.start().wait_ready()
        self.wait_accepted(made, len(places), 120)
        self.assert_each_once(self.read_log(), {place: f"{i}" for i, place in enumerate(places)})

    def test_what_could_not_be_appended_is_sketched_again(self):
        topic = self.topic()
        self.cluster_of_roles()
        places = self.produce(topic, [document(f"{i}") for i in range(500)])
        made = self.sketcher([topic]).start({"NEARDUP_FAILPOINT": "after_append:3:fail"}).wait_ready()
        self.wait_accepted(made, len(places))
        self.assert_each_once(self.read_log(), {place: f"{i}" for i, place in enumerate(places)})
        self.assertEqual(len(made.events("appending again")), 1)
        self.assertEqual(self.scrape(made)["neardup_sketcher_append_failures_total"].value(), 1)

    # What is not accepted

    def test_what_a_sketcher_of_another_rule_wrote_is_sketched_again(self):
        topic = self.topic()
        self.cluster_of_roles()
        self.produce(topic, [document(f"{i}") for i in range(20)])
        other = self.sketcher([topic], "other", threshold=0.9)
        self.assert_fails(other, 78, "has the rule", "cluster.name")
        # One that had been started before the cluster got its rule: the group has its positions already.
        places = self.client.produce(f"{self.name}.log", [message(1, self.uuid, b"\x10" + b"0" * 16 + bytes(9))])
        self.cluster.commit(f"{self.name}.sketchers", topic, 0, 20, f"neardup-log/1 {places[0][1]}")
        made = self.sketcher([topic])
        deadline = time.monotonic() + 30
        while self.decider.log.count("other_rule") == 0:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        made.start().wait_ready()
        self.wait_accepted(made, 20)
        self.assert_each_once(self.read_log(), {(topic, 0, i): f"{i}" for i in range(20)})
        restart, = made.events("sketching again")
        self.assertEqual((restart["partition"], restart["committed"], restart["from"]), (f"{topic}[0]", 20, 0))

    def test_what_is_passed_over_while_it_runs_is_sketched_again(self):
        topic = self.topic(partitions=2)
        self.cluster_of_roles()
        made = self.sketcher([topic]).start().wait_ready()
        inputs = dict(zip(self.produce(topic, [Record(document(f"{i}"), partition=i % 2) for i in range(40)]),
                          map(str, range(40))))
        self.wait_accepted(made, 40)
        made.wait_caught_up(self.cluster)
        before = len(self.read_log().outcomes)
        self.decider.lies = {(topic, 0): 20, (topic, 1): 5}  # as if a chunk of partition 1 had been lost
        made.wait_until(lambda: made.events("sketching again"), "a restart")
        self.decider.lies = None
        self.decider.decide()
        made.wait_until(lambda: len(self.decider.log.outcomes) > before, "the chunk")
        self.assert_each_once(self.read_log(), inputs)
        restart = made.events("sketching again")[0]
        self.assertEqual((restart["partition"], restart["committed"], restart["from"]), (f"{topic}[1]", 20, 5))
        self.assertGreaterEqual(self.scrape(made)["neardup_sketcher_restarts_total"].value(), 1)

    def test_an_offset_that_somebody_has_set_skips_nothing(self):
        topic = self.topic()
        self.produce(topic, [document(f"{i}") for i in range(10)])
        positions = {(topic, 0): 2}
        self.cluster_of_roles(positions)
        self.cluster.commit(f"{self.name}.sketchers", topic, 0, 7)
        made = self.sketcher([topic]).start().wait_ready()
        self.wait_accepted(made, 8)
        self.assert_each_once(self.read_log(positions), {(topic, 0, i): f"{i}" for i in range(2, 10)})

    # What it tells, and what stops it

    def test_it_waits_while_too_much_of_the_log_is_undecided(self):
        topic = self.topic()
        self.cluster_of_roles()
        self.decider.pause()
        made = self.sketcher([topic], cluster__log__max_lag="1MiB", batch__documents=500).start().wait_ready()
        count = 20_000
        self.produce(topic, [document(f"{i}") for i in range(count)])
        made.wait_until(lambda: made.events("log is full"), "a full log")
        time.sleep(2)
        size = sum(len(one.value) for one in self.client.read_committed_all(f"{self.name}.log"))
        time.sleep(2)
        messages = self.client.read_committed_all(f"{self.name}.log")
        self.assertEqual(sum(len(one.value) for one in messages), size)
        self.assertTrue(1 << 20 < size < 4 << 20, size)
        self.assertGreater(self.scrape(made)["neardup_sketcher_paused_seconds_total"].value(), 1)
        self.decider.resume()
        self.wait_accepted(made, count)
        self.assert_each_once(self.read_log(), {(topic, 0, i): f"{i}" for i in range(count)})

    def test_it_stops_while_the_log_is_full(self):
        topic = self.topic()
        self.cluster_of_roles()
        self.decider.pause()
        made = self.sketcher([topic], cluster__log__max_lag="1MiB", batch__documents=500).start().wait_ready()
        self.produce(topic, [document(f"{i}") for i in range(10_000)])
        made.wait_until(lambda: made.events("log is full"), "a full log")
        self.assertEqual(made.stop(), 0)
        committed = self.cluster.committed(made.keys["kafka.group_id"])[topic, 0]
        self.assertEqual(self.read_log().positions[topic, 0], committed.offset)

    def test_what_it_answers(self):
        topic = self.topic()
        self.cluster_of_roles()
        made = self.sketcher([topic]).start().wait_ready()
        self.produce(topic, [document(f"{i}") for i in range(10)])
        self.wait_accepted(made, 10)
        made.wait_caught_up(self.cluster)
        self.assertEqual(made.get("/healthz")[0], 200)
        self.assertEqual(json.loads(made.get("/v1/rule")[1])["rule"], self.decider.log.rule)
        self.assertIn(b"role: sketcher", made.get("/v1/config")[1])
        for path in "/v1/documents/a", "/v1/similar?id=a", "/v1/stats", "/v1/documents/a/b":
            status, body = made.get(path)
            self.assertEqual((status, json.loads(body)["reason"]), (501, "other_role"))
            self.assertIn("send the request to its decider", json.loads(body)["detail"])
        self.assertEqual(made.get("/")[0], 404)
        found = self.scrape(made)
        self.assertEqual(found["neardup_sketcher_records_total"].value(kind="document"), 10)
        self.assertEqual(found["neardup_kafka_records_read_total"].value(), 10)
        messages = self.client.read_committed_all(f"{self.name}.log")
        self.assertEqual(found["neardup_sketcher_messages_total"].value(), len(messages))
        self.assertEqual(found["neardup_sketcher_appended_bytes_total"].value(), sum(len(m.value) for m in messages))
        self.assertEqual(found["neardup_kafka_committed_offset"].value(topic=topic, partition="0"), 10)

    def test_what_it_does_not_understand_counts_with_it(self):
        topic = self.topic()
        self.cluster_of_roles()
        made = self.sketcher([topic]).start().wait_ready()
        self.produce(topic, [document("a"), b"[1]", b"[2]", b'{"id":"half","text":"an emoji \\ud83d"}'])
        self.wait_accepted(made, 4)
        made.wait_caught_up(self.cluster)
        found = self.scrape(made)["neardup_notices_total"]
        self.assertEqual((found.value(kind="json_array"), found.value(kind="half_surrogate")), (2, 1))
        said = [json.loads(line) for line in made.log_text().splitlines() if '"not understood"' in line]
        self.assertEqual(sorted(line["kind"] for line in said), ["half_surrogate", "json_array"])

    def test_a_cluster_that_is_not_there(self):
        topic = self.topic()
        self.uuid = None
        made = self.sketcher([topic])
        self.assert_fails(made, 78, f"{self.name}.decisions does not exist or is empty", "cluster init")

    def test_missing_topics_are_named(self):
        self.cluster_of_roles()
        made = self.sketcher([f"{self.name}.none"])
        self.assert_fails(made, 78, f"topic {self.name}.none does not exist")


if __name__ == "__main__":
    unittest.main()
