"""Topics that are truncated, deleted, recreated, compacted, extended or shared, and transactions of others in them."""

import signal

import needs

needs.broker()
import documents  # noqa: E402
import trial  # noqa: E402
from client import Record  # noqa: E402

FEW, MORE = 200, 150
OFTEN = {"topic.metadata.refresh.interval.ms": "1000"}


class Topics(trial.Trial):
    options = {"properties": {"log.cleaner.backoff.ms": 100}}

    def records(self, count=FEW, **options):
        self.made = getattr(self, "made", 0) + 1  # another seed each time
        return documents.records(count, seed=self.made, **options)

    def inputs(self, *topics):
        return [message for topic in topics for message in self.direct.read_committed_all(topic)]

    def read_and_stopped(self, topic, **keys):
        """A service that has read the topic to its end."""
        self.fill(topic, self.records())
        service = self.service(topic, **keys)
        service.start()
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0)
        return service

    def assert_ends(self, service, *words):
        """With 75, and the reason in the log."""
        self.assertEqual(service.wait_exit(), 75, service.log_text()[-2000:])
        reason = service.events("ended")[0]["reason"]
        for word in words:
            self.assertIn(word, reason)

    def go_on_over_the_gap(self, service, inputs):
        """With --skip-gap; `inputs` but for the gap that the log names have one flag each."""
        service.options = ["--skip-gap"]
        service.start()
        service.wait_caught_up(self.cluster)
        gap, = service.events("gap skipped")
        topic, = service.keys["kafka.topics"]
        self.assertEqual((gap["level"], gap["partition"]), ("error", f"{topic}[0]"))
        self.finish(service, inputs=[m for m in inputs if not gap["from"] <= m.offset < gap["to"]])
        return gap["from"], gap["to"]


class Truncated(Topics):
    def test_while_the_service_is_down(self):
        topic = self.topic()
        service = self.read_and_stopped(topic)
        self.fill(topic, self.records())
        inputs = self.inputs(topic)
        self.cluster.delete_records(topic, 0, FEW + 50)
        self.assert_ends(service.start(), f"offset {FEW},", str(FEW + 50), "50 records", "--skip-gap")
        self.assertEqual(self.go_on_over_the_gap(service, inputs), (FEW, FEW + 50))

    def test_while_the_service_runs(self):
        topic = self.topic()
        service = self.read_and_stopped(topic).start()
        service.wait_ready()
        service.pause()
        # The broker may have sent the first of these already, to a fetch that waits.
        self.fill(topic, self.records())
        self.fill(topic, self.records())
        inputs = self.inputs(topic)
        self.cluster.delete_records(topic, 0, 3 * FEW - 10)
        service.resume()
        self.assert_ends(service, str(3 * FEW - 10), "--skip-gap")
        self.assertEqual(self.go_on_over_the_gap(service, inputs)[1], 3 * FEW - 10)

    def test_before_the_position_changes_nothing(self):
        topic = self.topic()
        service = self.read_and_stopped(topic)
        inputs = self.inputs(topic)
        self.cluster.delete_records(topic, 0, FEW)
        service.start()
        self.fill(topic, self.records())
        self.finish(service, inputs=inputs + self.inputs(topic))

    def test_to_nothing_at_the_start_of_a_service(self):
        topic = self.topic()
        self.fill(topic, self.records())
        self.cluster.delete_records(topic, 0, FEW)
        service = self.service(topic).start()
        self.fill(topic, self.records())
        self.finish(service)


    def test_before_what_is_decided_was_delivered(self):
        topic = self.topic()
        self.fill(topic, [b"no JSON", *self.records()])
        inputs = self.inputs(topic)
        service = self.service(topic)
        service.start({"NEARDUP_FAILPOINT": "before_produce:2"})
        self.assertEqual(service.wait_exit(), -9)
        self.cluster.delete_records(topic, 0, FEW - 10)
        self.assert_ends(service.start(), f"offset 0 of {topic}[0]", "deleted", "--skip-gap")
        service.options = ["--skip-gap"]
        service.start()
        service.wait_caught_up(self.cluster)
        gone = {(topic, 0, event["offset"]) for event in service.events("message gone")}
        self.assertIn((topic, 0, 0), gone)
        for letter in self.dead_letters(service):
            place = topic, int(letter.header("neardup-partition")), int(letter.header("neardup-offset"))
            self.assertEqual((letter.value, letter.header("neardup-size")) == (None, None), place in gone)
        gap, = service.events("gap skipped")
        self.finish(service, inputs=[m for m in inputs if not gap["from"] <= m.offset < gap["to"]], gone=gone)


