"""A cluster of shards: one flag for each record, those of `scan` under each rule, whichever of its processes dies."""

import json
import time
import unittest

import needs

needs.broker()
import cluster_log  # noqa: E402
import cluster_rules_test  # noqa: E402
import documents  # noqa: E402
import exposition  # noqa: E402
import service  # noqa: E402
from client import Record  # noqa: E402
from decider_case import DeciderCase  # noqa: E402

PARTITIONS = 4
RECORDS = 1200
SHARDS = 3
SLOW_BATCHES = {"batch__documents": 40, "batch__linger_ms": 20}
UNAVAILABLE, WRONG = 75, 78
END = -1  # of a partition
LONGEST_TAKEOVER = 30  # seconds; a broken one would take the minute of an open transaction


class ShardsCase(DeciderCase):
    def shard(self, number, replica=0, **more):
        """One that is not started."""
        return self.role("shard", f"shard-{number}-{replica}", cluster__shard=number, cluster__replica=replica, **more)

    def resolver(self, label="resolver", **more):
        """One that is not started."""
        return self.role("resolver", label, **more)

    def start_shards(self, count=SHARDS):
        if count > 1:
            self.place_shards(range(count), "--wait", "0")
        return [self.shard(number).start() for number in range(count)]

    def fill(self, count=RECORDS, seed=1):
        self.client.produce(self.docs, documents.records(count, seed, keys=True, partitions=PARTITIONS))

    def stop_all(self):
        for process in self.roles:
            if process.running():
                self.assertEqual(process.stop(), 0, process.log_text()[-3000:])


class ShardRules(cluster_rules_test.ClusterRules, ShardsCase):
    """Each rule, with shards and a resolver in place of the decider. The window is much smaller than the stream."""

    def make_cluster(self, partitions=PARTITIONS, **keys):
        super().make_cluster(partitions, cluster__window=256, batch__documents=70, batch__linger_ms=20, **keys)

    def start_deciding(self):
        return [*self.start_shards(), self.resolver().start()]


