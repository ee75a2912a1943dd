"""Sketchers and deciders of a cluster: one flag for each record, whoever dies, and the same flags by each decider."""

import json
import shutil
import subprocess
import time
import unittest
import urllib.request
import uuid

import needs

needs.broker()
import cluster_log  # noqa: E402
import documents  # noqa: E402
import service  # noqa: E402
from decider_case import DeciderCase  # noqa: E402

RECORDS = 1200
SLOW_BATCHES = {"batch__documents": 40, "batch__linger_ms": 20}
TOKEN = "0123456789abcdef"
LONGEST_TAKEOVER = 30  # seconds; a broken one would take the minute of an open transaction


def sealed(message):
    """With the check that its bytes ask for."""
    return message[:-8] + cluster_log.check_of(message[:-8]).to_bytes(8, "little")


class Deciders(DeciderCase):
    @property
    def log_topic(self):
        return f"{self.name}.log"

    def log(self):
        """The messages of the log as they are."""
        return [message.value for message in self.client.read_committed_all(self.log_topic)]

    def fill(self, count=RECORDS, seed=1, partitions=4):
        self.client.produce(self.docs, documents.records(count, seed, keys=True, partitions=partitions))

    def start(self, label, role="decider", **more):
        return self.role(role, label, **more).start()

    def begun(self):
        """A sketcher and a decider of a new cluster that have flagged RECORDS records."""
        self.make_cluster()
        sketcher, decider = self.start("sketcher", "sketcher"), self.start("decider")
        self.fill()
        self.wait_decided(RECORDS, decider)
        return sketcher, decider

    def test_all_inputs_are_one_order(self):
        self.make_cluster()
        self.fill()
        sketchers = [self.start(f"sketcher-{i}", "sketcher") for i in range(2)]
        decider = self.start("decider")
        self.wait_decided(RECORDS, decider)
        self.fill(300, seed=2)
        self.wait_decided(RECORDS + 300, decider)
        self.check_flags()
        for process in [*sketchers, decider]:
            self.assertEqual(process.stop(), 0, process.log_text()[-3000:])

    def test_another_decider_takes_over(self):
        self.make_cluster(**SLOW_BATCHES)
        self.start("sketcher", "sketcher")
        first = self.start("first")
        first.wait_until(lambda: self.leads(first), "the lease")
        second = self.start("second")
        second.wait_until(lambda: self.follows(second), "following")
        self.fill()
        self.wait_decided(RECORDS // 2, first)
        first.kill()
        killed = time.monotonic()
        second.wait_until(lambda: self.leads(second), "the lease", LONGEST_TAKEOVER)
        print(f"took over after {time.monotonic() - killed:.1f} s")
        self.fill(200, seed=2)
        self.wait_decided(RECORDS + 200, second)
        first.start()  # its state may hold more than was delivered
        first.wait_until(lambda: self.follows(first), "following")
        second.kill()
        first.wait_until(lambda: self.leads(first), "the lease", LONGEST_TAKEOVER)
        self.fill(200, seed=3)
        self.wait_decided(RECORDS + 400, first)
        self.check_flags()

    def test_what_was_decided_and_not_delivered_is_delivered_by_who_leads(self):
        self.make_cluster(**SLOW_BATCHES)
        self.start("sketcher", "sketcher")
        self.fill()
        first = self.role("decider", "first")
        for place in ("after_store:5", "before_produce:2", "before_commit:2", "after_commit:2"):
            first.start({"NEARDUP_FAILPOINT": place})
            self.assertEqual(first.wait_exit(), -9, first.log_text()[-3000:])
        second = self.start("second")
        second.wait_until(lambda: self.leads(second), "the lease", LONGEST_TAKEOVER)
        self.wait_decided(RECORDS // 2, second)
        second.kill()
        first.start()
        self.wait_decided(RECORDS, first)
        self.check_flags()

    def test_a_follower_that_was_ahead_goes_on(self):
        """A leader dies with batches that are not delivered. It comes back beside one that leads, and leads again."""
        self.make_cluster(batch__in_flight=4, **SLOW_BATCHES)
        self.start("sketcher", "sketcher")
        self.fill(400)
        first = self.role("decider", "first").start({"NEARDUP_FAILPOINT": "before_commit:3"})
        self.assertEqual(first.wait_exit(), -9)
        second = self.start("second")
        second.wait_until(lambda: self.leads(second), "the lease", LONGEST_TAKEOVER)
        first.start()
        first.wait_until(lambda: self.follows(first), "following")
        self.fill(400, seed=2)
        self.wait_decided(800, second)
        second.kill()
        first.wait_until(lambda: self.leads(first), "the lease", LONGEST_TAKEOVER)
        self.fill(100, seed=3)
        self.wait_decided(900, first)
        self.check_flags()

    def test_a_lost_state_is_built_from_the_log(self):
        _, decider = self.begun()
        self.assertEqual(decider.stop(), 0)
        shutil.rmtree(decider.keys["storage.path"])
        decider.start()
        decider.wait_until(lambda: self.leads(decider), "the lease", LONGEST_TAKEOVER)
        self.fill(200, seed=2)
        self.wait_decided(RECORDS + 200, decider)
        self.check_flags()

    def test_deletes_by_command_and_by_http_come_in_the_order_of_the_log(self):
        self.make_cluster(partitions=1, http__token_file=self.token_file())
        text = " ".join(f"word{i}" for i in range(50))
        self.start("sketcher", "sketcher")
        decider = self.start("decider")
        self.add("a", text, decider, 1)
        done = subprocess.run([service.BINARY, "delete", "--state", decider.keys["storage.path"], "a"],
                              capture_output=True, text=True, timeout=service.PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.wait_decided(2, decider)
        self.add("b", text, decider, 3)
        request = urllib.request.Request(f"http://{decider.address()}/v1/documents/b", method="DELETE",
                                         headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=service.PATIENCE) as answer:
            self.assertIn(answer.status, (200, 202))
        self.wait_decided(4, decider)
        self.add("c", text, decider, 5)
        outputs = self.check_flags()
        self.assertEqual([json.loads(flag.value)["status"] for flag in outputs],
                         ["unique", "deleted", "unique", "deleted", "unique"])

    def token_file(self):
        file = self.folder / "token"
        file.write_text(TOKEN)
        file.chmod(0o600)
        return str(file)

    def add(self, name, text, decider, flags):
        self.client.produce(self.docs, [json.dumps({"id": name, "text": text}).encode()])
        self.wait_decided(flags, decider)

    def test_what_does_not_belong_into_the_log_is_passed_over(self):
        _, decider = self.begun()
        one = self.log()[0]
        foreign = sealed(one[:3] + str(uuid.uuid4()).encode() + one[39:])  # version, kind, length, cluster
        self.client.produce(self.log_topic, [b"no message", b"", one[:-1], one, foreign])
        self.fill(300, seed=2)
        self.wait_decided(RECORDS + 300, decider)
        self.check_flags()
        told = {line["event"].rpartition(": ")[2] for line in decider.events() if line["event"].startswith("message of the log")}
        self.assertEqual(told, {"damaged", "other_cluster"}, "the one that comes again is usual")

    def test_a_message_of_a_newer_format_ends_each_decider(self):
        _, decider = self.begun()
        one = self.log()[0]
        self.client.produce(self.log_topic, [sealed(bytes([one[0] + 1]) + one[1:])])
        self.fill(300, seed=2)
        self.assertEqual(decider.wait_exit(), 75, decider.log_text()[-3000:])
        self.assertIn("has a newer format: this program is older", decider.log_text())
        self.assert_fails(decider, 75, "has a newer format: this program is older")
        self.assertEqual(self.decided(), RECORDS)

    def test_a_log_that_was_cut_off_is_refused(self):
        sketcher, decider = self.begun()
        self.assertEqual(decider.stop(), 0)
        decided = len(self.log())
        self.fill(300, seed=2)
        sketcher.wait_until(lambda: len(self.log()) > decided, "more of the log")
        self.cluster.delete_records(self.log_topic, 0, decided + 1)
        self.assert_fails(decider, 75, "records between are gone")

    def test_a_state_of_something_else_is_refused(self):
        self.make_cluster()
        other = self.make([self.topic("others")], "other")
        self.client.produce(other.keys["kafka.topics"][0], documents.records(20))
        other.start()
        other.wait_flags(self.client, 20)
        self.assertEqual(other.stop(), 0)
        decider = self.role("decider", "decider", storage__path=other.keys["storage.path"])
        self.assert_fails(decider, 78, "another layout")

    def test_without_a_cluster_it_says_how_to_make_one(self):
        self.docs, self.out, self.dead, self.keys = self.topic(), self.topic("out"), self.topic("dead"), {}
        self.assert_fails(self.role("decider", "decider"), 78, "neardup cluster init")


if __name__ == "__main__":
    unittest.main()
