"""Base of the chaos tests of a cluster: documents keep coming while something happens to its processes and its broker, and no flag is
lost, doubled or other than that of `scan`.

  X_test.py [EVENTS [SEED]]

The end says how long flags stayed away after the last event that can stop them.
"""

import collections
import random
import sys
import threading
import time
import unittest

from client import Record
from decider_case import DeciderCase
from documents import Corpus, id_of

EVENTS = 15
PARTITIONS = 3
PIECE = 20  # documents
LONGEST_PAUSE = 8  # seconds that a process is stopped; the lease of who leads ends before
PATIENCE = 120  # seconds without a flag
SHOWN_BEFORE = 15  # seconds of events before the longest stall
UNAVAILABLE, WRONG_CONFIG = 75, 78


class Upstream(threading.Thread):
    """Another program that writes documents, piece by piece, until it is told to end."""

    def __init__(self, client, topic, seed):
        super().__init__(daemon=True)
        self._client, self._topic = client, topic
        self._corpus, self._chance = Corpus(seed), random.Random(seed)
        self._ended = threading.Event()
        self.count = 0

    def run(self):
        while not self._ended.wait(self._chance.uniform(0, 0.5)):
            lines = self._corpus.lines(PIECE)
            self._client.produce(self._topic, [Record(line, key=id_of(line), partition=i % PARTITIONS) for i, line in enumerate(lines)])
            self.count += PIECE

    def end(self):
        self._ended.set()
        self.join()


class Flags(threading.Thread):
    """Counts the flags as they come, and notes when."""

    def __init__(self, client, topic):
        super().__init__(daemon=True)
        self._client, self._topic = client, topic
        self._ended = threading.Event()
        self.count = 0
        self.times = []  # when there were more

    def run(self):
        with self._client.reader(self._topic) as reader:
            while not self._ended.is_set():
                reader.poll()
                if len(reader.messages) > self.count:
                    self.count = len(reader.messages)
                    self.times.append(time.monotonic())

    def end(self):
        self._ended.set()
        self.join()


class ChaosCase(DeciderCase):
    """Subclasses have `processes` and `events`: (what happens, its weight)."""

    EVENTS = EVENTS
    SEED = random.SystemRandom().randrange(1 << 31)

    def run_events(self):
        """With all processes made, and none started."""
        print(f"{self.EVENTS} events, seed {self.SEED}", flush=True)
        self.chance = random.Random(self.SEED)
        self.hits = []  # when something happened that can stop flags
        self.begin()
        happened = []  # (when it began, what)
        for _ in range(self.EVENTS):
            time.sleep(self.chance.uniform(0.3, 2))
            self.supervise()
            event = self.chance.choices(*zip(*self.events()))[0]
            happened.append((time.monotonic(), event.__name__))
            event()
        self.finish()
        counts = collections.Counter(name for _, name in happened)
        print(", ".join(f"{name} {count}" for name, count in sorted(counts.items())), flush=True)
        stall, begin, end = self.longest_stall()
        near = [f"{name} at {when - begin:+.1f}" for when, name in happened if begin - SHOWN_BEFORE < when < end]
        print(f"{self.upstream.count} records, longest stall {stall:.1f} s, near: {', '.join(near)}", flush=True)

    def begin(self):
        for process in self.processes():
            process.start()
        self.upstream = Upstream(self.client, self.docs, self.SEED)
        self.upstream.start()
        self.flags = Flags(self.client, self.out)
        self.flags.start()
        self.processes()[0].wait_until(lambda: self.flags.count > 0, "the first flags")
        self.first_messages = [message.value for message in self.client.read_committed_all(f"{self.name}.log")]

    def supervise(self):
        """Starts what has ended, as Kubernetes does it."""
        for process in self.processes():
            if process.running():
                continue
            status = process.process.returncode
            self.assertIn(status, (-9, UNAVAILABLE), f"seed {self.SEED}: {process.log_text()[-3000:]}")
            process.start()

    def hit(self):
        self.hits.append(time.monotonic())

    def pause(self, process):
        process.pause()
        time.sleep(self.chance.uniform(0.5, LONGEST_PAUSE))
        process.resume()

    def restart_broker(self):
        self.cluster.kill()
        self.cluster.restart()
        self.hit()

    def try_to_place(self, shards, *options):
        done = self.place_shards(shards, *options, check=False)
        self.assertIn(done.returncode, (0, UNAVAILABLE), done.stderr)

    def repeat_messages(self):
        """As a sketcher does it that was cut off from the group."""
        self.client.produce(f"{self.name}.log", self.chance.choices(self.first_messages, k=3))

    def another_rule(self):
        self.assert_fails(self.role("sketcher", "stranger", threshold=0.55), WRONG_CONFIG, "rule")

    def finish(self):
        self.upstream.end()
        last, ends = -1, 0
        while self.flags.count < self.upstream.count:
            if self.flags.count > last:
                last, ends = self.flags.count, time.monotonic() + PATIENCE
            self.assertLess(time.monotonic(), ends, f"seed {self.SEED}: {last} of {self.upstream.count} flags; "
                            + "\n".join(f"{process.folder.name}: {process.log_text()[-2000:]}" for process in self.processes()))
            self.supervise()
            time.sleep(0.2)
        self.flags.end()
        self.check_flags()
        self.supervise()
        for process in self.processes():
            process.wait_until(lambda: process.events("listening"), "its start")
            self.assertEqual(process.stop(), 0, process.log_text()[-3000:])

    def longest_stall(self):
        """Of the times without a flag, counted from the last event within that can stop them: its length, begin and end."""
        stalls = []
        for before, after in zip(self.flags.times, self.flags.times[1:]):
            begin = max([before, *(hit for hit in self.hits if before < hit < after)])
            stalls.append((after - begin, begin, after))
        return max(stalls)


def main():
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        ChaosCase.EVENTS = int(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        ChaosCase.SEED = int(sys.argv.pop(1))
    unittest.main()
