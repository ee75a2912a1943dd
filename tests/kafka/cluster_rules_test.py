"""Flags of a cluster are those of `scan` under each rule: two sketchers, a decider, records dealt to four partitions."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import needs

needs.broker()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import documents  # noqa: E402
import hostile_cases  # noqa: E402
import service  # noqa: E402
from client import Record  # noqa: E402
from decider_case import DeciderCase  # noqa: E402

COPIES = int(os.environ.get("NEARDUP_CORPUS_COPIES", "1"))
WORDS_BETWEEN = 200  # that are left out
PARTITIONS = 4
RECORDS = 1000
SECONDS_BETWEEN = 1000  # of the times of two records
STREAMS = ((hostile_cases.one_bucket, 400), (hostile_cases.identical(hostile_cases.SHORT), 300),
           (hostile_cases.power_law, 200), (hostile_cases.one_id, 100), (hostile_cases.one_id_two_texts, 200),
           (hostile_cases.many_namespaces, 300), (hostile_cases.crawled_again, 400), (hostile_cases.notice_leaves, 300),
           (hostile_cases.ids(hostile_cases.colliding_pair), 200), (hostile_cases.marks, 2))


def with_times(records):
    """The JSON objects, each with a separate time: a message without one has the time at which it was sent."""
    made = []
    for record in records:
        try:
            fields = json.loads(record.value)
        except ValueError:
            continue
        if isinstance(fields, dict):
            fields["ts"] = 1_600_000_000 + SECONDS_BETWEEN * len(made)
            made.append(record._replace(value=json.dumps(fields).encode()))
    return made


def hostile():
    lines = []
    for make, count in STREAMS:
        for name, text, *space in make(count):
            fields = {"id": name, "text": text, **({"namespace": space[0]} if space else {})}
            lines.append(json.dumps(fields).encode())
    return dealt(lines)


def with_variants(lines, copies):
    """The documents, and then each again, `copies` times in all, with other words left out each time."""
    yield from lines
    for copy in range(1, copies):
        for line in lines:
            fields = json.loads(line)
            words = fields["text"].split(" ")
            del words[copy::WORDS_BETWEEN]
            yield json.dumps({**fields, "id": f"{fields['id']} {copy}", "text": " ".join(words)}).encode()


def dealt(lines):
    return [Record(line, partition=i % PARTITIONS) for i, line in enumerate(lines)]


class ClusterRules(DeciderCase):
    def expect_flags_of_a_scan(self, records, *sets):
        self.make_cluster(PARTITIONS, **dict(setting.replace(".", "__").split("=") for setting in sets))
        self.client.produce(self.docs, records)
        running = [self.role("sketcher", f"sketcher-{i}").start() for i in range(2)]
        running += self.start_deciding()
        self.wait_decided(len(records), running[-1], seconds=COPIES * service.PATIENCE)
        self.check_flags(sets)
        for process in running:
            self.assertEqual(process.stop(), 0, process.log_text()[-3000:])

    def start_deciding(self):
        return [self.role("decider", "decider").start()]

    def corpus(self):
        return documents.records(RECORDS, partitions=PARTITIONS)

    def test_default(self):
        self.expect_flags_of_a_scan(self.corpus())

    def test_against_all(self):
        self.expect_flags_of_a_scan(self.corpus(), "against=all")

    def test_exact(self):
        self.expect_flags_of_a_scan(self.corpus(), "verify.mode=exact", "storage.keep_texts=kept")

    def test_bucket_cap(self):
        self.expect_flags_of_a_scan(self.corpus(), "lsh.bucket_cap=4")

    def test_max_documents(self):
        self.expect_flags_of_a_scan(self.corpus(), "retention.max_documents=200")

    def test_max_bytes(self):
        self.expect_flags_of_a_scan(self.corpus(), "retention.max_bytes=100kB")

    def test_max_age(self):
        self.expect_flags_of_a_scan(with_times(self.corpus()), f"retention.max_age={200 * SECONDS_BETWEEN}s")

    def test_hostile_streams(self):
        self.expect_flags_of_a_scan(hostile())

    def test_hostile_streams_against_all(self):
        self.expect_flags_of_a_scan(hostile(), "against=all", "lsh.bucket_cap=4")

    @unittest.skipUnless(os.environ.get("NEARDUP_CORPUS"), "NEARDUP_CORPUS is not set")
    def test_real_documents(self):
        file = pathlib.Path(os.environ["NEARDUP_CORPUS"]) / "peps.jsonl.zst"
        lines = subprocess.run(["zstd", "-dc", file], check=True, capture_output=True).stdout.splitlines()
        self.expect_flags_of_a_scan(dealt(with_variants(lines, COPIES)))


if __name__ == "__main__":
    unittest.main()