class Deleted(Topics):
    def test_while_it_is_read(self):
        topic, other = self.topic(), self.topic(label="other")
        self.fill(topic, self.records())
        self.fill(other, self.records())
        inputs = self.inputs(topic, other)
        service = self.service(topic, other, librdkafka=OFTEN).start()
        service.wait_flags(self.direct, len(inputs))
        self.cluster.delete_topic(topic)
        self.assert_ends(service, topic, "is gone")
        self.check(service, inputs)

    def test_while_the_service_is_down(self):
        topic = self.topic()
        service = self.read_and_stopped(topic)
        self.cluster.delete_topic(topic)
        service.start()
        self.assertEqual(service.wait_exit(), 78)
        self.assertIn(topic, service.events("ended")[0]["reason"])

    def test_and_made_anew_with_fewer_records(self):
        topic = self.topic()
        service = self.read_and_stopped(topic)
        self.cluster.delete_topic(topic)
        self.cluster.create_topic(topic)
        self.fill(topic, self.records(20))
        self.assert_ends(service.start(), f"topic {topic} was deleted and recreated", "--skip-gap --trust-state")
        service.options = ["--trust-state", "--skip-gap"]
        service.start()
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0)
        flags = self.flag_records(service)
        self.assertEqual([flag["seq"] for flag in flags], list(range(1, FEW + 21)))
        self.assertEqual([flag["source"]["offset"] for flag in flags[FEW:]], list(range(20)))

    def test_and_made_anew_while_it_is_read(self):
        topic = self.topic()
        service = self.read_and_stopped(topic, librdkafka=OFTEN).start()
        service.wait_ready()
        self.cluster.delete_topic(topic)
        self.cluster.create_topic(topic)
        # Before version 2.10 librdkafka may crash then (use after free, its issue 4964): the service is started again.
        if service.wait_exit() in (-signal.SIGABRT, -signal.SIGSEGV):
            service.start()
        self.assert_ends(service, topic)


class Transactions(Topics):
    def test_markers_at_the_ends_leave_no_lag(self):
        topic = self.topic(3)
        self.fill(topic, [Record(r.value, partition=0) for r in self.records()])
        self.direct.produce_and_commit(topic, [Record(r.value, partition=1) for r in self.records()])
        self.direct.produce_and_abort(topic, [Record(r.value, partition=2) for r in self.records()])
        service = self.service(topic).start()
        service.wait_caught_up(self.cluster)
        ends = self.cluster.end_offsets(topic)
        self.assertEqual(ends, {0: FEW, 1: FEW + 1, 2: FEW + 1})
        self.finish(service)
        self.assertEqual({p: one.offset for (_, p), one in self.cluster.committed(self.name).items()}, ends)

    def test_aborted_records_have_no_flags(self):
        topic = self.topic()
        service = self.service(topic).start()
        self.direct.produce_and_abort(topic, self.records())
        self.direct.produce_and_commit(topic, self.records())
        self.direct.produce_and_abort(topic, self.records())
        self.fill(topic, self.records())
        self.finish(service)
        self.assertEqual(len(self.flag_records(service)), 2 * FEW)

    def test_open_ones_hold_back_what_follows(self):
        topic = self.topic()
        service = self.service(topic).start()
        self.fill(topic, self.records())
        service.wait_flags(self.direct, FEW)
        upstream = self.direct.begin(topic, self.records())
        self.fill(topic, self.records())
        service.wait_caught_up(self.cluster)  # to the first record that is not decided
        self.assertEqual(len(self.flag_records(service)), FEW)
        upstream.commit_transaction(30)
        service.wait_flags(self.direct, 3 * FEW)
        self.finish(service)


