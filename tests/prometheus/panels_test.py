"""A real Prometheus scrapes a running service: panels have data, alerts can be evaluated and do not fire."""

import itertools
import pathlib
import subprocess
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
import documents  # noqa: E402
import report  # noqa: E402
import service  # noqa: E402
from server import Server  # noqa: E402
from service_case import ServiceCase  # noqa: E402

ALERTS = boards.ROOT / "helm" / "neardup" / "alerts" / "neardup.yaml"
# Reasons of panels to be empty, though the service runs.
NOT_HERE = {"no alert fires", "no GPU is in use", "no sketcher is running", "no shard is running", "no decision had to wait"}
PATIENCE = 90  # seconds
PARTITIONS = 2
EACH = 40  # documents, ten times a second


class Panels(ServiceCase):
    maxDiff = None

    def produce_until(self, end, topic):
        endless = itertools.chain.from_iterable(documents.records(5000, seed) for seed in itertools.count(1))
        while not end.wait(0.1):
            self.client.produce(topic, list(itertools.islice(endless, EACH)))

    def scrape_a_busy_service(self):
        """(service, Prometheus); both and a producer end with the test."""
        topic = self.topic(partitions=PARTITIONS)
        made = self.make([topic], backup__directory=str(self.new_folder()), http__token_file=str(self.token()))
        made.start().wait_ready()
        self.back_up(made)
        server = self.enterContext(Server(self.folder / "prometheus", {"neardup": made.address()}, [ALERTS]))
        end = threading.Event()
        producer = threading.Thread(target=self.produce_until, args=(end, topic))
        producer.start()
        self.addCleanup(producer.join)
        self.addCleanup(end.set)
        return made, server

    def token(self):
        file = self.folder / "token"
        file.write_text("a-token-of-the-test")
        return file

    def back_up(self, made):
        words = ["backup", "--service", f"http://{made.address()}", "--token-file", self.token()]
        subprocess.run([service.BINARY, *words], check=True, stdout=subprocess.DEVNULL)

    def test_each_panel_has_data_and_no_alert_fires(self):
        made, server = self.scrape_a_busy_service()
        made.wait_flags(self.client, 2 * EACH)
        for partition in range(PARTITIONS):
            self.cluster.delete_records(made.keys["kafka.topics"][0], partition, 1)
        deadline = time.monotonic() + PATIENCE
        while (missing := without_data(server)) and time.monotonic() < deadline:
            time.sleep(1)
        self.assertEqual(missing, [])
        self.assertEqual(lint(made.get("/metrics")[1]), "")
        rules = [rule for group in server.get("/api/v1/rules")["groups"] for rule in group["rules"]]
        self.assertTrue(rules)
        self.assertEqual([(rule["name"], rule.get("lastError")) for rule in rules if rule["health"] != "ok"], [])
        self.assertEqual(server.query('ALERTS{alertstate="firing"}'), [])


def lint(exposition):
    """What promtool has to say about names, types and help texts."""
    done = subprocess.run([programs.folder() / "promtool", "check", "metrics"], input=exposition, capture_output=True)
    return (done.stdout + done.stderr).decode()


def without_data(server):
    return [f"{answer.query.place}: {answer.asked}" for answer in report.answers(server)
            if not answer.has_data and answer.query.may_be_empty not in NOT_HERE]


if __name__ == "__main__":
    unittest.main()
