"""What the benches of `neardup serve` share: a broker, the service as users run it, figures of processes, reports.

The broker is that of tests/kafka; where it cannot be had, a bench ends with 77 and the reason.
"""

import argparse
import concurrent.futures
import contextlib
import datetime
import json
import multiprocessing
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "kafka")]

import needs  # noqa: E402

needs.broker()

import corpus_runs as runs  # noqa: E402
import exposition  # noqa: E402, F401
import service  # noqa: E402
from broker import Cluster  # noqa: E402
from client import Client, Record  # noqa: E402, F401
from confluent_kafka import Consumer, Producer, TopicPartition  # noqa: E402, F401

LONG, SILENCE = 3600, 60  # seconds; only for failure
SETTINGS_OF_TESTS = ("storage.memory", "batch.documents", "batch.linger_ms")  # benches want the product's defaults
TICKS = os.sysconf("SC_CLK_TCK")


def parser(description):
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", type=pathlib.Path, default=ROOT / "build" / "neardup")
    arguments.add_argument("--json", type=pathlib.Path, help="also write a row for each run to this file")
    return arguments


def parse(arguments):
    options = arguments.parse_args()
    service.BINARY = str(options.binary.resolve())
    options.machine, options.commit = runs.machine(), commit()
    return options


def commit():
    """Of the working tree; changes of results do not count."""
    git = lambda *words: subprocess.run(["git", "-C", ROOT, *words], stdout=subprocess.PIPE, text=True).stdout.strip()
    changes = git("diff", "--name-only", "HEAD", "--", ".", ":!bench/results")
    return git("rev-parse", "--short", "HEAD") + (" with changes" if changes else "")


class Rig:
    """A broker with default settings but `properties`, in a folder that goes with it; jobs on it are numbered."""

    def __init__(self, cluster, folder):
        self.cluster = cluster
        self.client = Client(cluster.bootstrap)
        self.folder = folder
        self._jobs = 0

    def job(self, topic, topic_config=None, partitions=1, **settings):
        """A service, not started, with a new group, state and output topics. Settings: with __ for their dots."""
        self._jobs += 1
        flags, dead = f"flags-{self._jobs}", f"dead-{self._jobs}"
        for name in (flags, dead):
            self.cluster.create_topic(name, partitions, topic_config)
        folder = self.folder / f"job-{self._jobs}"
        keys = service.config(self.cluster, [topic], folder / "state", f"group-{self._jobs}", flags, dead,
                              log__level="debug")
        for key in SETTINGS_OF_TESTS:
            del keys[key]
        keys.update({key.replace("__", "."): value for key, value in settings.items()})
        return service.Service(folder, keys)

    def drop(self, job):
        """Ends it and frees the disk that its topics take."""
        job.kill()
        for key in ("kafka.output_topic", "kafka.dead_letter_topic"):
            self.cluster.delete_topic(job.keys[key])

    @property
    def broker_pid(self):
        return self.cluster.nodes[1].process.pid


@contextlib.contextmanager
def started(properties=None):
    with tempfile.TemporaryDirectory(prefix="neardup-bench-") as folder:
        folder = pathlib.Path(folder)
        with Cluster(folder / "kafka", properties=properties, java=[]) as cluster:
            yield Rig(cluster, folder)


def time_of(event):
    """Of a log line, in seconds."""
    return datetime.datetime.fromisoformat(event["ts"]).timestamp()


def delivered(job):
    """The last batch delivered in this run of the service, or None."""
    batches = job.events("batch delivered")
    return batches[-1] if batches else None


def wait_delivered(job, documents):
    """Until so many are, counted from the state's beginning; returns the batch."""
    job.wait_until(lambda: (delivered(job) or {"next_seq": 0})["next_seq"] >= documents,
                   f"{documents} documents delivered", LONG)
    return delivered(job)


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_bytes(pid, kind):
    """kind: VmRSS, now; VmHWM, the most so far."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(kind + ":"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"process {pid} tells no {kind}")


def folder_bytes(folder):
    """Files that go in the meantime count nothing."""
    total = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += file.stat().st_size if file.is_file() else 0
    return total


def committed_messages(bootstrap, topic, offset=0):
    """Committed messages of a topic's only partition, without end; fails when none comes for a minute."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "reader", "isolation.level": "read_committed",
                         "enable.auto.commit": False, "socket.nagle.disable": True})
    consumer.assign([TopicPartition(topic, 0, offset)])
    try:
        last = time.monotonic()
        while time.monotonic() < last + SILENCE:
            message = consumer.poll(1)
            if message is not None and message.error() is None:
                last = time.monotonic()
                yield message
        raise TimeoutError(f"no message in {topic} for {SILENCE} s")
    finally:
        consumer.close()


def in_process():
    """Runs functions in new processes, so that they share no lock with this one."""
    return concurrent.futures.ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn"))


def progress(text):
    print(text, file=sys.stderr, flush=True)


def report(title, data, options, rows):
    """The head of a result, and the rows where they were asked for."""
    command = shlex.join([f"bench/serve/{pathlib.Path(sys.argv[0]).name}", *sys.argv[1:]])
    print(f"# {title}\n\n`{command}`, commit {options.commit}, {options.machine}.\n\n{data}\n")
    if options.json:
        options.json.write_text("".join(json.dumps(row) + "\n" for row in rows))
