"""The base of tests of faults: a case has topics, a group and a separate state on the cluster of its class, and ends
with the checker. A test program calls needs.broker() before it imports this."""

import hashlib
import json
import pathlib
import sys
import tempfile
import time
import unittest

import exactly_once
from broker import Cluster
from client import Client
from service import Service, config

SHORT_TRANSACTIONS = {"transaction.timeout.ms": "10000"}


class Trial(unittest.TestCase):
    """Cases on one cluster, which is as `options` say; `direct` is a client that no proxy disturbs."""

    options = {}

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-kafka-")
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = cls.enterClassContext(Cluster(folder.name, **cls.cluster_options()))
        cls.direct = Client(cls.cluster.internal_bootstrap)

    @classmethod
    def cluster_options(cls):
        return cls.options

    def setUp(self):
        self.name = self.id().rpartition(".")[2]
        self.addCleanup(tell_time, self.id().partition(".")[2], time.monotonic())
        folder = tempfile.TemporaryDirectory(prefix="neardup-trial-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def topic(self, partitions=1, label="docs", **settings):
        """Names of topics cannot be as long as those of cases."""
        name = f"{label}.{self.name[-100:]}"
        self.cluster.create_topic(name, partitions, {key.replace("_", "."): value for key, value in settings.items()})
        return name

    def service(self, *topics, label="", options=(), librdkafka=None, **keys):
        """A service over these topics, not yet started; its output has as many partitions as the first of them."""
        partitions = len(self.cluster.partitions(topics[0]))
        output = self.topic(partitions, "flags" + label)
        dead = self.topic(1, "dead" + label)
        keys["kafka__librdkafka"] = {**SHORT_TRANSACTIONS, **(librdkafka or {})}
        settings = config(self.cluster, topics, self.folder / f"state{label}", keys.pop("group", self.name), output,
                          dead, **keys)
        service = Service(self.folder / f"service{label}", settings, options)
        self.addCleanup(service.kill)
        return service

    def fill(self, topic, records):
        return self.direct.produce(topic, records)

    def flag_records(self, service):
        """The flag records that readers of committed records see, by seq."""
        messages = self.direct.read_committed_all(service.keys["kafka.output_topic"])
        return sorted((json.loads(message.value) for message in messages), key=lambda record: record["seq"])

    def dead_letters(self, service):
        return self.direct.read_committed_all(service.keys["kafka.dead_letter_topic"])

    def finish(self, service, **options):
        """The service catches up and drains; then its whole output must be right."""
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0, service.log_text()[-2000:])
        self.check(service, **options)

    def check(self, service, inputs=None, sets=(), gone=()):
        """`inputs`: the messages to be flagged, all of its topics unless told. `sets`: what changes flags, for scan.
        `gone`: places of rejected messages that were deleted before their dead letters could be made of them."""
        if inputs is None:
            inputs = [message for topic in service.keys["kafka.topics"]
                      for message in self.direct.read_committed_all(topic)]
        outputs = self.direct.read_committed_all(service.keys["kafka.output_topic"])
        problems = exactly_once.problems(inputs, outputs, service.folder, sets)
        problems += self.dead_letter_problems(service, [message for message in inputs if message.place not in gone])
        if problems:
            self.fail("\n".join([*problems, "the log ends:", service.log_text(all_runs=True)[-4000:]]))

    def dead_letter_problems(self, service, inputs):
        """What is wrong with the dead letters: there must be one for each rejected message, which holds it."""
        came = {message.place: message for message in inputs}
        rejected = sorted((f["source"]["topic"], f["source"]["partition"], f["source"]["offset"])
                          for f in self.flag_records(service) if f["status"] == "rejected")
        letters = {}
        found = []
        for letter in self.dead_letters(service):
            place = (letter.header("neardup-topic").decode(), int(letter.header("neardup-partition")),
                     int(letter.header("neardup-offset")))
            found += [f"{place} has two dead letters"] if place in letters else []
            letters[place] = letter
        if sorted(letters) != rejected:
            found.append(f"dead letters for {sorted(letters)}, rejected are {rejected}")
        return found + [f"{place} has another dead letter: {str(letter)[:500]}" for place, letter in letters.items()
                        if place in came and not tells_of(letter, came[place])]


def tells_of(letter, message):
    """Whether a dead letter holds the message, or refers to it by size and hash."""
    if letter.header("neardup-key-dropped") is None and letter.key != message.key:
        return False
    if letter.header("neardup-size") is None:
        return letter.value == message.value
    return (letter.value, int(letter.header("neardup-size")), letter.header("neardup-sha256")) == (
        None, len(message.value), hashlib.sha256(message.value).hexdigest().encode())


def tell_time(name, start):
    print(f"{name}: {time.monotonic() - start:.1f} s", flush=True)


def stopped(process):
    """Whether SIGSTOP, of a failpoint for one, holds it."""
    stat = pathlib.Path(f"/proc/{process.pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


def main():
    unittest.main(argv=sys.argv, verbosity=0)
