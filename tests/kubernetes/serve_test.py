"""`serve` from topic to topic on Kubernetes: updates, lost pods, nodes and volumes, under load."""

import shutil
import signal
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

INSTANCES = 2
OUT_OF_SERVICE = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
FENCED = 75  # exit status


def partitions(name):
    """Of a pod."""
    return {p for p in range(release_case.PARTITIONS) if p % INSTANCES == int(name[-1])}


class Serve(release_case.ReleaseCase):
    def setUp(self):
        super().setUp()
        self.given = self.values(instances=INSTANCES, backup={"enabled": True}, secrets={"token": {"name": "token"}})
        self.install(self.given)
        self.wait_ready(INSTANCES)
        self.begin()
        self.wait_flags({0})
        self.wait_flags({1})

    def tell(self, what, name, begin):
        self.tell_stall(what, partitions(name), begin, INSTANCES)

    def ready(self):
        """What `helm test` says."""
        return self.helm("test", "n", "--timeout", "60s")

    def replace(self, change):
        """Until both pods are new ones after the change."""
        before = {name: pod["metadata"]["uid"] for name, pod in self.pods().items()}
        change()
        wait_until(lambda: self.replaced(before), lambda: f"new pods: {self.told()}")
        self.wait_ready(INSTANCES)

    def replaced(self, before):
        pods = self.pods()
        return len(pods) == len(before) and all(before[name] != pod["metadata"]["uid"] for name, pod in pods.items())

    def test_updates(self):
        self.assertIn("Succeeded", self.ready())
        begin = time.monotonic()
        self.replace(lambda: self.install(self.given | {"image": {"tag": "next"}}))
        self.tell("another image", "n-neardup-0", begin)
        begin = time.monotonic()
        setting = {"config": self.given["config"] | {"batch": {"documents": 7, "linger_ms": 20}}}
        self.replace(lambda: self.install(self.given | setting))
        self.tell("another setting", "n-neardup-0", begin)
        self.replace(lambda: self.helm("rollback", "n", "1"))
        self.assertIn("Succeeded", self.ready())
        self.finish(INSTANCES)

    def test_an_image_that_cannot_be_pulled(self):
        self.install(self.given | {"image": {"tag": "missing"}})
        wait_until(lambda: [pod for pod in self.pods().values() if pod["status"].get("phase") == "Pending"], "a pod without its image")
        with self.assertRaises(control.Refused):
            self.helm("test", "n", "--timeout", "5s")
        left = [name for name, pod in self.pods().items() if release_case.is_ready(pod)]
        self.assertEqual(left, ["n-neardup-0"], "the others stay until it is ready")
        self.helm("rollback", "n", "1")
        self.wait_ready(INSTANCES)
        self.finish(INSTANCES)

    def test_lost_pods_and_processes(self):
        begin = time.monotonic()
        self.api.delete("pods", self.namespace, "n-neardup-1")
        self.tell("pod deleted", "n-neardup-1", begin)
        begin = time.monotonic()
        self.process("n-neardup-0").signal(signal.SIGKILL)
        self.tell("process killed", "n-neardup-0", begin)
        wait_until(lambda: self.pods()["n-neardup-0"]["status"]["containerStatuses"][0]["restartCount"] == 1, "the count of restarts")
        process = self.process("n-neardup-1")
        begin = time.monotonic()
        process.signal(signal.SIGSTOP)
        wait_until(lambda: process.starts > 1, lambda: f"the restart of what does not answer: {self.told()}", 120)
        self.tell("process stalled", "n-neardup-1", begin)
        self.finish(INSTANCES)

    def test_a_lost_node(self):
        node = self.node_of("n-neardup-0")
        begin = time.monotonic()
        node.kill()
        self.wait_not_ready(node)
        noticed = time.monotonic() - begin
        self.plane.kubectl("taint", "nodes", node.name, OUT_OF_SERVICE)
        self.tell(f"node lost, noticed after {noticed:.1f} s and confirmed at once", "n-neardup-0", begin)
        self.assertIsNot(self.node_of("n-neardup-0"), node)
        self.plane.kubectl("taint", "nodes", node.name, OUT_OF_SERVICE + "-")
        node.start()
        self.wait_ready(INSTANCES)
        self.finish(INSTANCES)

    def test_a_node_that_comes_back(self):
        node = self.node_of("n-neardup-0")
        begin = time.monotonic()
        node.kill()
        self.wait_not_ready(node)
        node.start()
        self.tell("node switched off and on", "n-neardup-0", begin)
        self.finish(INSTANCES)

    def test_a_node_that_is_cut_off_while_its_pod_is_taken_for_dead(self):
        """Against the runbook: the old process still runs when the new one gets its volume."""
        node = self.node_of("n-neardup-0")
        old = node.pod(self.namespace, "n-neardup-0")
        process = old.container("neardup")
        begin = time.monotonic()
        node.cut_off()
        self.wait_not_ready(node)
        claim = self.api.get("persistentvolumeclaims", self.namespace, "state-n-neardup-0")
        self.volumes.detach(claim["spec"]["volumeName"], lambda: process.signal(signal.SIGSTOP), lambda: process.signal(signal.SIGCONT))
        self.plane.kubectl("--namespace", self.namespace, "delete", "pod", "n-neardup-0", "--grace-period=0", "--force")
        wait_until(lambda: process.ended, lambda: f"the end of the old process: {self.told()}", 120)
        self.assertEqual(process.ended["exitCode"], FENCED, process.ended)
        time.sleep(5)  # both start again and again, each with a state that the other one has left behind
        node.reconnect()
        wait_until(lambda: not old.is_alive(), "the end of the old pod")
        self.tell("node cut off, its pod deleted by force", "n-neardup-0", begin)
        self.assertIsNot(self.node_of("n-neardup-0"), node)
        self.finish(INSTANCES)

    def test_a_lost_volume(self):
        self.plane.kubectl("--namespace", self.namespace, "create", "job", "--from=cronjob/n-neardup-backup", "now")
        wait_until(lambda: self.api.get("jobs", self.namespace, "now")["status"].get("succeeded") == INSTANCES,
                   lambda: f"the backups: {self.told()}")
        begin = time.monotonic()
        claim = self.api.get("persistentvolumeclaims", self.namespace, "state-n-neardup-0")
        self.process("n-neardup-0").signal(signal.SIGKILL)
        shutil.rmtree(self.volumes.folder(claim["spec"]["volumeName"]), ignore_errors=True)
        self.install(self.given | {"backup": {"enabled": True, "restore": "latest"}})
        self.plane.kubectl("--namespace", self.namespace, "delete", "pvc", "state-n-neardup-0", "--wait=false")
        self.plane.kubectl("--namespace", self.namespace, "delete", "pod", "n-neardup-0")
        self.tell("volume lost, restored from the job's backup", "n-neardup-0", begin)
        self.assertIn("documents, up to seq", self.node_of("n-neardup-0").pod(self.namespace, "n-neardup-0").container("restore").log.read_text())
        self.install(self.given)
        self.finish(INSTANCES)

    def wait_not_ready(self, node):
        def lost():
            conditions = self.api.get("nodes", None, node.name)["status"]["conditions"]
            return [one for one in conditions if one["type"] == "Ready" and one["status"] != "True"]

        wait_until(lost, f"node {node.name} to be noticed")


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
