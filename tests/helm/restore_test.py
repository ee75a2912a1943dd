"""A drill: the chart's own commands make backups, a volume is lost, and the instance goes on from its backup."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "kafka"))
import needs  # noqa: E402

needs.broker()
import exposition  # noqa: E402
import service as services  # noqa: E402
from chart import render, yaml  # noqa: E402
from client import Record  # noqa: E402
from pod import Pod  # noqa: E402
from service_case import ServiceCase  # noqa: E402
from switches import BACKUP, CONFIG, MAIN  # noqa: E402

TOKEN = "a-token-of-the-drill"
INSTANCES = 2
PIECE = 40  # documents an instance
LATEST = "neardup_backup_last_success_timestamp_seconds"


def text(i):
    return f"a text of its own, number {i} of many: " + " ".join(f"w{(i * 7919 + j * j) % 50021}" for j in range(60))


def flat(sections, prefix=""):
    """{"a": {"b": 1}} as {"a.b": 1}, but for maps of settings."""
    for key, value in sections.items():
        if isinstance(value, dict) and prefix + key != "kafka.librdkafka":
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


class Instance(services.Service):
    """A pod of the StatefulSet."""

    def __init__(self, root, number, values):
        self.number = number
        self.root = root
        self.made(values)
        super().__init__(root / "log", dict(flat(yaml.safe_load(self.configuration))),
                         environment={"NEARDUP_KAFKA_INSTANCE": str(number), "NEARDUP_HTTP_LISTEN": "127.0.0.1:0",
                                      "NEARDUP_HTTP_METRICS_LISTEN": ""})

    def made(self, values):
        """As the chart makes it of these values; what lies on its volumes stays."""
        objects = render(values)
        self.configuration = objects[CONFIG]["data"]["neardup.yaml"]
        self.pod = Pod(self.root, objects[MAIN]["spec"]["template"]["spec"], objects, {"token": TOKEN},
                       ["state", "backup"])

    def words(self, _):
        return self.pod.command("neardup")

    def init(self):
        """Runs its init container `restore`."""
        return subprocess.run(self.pod.command("restore", "initContainers"), capture_output=True, text=True)

    def volume(self, name):
        return self.pod.inside(self.pod.mounts[name])

    def backups(self):
        return sorted(path.name for path in self.volume("backup").iterdir())


class Drill(ServiceCase):
    def setUp(self):
        self.documents = self.topic(partitions=INSTANCES)
        for kind in ("flags", "dead"):
            self.topic(kind, partitions=1)
        self.values = {
            "instances": INSTANCES,
            "backup": {"enabled": True},
            "secrets": {"token": {"name": "token"}},
            "config": {"batch": {"documents": 17, "linger_ms": 20}, "storage": {"memory": "64MiB"}, "backup": {"keep": 2},
                       "kafka": {"brokers": self.cluster.bootstrap, "topics": [self.documents], "group_id": self.name,
                                 "output_topic": f"{self.name}.flags", "dead_letter_topic": f"{self.name}.dead"}}}
        self.root = self.new_folder()
        self.instances = [Instance(self.root / f"pod-{i}", i, self.values) for i in range(INSTANCES)]
        for instance in self.instances:
            self.addCleanup(instance.kill)
            instance.start()
        self.sent = 0

    def feed(self, first, name="d{}"):
        """PIECE documents for each instance, until they are flagged."""
        numbers = range(first, first + PIECE * INSTANCES)
        self.client.produce(self.documents, [
            Record(json.dumps({"id": name.format(i), "text": text(i)}).encode(), partition=i % INSTANCES)
            for i in numbers])
        self.sent += len(numbers)
        self.instances[0].wait_flags(self.client, self.sent)
        self.instances[0].wait_caught_up(self.cluster)

    def job(self, number, token=TOKEN):
        """Runs the pod of the CronJob for an instance, which the pod finds by its name."""
        objects = render(self.values)
        spec = objects[BACKUP]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        pod = Pod(self.root / f"job-{number}", spec, objects, {"token": token})
        words = pod.command("backup", INSTANCE=number)
        name = f"n-neardup-{number}.n-neardup.7.svc:8081"
        self.assertEqual(sum(name in word for word in words), 1, words)
        words = [word.replace(name, self.instances[number].address()) for word in words]
        return subprocess.run(words, env=os.environ, capture_output=True, text=True, timeout=120)

    def back_up(self, number):
        done = self.job(number)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def latest(self, number):
        text = self.instances[number].get("/metrics")[1].decode()
        return exposition.parse(text)[LATEST].value()

    def flags(self):
        return [json.loads(message.value) for message in self.client.read_committed_all(f"{self.name}.flags")]

    def test_a_lost_volume_is_restored_and_nothing_comes_twice_or_changes(self):
        self.feed(0)
        self.assertEqual(self.latest(0), 0)
        for number in range(INSTANCES):
            self.assertIn(f"{PIECE} documents, up to seq {PIECE};", self.back_up(number))
            self.assertLess(abs(self.latest(number) - time.time()), 60)
        self.feed(1000)
        self.feed(0, "copy of d{}")
        before = self.flags()
        lost = self.instances[0]
        lost.kill()
        shutil.rmtree(lost.volume("state"))
        lost.volume("state").mkdir()

        self.values["backup"]["restore"] = "latest"
        for instance in self.instances:
            instance.made(self.values)
        done = lost.init()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{PIECE} documents, up to seq {PIECE}, as of ", done.stdout)
        other = self.instances[1].init()
        self.assertEqual((other.returncode, other.stdout),
                         (0, f"{self.instances[1].volume('state')}/state: a state exists, nothing is restored\n"))
        lost.start().wait_ready()
        self.assertEqual(lost.events("recovered")[0]["replay"], True)
        self.assertEqual(lost.init().returncode, 0)  # the next start of the pod
        self.feed(1000, "copy of d{}")

        after = self.flags()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(len(after), self.sent)
        self.assertEqual(len({flag["id"] for flag in after}), self.sent)
        statuses = {flag["status"] for flag in after if flag["id"].startswith("copy")}
        self.assertEqual(statuses, {"exact_duplicate"})
        self.back_up(0)

    def test_old_ones_go_and_the_time_of_the_latest_is_known_after_a_restart(self):
        self.feed(0)
        names = []
        for _ in range(3):
            names.append(re.search(r"[0-9a-f-]{36}-[0-9T]+\.[0-9]{3}Z", self.back_up(0))[0])
        self.assertEqual(self.instances[0].backups(), names[1:])
        latest = self.latest(0)
        self.assertEqual(self.instances[0].stop(), 0)
        self.instances[0].start().wait_ready()
        self.assertEqual(self.latest(0), latest)
        self.assertEqual(self.latest(1), 0)
        named = self.values | {"backup": {"enabled": True, "restore": names[1]}}
        self.assertEqual(self.instances[0].stop(), 0)
        shutil.rmtree(self.instances[0].volume("state") / "state")
        self.instances[0].made(named)
        self.assertIn(names[1], self.instances[0].init().stdout)

    def test_without_the_token_nothing_is_made_and_the_job_fails(self):
        self.feed(0)
        done = self.job(0, "another-token-than-that")
        self.assertEqual(done.returncode, 78)
        self.assertIn("does not accept this token", done.stderr)
        self.assertEqual(self.instances[0].backups(), [])
        self.instances[0].kill()
        done = self.job(0)
        self.assertEqual(done.returncode, 75)
        self.assertIn("does not answer", done.stderr)


if __name__ == "__main__":
    import unittest

    unittest.main(verbosity=0)
