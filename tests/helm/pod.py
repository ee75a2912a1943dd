"""Pods of the chart on this machine: a folder is the root of each, and its containers' commands find their volumes there."""

import os
import pathlib
import re

from chart import at

NEARDUP = os.environ["NEARDUP_BINARY"]


class Pod:
    """A pod by its template. Claims become empty folders, secrets and config maps files."""

    def __init__(self, root, spec, objects, content, claims=()):
        """objects: as rendered; content: of secrets, by the path in their volume; claims: names of its claims."""
        self.root = pathlib.Path(root)
        self.spec = spec
        self.mounts = {mount["name"]: mount["mountPath"]
                       for container in spec["containers"] for mount in container["volumeMounts"]}
        for name in claims:
            self.inside(self.mounts[name]).mkdir(parents=True, exist_ok=True)
        for volume in spec["volumes"]:
            for source in at(volume, "projected.sources") or []:
                for item in source["secret"]["items"]:
                    self.write(f"{self.mounts[volume['name']]}/{item['path']}", content.get(item["path"], "x"))
            if "configMap" in volume:
                for name, text in objects["ConfigMap", volume["configMap"]["name"]]["data"].items():
                    self.write(f"{self.mounts[volume['name']]}/{name}", self.mapped(text))

    def inside(self, place):
        return self.root / place.lstrip("/")

    def write(self, place, text):
        path = self.inside(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def mapped(self, text):
        """The text with the paths of its volumes as they are on this machine."""
        for place in self.mounts.values():
            text = re.sub(rf"(?<![\w/.]){place}(?![\w.])", f"{self.root}{place}", text)
        return text

    def container(self, name, kind="containers"):
        found, = [one for one in self.spec[kind] if one["name"] == name]
        return found

    def command(self, name, kind="containers", **variables):
        """The words that a container runs; variables: for `$(…)` in them."""
        words = [self.mapped(word) for word in self.container(name, kind)["args"]]
        for variable, value in variables.items():
            words = [word.replace(f"$({variable})", str(value)) for word in words]
        return [NEARDUP, *words]

    def environment(self, name):
        """The variables of a container, without those that come from fields of the pod."""
        return {one["name"]: self.mapped(one["value"]) for one in self.container(name).get("env", []) if "value" in one}
