"""Members of a consumer group on a real broker: how partitions move, and whose commits count."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import needs

needs.broker()
from broker import Cluster, die_with_parent  # noqa: E402
from view import Committed  # noqa: E402

BINARY = os.environ.get("NEARDUP_GROUP_MEMBER", "group_member")
PATIENCE = 60  # seconds


class Member:
    """A process that is a member of a group."""

    def __init__(self, cluster, group, *topics):
        self.process = subprocess.Popen([BINARY, cluster.bootstrap, group, *topics], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1, preexec_fn=die_with_parent)
        self.memberships = []  # sets of "topic[partition]"
        self.answers = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            record = json.loads(line)
            if "commit" in record:
                self.answers.append(record["commit"])
            else:
                self.memberships.append(set(record["partitions"]))

    @property
    def partitions(self):
        return self.memberships[-1] if self.memberships else set()

    def tell(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()

    def commit(self, topic, partition, offset, metadata="-"):
        """What becomes of it; tried again while the group changes."""
        deadline = time.monotonic() + PATIENCE
        while True:
            asked = len(self.answers)
            self.tell("commit", topic, partition, offset, metadata)
            wait(lambda: len(self.answers) > asked, "the answer to a commit")
            if self.answers[-1] in ("yes", "no") or time.monotonic() > deadline:
                return self.answers[-1]
            time.sleep(0.1)

    def leave(self):
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def signal(self, number):
        self.process.send_signal(number)

    def close(self):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        if not self.process.stdin.closed:
            self.process.stdin.close()


def wait(condition, what, seconds=PATIENCE):
    """Returns how long it took."""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() > begun + seconds:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.02)
    return time.monotonic() - begun


class GroupMember(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-kafka-")
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = cls.enterClassContext(Cluster(pathlib.Path(folder.name)))

    def setUp(self):
        self.group = self.id().rpartition(".")[2]

    def topic(self, partitions):
        self.cluster.create_topic(self.group, partitions)
        self.all = {f"{self.group}[{p}]" for p in range(partitions)}
        return self.group

    def member(self, *topics):
        made = Member(self.cluster, self.group, *(topics or [self.group]))
        self.addCleanup(made.close)
        return made

    def wait_divided(self, *members):
        """Until they have all partitions together, each once, as evenly as can be; returns how long it took."""
        def divided():
            has = [member.partitions for member in members]
            sizes = [len(one) for one in has]
            return set().union(*has) == self.all and sum(sizes) == len(self.all) and max(sizes) - min(sizes) <= 1

        return wait(divided, f"{len(self.all)} partitions over {len(members)} members: "
                             f"{[member.partitions for member in members]}")

    def test_a_second_member_takes_half_and_a_third_takes_from_both_only_what_it_needs(self):
        self.topic(6)
        first = self.member()
        self.wait_divided(first)
        second = self.member()
        self.wait_divided(first, second)
        before = first.partitions, second.partitions
        third = self.member()
        self.wait_divided(first, second, third)
        self.assertLess(first.partitions, before[0])
        self.assertLess(second.partitions, before[1])

    def test_partitions_that_stay_are_never_taken_away_meanwhile(self):
        self.topic(4)
        first = self.member()
        self.wait_divided(first)
        begun = len(first.memberships)
        second = self.member()
        self.wait_divided(first, second)
        kept = first.partitions
        for seen in first.memberships[begun:]:
            self.assertLessEqual(kept, seen)

    def test_a_killed_member_is_replaced_when_its_session_ends(self):
        self.topic(4)
        first, second = self.member(), self.member()
        self.wait_divided(first, second)
        second.signal(signal.SIGKILL)
        took = self.wait_divided(first)
        print(f"others have the partitions of a killed member after {took:.1f} s", flush=True)

    def test_a_member_that_leaves_is_replaced_at_once(self):
        self.topic(4)
        first, second = self.member(), self.member()
        self.wait_divided(first, second)
        self.assertEqual(second.leave(), 0)
        took = self.wait_divided(first)
        self.assertLess(took, 5, "the session of 6 s must not have to end")

    def test_a_partition_moves_only_when_its_owner_has_finished_with_it(self):
        topic = self.topic(2)
        first = self.member()
        self.wait_divided(first)
        first.tell("hold")
        second = self.member()
        wait(lambda: len(first.partitions) == 1, "the request to give a partition up")
        moving = self.all - first.partitions
        number = int(next(iter(moving))[-2])
        time.sleep(2)
        self.assertEqual(second.partitions, set())
        # What the owner has done until it lets go still counts.
        self.assertEqual(first.commit(topic, number, 17, "done"), "yes")
        first.tell("let", "go")
        self.wait_divided(first, second)
        self.assertEqual(self.cluster.committed(self.group)[topic, number], Committed(17, "done"))
        self.assertEqual(first.commit(topic, number, 18), "no")
        self.assertEqual(second.commit(topic, number, 19), "yes")

    def test_a_member_that_was_thought_dead_cannot_commit_what_others_have_now(self):
        topic = self.topic(1)
        first = self.member()
        self.wait_divided(first)
        self.assertEqual(first.commit(topic, 0, 5), "yes")
        second = self.member()
        wait(lambda: second.memberships, "the second member to join")
        first.tell("hold")  # nobody waits for what is lost
        first.signal(signal.SIGSTOP)
        self.wait_divided(second)
        self.assertEqual(second.commit(topic, 0, 9, "second"), "yes")
        first.tell("commit", topic, 0, 7, "first")
        first.signal(signal.SIGCONT)
        wait(lambda: len(first.answers) == 2, "the late commit")
        self.assertNotEqual(first.answers[-1], "yes")
        self.assertEqual(first.commit(topic, 0, 8, "first"), "no")
        self.assertEqual(self.cluster.committed(self.group)[topic, 0], Committed(9, "second"))
        wait(lambda: first.partitions == set(), "the late member to see that it has lost the partition")

    def test_a_member_takes_the_partitions_of_all_its_topics(self):
        topic = self.topic(1)
        self.cluster.create_topic(f"{topic}.second", 1)
        first = self.member(topic, f"{topic}.second")
        self.all.add(f"{topic}.second[0]")
        self.wait_divided(first)

    def test_members_come_back_after_the_broker(self):
        topic = self.topic(2)
        first, second = self.member(), self.member()
        self.wait_divided(first, second)
        self.cluster.kill()
        time.sleep(1)
        self.cluster.start()
        # Their sessions may end first: then the partitions go once more.
        for member in first, second:
            wait(lambda: self.commits_one(member, topic), "a commit of each")

    @staticmethod
    def commits_one(member, topic):
        return any(member.commit(topic, int(one[-2]), 3) == "yes" for one in member.partitions)


if __name__ == "__main__":
    unittest.main()
