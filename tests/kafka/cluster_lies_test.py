"""A cluster to which strangers lie: what they write into its log, answers and decisions is refused, or the flags are those of `scan`."""

import json
import unittest
import uuid

import needs

needs.broker()
import cluster_log  # noqa: E402
import documents  # noqa: E402
from client import Record  # noqa: E402
from cluster_log import ANSWERS, encode_placement, open_message, sized, varint  # noqa: E402
from cluster_shards_test import ShardsCase  # noqa: E402

PARTITIONS = 2
RECORDS = 300
SHARDS = 2
UNAVAILABLE = 75


def resealed(message):
    """With the check that its bytes ask for."""
    return message[:-8] + cluster_log.check_of(message[:-8]).to_bytes(8, "little")


def of_another_cluster(message):
    return resealed(message[:3] + str(uuid.uuid4()).encode() + message[39:])  # version, kind, length, cluster


def damaged(message):
    """One byte in each part of it, what is cut off, and what is too much."""
    size = len(message)
    for at in range(0, size, max(1, size // 40)):
        yield message[:at] + bytes([message[at] ^ 1]) + message[at + 1:]
        yield message[:at]
        yield resealed(message[:at] + message[at + 1:])
    yield message + b"\0"
    yield resealed(message[:-8] + b"\0" + message[-8:])


class Lies(ShardsCase):
    def fill(self, count=RECORDS, seed=1):
        self.client.produce(self.docs, documents.records(count, seed, keys=True, partitions=PARTITIONS))

    def begin(self, *deciding):
        self.make_cluster(PARTITIONS, cluster__window=256, batch__documents=40, batch__linger_ms=20)
        self.sketcher = self.role("sketcher", "sketcher").start()
        return deciding

    def begin_with_shards(self):
        """A cluster that has flagged RECORDS records."""
        self.begin()
        self.shards = self.start_shards(SHARDS)
        self.resolver_of_all = self.resolver().start()
        self.fill()
        self.wait_decided(RECORDS, self.resolver_of_all)

    def begin_with_a_decider(self):
        self.begin()
        self.decider = self.role("decider", "decider").start()
        self.fill()
        self.wait_decided(RECORDS, self.decider)

    def messages(self, kind):
        return self.client.read_committed_all(f"{self.name}.{kind}")

    def write(self, kind, values, partition=0):
        self.client.produce(f"{self.name}.{kind}", [Record(value, partition=partition) for value in values])

    def uuid(self):
        return json.loads(self.cluster_command("status", "--json").stdout)["uuid"]

    def lie_in_the_log(self):
        log = [message.value for message in self.messages("log")]
        self.write("log", log[::-1] + log)  # again, and in another order
        self.write("log", [b"", b"no message", bytes(5000), *damaged(log[-1])])
        self.write("log", [of_another_cluster(one) for one in log])
        self.write("log", [encode_placement(self.uuid(), epoch, [9], [9]) for epoch in (0, 9)])
        self.write("log", [message.value for kind in ("answers", "decisions") for message in self.messages(kind)[-3:]])

    def assert_ends(self, made, *parts):
        self.assertEqual(made.wait_exit(), UNAVAILABLE, made.log_text()[-3000:])
        for part in parts:
            self.assertIn(part, made.log_text())

    # In the log and the answers: the flags are those of scan

    def test_a_decider_is_lied_to(self):
        self.begin_with_a_decider()
        self.lie_in_the_log()
        self.fill(seed=2)
        self.wait_decided(2 * RECORDS, self.decider)
        self.lie_in_the_log()
        self.assertEqual(self.decider.stop(), 0)
        self.decider.start()
        self.fill(seed=3)
        self.wait_decided(3 * RECORDS, self.decider)
        self.check_flags()
        told = {line["event"].rpartition(": ")[2] for line in self.decider.events(all_runs=True)
                if line["event"].startswith("message of the log")}
        self.assertGreaterEqual(told, {"damaged", "other_cluster"})
        self.stop_all()

    def test_shards_and_a_resolver_are_lied_to(self):
        self.begin_with_shards()
        self.given = [[message.value for message in self.messages("answers") if message.partition == shard] for shard in range(SHARDS)]
        self.lie_in_the_log()
        self.lie_in_the_answers()
        self.fill(seed=2)
        self.wait_decided(2 * RECORDS, self.resolver_of_all)
        for process in *self.shards, self.resolver_of_all:
            process.kill()
            process.start()
        self.lie_in_the_log()
        self.lie_in_the_answers()
        self.fill(seed=3)
        self.wait_decided(3 * RECORDS, self.resolver_of_all)
        self.check_flags()
        self.stop_all()

    def lie_in_the_answers(self):
        cluster = self.uuid()
        given = self.given
        about_some = [[one for one in answers if self.records_of(one, cluster)] for answers in given]
        for shard, answers in enumerate(given):
            self.write("answers", answers[::-1], shard)
            self.write("answers", given[1 - shard][:20], shard)
            self.write("answers", [b"", b"no message", bytes(5000), *damaged(about_some[shard][-1])], shard)
            self.write("answers", [of_another_cluster(one) for one in answers[:20]], shard)
            self.write("answers", [self.from_the_future(one, cluster) for one in about_some[shard][-20:]], shard)
            self.write("answers", [message.value for kind in ("log", "decisions") for message in self.messages(kind)[-3:]], shard)

    @staticmethod
    def head_of(message, cluster):
        """Rule, shard, first and as_of of an answer, and what follows."""
        _, reader = open_message(message, cluster)
        head = reader.bytes(), reader.varint(), reader.varint(), reader.varint()
        return *head, reader.data[reader.at:]

    def records_of(self, message, cluster):
        return cluster_log.Reader(self.head_of(message, cluster)[-1]).varint()

    def from_the_future(self, message, cluster):
        """As of a record that is not decided, about the next records."""
        rule, shard, _, _, rest = self.head_of(message, cluster)
        decided = self.decided()
        body = sized(rule) + varint(shard) + varint(decided + 1) + varint(decided + 100_000) + rest
        return cluster_log.message(ANSWERS, cluster, body)

    # In the decisions: refused

    def test_a_decision_that_comes_again(self):
        self.begin_with_shards()
        self.resolver_of_all.kill()
        self.write("decisions", [self.messages("decisions")[2].value])
        for shard in self.shards:
            self.assert_ends(shard, "another program has written to the topic", "the one before it ends before record")
        self.fill(seed=2)
        self.assert_fails(self.resolver_of_all, UNAVAILABLE, "says record 301", "a message is repeated")
        self.assertEqual(self.decided(), RECORDS)
        self.check_decided()

    def check_decided(self):
        """No flag of the first records is lost or doubled."""
        seqs = [json.loads(flag.value)["seq"] for flag in self.client.read_committed_all(self.out)]
        self.assertEqual(seqs, list(range(1, RECORDS + 1)))

    def test_a_decision_that_comes_again_changes_nothing_for_deciders(self):
        self.begin_with_a_decider()
        self.write("decisions", [message.value for message in self.messages("decisions")[1:4]])
        for process in self.decider, self.sketcher:
            self.assertEqual(process.stop(), 0)
            process.start()
        self.fill(seed=2)
        self.wait_decided(2 * RECORDS, self.decider)
        self.check_flags()
        self.stop_all()

    def test_two_clusters_on_the_same_topics(self):
        self.begin_with_shards()
        mine, other = self.uuid(), of_another_cluster(self.messages("decisions")[0].value)
        self.resolver_of_all.kill()
        self.write("log", [of_another_cluster(message.value) for message in self.messages("log")])
        self.write("decisions", [other])
        names = mine, other[3:39].decode(), "two clusters use the same topics"
        for process in self.sketcher, *self.shards:
            self.assert_ends(process, *names)
        for process in self.resolver_of_all, self.sketcher, *self.shards:
            self.assert_fails(process, UNAVAILABLE, *names)
        self.check_decided()

    def test_what_is_no_decision(self):
        self.begin_with_shards()
        one = self.messages("decisions")[-1].value
        self.resolver_of_all.kill()
        self.write("decisions", [one[:-1]])
        for process in self.sketcher, *self.shards:
            self.assert_ends(process, f"topic {self.name}.decisions: the message at offset ", "is damaged")
        self.assert_fails(self.resolver_of_all, UNAVAILABLE, "is damaged, or was not written by neardup")
        self.check_decided()


if __name__ == "__main__":
    unittest.main()
