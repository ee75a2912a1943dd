"""A cluster of processes under test: its topics, its sketchers and deciders, and the check of all flags."""

import json
import subprocess

import exactly_once
import service
from service_case import ServiceCase


class DeciderCase(ServiceCase):
    def setUp(self):
        super().setUp()
        self.roles = []

    def make_cluster(self, partitions=4, **keys):
        """The topics of a cluster named after the test; `keys` are those of all of its processes."""
        self.docs = self.topic(partitions=partitions)
        self.out, self.dead = self.topic("out"), self.topic("dead")
        self.keys = keys
        self.init_file.parent.mkdir(parents=True, exist_ok=True)
        self.init_file.write_text(json.dumps(service.nested(self.keys_of("decider", "init"))))
        self.cluster_command("init")

    def cluster_command(self, *words, check=True):
        """`neardup cluster`, once it has ended."""
        return subprocess.run([service.BINARY, "cluster", words[0], "-c", self.init_file, *words[1:]], check=check,
                              capture_output=True, text=True, timeout=service.PATIENCE)

    def place_shards(self, shards, *options, check=True):
        """`neardup cluster place`, of those that take new documents."""
        return self.cluster_command("place", "--active", ",".join(map(str, shards)), *options, check=check)

    @property
    def init_file(self):
        """The configuration for `neardup cluster`."""
        return self.folder / self.name / "init.yaml"

    def keys_of(self, role, label, **more):
        keys = service.config(self.cluster, [self.docs], self.folder / self.name / label / "state", group=f"{self.name}.sketchers",
                              output=self.out, dead_letters=self.dead, **self.keys, **more)
        return {**keys, "cluster.name": self.name, "cluster.role": role}

    def role(self, role, label, environment=None, options=(), **more):
        """A process that is not started."""
        folder = self.folder / self.name / label
        made = service.Service(folder, self.keys_of(role, label, **more), options, environment)
        self.addCleanup(made.kill)
        self.roles.append(made)
        return made

    def decided(self):
        """How many records of the input have a flag."""
        return len(self.client.read_committed_all(self.out))

    def wait_decided(self, records, *running, seconds=service.PATIENCE):
        with self.client.reader(self.out) as reader:
            def there():
                reader.poll()
                return len(reader.messages) >= records

            running[0].wait_until(there, f"{records} flags", seconds)

    def check_flags(self, sets=(), more=()):
        """Each record of the input, and of `more`, has one flag, in one order, byte for byte as `scan` of that order."""
        inputs = self.client.read_committed_all(self.docs) + list(more)
        outputs = self.client.read_committed_all(self.out)
        folder = self.folder / self.name / "check"
        folder.mkdir(exist_ok=True)
        found = exactly_once.problems(inputs, outputs, folder, sets)
        self.assertEqual(found, [])
        return outputs

    @staticmethod
    def leads(decider):
        return bool(decider.events("leading"))

    @staticmethod
    def follows(decider):
        return bool(decider.events("following"))
