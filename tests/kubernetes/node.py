"""A node of a Kubernetes cluster in this process: what a kubelet does for the pods of the chart, with processes in place of containers."""

import pathlib
import random
import signal
import threading
import time

from api import Refused
from container import now
from running_pod import Pod

TURN = 0.2  # seconds
HEARTBEAT = 1
CAPACITY = {"cpu": "64", "memory": "256Gi", "pods": "110"}


class Node:
    """Ready once entered. Programs: repository of an image → file to run."""

    def __init__(self, api, name, folder, volumes, programs):
        self._api, self.name = api, name
        self.folder = pathlib.Path(folder) / name
        self.volumes, self.programs = volumes, programs
        self.pods = {}  # uid → Pod
        self._connected = threading.Event()
        self._ended = threading.Event()
        self._beat = 0

    def __enter__(self):
        if self._api.get("nodes", None, self.name) is None:
            labels = {"kubernetes.io/hostname": self.name, "topology.kubernetes.io/zone": f"zone-{self.name}"}
            self._api.create("nodes", None, {"metadata": {"name": self.name, "labels": labels}})
            self._api.create("leases", "kube-node-lease", {"metadata": {"name": self.name}, "spec": {"holderIdentity": self.name}})
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    def start(self):
        """Also after `kill`: the machine is switched on again."""
        self._ended.clear()
        self._connected.set()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def kill(self):
        """Power is lost: the agent and all processes end at once."""
        self._ended.set()
        self._thread.join()  # it starts no more pods
        for pod in self.pods.values():
            pod.killed.set()
            for container in pod.containers:
                container.signal(signal.SIGKILL)
        for pod in self.pods.values():
            pod.join()
        self.pods.clear()

    def cut_off(self):
        """The API is out of reach; pods keep running."""
        self._connected.clear()

    def reconnect(self):
        for pod in list(self.pods.values()):
            pod.forget()
        self._connected.set()

    def pod(self, namespace, name):
        """The one that runs here with this name."""
        found = [pod for pod in list(self.pods.values()) if (pod.namespace, pod.name) == (namespace, name) and not pod.unwanted.is_set()]
        return found[0] if found else None

    def close(self):
        """The connection of this thread to the API."""
        self._api.close()

    def ask(self, question):
        """question(api); None while the API is out of reach, or where it refuses."""
        if not self._connected.is_set() or self._ended.is_set():
            return None
        try:
            return question(self._api)
        except (Refused, OSError):
            return None

    def tell(self, message):
        """Whether message(api) has reached it."""
        return self.ask(lambda api: [message(api)]) is not None

    def _run(self):
        while not self._ended.wait(TURN):
            if time.monotonic() > self._beat + HEARTBEAT:
                self._beat = time.monotonic()
                self.ask(self._heartbeat)
            pods = self.ask(lambda api: api.list("pods", fieldSelector=f"spec.nodeName={self.name}"))
            if pods is not None:
                self._sync({pod["metadata"]["uid"]: pod for pod in pods})
        self.close()

    def _heartbeat(self, api):
        micro = now().replace("Z", ".000000Z")
        api.patch("leases", "kube-node-lease", self.name, {"spec": {"renewTime": micro, "leaseDurationSeconds": 40}})
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "lastHeartbeatTime": now()}
        api.patch("nodes", None, self.name, {"status": {"capacity": CAPACITY, "allocatable": CAPACITY, "conditions": [ready]}}, "status")

    def _sync(self, wanted):
        for uid, pod in list(self.pods.items()):
            if uid not in wanted:
                pod.unwanted.set()
            else:
                pod.thing = wanted[uid]
            if not pod.is_alive():
                del self.pods[uid]
        for uid, thing in wanted.items():
            if uid in self.pods:
                continue
            if "deletionTimestamp" in thing["metadata"]:  # it ended while this node was away
                self.tell(lambda api: api.delete("pods", thing["metadata"]["namespace"], thing["metadata"]["name"],
                                                 gracePeriodSeconds=0, preconditions={"uid": uid}))
            elif thing["status"].get("phase") not in ("Succeeded", "Failed"):
                address = "127." + ".".join(str(random.SystemRandom().randint(1, 254)) for _ in range(3))
                self.pods[uid] = Pod(self, thing, address)
                self.pods[uid].start()
