"""The base of cases with states and committed offsets that do not belong together. A test program calls needs.broker()
before it imports this."""

import pathlib
import shutil

import fault_case
from service import Service

PIECE = 250  # documents


class StateFaults(fault_case.FaultCase):
    def setUp(self):
        super().setUp()
        self.seed = 0

    def feed(self, *topics):
        """More documents for each topic."""
        for topic in topics:
            self.seed += 1
            self.fill(topic, fault_case.records(PIECE, self.seed, len(self.cluster.partitions(topic))))

    def begun(self, *topics, **keys):
        """A service that has flagged all that is there, and ended."""
        topics = topics or (self.topic(),)
        service = self.logged(*topics, **keys)
        self.feed(*topics)
        self.run_to_the_end(service)
        return service

    def feed_more(self, service):
        self.feed(*service.keys["kafka.topics"])

    def state(self, service):
        return pathlib.Path(service.keys["storage.path"])

    def save(self, service):
        return pathlib.Path(shutil.copytree(self.state(service), self.folder / "saved"))

    def restore(self, service, saved):
        shutil.rmtree(self.state(service))
        shutil.copytree(saved, self.state(service))

    def twin(self, service, state):
        """Another process with the same configuration, but that state."""
        twin = Service(self.folder / "twin", {**service.keys, "storage.path": str(state)})
        self.addCleanup(twin.kill)
        return twin

    def replays(self, service):
        return [event["replay"] for event in service.events("recovered")]
