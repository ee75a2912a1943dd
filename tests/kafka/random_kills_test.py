"""Killed by kill -9 at random moments while documents keep coming, the service loses, doubles and changes nothing.

  random_kills_test.py ROUNDS [SEED]
"""

import random
import sys
import threading
import time

import needs

needs.broker()
import fault_case  # noqa: E402

ROUNDS = 15
SEED = random.SystemRandom().randrange(1 << 31)
PARTITIONS = 3
PIECE = 40  # documents
PAUSES = (0, 0.3, 1, 12)  # before a start, in seconds; the last is longer than a transaction may take
KEYS = {"annotate": {"output__mode": "annotate"}, "flags": {}}


class Upstream:
    """Another program that writes documents, piece by piece, until it is told to end."""

    def __init__(self, client, topic, documents, chance):
        self._client, self._topic, self._documents, self._chance = client, topic, documents, chance
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _run(self):
        for at in range(0, len(self._documents), PIECE):
            piece = self._documents[at:at + PIECE]
            send = self._chance.choice([self._client.produce, self._client.produce_and_commit,
                                        self._client.produce_and_abort])
            send(self._topic, piece)
            if self._ended.wait(self._chance.uniform(0, 0.3)):
                return


class RandomKills(fault_case.FaultCase):
    def test_killed_at_random(self):
        print(f"seed {SEED}", flush=True)
        chance = random.Random(SEED)
        topic = self.topic(PARTITIONS)
        documents = fault_case.records(ROUNDS * 400, chance.random(), PARTITIONS)
        mode = chance.choice(sorted(KEYS))
        service = self.logged(topic, batch__in_flight=chance.randint(1, 3), **KEYS[mode])
        within = 0
        with Upstream(self.direct, topic, documents, random.Random(SEED + 1)):
            for _ in range(ROUNDS):
                within += self.kill_once(service, chance)
                time.sleep(*chance.choices(PAUSES, (12, 4, 3, 1)))
        print(f"mode {mode}, {within} of {ROUNDS} kills while batches were delivered", flush=True)
        self.go_on(service)
        self.assertGreater(within, ROUNDS // 4, "too few kills came in the middle to prove anything")

    def kill_once(self, service, chance):
        """Whether it had delivered batches."""
        service.start()
        if chance.random() < 0.4:
            time.sleep(chance.uniform(0, 2.5))
        else:
            batches = chance.randint(1, 4)
            service.wait_until(lambda: len(service.events("batch delivered")) >= batches, f"{batches} batches")
            time.sleep(chance.uniform(0, 0.06))
        self.assertTrue(service.running(), f"seed {SEED}: ended by itself: {service.log_text()[-3000:]}")
        service.kill()
        return bool(service.events("batch delivered"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ROUNDS = int(sys.argv.pop(1))
    if len(sys.argv) > 1:
        SEED = int(sys.argv.pop(1))
    fault_case.main()
