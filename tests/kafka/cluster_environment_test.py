"""A cluster whose surroundings fail: clocks that jump, full disks, roles that are killed while a placement changes, and two clusters that
are made at once. The flags are those of `scan`, or each role ends and says why."""

import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "crash"))
import small_disk  # noqa: E402

small_disk.private()
import needs  # noqa: E402

needs.broker()
import documents  # noqa: E402
import service  # noqa: E402
from cluster_shards_test import ShardsCase  # noqa: E402

PARTITIONS = 2
PIECE = 100  # documents
LARGE_PIECE, MOST_PIECES = 2000, 20
IO_ERROR, UNAVAILABLE = 74, 75
CLOCK_JUMPS = os.environ["NEARDUP_CLOCK_JUMPS"]  # the library made from clock_jumps.cc


class EnvironmentCase(ShardsCase):
    def setUp(self):
        super().setUp()
        self.count = 0

    def begin(self, roles=("sketcher", "shard", "resolver"), **environments):
        """A cluster of these roles, each with its environment."""
        self.make_cluster(PARTITIONS, cluster__window=256, batch__documents=40, batch__linger_ms=20)
        self.made = {role: self.role(role, role, environments.get(role)).start() for role in roles}
        self.go_on()

    @property
    def deciding(self):
        return self.made.get("resolver") or self.made["decider"]

    def fill(self, count=PIECE):
        self.count += count
        self.client.produce(self.docs, documents.records(count, self.count, keys=True, partitions=PARTITIONS))

    def go_on(self):
        """More documents, which get their flags."""
        self.fill()
        self.await_flags()

    def await_flags(self, seconds=2 * service.PATIENCE):
        """As Kubernetes does it: a role that has ended is started again."""
        ends = time.monotonic() + seconds
        while self.decided() < self.count:
            self.assertLess(time.monotonic(), ends, "\n".join(one.log_text()[-3000:] for one in self.made.values()))
            self.supervise()
            time.sleep(0.2)

    def supervise(self):
        for role, process in self.made.items():
            if not process.running():
                self.assertIn(process.process.returncode, (-9, UNAVAILABLE), process.log_text(all_runs=True)[-3000:])
                print(f"{role} is started again", flush=True)
                process.start()

    def finish(self):
        self.go_on()
        self.check_flags()
        self.stop_all()


class Clocks(EnvironmentCase):
    """Forward and back, further than brokers take messages: an hour ahead."""

    JUMPS = 1800, -1800, 86400, -86400, 0  # seconds off the true time
    REFUSED = 86400

    def clock(self, role):
        file = self.folder / self.name / f"clock-{role}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(8))
        return file, {"LD_PRELOAD": CLOCK_JUMPS, "NEARDUP_CLOCK": str(file)}

    @staticmethod
    def set(file, seconds):
        with open(file, "r+b") as clock:  # the process has it in its memory
            clock.write(seconds.to_bytes(8, "little", signed=True))

    def check(self, *roles):
        clocks = {role: self.clock(role) for role in roles}
        self.begin(roles, **{role: environment for role, (_, environment) in clocks.items()})
        for role, (file, _) in clocks.items():
            for jump in self.JUMPS:
                self.set(file, jump)
                self.fill()
                time.sleep(2)
                if jump != self.REFUSED:
                    self.await_flags()
        self.finish()

    def test_of_shards_and_resolvers(self):
        self.check("sketcher", "shard", "resolver")

    def test_of_deciders(self):
        self.check("sketcher", "decider")


class FullDisks(EnvironmentCase):
    """The configuration, state and log of each role have a separate disk."""

    def check(self, with_states, without):
        (self.folder / self.name).mkdir(parents=True, exist_ok=True)
        disks = {role: small_disk.Disk(self.folder / self.name / role) for role in (*without, *with_states)}
        for disk in disks.values():
            self.addCleanup(disk.remove)
        self.begin((*without, *with_states))
        for role in without:
            disks[role].resize(0)
            self.go_on()
            self.assertTrue(self.made[role].running(), role)
            disks[role].resize(small_disk.PLENTY)
        for role in with_states:
            disks[role].resize(0)
            for _ in range(MOST_PIECES):  # the store has space that it took before
                self.fill(LARGE_PIECE)
                time.sleep(1)
                if not self.made[role].running():
                    break
            self.assertEqual(self.made[role].wait_exit(), IO_ERROR, role)
            disks[role].resize(small_disk.PLENTY)
            self.made[role].start()
            self.await_flags()
        self.finish()

    def test_of_shards_and_resolvers(self):
        self.check(["shard"], ["sketcher", "resolver"])

    def test_of_deciders(self):
        self.check(["decider"], ["sketcher"])


class PlacementsAndKills(EnvironmentCase):
    def test_each_role_is_killed_while_the_placement_changes(self):
        self.begin()
        self.made["new"] = self.shard(1).start().wait_ready()
        for role in "sketcher", "shard", "new", "resolver":
            for shards in ([0, 1], [1], [0]):
                placing = threading.Thread(target=self.place_shards, args=(shards, "--wait", "30"), kwargs={"check": False})
                self.fill()
                placing.start()
                self.made[role].kill()
                placing.join()
                self.await_flags()
        self.finish()


class TwoClusters(EnvironmentCase):
    def test_they_are_made_at_once(self):
        self.docs, self.out, self.dead, self.keys = self.topic(), self.topic("out"), self.topic("dead"), {}
        self.init_file.parent.mkdir(parents=True, exist_ok=True)
        self.init_file.write_text(json.dumps(service.nested(self.keys_of("decider", "init"))))
        words = [service.BINARY, "cluster", "init", "-c", self.init_file]
        both = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)]
        texts = [one.communicate(timeout=service.PATIENCE)[0] for one in both]
        statuses = [one.returncode for one in both]
        print(statuses, flush=True)
        self.assertLessEqual(set(statuses), {0, UNAVAILABLE}, texts)
        first = self.client.read_committed_all(f"{self.name}.decisions")
        if len(first) == 1:
            self.assertEqual(sorted(statuses), [0, UNAVAILABLE], texts)
            return
        # Both have seen nothing, and written.
        names = [message.value[3:39].decode() for message in first]
        for role in "sketcher", "shard", "resolver", "decider":
            self.assert_fails(self.role(role, role), UNAVAILABLE, "two clusters use the same topics", *names)


if __name__ == "__main__":
    unittest.main()
