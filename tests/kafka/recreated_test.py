"""Input topics that are deleted and recreated under their name: no record of the new one is skipped silently."""

import shutil
import signal

import needs

needs.broker()
import documents  # noqa: E402
import trial  # noqa: E402

OLD = 60
CRASHES = (-signal.SIGABRT, -signal.SIGSEGV)  # of librdkafka before 2.10 (its issue 4964)
NEW_RECORDS = (20, OLD, 150)  # fewer than were read of the old topic, as many, more


class Recreated(trial.Trial):
    def records(self, count, **options):
        self.made = getattr(self, "made", 0) + 1  # another seed each time
        return documents.records(count, seed=self.made, **options)

    def running(self, *topics, **keys):
        """A service that has read all topics to their ends, and runs."""
        for topic in topics:
            self.fill(topic, self.records(OLD))
        service = self.service(*topics, **keys).start()
        service.wait_caught_up(self.cluster)
        return service

    def make_again(self, topic, count, partitions=1):
        self.cluster.delete_topic(topic)
        self.cluster.create_topic(topic, partitions)
        self.fill(topic, self.records(count))

    def assert_refused(self, service, topic, *words):
        """It ends with 75, and names the topic and what to do."""
        self.assertEqual(service.wait_exit(), 75, service.log_text()[-3000:])
        reason = service.events("ended")[0]["reason"]
        for word in (f"topic {topic} was deleted and recreated", *words):
            self.assertIn(word, reason)
        return reason

    def places(self, service):
        return [(flag["source"]["topic"], flag["source"]["offset"]) for flag in self.flag_records(service)]

    def go_on(self, service, options, wanted):
        """Started once with these options, it flags all of the new topics, each record once, behind what was flagged."""
        service.options = options
        service.start().wait_ready()
        service.wait_flags(self.direct, len(wanted))
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0, service.log_text()[-3000:])
        self.assertEqual(sorted(self.places(service)), sorted(wanted))
        self.assertEqual([flag["seq"] for flag in self.flag_records(service)], list(range(1, len(wanted) + 1)))
        service.options = []
        service.start().wait_ready()
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0, service.log_text()[-3000:])
        self.assertEqual(len(self.places(service)), len(wanted))


def offsets(topic, count):
    return [(topic, offset) for offset in range(count)]


class WhileItRuns(Recreated):
    def test_with_records_that_the_old_position_would_pass_over(self):
        for count in NEW_RECORDS:
            with self.subTest(count=count):
                topic = self.topic(label=f"docs{count}")
                service = self.running(topic, label=str(count), group=f"{self.name}{count}")
                service.pause()  # it looks away for some seconds
                self.make_again(topic, count)
                service.resume()
                if service.wait_exit() in CRASHES:
                    service.start()
                self.assert_refused(service, topic, "--skip-gap")
                self.assertEqual(self.places(service), offsets(topic, OLD))
                both = ["--skip-gap"] if "--trust-state" not in self.reason(service) else ["--skip-gap", "--trust-state"]
                self.go_on(service, both, offsets(topic, OLD) + offsets(topic, count))

    def reason(self, service):
        return service.events("ended")[0]["reason"]

    def test_with_no_records_at_all(self):
        topic = self.topic()
        service = self.running(topic)
        self.make_again(topic, 0)
        if service.wait_exit() in CRASHES:
            self.skipTest("librdkafka has crashed")
        self.assert_refused(service, topic, "start once with --skip-gap:")
        self.fill(topic, self.records(90))
        self.assert_refused(service.start(), topic, "start once with --skip-gap:")
        self.go_on(service, ["--skip-gap"], offsets(topic, OLD) + offsets(topic, 90))


