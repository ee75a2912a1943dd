"""A cluster of which a topic is deleted and recreated: each process that has a position of it ends with 75, also when it is started again."""

import signal

import needs

needs.broker()
import documents  # noqa: E402
import trial  # noqa: E402
from decider_case import DeciderCase  # noqa: E402

RECORDS, PARTITIONS = 200, 2
CRASHES = (-signal.SIGABRT, -signal.SIGSEGV)  # of librdkafka before 2.10 (its issue 4964)


class Recreated(DeciderCase):
    def fill(self, count=RECORDS, seed=1):
        self.client.produce(self.docs, documents.records(count, seed, keys=True, partitions=PARTITIONS))

    def begin(self, *deciding):
        """A cluster that has flagged RECORDS records; returns its sketcher."""
        sketcher = self.role("sketcher", "sketcher").start()
        for made in deciding:
            made.start()
        self.fill()
        self.wait_decided(RECORDS, deciding[-1])
        sketcher.wait_caught_up(self.cluster)
        return sketcher

    def with_decider(self):
        self.make_cluster(PARTITIONS)
        decider = self.role("decider", "decider")
        return self.begin(decider), decider

    def with_shard(self):
        self.make_cluster(PARTITIONS)
        shard, resolver = self.role("shard", "shard", cluster__shard=0), self.role("resolver", "resolver")
        return self.begin(shard, resolver), shard, resolver

    def make_again(self, topic, partitions=1):
        self.cluster.delete_topic(topic)
        self.cluster.create_topic(topic, partitions)

    def assert_ends(self, made, topic, *words):
        """With 75, and a reason that names the topic and what to do. A crash of librdkafka may come first; then its next start tells."""
        if made.running() and made.wait_exit() in CRASHES:
            print(f"{self.name}: {made.folder.name} has crashed in librdkafka")
            made.start()
        self.assertEqual(made.wait_exit(), 75, made.log_text()[-3000:])
        reason = made.events("ended")[0]["reason"]
        for word in (f"topic {topic} was deleted", "recreated", *words):
            self.assertIn(word, reason)

    def assert_stays_ended(self, made, topic):
        self.assert_ends(made.start(), topic)


class Inputs(Recreated):
    def test_while_a_sketcher_runs(self):
        sketcher, _ = self.with_decider()
        self.make_again(self.docs, PARTITIONS)
        self.fill(seed=2)
        self.assert_ends(sketcher, self.docs, "under another name")
        sketcher.options = ["--skip-gap"]
        self.assert_stays_ended(sketcher, self.docs)
        self.assertEqual(self.decided(), RECORDS)

    def test_while_no_sketcher_runs(self):
        """Kafka has forgotten the offsets of the old topic, and the new one is longer than its positions in the log."""
        sketcher, _ = self.with_decider()
        self.assertEqual(sketcher.stop(), 0)
        self.make_again(self.docs, PARTITIONS)
        self.fill(3 * RECORDS, seed=2)
        self.assert_stays_ended(sketcher, self.docs)
        self.assertEqual(self.decided(), RECORDS)


class OfDeciders(Recreated):
    def test_the_log(self):
        sketcher, decider = self.with_decider()
        log = f"{self.name}.log"
        self.make_again(log)
        for made in sketcher, decider:
            self.assert_ends(made, log, "docs/cluster.md")
            self.assert_stays_ended(made, log)

    def test_the_decisions(self):
        sketcher, decider = self.with_decider()
        decisions = f"{self.name}.decisions"
        self.make_again(decisions)
        for made in sketcher, decider:
            self.assert_ends(made, decisions, "docs/cluster.md")

    def test_the_log_while_no_decider_runs_and_then_the_remedy(self):
        sketcher, decider = self.with_decider()
        self.assertEqual(sketcher.stop(), 0)
        self.assertEqual(decider.stop(), 0)
        log = f"{self.name}.log"
        self.make_again(log)
        self.assert_stays_ended(decider, log)
        self.assert_stays_ended(sketcher, log)
        self.cluster.delete_topic(f"{self.name}.decisions")
        self.cluster_command("init", "--from", decider.keys["storage.path"])
        self.fill(seed=2)
        decider.start()
        sketcher.start()
        self.wait_decided(2 * RECORDS, decider)
        self.check_flags()


class OfShards(Recreated):
    def test_the_log(self):
        log = f"{self.name}.log"
        roles = self.with_shard()
        self.make_again(log)
        for made in roles:
            self.assert_ends(made, log, "docs/cluster.md")
        for made in roles:
            self.assert_stays_ended(made, log)

    def test_the_decisions(self):
        decisions = f"{self.name}.decisions"
        roles = self.with_shard()
        self.make_again(decisions)
        for made in roles:
            self.assert_ends(made, decisions, "docs/cluster.md")

    def test_the_answers(self):
        answers = f"{self.name}.answers"
        _, _, resolver = self.with_shard()
        self.make_again(answers, 64)
        self.assert_ends(resolver, answers)
        resolver.start()
        self.fill(seed=2)
        self.wait_decided(2 * RECORDS, resolver)
        self.check_flags()


if __name__ == "__main__":
    trial.main()
