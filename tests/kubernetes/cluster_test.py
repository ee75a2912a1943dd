"""A cluster on Kubernetes: more and fewer sketchers, another leader, a further shard, drained nodes, all under load."""

import json
import signal
import subprocess
import sys
import time
import unittest

import control

sys.path.insert(0, str(control.ROOT / "tests"))
import needs  # noqa: E402

needs.broker()
control.needed()
import release_case  # noqa: E402
from control import wait_until  # noqa: E402

ALL = set(range(release_case.PARTITIONS))
MEMORY = {"requests": {"cpu": "100m", "memory": "64Mi"}}
PLACE = ["cluster", "place", "-c", "/etc/neardup/neardup.yaml", "--active"]


class ClusterCase(release_case.ReleaseCase):
    def begin_cluster(self, pods, **cluster):
        """A release of so many pods, with documents on their way."""
        self.given = self.values(cluster={"enabled": True, **cluster}, config={"cluster": {"name": self.namespace}})
        self.given["config"]["kafka"]["group_id"] = f"{self.namespace}.sketchers"
        file = self.folder / f"{self.namespace}.json"
        file.write_text(json.dumps({"cluster": {"name": self.namespace}, "kafka": self.given["config"]["kafka"]}))  # JSON is YAML
        subprocess.run([release_case.PROGRAMS["neardup"], "cluster", "init", "-c", file], check=True, capture_output=True, text=True)
        self.install(self.given)
        self.wait_ready(pods)

    def change(self, pods, **cluster):
        """Upgrades to other values of `cluster`."""
        self.given["cluster"] = self.given["cluster"] | cluster
        self.install(self.given)
        self.wait_ready(pods)

    def leader(self, part):
        """The name of the pod that leads, of those with this in their names, and its container."""
        def leads():
            for name in sorted(self.pods()):
                if part in name and '"event":"leading"' in self.text_of(name):
                    return name, self.process(name)
            return None

        return wait_until(leads, lambda: f"a leader: {self.told()}")

    def text_of(self, name):
        """The log of the present run of a pod."""
        process = self.process(name)
        return process.text() if process.running() else ""


class Deciders(ClusterCase):
    def test_sketchers_come_and_go_and_deciders_fail(self):
        self.begin_cluster(3, deciders=2, sketchers={"replicas": 1, "resources": MEMORY})
        self.begin()
        self.wait_flags(ALL)
        for replicas in (3, 1):
            self.change(2 + replicas, sketchers={"replicas": replicas, "resources": MEMORY})
            self.wait_flags(ALL, f"{replicas} sketchers")
        _, process = self.leader("n-neardup-")
        begin = time.monotonic()
        process.signal(signal.SIGKILL)
        self.tell_stall("leading decider killed", ALL, begin, 3)
        name, _ = self.leader("n-neardup-")
        begin = time.monotonic()
        self.api.delete("pods", self.namespace, name)
        self.tell_stall("leading decider deleted", ALL, begin, 3)
        name, _ = self.leader("n-neardup-")
        node = self.node_of(name)
        begin = time.monotonic()
        node.kill()
        time.sleep(release_case.SETTLED)
        self.wait_flags(ALL, "the loss of a node")  # of the other decider, before the node is back
        node.start()
        self.tell_stall("node of the leading decider lost", ALL, begin, 3)
        self.finish()

    def test_drained_nodes(self):
        self.begin_cluster(3, deciders=2, sketchers={"replicas": 1, "resources": MEMORY})
        self.begin()
        self.wait_flags(ALL)
        one, other = sorted(name for name in self.pods() if "sketcher" not in name)
        self.evict(one)
        with self.assertRaises(release_case.ApiRefused) as refused:
            self.evict(other)
        self.assertEqual(refused.exception.code, 429)
        self.wait_ready(3)
        nodes = sorted({self.node_of(one).name, self.node_of(other).name})
        drains = [subprocess.Popen([control.script("kube"), "kubectl", "--kubeconfig", self.plane.kubeconfig, "drain", node,
                                    "--timeout=90s"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for node in nodes]
        fewest = 2
        while any(drain.poll() is None for drain in drains):
            deciders = [pod for name, pod in self.pods().items() if "sketcher" not in name and release_case.is_ready(pod)]
            fewest = min(fewest, len(deciders))
            time.sleep(0.1)
        self.assertEqual([drain.returncode for drain in drains], [0] * len(nodes), [drain.stdout.read() for drain in drains])
        self.assertGreaterEqual(fewest, 1)
        for node in nodes:
            self.plane.kubectl("uncordon", node)
        self.wait_ready(3)
        self.finish()

    def evict(self, name):
        self.api.create("pods", self.namespace, {"apiVersion": "policy/v1", "kind": "Eviction",
                                                 "metadata": {"name": name, "namespace": self.namespace}}, "eviction")


class Shards(ClusterCase):
    def test_a_further_shard_and_another_resolver(self):
        given = {"deciders": 0, "resolvers": {"replicas": 2, "resources": MEMORY}, "sketchers": {"replicas": 1, "resources": MEMORY}}
        self.begin_cluster(7, shards={"count": 2, "replicas": 2}, **given)
        self.place("0,1")
        self.begin()
        self.wait_flags(ALL)
        self.change(9, shards={"count": 3, "replicas": 2})
        self.kill_resolver("while a shard is added")
        self.place("0,1,2")
        self.kill_resolver("after the shard has its place")
        for shard in range(3):
            begin = time.monotonic()
            self.process(f"n-neardup-shard-{shard}-0").signal(signal.SIGKILL)
            self.tell_stall(f"replica of shard {shard} killed", ALL, begin, 9)
        self.assertIn("Succeeded", self.helm("test", "n", "--timeout", "60s"))
        self.finish()

    def place(self, shards):
        done = self.process("n-neardup-shard-0-0").execute([*PLACE, shards])
        self.assertEqual(done.returncode, 0, done.stderr)

    def kill_resolver(self, when):
        _, process = self.leader("resolver")
        begin = time.monotonic()
        process.signal(signal.SIGKILL)
        self.tell_stall(f"leading resolver killed {when}", ALL, begin, 9)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