class WhileItIsStopped(Recreated):
    def stopped(self, *topics, **keys):
        service = self.running(*topics, **keys)
        self.assertEqual(service.stop(), 0)
        return service

    def test_one_of_two_topics(self):
        topic, other = self.topic(), self.topic(label="other")
        service = self.stopped(topic, other)
        wanted = self.places(service)
        for count in NEW_RECORDS:
            with self.subTest(count=count):
                self.make_again(topic, count)
                self.assert_refused(service.start(), topic, "start once with --skip-gap:")
                wanted += offsets(topic, count)
                self.go_on(service, ["--skip-gap"], wanted)

    def test_the_only_topic(self):
        topic = self.topic()
        service = self.stopped(topic)
        self.make_again(topic, 90)
        self.assert_refused(service.start(), topic, "--skip-gap --trust-state")
        service.options = ["--trust-state"]
        self.assert_refused(service.start(), topic, "--skip-gap --trust-state")
        service.options = ["--skip-gap"]
        self.assert_refused(service.start(), topic, "--skip-gap --trust-state")
        self.go_on(service, ["--skip-gap", "--trust-state"], offsets(topic, OLD) + offsets(topic, 90))

    def test_with_fewer_partitions(self):
        topic, other = self.topic(2), self.topic(label="other")
        service = self.stopped(topic, other)
        self.make_again(topic, 20)
        service.options = ["--skip-gap"]
        service.start()
        self.assertEqual(service.wait_exit(), 75, service.log_text()[-3000:])
        self.assertIn(f"recreated with 1 partitions, and the state has read {topic}[1]",
                      service.events("ended")[0]["reason"])

    def test_after_a_kill_before_the_last_batch_was_delivered(self):
        """In a mode that passes messages on: those of the old topic are gone, and none of the new one is taken for one."""
        topic, other = self.topic(), self.topic(label="other")
        service = self.stopped(topic, other, output__mode="annotate")
        before = self.direct.read_committed_all(service.keys["kafka.output_topic"])
        service.start({"NEARDUP_FAILPOINT": "before_produce:1"})
        self.fill(topic, self.records(20))
        self.assertEqual(service.wait_exit(), -9)
        self.make_again(topic, 90)
        new = {message.value for message in self.direct.read_committed_all(topic)}
        self.assert_refused(service.start(), topic, "--skip-gap")
        service.options = ["--skip-gap"]
        service.start()
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0, service.log_text()[-3000:])
        passed = self.direct.read_committed_all(service.keys["kafka.output_topic"])[len(before):]
        self.assertEqual(sorted(message.value for message in passed), sorted(new))

    def test_a_copy_from_before_is_refused(self):
        topic, other = self.topic(), self.topic(label="other")
        service = self.stopped(topic, other)
        self.copy_state(service, "state", "old")
        self.make_again(topic, 90)
        service.options = ["--skip-gap"]
        service.start()
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0, service.log_text()[-3000:])
        flags = self.places(service)
        self.copy_state(service, "old", "state")
        service.start()
        self.assertEqual(service.wait_exit(), 75, service.log_text()[-3000:])
        self.assertIn(f"topic {topic} was deleted and recreated since", service.events("ended")[0]["reason"])
        self.assertEqual(self.places(service), flags)

    def test_a_lost_state_is_not_rebuilt_from_a_new_topic(self):
        """The order topic tells of which topic the records were; committed offsets know the new one only, or none."""
        topic, other = self.topic(), self.topic(label="other")
        service = self.stopped(topic, other, output__mode="filter", kafka__order_topic=self.topic(label="order"))
        self.make_again(topic, 90)
        self.refused_rebuild(service, topic)
        service.options = ["--skip-gap"]
        service.start()
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0, service.log_text()[-3000:])
        service.options = []
        self.refused_rebuild(service, topic)

    def refused_rebuild(self, service, topic):
        output = service.keys["kafka.output_topic"]
        before = self.direct.read_committed_all(output)
        self.copy_state(service, "state", "old")
        shutil.rmtree(self.folder / "state")
        self.assert_refused(service.start(), topic, "Nothing was sent", "another kafka.group_id")
        self.assertEqual(len(self.direct.read_committed_all(output)), len(before))
        self.copy_state(service, "old", "state")

    def copy_state(self, service, source, target):
        state = self.folder / "state"
        names = {"state": state, "old": self.folder / "old"}
        shutil.rmtree(names[target], ignore_errors=True)
        shutil.copytree(names[source], names[target])


class Positions(Recreated):
    def test_stand_beside_the_ids_of_their_topics(self):
        topic, other = self.topic(), self.topic(label="other")
        service = self.running(topic, other)
        self.assertEqual(service.stop(), 0)
        marks = {name: one.metadata.split() for (name, _), one in self.cluster.committed(self.name).items()}
        self.assertEqual({mark[0] for mark in marks.values()}, {"neardup/2"})
        self.assertNotEqual(marks[topic][5], marks[other][5])
        self.assertEqual(marks[topic][:5], marks[other][:5])

    def test_of_before_take_the_id_that_they_find(self):
        """Metadata of version 0.1 has none."""
        topic = self.topic()
        service = self.running(topic)
        self.assertEqual(service.stop(), 0)
        (place, one), = self.cluster.committed(self.name).items()
        old = " ".join(["neardup/1", *one.metadata.split()[1:5]])
        self.cluster.commit(self.name, *place, one.offset, old)
        service.start()
        self.fill(topic, self.records(10))
        self.finish(service)


class Growing(Recreated):
    def test_new_partitions_are_read_at_once_after_a_restart(self):
        topic = self.topic()
        service = self.running(topic, librdkafka={"topic.metadata.refresh.interval.ms": "3600000"})
        self.assertEqual(service.stop(), 0)
        self.cluster.create_partitions(topic, 3)
        self.fill(topic, self.records(OLD, partitions=3))
        service.start()
        service.wait_flags(self.direct, 2 * OLD, seconds=180)  # well below the hour after which librdkafka would look again
        self.finish(service)


if __name__ == "__main__":
    trial.main()
