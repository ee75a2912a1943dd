"""Tests of `neardup serve` with one cluster for a class of them, and topics, group and state of its own for each."""

import pathlib
import tempfile
import time
import unittest

import service
from broker import Cluster
from client import Client


class ServiceCase(unittest.TestCase):
    CLUSTER = {}  # options of Cluster

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.new_folder()
        cls.cluster = cls.enterClassContext(Cluster(cls.folder / "cluster", **cls.CLUSTER))
        cls.client = Client(cls.cluster.internal_bootstrap)

    @classmethod
    def new_folder(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-kafka-")
        cls.addClassCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def run(self, result=None):
        started = time.monotonic()
        super().run(result)
        print(f"{self.name}: {time.monotonic() - started:.1f} s", flush=True)
        return result

    @property
    def name(self):
        return self.id().rpartition(".")[2]

    def topic(self, kind="docs", partitions=1, **config):
        """A new topic of this test; config: its settings, with _ for the dots."""
        name = f"{self.name}.{kind}"
        self.cluster.create_topic(name, partitions, {key.replace("_", "."): value for key, value in config.items()})
        return name

    def make(self, topics, label="service", options=(), environment=None, **more):
        """A service that is not started, with an output topic, dead letters and a state named after its label."""
        for kind in ("out", "dead"):
            name = f"{self.name}.{label}.{kind}"
            if name not in self.cluster.metadata().topics:
                self.cluster.create_topic(name)
        return self.make_bare(topics, label, options, environment, **more)

    def make_bare(self, topics, label="service", options=(), environment=None, **more):
        """As `make`, without its topics."""
        folder = self.folder / self.name / label
        own = {"group": f"{self.name}.{label}", "output": f"{self.name}.{label}.out",
               "dead_letters": f"{self.name}.{label}.dead"}
        own.update({key: more.pop(key) for key in own.keys() & more.keys()})
        keys = service.config(self.cluster, topics, folder / "state", **own, **more)
        made = service.Service(folder, keys, options, environment)
        self.addCleanup(made.kill)
        return made

    def assert_fails(self, made, status, *parts):
        """Starts the service, which must end with `status` and a log that names all parts."""
        made.start()
        found = made.wait_exit()
        text = made.log_text()
        self.assertEqual(found, status, text[-3000:])
        for part in parts:
            self.assertIn(part, text)
        return text

    def outputs(self, made):
        return self.client.read_committed_all(made.keys["kafka.output_topic"])

    def dead_letters(self, made):
        return self.client.read_committed_all(made.keys["kafka.dead_letter_topic"])
