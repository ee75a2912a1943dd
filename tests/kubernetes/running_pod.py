"""A pod as processes of this machine: its volumes are folders, and it has a loopback address to itself."""

import base64
import re
import signal
import threading
import time

from container import Container, now

TURN = 0.1  # seconds
OURS = ("Initialized", "ContainersReady", "Ready")


class Pod(threading.Thread):
    """Runs until it has ended or is to end. Status goes to the API while its node reaches that."""

    def __init__(self, node, thing, address):
        super().__init__(daemon=True)
        self.node, self.thing, self.address = node, thing, address
        self.uid, self.name = thing["metadata"]["uid"], thing["metadata"]["name"]
        self.namespace = thing["metadata"]["namespace"]
        self.spec = thing["spec"]
        self.root = node.folder / self.uid
        self.grace = self.spec.get("terminationGracePeriodSeconds", 30)
        self.killed = threading.Event()  # with its node
        self.unwanted = threading.Event()  # the API has it no more
        policy = self.spec.get("restartPolicy", "Always")
        self.first = [Container(self, one, lambda code: policy != "Never" and code != 0) for one in self.spec.get("initContainers", [])]
        self.containers = [Container(self, one, lambda code: policy == "Always" or (policy == "OnFailure" and code != 0))
                           for one in self.spec["containers"]]
        self._folders = None  # volume → folder, once all are there
        self._reported = None
        self._begin, self._changed = now(), now()

    def run(self):
        self.root.mkdir(parents=True, exist_ok=True)
        while not self._ends():
            self._turn()
            self._report()
            time.sleep(TURN)
        seconds = 0 if self.killed.is_set() else self.thing["metadata"].get("deletionGracePeriodSeconds", self.grace)
        for container in self.first + self.containers:
            if self.killed.is_set():
                container.signal(signal.SIGKILL)
            container.end(seconds)
        if not self.killed.is_set():
            self._report()
            self.node.tell(lambda api: api.delete("pods", self.namespace, self.name, gracePeriodSeconds=0, preconditions={"uid": self.uid}))
        self.node.close()

    def forget(self):
        """What the API was told no longer holds."""
        self._reported = None

    def ready(self):
        return self._folders is not None and all(container.ready() for container in self.containers)

    def container(self, name):
        found, = [one for one in self.first + self.containers if one.name == name]
        return found

    def program(self, image):
        """The file to run for an image; None where it cannot be pulled."""
        repository, _, tag = image.partition("@")[0].rpartition(":")
        return None if tag == "missing" else self.node.programs.get(repository)

    def variables(self, container):
        """The environment of a container."""
        found = {"PATH": "/usr/bin:/bin"}
        for one in container.get("env", []):
            value = one.get("value", "")
            if "valueFrom" in one:
                value = self._field(one["valueFrom"]["fieldRef"]["fieldPath"])
            found[one["name"]] = self.mapped(value, container)
        return found

    def mapped(self, text, container):
        """The text with the paths of volumes, and what it listens to, as they are on this machine."""
        for mount in container.get("volumeMounts", []):
            text = re.sub(rf"(?<![\w/.]){mount['mountPath']}(?![\w.])", str(self._folders[mount["name"]]), text)
        return re.sub(r"(?<=listen: )(127\.0\.0\.1|0\.0\.0\.0)(?=:\d)", self.address, text)

    def resolved(self, word):
        """With addresses for names of pods, as DNS has them for a headless service."""
        def address(found):
            pod = self.node.ask(lambda api: api.get("pods", found[3], found[1])) or {}
            return pod.get("status", {}).get("podIP", found[0])

        return re.sub(r"([\w-]+)\.([\w-]+)\.([\w-]+)\.svc", address, word)

    def _ends(self):
        return self.killed.is_set() or self.unwanted.is_set() or "deletionTimestamp" in self.thing["metadata"]

    def _turn(self):
        if self._folders is None:
            self._folders = self.node.ask(self._mounted)
            return
        for container in self.first:
            if not container.done():
                return container.tick()
            if container.ended["exitCode"] != 0:
                return
        for container in self.containers:
            container.tick()

    def _field(self, path):
        found = re.fullmatch(r"metadata\.(labels|annotations)\['(.*)'\]", path)
        if found:
            return self.thing["metadata"].get(found[1], {}).get(found[2], "")
        return {"metadata.name": self.name, "metadata.namespace": self.namespace, "status.podIP": self.address}[path]

    def _mounted(self, api):
        """volume → folder; None while something is missing."""
        folders = {}
        for volume in self.spec.get("volumes", []):
            folder = self._volume(api, volume)
            if folder is None:
                return None
            folders[volume["name"]] = folder
        self._folders = folders
        for folder, files in [(folders[one["name"]], self._files(api, one)) for one in self.spec.get("volumes", [])]:
            for name, content in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(self.mapped(content.decode(), self.spec["containers"][0]).encode())
        return folders

    def _volume(self, api, volume):
        if "persistentVolumeClaim" in volume:
            claim = api.get("persistentvolumeclaims", self.namespace, volume["persistentVolumeClaim"]["claimName"])
            bound = (claim or {}).get("spec", {}).get("volumeName")
            return self.node.volumes.folder(bound) if bound else None
        if self._files(api, volume) is None:
            return None
        folder = self.root / volume["name"]
        folder.mkdir(exist_ok=True)
        return folder

    def _files(self, api, volume):
        """Path → content; None while an object is missing."""
        if "configMap" in volume:
            found = api.get("configmaps", self.namespace, volume["configMap"]["name"])
            return found and {name: text.encode() for name, text in found["data"].items()}
        files = {}
        for source in volume.get("projected", {}).get("sources", []):
            found = api.get("secrets", self.namespace, source["secret"]["name"])
            for item in source["secret"]["items"]:
                if item["key"] not in (found or {}).get("data", {}):
                    return None
                files[item["path"]] = base64.b64decode(found["data"][item["key"]])
        return files

    def _phase(self):
        if all(container.done() for container in self.containers):
            return "Succeeded" if all(container.ended["exitCode"] == 0 for container in self.containers) else "Failed"
        failed = any(one.done() and one.ended["exitCode"] != 0 for one in self.first)
        started = any(container.starts for container in self.containers)
        return "Failed" if failed else "Running" if started else "Pending"

    def _report(self):
        ready = self.ready()
        state = {True: "True", False: "False"}
        status = {"phase": self._phase(), "hostIP": "127.0.0.1", "podIP": self.address, "podIPs": [{"ip": self.address}],
                  "startTime": self._begin, "containerStatuses": [one.status() for one in self.containers],
                  "initContainerStatuses": [one.status() for one in self.first]}
        if (status, ready) == self._reported:
            return
        if self._reported is None or self._reported[1] != ready:
            self._changed = now()
        held = [one for one in self.thing["status"].get("conditions", []) if one["type"] not in OURS]
        mine = [{"type": kind, "status": state[kind == "Initialized" or ready], "lastTransitionTime": self._changed} for kind in OURS]
        if self.node.tell(lambda api: api.patch("pods", self.namespace, self.name, {
                "metadata": {"uid": self.uid}, "status": {**status, "conditions": held + mine}}, "status")):
            self._reported = (status, ready)