class Growing(Topics):
    def test_new_partitions_are_taken_from_their_start(self):
        topic, other = self.topic(), self.topic(2, label="other")
        service = self.service(topic, other, librdkafka=OFTEN)
        self.fill(topic, self.records())
        self.fill(other, self.records(partitions=2))
        service.start()
        service.wait_caught_up(self.cluster)
        for name in (topic, other):
            self.cluster.create_partitions(name, 4)
            self.fill(name, self.records(partitions=4))
        added = {f"{topic}[{p}]" for p in (1, 2, 3)} | {f"{other}[{p}]" for p in (2, 3)}
        service.wait_until(lambda: {e["partition"] for e in service.events("partition added")} == added,
                           "all new partitions")
        for name in (topic, other):
            self.fill(name, self.records(partitions=4))
        self.finish(service)

    def test_new_partitions_while_the_service_is_down(self):
        topic = self.topic()
        service = self.read_and_stopped(topic, librdkafka=OFTEN)
        self.cluster.create_partitions(topic, 3)
        self.fill(topic, self.records(partitions=3))
        self.finish(service.start())

    def test_a_crash_after_partitions_were_added(self):
        topic = self.topic()
        service = self.read_and_stopped(topic, librdkafka=OFTEN)
        service.start({"NEARDUP_FAILPOINT": "before_produce:2"})
        self.cluster.create_partitions(topic, 3)
        self.fill(topic, self.records(partitions=3))
        self.assertEqual(service.wait_exit(), -9)
        self.finish(service.start())


class Kinds(Topics):
    def test_a_compacted_topic(self):
        topic = self.topic(cleanup_policy="compact", min_cleanable_dirty_ratio="0.01", segment_bytes="1048576",
                           min_compaction_lag_ms="0", segment_ms="100")
        made = self.records(60, keys=True)
        for _ in range(4):
            self.fill(topic, made)
        service = self.service(topic)
        written = self.cluster.end_offsets(topic)[0]
        # A segment closes when a record comes.
        while len(self.inputs(topic)) >= written:
            self.fill(topic, [Record(made[0].value, b"again")])
            written += 1
        self.finish(service.start())

    def test_two_instances_share_a_topic(self):
        topic = self.topic(4)
        self.fill(topic, self.records(partitions=4))
        services = [self.service(topic, label=f"-{i}", kafka__instance=i, kafka__instances=2).start() for i in (0, 1)]
        self.fill(topic, self.records(partitions=4))
        for service in services:
            service.wait_caught_up(self.cluster)
        for i, service in enumerate(services):
            self.finish(service, inputs=[m for m in self.inputs(topic) if m.partition % 2 == i])

    def test_start_at_the_latest(self):
        topic = self.topic(2)
        self.fill(topic, self.records(partitions=2))
        old = {message.place for message in self.inputs(topic)}
        service = self.service(topic, kafka__start="latest").start()
        service.wait_ready()
        self.fill(topic, self.records(partitions=2))
        self.finish(service, inputs=[m for m in self.inputs(topic) if m.place not in old])

    def test_an_idle_service_renews_its_positions(self):
        topic = self.topic(2)
        self.fill(topic, self.records(partitions=2))
        service = self.service(topic, kafka__idle_commit_seconds=1).start()
        service.wait_caught_up(self.cluster)

        def batches():
            return {int(one.metadata.split()[2]) for one in self.cluster.committed(self.name).values()}

        before = max(batches())
        service.wait_until(lambda: min(batches()) >= before + 3, "three idle commits")
        self.finish(service)
        self.assertEqual(len(batches()), 1)


if __name__ == "__main__":
    trial.main()
