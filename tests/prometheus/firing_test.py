"""Alerts fire on services that are really in trouble, and none on one that is well. Their minutes are seconds here."""

import itertools
import json
import pathlib
import re
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "kafka"))
import needs  # noqa: E402
import programs  # noqa: E402

needs.broker()
programs.needed()
import boards  # noqa: E402
import proxy  # noqa: E402
from server import Server, free_address  # noqa: E402
from service_case import ServiceCase  # noqa: E402

ALERTS = boards.ROOT / "helm" / "neardup" / "alerts" / "neardup.yaml"
PATIENCE = 45  # seconds
EXPECTED = {("NeardupDown", "killed"), ("NeardupInstanceMissing", "killed"),
            ("NeardupRestarting", "loop"), ("NeardupNotReady", "cut"), ("NeardupRecoveryStuck", "lonely"),
            ("NeardupDeadLetters", "letters"), ("NeardupNoCommit", "refused"), ("NeardupHotBuckets", "flood")}
# Many kept documents that share buckets.
OF_THE_MACHINE = {"NeardupDiskWillFill", "NeardupMemoryNearLimit"}  # others may use it, too
LOOSE_BUCKETS = {"lsh__bands": 60, "lsh__rows": 4, "lsh__bucket_cap": 1, "storage__expected_documents": 1000}


def sped_up(text):
    """A minute is a second; hours and days follow."""
    seconds = {"m": 1, "h": 60, "d": 1440}
    text = re.sub(r"(?<=for: )\d+m|(?<=\[)\d+[mhd]|(?<=:)\d+m(?=\])|(?<=offset )\d+h",
                  lambda found: f"{int(found[0][:-1]) * seconds[found[0][-1]]}s", text)
    return text.replace("commit_age_seconds > 300", "commit_age_seconds > 5")


def good(number):
    words = " ".join(f"word{number}x{i}" for i in range(20))
    return json.dumps({"id": f"d{number}", "text": words}).encode()


def alike(number):
    """Shares 96 of 164 shingles with any other: below the threshold, and in the same buckets."""
    words = [f"same{i}" for i in range(100)] + [f"own{number}x{i}" for i in range(30)]
    return json.dumps({"id": f"a{number}", "text": " ".join(words)}).encode()


class Firing(ServiceCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.proxy = cls.enterClassContext(proxy.Proxy())
        cls.CLUSTER = {"proxies": {1: cls.proxy}}
        super().setUpClass()

    def setUp(self):
        self.services, self.addresses, self.end = {}, {}, threading.Event()

    def serve(self, name, **more):
        """A service of this name, past the proxy unless it has brokers of its own; its topic has its name, too."""
        self.addresses[name] = free_address()
        keys = {"kafka__brokers": self.cluster.internal_bootstrap, "http__listen": self.addresses[name], **more}
        self.services[name] = self.make([self.topic(name)], name, **keys).start()
        return self.services[name]

    def meanwhile(self, work):
        thread = threading.Thread(target=work)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.end.set)

    def produce(self):
        """Ten times a second what the names of the topics say."""
        for number in itertools.count(0, 10):
            numbers = range(number, number + 10)
            for name in ("well", "cut", "refused"):
                self.client.produce(f"{self.name}.{name}", map(good, numbers))
            self.client.produce(f"{self.name}.letters", [good(n) if n % 10 else b"not JSON" for n in numbers])
            self.client.produce(f"{self.name}.flood", map(alike, numbers))
            if self.end.wait(0.1):
                return

    def start_again_and_again(self):
        for _ in range(4):
            if self.end.wait(3):
                return
            self.services["loop"].kill()
            self.services["loop"].start()

    def start_services(self):
        for name in ("well", "killed", "loop", "letters", "refused"):
            self.serve(name)
        self.serve("flood", **LOOSE_BUCKETS)
        self.serve("cut", kafka__brokers=self.cluster.bootstrap)
        self.serve("lonely", kafka__brokers="127.0.0.1:1")
        for name, made in self.services.items():
            if name != "lonely":
                made.wait_ready()

    def make_trouble(self):
        self.services["killed"].kill()
        self.proxy.refuse()
        self.proxy.cut()
        self.meanwhile(self.start_again_and_again)
        # Room for the marker that ends a transaction, and for no flag. A marker that is refused would leave transactions of
        # others without theirs, too.
        self.cluster.set_topic_config(self.services["refused"].keys["kafka.output_topic"], max_message_bytes=100)

    def start_prometheus(self):
        rules = self.folder / "rules.yaml"
        rules.write_text(sped_up(ALERTS.read_text(encoding="utf-8")))
        server = self.enterContext(Server(self.folder / "prometheus", self.addresses, [rules]))
        self.wait(lambda: len(server.query("up")) == len(self.addresses), lambda: "the first scrape")
        return server

    def wait(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"waited for {what()}")
            time.sleep(0.5)

    def test_alerts_fire_where_there_is_trouble(self):
        self.start_services()
        server = self.start_prometheus()
        self.meanwhile(self.produce)
        self.make_trouble()
        seen = set()

        def all_seen():
            seen.update((one["metric"]["alertname"], one["metric"].get("job"))
                        for one in server.query('ALERTS{alertstate="firing"}'))
            return seen >= EXPECTED

        self.wait(all_seen, lambda: f"{EXPECTED - seen}; there are {seen}")
        # Three in a quarter of an hour, as NeardupAborts has it, are too many for 15 seconds.
        self.assertTrue(server.query('neardup_kafka_transaction_aborts_total{job="refused"} > 0'))
        self.assertEqual([name for name, job in seen if job == "well" and name not in OF_THE_MACHINE], [])
        for made in self.services.values():
            made.kill()
        self.wait(lambda: server.query('ALERTS{alertname="NeardupAbsent",alertstate="firing"}'), lambda: "NeardupAbsent")


if __name__ == "__main__":
    unittest.main()