class Shards(ShardsCase):
    def begin(self, resolvers=1, shards=SHARDS):
        """A cluster that has flagged RECORDS records, with its leading resolver and those that wait."""
        self.make_cluster(PARTITIONS, cluster__window=256, **SLOW_BATCHES)
        self.role("sketcher", "sketcher").start()
        self.shards = self.start_shards(shards)
        found = [self.resolver(f"resolver-{i}").start() for i in range(resolvers)]
        for resolver in found:
            resolver.wait_ready()
        self.fill()
        found[0].wait_until(lambda: any(self.leads(one) for one in found), "the lease")
        found.sort(key=self.leads, reverse=True)
        self.wait_decided(RECORDS // 4, found[0])
        return found

    def finish(self, records, *running):
        self.wait_decided(records, *running)
        self.check_flags()
        self.stop_all()

    def scrape(self, made):
        status, body = made.get("/metrics")
        self.assertEqual(status, 200)
        return exposition.parse(body.decode())

    def test_one_shard_needs_no_placement(self):
        self.make_cluster(PARTITIONS)
        self.fill()
        self.role("sketcher", "sketcher").start()
        self.start_shards(1)
        self.finish(RECORDS, self.resolver().start())

    # Whoever dies

    def test_another_resolver_takes_over(self):
        first, second = self.begin(resolvers=2)
        first.kill()
        killed = time.monotonic()
        second.wait_until(lambda: self.leads(second), "the lease", LONGEST_TAKEOVER)
        before = self.decided()
        self.fill(200, seed=2)
        self.wait_decided(before + 1, second)
        print(f"flags again after {time.monotonic() - killed:.1f} s")
        first.start().wait_ready()
        self.wait_decided(RECORDS + 200, second)
        second.kill()
        self.fill(200, seed=3)
        self.finish(RECORDS + 400, first)

    def test_a_resolver_that_is_stopped_lets_another_lead_at_once(self):
        first, second = self.begin(resolvers=2)
        stopped = time.monotonic()
        self.assertEqual(first.stop(), 0)
        self.assertLess(time.monotonic() - stopped, 5)
        second.wait_until(lambda: self.leads(second), "the lease", LONGEST_TAKEOVER)
        print(f"leads after {time.monotonic() - stopped:.1f} s")
        self.finish(RECORDS, second)

    def test_a_resolver_that_was_paused_ends(self):
        first, second = self.begin(resolvers=2)
        first.pause()
        second.wait_until(lambda: self.leads(second), "the lease", LONGEST_TAKEOVER)
        self.fill(200, seed=2)
        self.wait_decided(self.decided() + 1, second)
        first.resume()
        self.assertEqual(first.wait_exit(), UNAVAILABLE, first.log_text()[-3000:])
        self.finish(RECORDS + 200, second)

    def test_a_resolver_is_killed_at_each_place_of_a_transaction(self):
        [resolver] = self.begin()
        for place in "before_produce", "after_produce", "before_send_offsets", "before_commit", "after_commit":
            resolver.kill()
            resolver.start({"NEARDUP_FAILPOINT": f"{place}:4"})
            self.fill(100, seed=len(place))
            self.assertEqual(resolver.wait_exit(), -9, resolver.log_text()[-3000:])
        resolver.start()
        self.finish(RECORDS + 500, resolver)

    def test_decisions_wait_for_a_shard_that_is_away(self):
        [resolver] = self.begin()
        self.shards[1].kill()
        time.sleep(1)
        before = self.decided()
        self.fill(300, seed=2)
        time.sleep(3)
        self.assertLessEqual(self.decided(), before + 2 * 256, "the answers that were there")
        waits = self.scrape(resolver)["neardup_resolver_shard_wait_seconds_total"]
        self.assertGreater(waits.value(shard="1"), 1)
        self.shards[1].start()
        self.finish(RECORDS + 300, resolver)

    def test_a_replica_answers_for_a_shard_that_is_away(self):
        [resolver] = self.begin()
        replicas = [self.shard(number, replica=1).start() for number in range(SHARDS)]
        for replica in replicas:
            replica.wait_ready()
        for shard in self.shards:
            shard.kill()
        self.fill(300, seed=2)
        self.finish(RECORDS + 300, resolver)

    def test_shards_are_added(self):
        [resolver] = self.begin(shards=1)
        for number in 1, 2:
            self.shard(number).start().wait_ready()
        before = json.loads(self.cluster_command("status", "--json").stdout)
        self.assertEqual([one["shard"] for one in before["shards"]], [0, 1, 2])
        self.assertTrue(all(one["as_of"] >= RECORDS // 4 for one in before["shards"]), before)
        self.place_shards(range(SHARDS))
        self.fill(6000, seed=2)
        self.wait_decided(RECORDS + 6000, resolver, seconds=2 * service.PATIENCE)
        self.assertEqual(self.scrape(resolver)["neardup_resolver_placement_epoch"].value(), 1)
        self.finish(RECORDS + 6000, resolver)

    # What is not as it should be

    def test_answers_that_are_lost_are_asked_for_again(self):
        [resolver] = self.begin()
        self.wait_decided(RECORDS, resolver)
        resolver.pause()
        self.fill(300, seed=2)
        time.sleep(2)  # the shards answer; the lease holds for six
        for shard in range(SHARDS):
            self.cluster.delete_records(f"{self.name}.answers", shard, END)
        resolver.resume()
        self.wait_decided(RECORDS + 300, resolver)
        self.assertGreater(self.scrape(resolver)["neardup_resolver_asked_again_total"].value(reason="stall"), 0)
        self.finish(RECORDS + 300, resolver)

    def test_what_is_no_answer_is_passed_over(self):
        [resolver] = self.begin()
        topic = f"{self.name}.answers"
        one = self.client.read_committed_all(topic)[0]
        self.client.produce(topic, [Record(value, partition=0) for value in (b"", b"no message", one.value[:-1], one.value[1:])])
        self.client.produce(topic, [Record(one.value, partition=(one.partition + 1) % SHARDS)])
        self.fill(300, seed=2)
        self.wait_decided(RECORDS + 300, resolver)
        uses = self.scrape(resolver)["neardup_resolver_answers_total"]
        self.assertEqual((uses.value(use="damaged"), uses.value(use="foreign")), (4, 1))
        self.finish(RECORDS + 300, resolver)

    def test_an_answer_of_a_newer_format_ends_a_resolver(self):
        [resolver] = self.begin()
        topic = f"{self.name}.answers"
        one = self.client.read_committed_all(topic)[0].value
        body = bytes([one[0] + 1]) + one[1:-8]
        newer = body + cluster_log.check_of(body).to_bytes(8, "little")
        self.client.produce(topic, [Record(newer, partition=0)])
        self.assertEqual(resolver.wait_exit(), UNAVAILABLE)
        self.assertIn("has a newer format", resolver.log_text())

    def test_a_cluster_of_deciders_is_refused(self):
        self.make_cluster(PARTITIONS)
        self.fill(100)
        self.role("sketcher", "sketcher").start()
        decider = self.role("decider", "decider").start()
        self.wait_decided(100, decider)
        self.assertEqual(decider.stop(), 0)
        self.assert_fails(self.resolver(), WRONG, "were decided by a decider")

    # What it tells

    def test_what_a_resolver_tells(self):
        leader, waiting = self.begin(resolvers=2)
        for resolver in leader, waiting:
            for path in "/healthz", "/readyz", "/v1/config", "/v1/rule":
                self.assertEqual(resolver.get(path)[0], 200, path)
            status, body = resolver.get("/v1/documents/a")
            self.assertEqual((status, json.loads(body)["reason"]), (501, "other_role"))
        self.wait_decided(RECORDS, leader)
        told = self.scrape(leader)
        self.assertEqual(told["neardup_resolver_asked_again_total"].value(reason="start"), 1)
        self.assertGreater(told["neardup_resolver_answers_total"].value(use="kept"), 0)
        self.assertEqual(told["neardup_last_seq"].value(), RECORDS)
        self.assertEqual(sum(told["neardup_documents_total"].values("status").values()), RECORDS)
        self.assertEqual(self.scrape(waiting)["neardup_service_state"].value(state="following"), 1)


if __name__ == "__main__":
    unittest.main()
