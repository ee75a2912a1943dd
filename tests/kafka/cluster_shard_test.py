"""Shards on a real broker: what they keep, what they answer, and what they refuse. The decisions are made by the test."""

import json
import subprocess
import sys
import unittest

import needs

needs.broker()
import exposition  # noqa: E402
import service  # noqa: E402
from client import Record  # noqa: E402
from cluster_case import ClusterCase, Decider, Resolver  # noqa: E402
from cluster_log import ANSWERS, Decided, encode_placement, open_message, read_answers  # noqa: E402

DISAGREEMENT, WRONG = 75, 78
BANDS = 20
RULE = {"lsh.bands": BANDS, "lsh.rows": 5}


def document(name, text=None):
    return json.dumps({"id": name, "text": text or f"The document {name} has words of its own. " * 5}).encode()


class Shards(ClusterCase):
    def setUp(self):
        super().setUp()
        self.docs = self.topic(partitions=2)

    def begin(self, decider=Resolver):
        self.cluster_of_roles(decider=decider, rule=self.rule_of(RULE))
        self.sketching = self.sketcher([self.docs], **RULE).start().wait_ready()

    def shard(self, number=0, label=None, **more):
        """One that is not started."""
        keys = {"cluster__name": self.name, "cluster__role": "shard", "cluster__shard": number, **RULE, **more}
        made = self.make_bare([], label or f"shard-{number}", **keys)
        for key in "topics", "group_id", "output_topic", "dead_letter_topic":
            del made.keys[f"kafka.{key}"]
        return made

    def produce(self, *documents):
        self.client.produce(self.docs, [Record(one, partition=i % 2) for i, one in enumerate(documents)])

    def add(self, made, count, prefix="d"):
        """More documents, which are decided and applied."""
        before = len(self.decider.log.accepted)
        self.produce(*(document(f"{prefix}{i}") for i in range(count)))
        self.wait_applied(made, before + count)

    def wait_applied(self, made, seq):
        made.wait_until(lambda: self.scrape(made)["neardup_last_seq"].value() >= seq, f"record {seq}")

    def scrape(self, made):
        status, body = made.get("/metrics")
        self.assertEqual(status, 200)
        return exposition.parse(body.decode())

    def answers_in(self, message):
        """None in that of a shard which has nothing to answer."""
        kind, reader = open_message(message.value, self.uuid)
        self.assertEqual(kind, ANSWERS)
        shard, answers = read_answers(reader, self.decider.log.rule, BANDS)
        self.assertEqual(shard, message.partition)
        return answers

    def answers(self):
        """All that were given, in their order."""
        messages = self.client.read_committed_all(f"{self.name}.answers")
        return [answer for message in messages for answer in self.answers_in(message)]

    def has(self, made, name):
        status, body = made.get(f"/v1/documents/{name}")
        self.assertIn(status, (200, 404), body)
        return status == 200

    # What it keeps and answers

    def test_it_keeps_what_is_decided_and_answers_what_is_not(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 100)
        self.assertTrue(all(self.has(made, f"d{i}") for i in range(100)))
        self.assertFalse(self.has(made, "d100"))
        self.decider.pause()
        text = "The document d7 has words of its own. " * 5
        self.produce(document("copy", text), document("d8"), document("near", text + "And more."), document("new"))
        made.wait_until(lambda: len(self.answers()) >= 104, "answers")
        found = {self.decider_id(answer.seq): answer for answer in self.answers() if answer.seq > 100}
        self.assertEqual([name for _, name in found["copy"].same], ["d7"])
        self.assertIsNone(found["copy"].version)
        self.assertEqual(self.decider_id(found["d8"].version), "d8")
        self.assertIn("d7", [name for _, name in found["near"].nominees])
        self.assertEqual((found["new"].same, found["new"].nominees), ((), ()))
        self.assertEqual({answer.as_of for answer in found.values()}, {100})
        self.assertEqual(made.stop(), 0)

    def test_it_says_how_far_it_is_while_it_has_nothing_to_answer(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 10)
        begin = self.cluster.end_offsets(f"{self.name}.answers")[0]
        made.wait_until(lambda: self.cluster.end_offsets(f"{self.name}.answers")[0] > begin + 1, "two empty answers")
        message = self.client.read_committed_all(f"{self.name}.answers")[-1]
        self.assertEqual(self.answers_in(message), [])
        _, reader = open_message(message.value, self.uuid)
        reader.text()  # the rule
        self.assertEqual([reader.varint() for _ in range(4)], [0, 11, 10, 0])  # shard, first, as of, records

    def decider_id(self, seq):
        return self.read_log().accepted[seq - 1].id

    def test_it_answers_again_when_it_is_asked(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 10)
        self.decider.pause()
        self.produce(document("a"), document("b"))
        made.wait_until(lambda: len(self.answers()) >= 12, "answers")
        given = len(self.answers())
        self.decider.again = True
        Resolver.decide(self.decider)
        made.wait_until(lambda: len(self.answers()) >= given + 2, "answers anew")
        self.assertEqual(self.scrape(made)["neardup_shard_again_total"].value(), 1)

    def test_it_goes_on_where_its_state_stands(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 50, "a")
        for place in "before_store", "after_store":
            made.kill()
            made.start({"NEARDUP_FAILPOINT": f"{place}:1"})
            self.produce(*(document(f"{place}{i}") for i in range(50)))
            made.wait_exit()
            made.start().wait_ready()
        self.wait_applied(made, 150)
        for prefix in "a", "before_store", "after_store":
            self.assertTrue(all(self.has(made, f"{prefix}{i}") for i in range(50)), prefix)
        self.assertEqual(made.stop(), 0)

    def test_two_shards_divide_the_documents_by_their_placement(self):
        self.begin()
        first, second = (self.shard(number).start().wait_ready() for number in (0, 1))
        self.add(first, 10, "before")
        self.client.produce(f"{self.name}.log", [encode_placement(self.uuid, 1, (0, 1), (1, 0))])
        self.decider_epoch(1)
        for made in first, second:
            self.add(made, 10, "later" if made is first else "last")
        self.wait_applied(first, 30)
        self.assertEqual([self.has(first, name) for name in ("before3", "later3", "last3")], [True, False, False])
        self.assertEqual([self.has(second, name) for name in ("before3", "later3", "last3")], [False, True, True])
        second.wait_until(lambda: {1} <= {answer.shard for answer in self.answers()}, "answers of both")
        self.assertTrue(all(answer.seq > 10 for answer in self.answers() if answer.shard == 1))
        # A lost disk: the documents are those of the log.
        third = self.shard(1, "third").start().wait_ready()
        self.assertEqual([self.has(third, name) for name in ("before3", "later3", "last3")], [False, True, True])
        # A new one begins at the end.
        fourth = self.shard(2).start().wait_ready()
        self.assertEqual(fourth.events("serving")[0]["next_seq"], 31)

    def decider_epoch(self, epoch):
        self.sketching.wait_until(lambda: self.decider.log.epoch == epoch, f"placement {epoch}")

    def test_what_it_answers_over_http(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 10)
        self.assertEqual(made.get("/healthz")[0], 200)
        self.assertEqual(json.loads(made.get("/v1/rule")[1])["rule"], self.decider.log.rule)
        self.assertIn(b"role: shard", made.get("/v1/config")[1])
        self.assertEqual(json.loads(made.get("/v1/stats")[1])["documents"], 10)
        for path in "/v1/documents", "/v1/similar?id=a", "/v1/groups", "/v1/documents/a/copies":
            status, body = made.get(path)
            self.assertEqual((status, json.loads(body)["reason"]), (501, "other_role"), path)
        found = self.scrape(made)
        self.assertEqual(found["neardup_shard_applied_records_total"].value(), 10)
        self.assertGreaterEqual(found["neardup_shard_answered_records_total"].value(), 0)
        messages = [message.value for message in self.client.read_committed_all(f"{self.name}.answers") if self.answers_in(message)]
        self.assertEqual(found["neardup_shard_answers_total"].value(), len(messages))
        self.assertEqual(found["neardup_shard_answer_bytes_total"].value(), sum(map(len, messages)))

    # What it refuses

    def test_the_state_of_another_shard(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.assertEqual(made.stop(), 0)
        made.keys["cluster.shard"] = 1
        self.assert_fails(made, WRONG, f"is of shard 0 of the cluster {self.uuid}, and `cluster.shard` is 1")

    def test_the_state_of_another_cluster(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.assertEqual(made.stop(), 0)
        old = self.uuid
        self.decider.close()
        for kind in "log", "decisions", "answers":
            self.cluster.delete_topic(f"{self.name}.{kind}")
        self.cluster_of_roles(decider=Resolver, rule=self.rule_of(RULE))
        self.assert_fails(made, WRONG, f"is of {old}, and the cluster is {self.uuid}")

    def test_a_log_that_was_cut(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 10)
        self.assertEqual(made.stop(), 0)
        at = len(self.client.read_committed_all(f"{self.name}.log"))
        self.produce(document("a"), document("b"))
        self.sketching.wait_until(lambda: len(self.decider.log.accepted) == 12, "two more")
        self.cluster.delete_records(f"{self.name}.log", 0, at + 1)
        self.assert_fails(made, DISAGREEMENT, f"is at offset {at} of topic {self.name}.log, which begins at {at + 1} now")

    def test_decisions_that_were_cut(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 10)
        self.assertEqual(made.stop(), 0)
        at = len(self.client.read_committed_all(f"{self.name}.decisions"))
        for _ in range(3):
            self.decider.decide()
        self.cluster.delete_records(f"{self.name}.decisions", 0, at + 2)
        self.assert_fails(made, DISAGREEMENT,
                          f"is at offset {at} of topic {self.name}.decisions, which begins at {at + 2} now")

    def test_its_number_was_taken_away(self):
        self.begin()
        made = self.shard().start().wait_ready()
        self.add(made, 10)
        self.client.produce(f"{self.name}.log", [encode_placement(self.uuid, 1, (1,), (1,))])
        self.decider_epoch(1)
        self.produce(document("without"))
        self.assertEqual(made.wait_exit(), WRONG)
        self.assert_fails(made, WRONG, "the placement of record 11 removes shard 0")
        empty = self.shard(0, "empty").start().wait_ready()
        self.assertEqual(empty.events("serving")[0]["next_seq"], 12)

    def test_a_log_that_a_decider_decides(self):
        self.begin(Decider)
        made = self.shard().start().wait_ready()
        self.decider.pause()
        self.produce(document("a"))
        self.sketching.wait_until(lambda: len(self.client.read_committed_all(f"{self.name}.log")) > 0, "a message")
        self.decider.write(Decided(self.decider.log.rule, 1, 2, 1, {(self.docs, 0): 1}, 2, 0))
        self.assertEqual(made.wait_exit(), DISAGREEMENT)
        self.assertIn("were decided by a decider", made.log_text())

    def test_a_state_that_is_no_shards(self):
        self.begin()
        made = self.shard()
        folder = self.folder / self.name / "shard-0"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "one.jsonl").write_bytes(document("a") + b"\n")
        subprocess.run([service.BINARY, "scan", folder / "one.jsonl", "--state", folder / "state", "--output", folder / "flags", "--set", "lsh.bands=20", "--set", "lsh.rows=5"],
                       check=True, capture_output=True)
        self.assert_fails(made, WRONG, "holds documents that are not of the cluster")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
