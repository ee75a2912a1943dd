"""`neardup cluster`: the topics that it makes and checks, what it shows, placements, and clusters made from a state."""

import json
import subprocess
import sys
import time
import unittest

import needs

needs.broker()
import documents  # noqa: E402
import service  # noqa: E402
from client import Record  # noqa: E402
from decider_case import DeciderCase  # noqa: E402

PATIENCE = 60  # seconds
USAGE, DISAGREEMENT, WRONG = 64, 75, 78
DAY_MS = 86_400_000


class Command(DeciderCase):
    CLUSTER = {"users": {"nobody": "nobody-secret"}}

    def setUp(self):
        super().setUp()
        self.keys = {}
        self.docs, self.out, self.dead = (f"{self.name}.{kind}" for kind in ("docs", "out", "dead"))

    def keys_of(self, role, label, **more):
        return {**super().keys_of(role, label, **more), "kafka.brokers": self.cluster.internal_bootstrap}

    def ask(self, *words, status=0, **keys):
        """`neardup cluster`: what it prints, stdout or, for another status, stderr."""
        folder = self.folder / self.name
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "cluster.yaml"
        file.write_text(json.dumps(service.nested({**self.keys_of("decider", "command"), **keys})))
        done = subprocess.run([service.BINARY, "cluster", words[0], "-c", file, *words[1:]], capture_output=True,
                              text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def status(self, **keys):
        return json.loads(self.ask("status", "--json", **keys))

    def settings(self, topic):
        return self.cluster.topic_config(topic)

    def records(self, seed=1):
        self.docs = self.topic(partitions=2)
        self.out, self.dead = self.topic("out"), self.topic("dead")
        self.client.produce(self.docs, documents.records(200, seed, keys=True, partitions=2))


class Init(Command):
    def test_it_makes_the_topics(self):
        self.assertIn(f"cluster {self.name} created: ", self.ask("init"))
        self.assertEqual(len(self.cluster.partitions(f"{self.name}.log")), 1)
        self.assertEqual(len(self.cluster.partitions(f"{self.name}.answers")), 64)
        self.assertEqual(len(self.cluster.partitions(f"{self.name}.decisions")), 1)
        kept = {"log": str(7 * DAY_MS), "answers": "3600000", "decisions": "-1"}
        for kind, retention in kept.items():
            found = self.settings(f"{self.name}.{kind}")
            self.assertEqual(found["retention.ms"], retention)
            self.assertEqual(found["cleanup.policy"], "delete")
            self.assertEqual(found["compression.type"], "uncompressed")
            self.assertEqual(found["unclean.leader.election.enable"], "false")
        self.assertGreaterEqual(int(self.settings(f"{self.name}.log")["max.message.bytes"]), 1_000_000)
        self.assertEqual(self.client.read_committed_all(f"{self.name}.log"), [])

    def test_texts_of_exact_verification_fit_into_the_log(self):
        self.ask("init", **{"verify.mode": "exact", "storage.keep_texts": "kept", "text.max_bytes": "4MiB"})
        self.assertGreater(int(self.settings(f"{self.name}.log")["max.message.bytes"]), 4 << 20)

    def test_a_second_one_is_refused(self):
        begun = time.gmtime()
        self.ask("init")
        uuid = self.status()["uuid"]
        text = self.ask("init", status=DISAGREEMENT)
        self.assertIn(f"there is a cluster {self.name} already: {uuid}, made at {begun.tm_year}-", text)
        self.assertEqual(self.status()["uuid"], uuid)

    def test_all_that_is_wrong_is_listed(self):
        self.cluster.create_topic(f"{self.name}.log", 3, {"cleanup.policy": "compact", "max.message.bytes": 100_000,
                                                          "retention.bytes": 1 << 20})
        self.cluster.create_topic(f"{self.name}.answers", 2, {"unclean.leader.election.enable": "true"})
        self.cluster.create_topic(f"{self.name}.decisions", 2)
        text = self.ask("init", status=WRONG)
        for problem in (".log has 3 partitions, and must have 1", ".decisions has 2 partitions, and must have 1",
                        ".answers has 2 partitions, and needs one for each of 64 shards", ".log has cleanup.policy=compact",
                        ".answers has unclean.leader.election.enable=true", ".log has max.message.bytes=100000",
                        ".log has retention.bytes=1048576"):
            self.assertIn(f"- topic {self.name}{problem}", text)
        self.assertEqual(text.count("\n- "), 7, text)
        self.assertEqual(self.client.read_committed_all(f"{self.name}.decisions"), [])

    def test_what_is_not_permitted_is_named(self):
        login = {"kafka.brokers": self.cluster.bootstrap,
                 "kafka.librdkafka": {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanisms": "PLAIN",
                                      "sasl.username": "nobody", "sasl.password": "nobody-secret"}}
        self.ask("init")
        text = self.ask("init", status=WRONG, **login)
        for kind in ("log", "answers", "decisions"):
            self.assertIn(f"missing permission: DESCRIBE on topic {self.name}.{kind}: grant it to User:nobody", text)

    def test_brokers_and_a_name_are_needed(self):
        text = self.ask("init", status=WRONG, **{"kafka.brokers": "", "cluster.name": ""})
        self.assertIn("`kafka.brokers` is missing", text)
        self.assertIn("`cluster.name` is missing", text)


class Head(Command):
    """What the topic of decisions must hold."""

    def test_a_cluster_must_be_there(self):
        self.assertIn("Run `neardup cluster init` first", self.ask("status", status=WRONG))

    def test_another_rule_is_refused_with_both(self):
        self.ask("init")
        rule = self.status()["rule"]
        text = self.ask("status", status=WRONG, threshold=0.9)
        self.assertIn(f"has the rule {rule}, and the configuration gives the rule ", text)
        self.assertIn("threshold_ppm: 900000", text)

    def test_two_clusters_on_the_same_topics_are_refused_with_both(self):
        self.ask("init")
        mine = self.status()["uuid"]
        other = self.keys_of("decider", "other")["cluster.name"] + "2"
        self.ask("init", **{"cluster.name": other})
        foreign = self.client.read_committed_all(f"{other}.decisions")[0]
        self.client.produce(f"{self.name}.decisions", [Record(foreign.value)])
        text = self.ask("status", status=DISAGREEMENT)
        self.assertIn(self.status(**{"cluster.name": other})["uuid"], text)
        self.assertIn(mine, text)
        self.assertIn("two clusters use the same topics", text)

    def test_what_is_damaged_or_newer_is_named_by_its_offset(self):
        self.ask("init")
        first = self.client.read_committed_all(f"{self.name}.decisions")[0].value
        self.client.produce(f"{self.name}.decisions", [Record(first[:-1] + bytes([first[-1] ^ 1]))])
        self.assertIn("the message at offset 1 is damaged", self.ask("status", status=DISAGREEMENT))

    def test_the_last_message_is_found_behind_markers(self):
        self.ask("init")
        uuid = self.status()["uuid"]
        topic = f"{self.name}.decisions"
        first = self.client.read_committed_all(topic)[0].value
        for _ in range(6):
            self.client.produce_and_abort(topic, [Record(first)])
        self.assertEqual(self.status()["uuid"], uuid)
        self.client.produce_and_commit(topic, [Record(first)])
        self.assertEqual(self.status()["uuid"], uuid)


class Status(Command):
    def test_of_a_new_cluster(self):
        self.ask("init")
        found = self.status()
        self.assertEqual(found["cluster"], self.name)
        self.assertEqual(found["decided"]["seq"], 0)
        self.assertEqual(found["placement"], {"epoch": 0})
        self.assertEqual(found["deciders"], {"members": 0})
        self.assertEqual(found["sources"], [])
        text = self.ask("status")
        for part in (found["uuid"], "decided    up to seq 0", "0 messages, 0 records", "0, and none has the lease"):
            self.assertIn(part, text)

    def test_of_one_at_work(self):
        self.records()
        self.ask("init")
        decider = self.role("decider", "decider").start()
        decider.wait_until(lambda: self.leads(decider), "the lease")
        sketcher = self.role("sketcher", "sketcher").start()
        self.wait_decided(200, decider)
        found = self.status()
        self.assertEqual(found["decided"]["seq"], 200)
        self.assertEqual(found["deciders"]["members"], 1)
        self.assertIn("127.0.0.1", found["deciders"]["leader"])
        self.assertEqual(found["sketchers"], 1)
        ends = self.cluster.end_offsets(self.docs)
        self.assertEqual([(one["partition"], one["accepted"], one["end"]) for one in found["sources"]],
                         [(partition, ends[partition], ends[partition]) for partition in (0, 1)])
        self.assertEqual(found["log"]["waiting_records"], 0)
        text = self.ask("status")
        self.assertIn("has the lease", text)
        self.assertIn(f"{self.docs}[1]", text)
        decider.stop()
        self.client.produce(self.docs, documents.records(100, 2, keys=True, partitions=2))
        sketcher.wait_until(lambda: self.status()["log"]["waiting_records"] == 100, "the records to wait")
        self.assertGreater(self.status()["log"]["waiting_bytes"], 100 * 256)
        self.assertGreater(self.status()["log"]["waiting_messages"], 0)


class Place(Command):
    def place(self, *words, status=0):
        """No shard is at work."""
        return self.ask("place", *words, "--wait", "0", status=status)

    def test_shards_that_are_not_at_work_are_named_and_nothing_is_written(self):
        self.ask("init")
        begun = time.monotonic()
        text = self.ask("place", "--active", "0,2,1", "--wait", "1", status=DISAGREEMENT)
        self.assertIn("no placement is written: within 1 s, these shards have not shown", text)
        self.assertIn(" applied all decisions: 1,2. Start them", text)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual(self.client.read_committed_all(f"{self.name}.log"), [])

    def test_each_follows_the_one_that_holds(self):
        self.ask("init")
        self.assertEqual(self.place("--active", "0,1"),
                         "placement 1 holds from seq 1 on: shards 0,1 answer, 0,1 accept new documents\n")
        self.assertEqual(self.place("--active", "3"),
                         "placement 2 holds from seq 1 on: shards 0,1,3 answer, 3 accept new documents\n")
        self.place("--active", "3,1", "--answering", "3,1")
        self.assertEqual(self.status()["placement"], {"epoch": 3, "answering": [1, 3], "active": [3, 1]})
        self.assertIn("3: shards 1,3 answer, 3,1 accept new documents", self.ask("status"))

    def test_the_one_that_holds_is_found_behind_what_is_decided(self):
        self.records()
        self.ask("init")
        self.place("--active", "5")
        decider, _ = self.role("decider", "decider").start(), self.role("sketcher", "sketcher").start()
        self.wait_decided(200, decider)
        self.assertEqual(self.status()["placement"], {"epoch": 1, "answering": [0, 5], "active": [5]})
        self.assertIn("placement 2 holds from seq 201 on: shards 0,2,5 answer", self.place("--active", "2"))

    def test_one_that_was_second_is_void(self):
        """Both were made from placement 0: only the first counts, for every reader."""
        self.ask("init")
        self.place("--active", "0")
        first = self.client.read_committed_all(f"{self.name}.log")[0].value
        self.place("--active", "0,1")
        self.client.produce(f"{self.name}.log", [Record(first)])
        self.assertEqual(self.status()["placement"]["epoch"], 2)
        results = [subprocess.Popen([service.BINARY, "cluster", "place", "-c", self.folder / self.name / "cluster.yaml",
                                     "--active", str(shard), "--wait", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                   for shard in range(4)]
        texts = [process.communicate(timeout=PATIENCE) for process in results]
        placed = sum(process.returncode == 0 for process in results)
        self.assertGreaterEqual(placed, 1)
        self.assertEqual(self.status()["placement"]["epoch"], 2 + placed)
        for process, (_, err) in zip(results, texts):
            if process.returncode != 0:
                self.assertEqual(process.returncode, DISAGREEMENT, err)
                self.assertIn("came first, so this one has no effect", err)

    def test_shards_that_cannot_be_are_refused(self):
        self.ask("init")
        for words in (["--active", "64"], ["--active", "1,1"], ["--active", "one"], ["--active", ""], [],
                      ["--active", "1,"], ["--active", "1", "--answering", "2"], ["--active", "1", "--wait", "1s"]):
            self.ask("place", *words, status=USAGE)
        self.assertEqual(self.status()["placement"], {"epoch": 0})


class FromState(Command):
    def alone(self):
        return self.make([self.docs], "alone", group=f"{self.name}.sketchers", output=self.out, dead_letters=self.dead, **self.keys,
                         kafka__brokers=self.cluster.internal_bootstrap)

    def flagged_alone(self):
        """A service of one process, not running, that has flagged 200 records."""
        self.records()
        alone = self.alone().start()
        alone.wait_flags(self.client, 200)
        self.assertEqual(alone.stop(), 0)
        return alone

    def test_a_cluster_goes_on_where_a_service_ended(self):
        alone = self.flagged_alone()
        state = alone.keys["storage.path"]
        self.assertIn("first seq 201", self.ask("init", "--from", state))
        found = self.status()
        self.assertEqual(found["decided"]["seq"], 200)
        self.assertEqual([one["accepted"] for one in found["sources"]], [one["end"] for one in found["sources"]])
        decider = self.role("decider", "decider", storage__path=state).start()
        self.role("sketcher", "sketcher").start()
        self.client.produce(self.docs, documents.records(200, 2, keys=True, partitions=2))
        self.wait_decided(400, decider)
        self.check_flags()
        self.assertEqual(decider.stop(), 0)
        self.assert_fails(alone, WRONG, "another layout")

    def test_the_state_is_that_of_shard_zero(self):
        state = self.flagged_alone().keys["storage.path"]
        self.ask("init", "--from", state)
        shard = self.role("shard", "shard", cluster__shard=0, storage__path=state).start()
        resolver = self.role("resolver", "resolver").start()
        self.role("sketcher", "sketcher").start()
        self.client.produce(self.docs, documents.records(200, 2, keys=True, partitions=2))
        self.wait_decided(400, resolver, shard)
        self.check_flags()
        empty = self.role("shard", "empty", cluster__shard=0, cluster__replica=1)
        self.assert_fails(empty, DISAGREEMENT, "the cluster was made from a state at seq 201, whose documents are those of shard 0")

    def test_ages_of_documents_before_it_are_not_known(self):
        """Resolvers know ages from what was decided in the cluster."""
        self.keys = {"retention__max_age": "3650d"}
        state = self.flagged_alone().keys["storage.path"]
        self.ask("init", "--from", state)
        self.role("shard", "shard", cluster__shard=0, storage__path=state).start().wait_ready()
        self.assert_fails(self.role("resolver", "resolver"), DISAGREEMENT, "begins with record 201, and the ages of documents from "
                          "record 1 on are needed", "A cluster that was made from a state cannot have such a retention")

    def test_a_cluster_goes_on_with_the_documents_of_scan(self):
        self.records()
        state = self.folder / self.name / "scanned"
        lines = self.folder / "documents.jsonl"
        lines.write_text("".join(json.dumps({"id": f"old-{i}", "text": f"the document number {i} of those that were there "
                                             f"before, long enough for a sketch {i}"}) + "\n" for i in range(50)))
        subprocess.run([service.BINARY, "scan", lines, "--state", state], check=True, capture_output=True, timeout=PATIENCE)
        self.assertIn("first seq 51", self.ask("init", "--from", str(state)))
        self.client.produce(self.docs, [Record(lines.read_bytes().splitlines()[7].replace(b"old-7", b"new"), partition=0)])
        decider = self.role("decider", "decider", storage__path=str(state)).start()
        self.role("sketcher", "sketcher").start()
        self.wait_decided(201, decider)
        flags = [json.loads(message.value) for message in self.client.read_committed_all(self.out)]
        self.assertEqual([flag["duplicate_of"] for flag in flags if flag["id"] == "new"], ["old-7"])

    def test_an_init_that_was_interrupted_is_repeated(self):
        self.records()
        alone = self.alone().start()
        alone.wait_flags(self.client, 200)
        self.assertEqual(alone.stop(), 0)
        self.ask("init", "--from", alone.keys["storage.path"])
        uuid = self.status()["uuid"]
        self.cluster.delete_topic(f"{self.name}.decisions")
        self.ask("init", "--from", alone.keys["storage.path"])
        self.assertEqual(self.status()["uuid"], uuid)

    def test_what_is_not_delivered_must_be_first(self):
        self.records()
        alone = self.alone().start({"NEARDUP_FAILPOINT": "before_commit:2"})
        self.assertEqual(alone.wait_exit(), -9)
        text = self.ask("init", "--from", alone.keys["storage.path"], status=DISAGREEMENT)
        self.assertIn("may not be delivered", text)
        self.ask("status", status=WRONG)
        alone.start()
        alone.wait_flags(self.client, 200)
        self.assertEqual(alone.stop(), 0)
        self.ask("init", "--from", alone.keys["storage.path"])

    def test_a_state_in_use_of_another_rule_or_nowhere_is_refused(self):
        self.records()
        alone = self.alone().start()
        alone.wait_flags(self.client, 200)
        state = alone.keys["storage.path"]
        self.ask("init", "--from", state, status=DISAGREEMENT)
        self.assertEqual(alone.stop(), 0)
        self.ask("init", "--from", state, status=WRONG, threshold=0.9)
        self.ask("init", "--from", f"{state}.nowhere", status=DISAGREEMENT)
        self.ask("status", status=WRONG)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main()
