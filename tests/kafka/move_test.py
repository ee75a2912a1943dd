"""A state goes on with an added topic, and in another cluster; what must not be is refused."""

import tempfile

import needs

needs.broker()
import exactly_once  # noqa: E402
import fault_case  # noqa: E402
from broker import Cluster  # noqa: E402
from client import Client  # noqa: E402
from state_case import PIECE, StateFaults  # noqa: E402

QUICK_LOOKS = {"topic.metadata.refresh.interval.ms": "500"}  # for new partitions


class AddingATopic(StateFaults):
    def test_it_is_read_beside_the_others_and_an_older_copy_catches_up(self):
        one, two = self.topic(2, "one"), self.topic(3, "two")
        service = self.begun(one, librdkafka=QUICK_LOOKS)
        saved = self.save(service)
        self.feed(two)
        service.keys["kafka.topics"] = [one, two]
        self.refused(service, 78, f"topics: {one}\n", f"topics: {one},{two}\n", "--change-layout")
        service.options = ["--change-layout"]
        self.go_on(service)
        service.options = []
        self.feed_more(service)
        self.go_on(service)
        self.restore(service, saved)
        self.refused(service, 78, "--change-layout")
        service.options = ["--change-layout"]
        self.feed_more(service)
        self.go_on(service)
        self.assertEqual(self.replays(service), [True])

    def test_one_cannot_be_taken_out(self):
        one, two = self.topic(1, "one"), self.topic(1, "two")
        service = self.begun(one, two)
        service.keys["kafka.topics"] = [one]
        service.options = ["--change-layout"]
        self.refused(service, 78, "another layout")

    def test_nothing_else_may_change(self):
        service = self.begun()
        service.options = ["--change-layout"]
        service.keys["kafka.instances"] = 2
        self.refused(service, 78, "instances: 1\n", "instances: 2\n")


class Moving(StateFaults):
    other = direct_there = None  # the cluster to go to

    def begun_with_twin_topics(self):
        """A service that has ended, and its topics in the other cluster."""
        service = self.begun(self.topic(2), librdkafka=QUICK_LOOKS)
        for name, partitions in ((service.keys["kafka.topics"][0], 2), (service.keys["kafka.output_topic"], 2),
                                 (service.keys["kafka.dead_letter_topic"], 1)):
            self.other.create_topic(name, partitions)
        return service

    def move(self, service):
        service.keys["kafka.brokers"] = self.other.bootstrap
        service.options = ["--change-layout"]

    def feed_there(self, service):
        self.seed += 1
        self.direct_there.produce(service.keys["kafka.topics"][0], fault_case.records(PIECE, self.seed, 2))

    def flags_of(self, client, service):
        """(flag, message that it answers), by seq."""
        inputs = {m.place: m for m in client.read_committed_all(service.keys["kafka.topics"][0])}
        flags, found = exactly_once._parsed(client.read_committed_all(service.keys["kafka.output_topic"]))
        self.assertEqual(found, [])
        return [(flag, inputs[flag.place]) for flag in sorted(flags, key=lambda flag: flag.seq)]

    def run_there(self, service):
        service.start()
        service.wait_caught_up(self.other)
        self.assertEqual(service.stop(), 0, service.log_text()[-3000:])

    def check_both(self, service):
        """The flags of both clusters together are those of one history."""
        pairs = self.flags_of(self.direct, service) + self.flags_of(self.direct_there, service)
        self.assertEqual([flag.seq for flag, _ in pairs], list(range(1, len(pairs) + 1)))
        wanted = exactly_once.scanned([message for _, message in pairs], service.folder)
        found = b"".join(flag.message.value + b"\n" for flag, _ in pairs)
        neardup = exactly_once.neardup
        self.assertEqual(neardup.without_source(wanted), neardup.without_source(found))
        return len(pairs)

    def test_it_goes_on_where_the_new_topics_begin(self):
        service = self.begun_with_twin_topics()
        saved = self.save(service)
        self.feed_there(service)
        self.move(service)
        service.options = []
        self.refused_there(service, 78, "cluster: ", "--change-layout")
        self.move(service)
        self.run_there(service)
        service.options = []
        self.feed_there(service)
        self.run_there(service)
        self.assertEqual(self.check_both(service), 3 * PIECE)
        self.restore(service, saved)
        self.move(service)
        self.refused_there(service, 75, "has moved to this cluster before")

    def test_it_goes_on_where_the_group_stands_there(self):
        service = self.begun_with_twin_topics()
        self.feed_there(service)
        for partition in range(2):
            self.other.commit(service.keys["kafka.group_id"], service.keys["kafka.topics"][0], partition, 100)
        self.move(service)
        self.run_there(service)
        self.assertEqual(self.check_both(service), 2 * PIECE - 200)

    def test_a_killed_move_is_repeated(self):
        service = self.begun_with_twin_topics()
        self.feed_there(service)
        self.move(service)
        for place in ("before_commit", "after_commit"):
            self.kill_at(service, place)
        self.run_there(service)
        self.assertEqual(self.check_both(service), 2 * PIECE)

    def test_what_may_not_be_delivered_is_not_left_behind(self):
        service = self.begun_with_twin_topics()
        self.feed_more(service)
        brokers = service.keys["kafka.brokers"]
        self.kill_at(service, "before_commit", 2)
        self.move(service)
        self.refused_there(service, 75, "may not be delivered in the cluster that the state comes from")
        service.keys["kafka.brokers"], service.options = brokers, []
        self.run_to_the_end(service)
        self.feed_there(service)
        self.move(service)
        self.run_there(service)
        self.assertEqual(self.check_both(service), 3 * PIECE)

    def refused_there(self, service, status, *words):
        found = service.start().wait_exit()
        said = "\n".join(event.get("reason", "") for event in service.events("ended"))
        self.assertEqual(found, status, service.log_text()[-3000:])
        for word in words:
            self.assertIn(word, said)


def main():
    with tempfile.TemporaryDirectory(prefix="neardup-kafka-") as folder, Cluster(folder) as other:
        Moving.other, Moving.direct_there = other, Client(other.internal_bootstrap)
        fault_case.main()


if __name__ == "__main__":
    main()
