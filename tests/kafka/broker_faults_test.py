"""Brokers die, come back, stay away and move leaders under the service: no flag is lost, doubled or changed."""

import time

import needs

needs.broker()
import documents  # noqa: E402
import trial  # noqa: E402

DOCUMENTS = 1200
MORE = 300
IDLE_READERS = {"reconnect.backoff.max.ms": "500"}  # back soon after an outage


def first_and_more():
    made = documents.records(DOCUMENTS + MORE, seed=404)
    return made[:DOCUMENTS], made[DOCUMENTS:]


class OneNode(trial.Trial):
    def filled(self, **keys):
        topic = self.topic()
        first, more = first_and_more()
        self.fill(topic, first)
        return self.service(topic, librdkafka=IDLE_READERS, **keys), lambda: self.fill(topic, more)

    def hold(self, service, place, number):
        """The service, stopped at its place."""
        service.start({"NEARDUP_FAILPOINT": f"{place}:{number}:stop"})
        service.wait_until(lambda: trial.stopped(service.process), f"{place} {number}")
        return service

    def revive(self):
        self.cluster.kill()
        self.cluster.restart()

    def check_broker_dies_at(self, place, number=5):
        """The broker dies at that place, and is back before the service goes on."""
        service, more = self.filled()
        self.hold(service, place, number)
        self.revive()
        service.resume()
        service.wait_caught_up(self.cluster)
        more()
        self.finish(service)

    def check_broker_is_away_at(self, place, number=5):
        service, more = self.filled()
        self.hold(service, place, number)
        self.cluster.kill()
        service.resume()
        service.wait_until(lambda: not service.ready(), "its notice of the outage")
        self.cluster.restart()
        service.wait_caught_up(self.cluster)
        more()
        self.finish(service)

    def test_killed_before_the_first_batch(self):
        self.check_broker_dies_at("before_produce", 1)

    def test_killed_while_reading(self):
        service, more = self.filled(batch__documents=20)
        service.start()
        service.wait_flags(self.direct, 100)
        self.revive()
        more()
        self.finish(service)

    def test_killed_before_a_batch_is_stored(self):
        self.check_broker_dies_at("before_store")

    def test_killed_while_producing(self):
        self.check_broker_dies_at("after_produce")

    def test_killed_before_the_offsets(self):
        self.check_broker_dies_at("before_send_offsets")

    def test_killed_between_offsets_and_commit(self):
        self.check_broker_dies_at("before_commit")

    def test_killed_after_the_commit(self):
        self.check_broker_dies_at("after_commit")

    def test_away_while_producing(self):
        self.check_broker_is_away_at("after_produce")

    def test_away_between_offsets_and_commit(self):
        self.check_broker_is_away_at("before_commit")

    def test_away_longer_than_the_transaction_may_last(self):
        service, more = self.filled()
        service.keys["kafka.librdkafka"] = {**service.keys["kafka.librdkafka"], "transaction.timeout.ms": "5000"}
        self.hold(service, "before_commit", 5)
        self.cluster.kill()
        service.resume()
        time.sleep(6)
        self.cluster.restart()
        more()
        self.finish(service)

    def test_unreachable_at_the_start_is_waited_for(self):
        service, more = self.filled()
        self.cluster.kill()
        try:
            service.start()
            service.wait_until(lambda: service.events("waiting for Kafka"), "a line that says so")
            self.assertEqual(service.events("waiting for Kafka")[0]["level"], "warning")
            status, body = service.get("/readyz")
            self.assertEqual((status, b"connecting to Kafka" in body), (503, True), body)
            self.assertEqual(service.get("/healthz")[0], 200)
        finally:
            self.cluster.restart()
        service.wait_ready()
        more()
        self.finish(service)

    def test_readiness_follows_an_outage(self):
        service, more = self.filled()
        service.start()
        service.wait_caught_up(self.cluster)
        self.cluster.kill()
        try:
            service.wait_until(lambda: service.get("/readyz")[0] == 503, "readiness lost")
            self.assertIn(b"brokers unreachable", service.get("/readyz")[1])
            self.assertEqual(service.get("/healthz")[0], 200)
        finally:
            self.cluster.restart()
        service.wait_ready()
        more()
        self.finish(service)

    def test_an_outage_does_not_keep_it_from_stopping(self):
        service, more = self.filled(shutdown__drain_seconds=1)
        self.hold(service, "before_commit", 5)
        self.cluster.kill()
        try:
            service.resume()
            service.wait_until(lambda: not service.ready(), "its notice of the outage")
            self.assertNotEqual(service.stop(), 0)
            self.assertTrue(service.events("not drained in time"))
        finally:
            self.cluster.restart()
        more()
        self.finish(service.start())


class ThreeNodes(trial.Trial):
    options = {"nodes": 3}

    def flowing(self):
        """A service in the middle of its work, with all that it uses led by node 1."""
        topic = self.topic()
        first, more = first_and_more()
        self.fill(topic, first)
        service = self.service(topic, batch__documents=10, librdkafka=IDLE_READERS)
        for used in (topic, service.keys["kafka.output_topic"]):
            self.cluster.move_leader(used, 0, 1)
        service.start()
        service.wait_flags(self.direct, 50)
        return service, topic, lambda: self.fill(topic, more)

    def test_leaders_move(self):
        service, topic, more = self.flowing()
        for used in (topic, service.keys["kafka.output_topic"], "__transaction_state", "__consumer_offsets"):
            leader = self.cluster.leader(used)
            self.cluster.move_leader(used, 0, leader % 3 + 1)
        more()
        self.finish(service)

    def test_the_node_that_leads_all_is_killed(self):
        service, topic, more = self.flowing()
        for used in ("__transaction_state", "__consumer_offsets"):
            self.cluster.move_leader(used, 0, 1)
        self.cluster.kill(1)
        try:
            more()
            # Some two seconds a batch of ten, until librdkafka leaves the dead node alone.
            service.wait_caught_up(self.cluster, seconds=180)
        finally:
            self.cluster.restart(1)
        self.finish(service)


if __name__ == "__main__":
    trial.main()
