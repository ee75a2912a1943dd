"""What a running service shows at /metrics, against its reference and against what it has done."""

import collections
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import needs

needs.broker()
import documents  # noqa: E402
import exposition  # noqa: E402
import trial  # noqa: E402
from client import Record  # noqa: E402
from service_case import ServiceCase  # noqa: E402

REFERENCE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
# Only there once a shard was waited for, or records of an input were deleted.
NOT_HERE = {"neardup_resolver_shard_wait_seconds_total", "neardup_kafka_headroom_records"}
OPEN = {"group"}  # labels whose values are the configuration's
COUNT = 1200
PARTITIONS = 2


def reference():
    """name → (type, label names, values of labels that are listed, help) as docs/metrics.md has them."""
    metrics = {}
    for line in REFERENCE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        name = re.fullmatch(r"`(\w+)`", cells[0])
        if not line.startswith("|") or not name:
            continue
        labels = {}
        for label in filter(None, cells[3].split("; ")):
            key, _, values = label.partition(": ")
            labels[key.strip("`")] = values.split(", ")
        metrics[name[1]] = cells[1], labels, cells[4]
    return metrics


class Metrics(ServiceCase):
    def scrape(self, made):
        status, body = made.get("/metrics")
        self.assertEqual(status, 200)
        self.text = body.decode()
        return exposition.parse(self.text)

    def serve(self, count=COUNT, **keys):
        """A service that has flagged the documents, and waits."""
        topic = self.topic(partitions=PARTITIONS)
        self.client.produce(topic, documents.records(count, partitions=PARTITIONS))
        made = self.make([topic], **keys).start().wait_ready()
        made.wait_flags(self.client, count)
        made.wait_caught_up(self.cluster)
        made.wait_until(lambda: self.scrape(made)["neardup_kafka_outbox_batches"].value() == 0, "the last delivery")
        made.wait_until(lambda: "neardup_kafka_lag_records" in self.scrape(made), "the first look at the ends")
        return made, topic

    def test_every_metric_of_the_reference_is_there_and_none_else(self):
        made, topic = self.serve(backup__directory=str(self.new_folder()))  # two metrics are of backups
        found = self.scrape(made)
        wanted = {name: one for name, one in reference().items() if name not in NOT_HERE}
        self.assertGreater(len(wanted), 60)
        self.assertEqual(sorted(found), sorted(wanted))
        for name, (kind, labels, text) in wanted.items():
            with self.subTest(name):
                family = found[name]
                self.assertEqual(family.type, kind)
                self.assertTrue(text.startswith(family.help), f"{text!r} does not begin with {family.help!r}")
                self.assertEqual(family.label_names(), set(labels))
                if len(labels) == 1 and labels.keys().isdisjoint(OPEN):
                    (label, values), = labels.items()
                    there = {dict(key)[label] for _, key in family.samples}
                    self.assertEqual(there, set(values))
        lag = found["neardup_kafka_lag_records"]
        self.assertEqual({labels for _, labels in lag.samples},
                         {(("partition", str(n)), ("topic", topic)) for n in range(PARTITIONS)})

    def test_promtool_finds_nothing_wrong(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool (Debian: prometheus) is not installed")
        made, _ = self.serve(100)
        self.scrape(made)
        done = subprocess.run(["promtool", "check", "metrics"], input=self.text, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_counts_are_those_of_the_output_topic(self):
        made, _ = self.serve()
        found = self.scrape(made)
        flags = [json.loads(message.value) for message in self.outputs(made)]
        by_status = collections.Counter(flag["status"] for flag in flags)
        reasons = collections.Counter(flag["reason"] for flag in flags if flag["status"] == "rejected")
        shown = found["neardup_documents_total"].values("status")
        self.assertEqual({status: number for status, number in shown.items() if number}, dict(by_status))
        self.assertTrue({"unique", "near_duplicate", "exact_duplicate", "rejected", "deleted"} <= by_status.keys())
        letters = found["neardup_dead_letters_total"].values("reason")
        self.assertEqual({reason: number for reason, number in letters.items() if number}, dict(reasons))
        self.assertEqual(found["neardup_kafka_messages_delivered_total"].values("to"),
                         {"output": len(flags), "dead_letter": len(self.dead_letters(made))})
        self.assertEqual(found["neardup_kafka_records_read_total"].value(), len(flags))
        self.assertEqual(found["neardup_last_seq"].value(), max(flag["seq"] for flag in flags))
        self.assertEqual(found["neardup_batch_documents"].sum(), len(flags))
        self.assertEqual(found["neardup_arrival_to_flag_seconds"].count(), len(flags))
        self.assertEqual(found["neardup_record_age_seconds"].count(), len(flags))
        self.check_similarities(found, flags)
        self.check_candidates(found, by_status)

    def check_similarities(self, found, flags):
        near = [flag["similarity"] for flag in flags if flag["status"] == "near_duplicate"]
        family = found["neardup_similarity_ratio"]
        self.assertEqual(family.count(), len(near))
        self.assertAlmostEqual(family.sum(), sum(near), places=3)
        below = family.samples["_bucket", (("le", "0.9"),)]
        self.assertEqual(below, sum(similarity <= 0.9 for similarity in near))

    def check_candidates(self, found, by_status):
        """Each step passes at most as many pairs as the previous one, the last at least one per near-duplicate."""
        steps = found["neardup_candidates_total"].values("step")
        order = ["nominated", "passed_one_bit", "passed_estimate", "passed_bucket", "confirmed"]
        numbers = [steps[step] for step in order]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertGreaterEqual(numbers[-1], by_status["near_duplicate"])

    def test_it_shows_where_it_stands(self):
        made, topic = self.serve()
        found = self.scrape(made)
        partitions = [{"topic": topic, "partition": str(n)} for n in range(PARTITIONS)]
        made.wait_until(lambda: all(self.scrape(made)["neardup_kafka_lag_records"].value(**one) == 0
                                    for one in partitions), "a look at the ends")
        found = self.scrape(made)
        self.assertEqual(sum(found["neardup_kafka_committed_offset"].value(**one) for one in partitions), COUNT)
        self.assertEqual(sum(found["neardup_kafka_end_offset"].value(**one) for one in partitions), COUNT)
        for one in partitions:
            self.assertLess(found["neardup_kafka_commit_age_seconds"].value(**one), 60)
        states = found["neardup_service_state"].values("state")
        self.assertEqual([state for state, on in states.items() if on], ["serving"])
        self.assertEqual(found["neardup_instances"].value(group=made.keys["kafka.group_id"]), 1)
        self.assertEqual((found["neardup_ready"].value(), found["neardup_healthy"].value()), (1, 1))
        self.assertEqual(found["neardup_kafka_brokers_reachable"].value(), 1)
        self.assertEqual(found["neardup_kafka_producer_reinits_total"].value(), 0)
        self.assertEqual(found["neardup_kafka_transactions_total"].value(),
                         1 + found["neardup_batch_documents"].count(), "and the one that begins a state")
        self.assertGreater(found["process_resident_memory_bytes"].value(), 1e6)
        self.assertGreater(found["neardup_memory_limit_bytes"].value(), 1e8)
        self.assertGreater(found["neardup_state_bytes"].value(), 1e4)
        self.assertGreater(found["neardup_rocksdb_log_syncs_total"].value(), 0)
        stages = found["neardup_stage_duration_seconds"]
        for stage in ("decode", "normalise", "sketch", "lookup", "verify", "write", "produce", "commit"):
            self.assertGreater(stages.sum(stage=stage), 0, stage)

    def test_lag_grows_while_it_is_behind(self):
        topic = self.topic()
        made = self.make([topic]).start().wait_ready()
        lag = {"topic": topic, "partition": "0"}
        made.wait_until(lambda: "neardup_kafka_lag_records" in self.scrape(made), "the first look at the ends")
        made.pause()
        self.client.produce(topic, documents.records(300))
        made.resume()
        made.wait_flags(self.client, 300)
        made.wait_until(lambda: self.scrape(made)["neardup_kafka_end_offset"].value(**lag) == 300, "a look")
        made.wait_until(lambda: self.scrape(made)["neardup_kafka_lag_records"].value(**lag) == 0, "no lag")
        self.assertNotIn("neardup_kafka_headroom_records", self.scrape(made))
        self.cluster.delete_records(topic, 0, 100)
        made.wait_until(lambda: "neardup_kafka_headroom_records" in self.scrape(made), "a look at the beginning")
        self.assertEqual(self.scrape(made)["neardup_kafka_headroom_records"].value(**lag), 200)

    def test_index_documents_and_deletes_are_those_of_stats(self):
        made, _ = self.serve()
        before = self.scrape(made)
        stats = json.loads(subprocess.run([made.process.args[0], "stats", "--json", "--state",
                                           made.keys["storage.path"]],
                                          capture_output=True, check=True, text=True).stdout)
        self.assertEqual(before["neardup_index_documents"].value(), stats["documents"])
        self.assertEqual(before["neardup_index_ids"].value(), stats["ids"])
        self.assertEqual(before["neardup_index_postings"].value(), stats["postings"])
        last = {}
        for flag in sorted((json.loads(one.value) for one in self.outputs(made)), key=lambda flag: flag["seq"]):
            last[flag["id"], flag.get("namespace", "")] = flag["status"]
        kept = next(name for (name, namespace), status in last.items() if status == "unique" and not namespace)
        said = subprocess.run([made.process.args[0], "delete", "--state", made.keys["storage.path"], kept],
                              check=True, capture_output=True, text=True).stdout
        self.assertIn("deleted 1 of 1", said)
        after = self.scrape(made)
        self.assertEqual(after["neardup_deletes_by_command_total"].value(), 1)
        self.assertEqual(after["neardup_index_documents"].value(), stats["documents"] - 1)
        removed = [one["neardup_index_removed_documents_total"].value(reason="ended") for one in (before, after)]
        self.assertEqual(removed[1], removed[0] + 1)

    def test_quality_is_estimated_from_pairs_that_were_compared(self):
        words = [[f"w{i}x{j}" for j in range(60)] for i in range(400)]
        lines = [json.dumps({"id": str(i), "text": " ".join(text)}) for i, text in enumerate(words)]
        lines += [json.dumps({"id": f"copy {i}", "text": " ".join(["new", *text])}) for i, text in enumerate(words)]
        topic = self.topic()
        self.client.produce(topic, [Record(line.encode()) for line in lines])
        made = self.make([topic], storage__memory="64MiB").start().wait_ready()
        made.wait_flags(self.client, len(lines))
        made.wait_until(lambda: self.scrape(made)["neardup_quality_precision_samples"].value() > 0, "a sample")
        found = self.scrape(made)
        self.assertEqual(found["neardup_quality_precision_ratio"].value(), 1)
        self.assertEqual(found["neardup_quality_recall_samples"].value(), 0)
        self.assertTrue(math.isnan(found["neardup_quality_recall_ratio"].value()))
        self.assertGreater(found["neardup_quality_pairs_total"].value(kind="flagged"), 0)

    def test_a_transaction_that_is_lost_is_counted_by_reason(self):
        topic = self.topic()
        self.client.produce(topic, documents.records(300))
        made = self.make([topic], kafka__librdkafka={"transaction.timeout.ms": "2000"})
        made.start({"NEARDUP_FAILPOINT": "before_commit:3:stop"})
        made.wait_until(lambda: trial.stopped(made.process), "its stop")
        name = made.keys["kafka.group_id"] + "/1/0"
        made.wait_until(lambda: self.cluster.transaction_state(name) == "CompleteAbort", "the transaction's end")
        made.resume()
        status = made.wait_caught_up_or_ended(self.cluster)
        if status is not None:  # the service cannot always distinguish a timeout from fencing
            self.assertEqual(status, 75)
            return
        found = self.scrape(made)
        aborts = found["neardup_kafka_transaction_aborts_total"].values("reason")
        self.assertEqual(sum(aborts.values()), 1, aborts)
        self.assertGreaterEqual(found["neardup_kafka_producer_reinits_total"].value(), 1)
        self.assertEqual(found["neardup_kafka_messages_delivered_total"].value(to="output"), 300)

    def test_a_recovery_tells_how_much_it_had_to_deliver(self):
        topic = self.topic()
        self.client.produce(topic, documents.records(300))
        made = self.make([topic]).start({"NEARDUP_FAILPOINT": "before_commit:3"})
        made.wait_exit()
        made.start().wait_ready()
        found = self.scrape(made)
        self.assertGreaterEqual(found["neardup_recovery_batches"].value(), 1)
        self.assertEqual(found["neardup_recovery_batches_sent"].value(), found["neardup_recovery_batches"].value())
        self.assertGreater(found["neardup_recovery_duration_seconds"].value(), 0)

    def test_it_can_be_scraped_before_it_serves(self):
        topic = self.topic()
        made = self.make([topic], kafka__brokers="127.0.0.1:9").start()
        made.wait_until(lambda: made.get("/metrics")[0] == 200, "an answer")
        found = self.scrape(made)
        self.assertEqual(found["neardup_ready"].value(), 0)
        self.assertEqual(found["neardup_service_state"].value(state="starting"), 1)
        self.assertNotIn("neardup_gpu_active", found)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main()
