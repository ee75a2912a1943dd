"""Releases whose pods run, with a real broker: documents keep coming while something happens, and each has one right flag at the end.
A test program calls needs.broker() and control.needed() before it imports this."""

import json
import os
import threading
import time

from control import KubernetesCase, wait_until  # noqa: F401 - its paths are those of the modules below
import exactly_once
from api import Refused as ApiRefused  # noqa: F401
from broker import Cluster
from chaos_case import Upstream
from client import Client
from node import Node
from volumes import Volumes

NODES = ("one", "two", "three")
PARTITIONS = 3  # of chaos_case.Upstream
PROGRAMS = {"neardup": os.environ.get("NEARDUP_BINARY", "neardup")}
FAST = {"probes": {"startup": {"periodSeconds": 1, "failureThreshold": 100}, "liveness": {"periodSeconds": 1, "failureThreshold": 2},
                   "readiness": {"periodSeconds": 1, "failureThreshold": 2}}}
SETTLED = 3  # seconds after which what was on its way has come
TOKEN = "a-token-of-the-tests"


class Flags(threading.Thread):
    """Follows the flags, and notes when they were there."""

    def __init__(self, client, topic):
        super().__init__(daemon=True)
        self._client, self._topic = client, topic
        self._ended = threading.Event()
        self.seen = []  # (when, partition of the document)

    def run(self):
        with self._client.reader(self._topic) as reader:
            while not self._ended.is_set():
                known = len(reader.messages)
                reader.poll()
                self.seen += [(time.monotonic(), json.loads(message.value)["source"]["partition"])
                              for message in reader.messages[known:]]

    def end(self):
        self._ended.set()
        self.join()

    def since(self, when, partitions):
        """When those of these partitions came, after that time."""
        return [time for time, partition in self.seen if time > when and partition in partitions]


class ReleaseCase(KubernetesCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = cls.enterClassContext(Cluster(cls.folder / "kafka"))
        cls.client = Client(cls.cluster.internal_bootstrap)
        cls.volumes = Volumes(cls.api, cls.folder / "volumes")
        cls.addClassCleanup(cls.volumes.end)
        cls.nodes = {name: cls.enterClassContext(Node(cls.api, name, cls.folder, cls.volumes, PROGRAMS)) for name in NODES}

    def setUp(self):
        super().setUp()
        for kind in ("docs", "flags", "dead"):
            self.cluster.create_topic(self.topic(kind), PARTITIONS if kind == "docs" else 1, {})
        self.addCleanup(self.uninstall)
        self.api.create("secrets", self.namespace, {"metadata": {"name": "token"}, "stringData": {"token": TOKEN}})

    def uninstall(self):
        self.helm("uninstall", "n")
        wait_until(lambda: not self.pods(), "the end of the pods")

    def topic(self, kind):
        return f"{self.namespace}.{kind}"

    def values(self, **more):
        """Of a release that reads and writes the topics of the test; `more` is merged into them."""
        kafka = {"brokers": self.cluster.bootstrap, "topics": [self.topic("docs")], "group_id": self.namespace,
                 "output_topic": self.topic("flags"), "dead_letter_topic": self.topic("dead"),
                 "librdkafka": {"transaction.timeout.ms": "10000"}}
        config = {"kafka": kafka, "batch": {"documents": 50, "linger_ms": 20}, "storage": {"memory": "64MiB"},
                  "shutdown": {"drain_seconds": 5}}
        return FAST | more | {"config": config | more.get("config", {})}

    def begin(self, seed=1):
        """Documents keep coming from now on."""
        self.upstream = Upstream(self.client, self.topic("docs"), seed)
        self.flags = Flags(self.client, self.topic("flags"))
        for thread in (self.upstream, self.flags):
            thread.start()
            self.addCleanup(thread.end)

    def wait_ready(self, count, release="n", seconds=60):
        """Until so many pods are ready, and there is no other; name → pod."""
        def there():
            pods = self.pods(release)
            return len(pods) == count and all(is_ready(pod) for pod in pods.values()) and pods

        return wait_until(there, lambda: f"{count} ready pods of {release}: {self.told()}", seconds)

    def node_of(self, name):
        """The node that the API says a pod is on."""
        return self.nodes[self.pods()[name]["spec"]["nodeName"]]

    def process(self, name):
        """The container `neardup` of a pod."""
        pod = wait_until(lambda: self.node_of(name).pod(self.namespace, name), f"{name} on its node")
        return pod.container("neardup")

    def wait_flags(self, partitions, what="the install", seconds=120):
        """Until a flag of these partitions comes."""
        begin = time.monotonic()
        wait_until(lambda: self.flags.since(begin, partitions), lambda: f"a flag after {what}: {self.told()}", seconds)

    def tell_stall(self, what, partitions, begin, pods):
        """Prints how long flags of these partitions stayed away since `begin`, once that is over and so many pods are ready."""
        time.sleep(SETTLED)
        self.wait_ready(pods)
        self.wait_flags(partitions, what)
        times = [begin, *self.flags.since(begin, partitions)]
        print(f"{what}: {max(after - before for before, after in zip(times, times[1:])):.1f} s without a flag", flush=True)

    def finish(self, instances=1, seconds=120):
        """All documents get their flags, and these are right: those of each instance in one order, as `scan` of that order says."""
        self.upstream.end()
        wait_until(lambda: len(self.flags.seen) >= self.upstream.count,
                   lambda: f"{self.upstream.count} flags, {len(self.flags.seen)} came: {self.told()}", seconds)
        self.flags.end()
        inputs = self.client.read_committed_all(self.topic("docs"))
        outputs = self.client.read_committed_all(self.topic("flags"))
        for instance in range(instances):
            folder = self.folder / f"check-{self.namespace}-{instance}"
            folder.mkdir()
            ours = [one for one in outputs if json.loads(one.value)["source"]["partition"] % instances == instance]
            self.assertEqual(exactly_once.problems([one for one in inputs if one.partition % instances == instance], ours, folder), [])
        print(f"{self.namespace}: {len(inputs)} records, one right flag each", flush=True)

    def told(self):
        """What explains that something does not come."""
        logs = [f"{node.name} {pod.name}: " + "".join(log.read_text()[-1500:] for log in pod.root.glob("*.log"))
                for node in self.nodes.values() for pod in list(node.pods.values()) if pod.namespace == self.namespace]
        states = [f"{name} {pod['status'].get('phase')} on {pod['spec'].get('nodeName')}" for name, pod in self.pods().items()]
        return "\n".join(states + self.events() + logs)


def is_ready(pod):
    return any(one["type"] == "Ready" and one["status"] == "True" for one in pod["status"].get("conditions", []))
