"""Storage for the claims of pods, without a driver: folders of this machine."""

import pathlib
import shutil
import threading

TURN = 0.2  # seconds
CLASS = "folders"


class Volumes(threading.Thread):
    """Storage that any node can mount: a folder for each volume, made for each claim of the class, which is the default."""

    def __init__(self, api, folder):
        super().__init__(daemon=True)
        self._api, self._root = api, pathlib.Path(folder)
        self._times = {}  # volume → how often it was detached by force
        self._ended = threading.Event()
        api.create("storageclasses", None, {"metadata": {"name": CLASS, "annotations": {
            "storageclass.kubernetes.io/is-default-class": "true"}}, "provisioner": "neardup/folders", "allowVolumeExpansion": True})
        self.start()

    def folder(self, name):
        made = self._root / name / str(self._times.get(name, 0))
        made.mkdir(parents=True, exist_ok=True)
        return made

    def detach(self, name, pause, resume):
        """By force, from a node that is cut off: who has it open has the old folder from now on, the next to mount it gets a copy.
        pause, resume: of the process that has it open."""
        old = self.folder(name)
        self._times[name] = self._times.get(name, 0) + 1
        pause()
        shutil.copytree(old, self.folder(name), dirs_exist_ok=True)
        resume()

    def end(self):
        self._ended.set()
        self.join()

    def run(self):
        while not self._ended.wait(TURN):
            for claim in self._api.list("persistentvolumeclaims"):
                if claim["status"].get("phase") == "Pending" and claim["spec"].get("storageClassName") == CLASS:
                    self._make(claim)
        self._api.close()

    def _make(self, claim):
        meta = claim["metadata"]
        volume = {"metadata": {"name": f"pv-{meta['uid']}"}, "spec": {
            "capacity": claim["spec"]["resources"]["requests"], "accessModes": claim["spec"]["accessModes"], "storageClassName": CLASS,
            "persistentVolumeReclaimPolicy": "Retain", "hostPath": {"path": "/none"},
            "claimRef": {"namespace": meta["namespace"], "name": meta["name"], "uid": meta["uid"]}}}
        if self._api.get("persistentvolumes", None, volume["metadata"]["name"]) is None:
            self._api.create("persistentvolumes", None, volume)
