"""Cases in which a service ends unexpectedly. All of its output is checked, in each mode and for each guarantee.

They share one cluster, and some run in parallel, since they mostly wait.
"""

import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import aftermath
import documents
import traces
import trial
from broker import Cluster
from client import Client, Record

AT_ONCE = 4


def records(count, seed=1, partitions=None):
    """As documents.records, with keys and traces; every twentieth is rejected, with a header."""
    found = []
    for i, record in enumerate(documents.records(count, seed, keys=True, partitions=partitions)):
        headers = traces.brought(i // 3)
        bad = Record(b"no JSON %d" % i, b"key %d" % i, [("header", b"%d" % i), *headers], partition=record.partition)
        found.append(record._replace(headers=headers) if i % 20 else bad)
    return found


class FaultCase(trial.Trial):
    """The program's `main` is the one below."""

    @classmethod
    def setUpClass(cls):
        pass  # cluster and client are there

    def logged(self, *topics, **keys):
        """A service, not yet started, that logs each batch."""
        return self.service(*topics, **{"log__level": "debug", **keys})

    def kill_at(self, service, place, number=1):
        service.start({"NEARDUP_FAILPOINT": f"{place}:{number}"})
        self.assertEqual(service.wait_exit(), -9, f"at {place}:{number}; {service.log_text()[-3000:]}")

    def go_on(self, service, **check):
        """Starts it, and all is right once it has caught up."""
        service.start()
        self.finish(service, **check)

    def run_to_the_end(self, service):
        """All that is there is flagged and delivered."""
        service.start()
        service.wait_until(service.address, "its start")  # there may be nothing to do, and an earlier signal ends it
        service.wait_caught_up(self.cluster)
        self.assertEqual(service.stop(), 0, service.log_text()[-3000:])

    def refused(self, service, status, *words):
        """It ends with that status, names all words, and sends nothing."""
        before = self.sent(service)
        found = service.start().wait_exit()
        said = "\n".join(event.get("reason", "") for event in service.events("ended"))
        self.assertEqual(found, status, service.log_text()[-3000:])
        for word in words:
            self.assertIn(word, said)
        self.assertEqual(self.sent(service), before)
        return said

    def sent(self, service):
        """How many messages are in its output topics, committed or not."""
        return [len(self.direct.read_uncommitted_all(service.keys[topic]))
                for topic in ("kafka.output_topic", "kafka.dead_letter_topic")]

    def check(self, service, inputs=None, repeats=None):
        """repeats: flags may be there twice; by default only with at_least_once."""
        if repeats is None:
            repeats = service.keys.get("kafka.guarantee") == "at_least_once"
        problems = aftermath.problems(self.direct, service, repeats)
        problems += traces.batch_problems(service.events(all_runs=True))
        if problems:
            self.fail("\n".join([*problems, "the log ends:", service.log_text(all_runs=True)[-4000:]]))


class Cases(unittest.TestSuite):
    def run(self, result, debug=False):
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for done in [pool.submit(case, result) for case in _flat(self)]:
                done.result()
        return result


def _flat(suite):
    for one in suite:
        yield from _flat(one) if isinstance(one, unittest.TestSuite) else [one]


def main():
    loader = unittest.TestLoader()
    loader.suiteClass = Cases
    with tempfile.TemporaryDirectory(prefix="neardup-kafka-") as folder, Cluster(folder) as cluster:
        FaultCase.cluster, FaultCase.direct = cluster, Client(cluster.internal_bootstrap)
        unittest.main(argv=sys.argv, verbosity=0, testLoader=loader)
