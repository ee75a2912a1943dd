"""Base of tests of a cluster's roles: its topics, and a decider that only says what it has read of the log."""

import json
import pathlib
import subprocess
import threading
import uuid

import service
from cluster_log import Decided, Log, effects_of_documents, encode_decided
from service_case import ServiceCase

IDLE_SECONDS = 0.05


class Decider:
    """Reads the log and writes to the topic of decisions what it has read, in one batch after the other."""

    def __init__(self, client, name, log):
        self._client, self._name, self.log = client, name, log
        self._offset = 0  # of the next message of the log
        self._ended, self._paused, self._turn = threading.Event(), threading.Event(), threading.Lock()
        self._producer = client.producer(enable_idempotence=True)
        self.lies = None  # positions to tell in place of the true ones
        self.decide()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self._thread.start()
        return self

    def pause(self):
        """It decides nothing once this returns."""
        self._paused.set()
        with self._turn:
            pass

    def resume(self):
        self._paused.clear()

    def close(self):
        self._ended.set()
        self._thread.join()

    def decide(self):
        """A batch that ends where the reader is."""
        seq = len(self.log.accepted) + 1
        positions = self.lies if self.lies is not None else self.log.positions
        self.write(Decided(self.log.rule, seq, seq, self._offset, positions, seq, self.log.epoch))

    def write(self, decided, **more):
        self._producer.produce(f"{self._name}.decisions", encode_decided(self.log.cluster, decided, **more))
        self._producer.flush(30)

    def _run(self):
        with self._client.reader(f"{self._name}.log") as reader:
            taken = 0
            while not self._ended.is_set():
                if self._paused.wait(IDLE_SECONDS):
                    continue
                with self._turn:
                    if not self._paused.is_set():
                        taken = self._take_turn(reader, taken)

    def _take_turn(self, reader, taken):
        """Returns how many messages it has taken."""
        reader.poll()
        news = reader.messages[taken:]
        for message in news:
            self.log.take(message.value)
            self._offset = message.offset + 1
        if news or self.lies is not None:
            self.decide()
        return len(reader.messages)


class Resolver(Decider):
    """Decides that each record is a separate document, for shards to keep."""

    again = False

    def decide(self):
        first, self._next = getattr(self, "_next", 1), len(self.log.accepted) + 1
        self.write(Decided(self.log.rule, first, self._next, self._offset, self.log.positions, self._next, self.log.epoch),
                   effects=effects_of_documents(self._next - first), again=self.again)


class ClusterCase(ServiceCase):
    def cluster_of_roles(self, positions=None, rule=None, decider=Decider, **log_config):
        """Topics, and a decider that runs. `positions`: accepted when the cluster begins."""
        self.cluster.create_topic(f"{self.name}.log", 1,
                                  {key.replace("_", "."): value for key, value in log_config.items()})
        self.cluster.create_topic(f"{self.name}.decisions", 1)
        self.cluster.create_topic(f"{self.name}.answers", 64)
        self.uuid = str(uuid.uuid4())
        log = Log(self.uuid, rule or self.rule_of(), positions)
        self.decider = decider(self.client, self.name, log).start()
        self.addCleanup(self.decider.close)
        return self.decider

    def rule_of(self, keys=None):
        """The fingerprint of the rule that these keys make, as `scan` writes it into its flags."""
        folder = self.folder / self.name / "rule"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "one.jsonl").write_text('{"id":"1","text":"a"}\n')
        (folder / "config.yaml").write_text(json.dumps(service.nested(keys or {})))
        subprocess.run([service.BINARY, "scan", "-c", folder / "config.yaml", folder / "one.jsonl",
                        "--output", folder / "flags.jsonl"], check=True, capture_output=True)
        return json.loads((folder / "flags.jsonl").read_text().splitlines()[0])["rule"]

    def sketcher(self, topics, label="sketcher", group=None, options=(), **more):
        """One that is not started. All of a test are of one group."""
        for kind in (f"{self.name}.dead",):
            if kind not in self.cluster.metadata().topics:
                self.cluster.create_topic(kind)
        keys = {"cluster__name": self.name, "cluster__role": "sketcher", "dead_letters": f"{self.name}.dead",
                "group": group or f"{self.name}.sketchers", **more}
        made = self.make_bare(topics, label, options, **keys)
        del made.keys["storage.path"], made.keys["storage.memory"], made.keys["kafka.output_topic"]
        return made

    def read_log(self, positions=None):
        """The log as it is now, read from its beginning."""
        log = Log(self.uuid, self.decider.log.rule, positions)
        for message in self.client.read_committed_all(f"{self.name}.log"):
            log.take(message.value)
        return log

    def wait_accepted(self, made, count, seconds=service.PATIENCE):
        """Until so many records count, as the decider sees it."""
        made.wait_until(lambda: len(self.decider.log.accepted) >= count, f"{count} accepted records", seconds)

    def assert_each_once(self, log, inputs):
        """inputs: (topic, partition, offset) → id. Each record counts once, and those of a partition in their order."""
        self.assertEqual({record.place: record.id for record in log.accepted}, inputs)
        self.assertEqual(len(log.accepted), len(inputs))
        last = {}
        for record in log.accepted:
            self.assertLess(last.get(record.place[:2], -1), record.offset)
            last[record.place[:2]] = record.offset
