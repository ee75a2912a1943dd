"""The tour of docs/cluster.md: its file and its commands, with another broker and free ports, and a kill of each role."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import time
import unittest

import needs

needs.broker()
import documents  # noqa: E402
import exactly_once  # noqa: E402
import service  # noqa: E402
from broker import die_with_parent  # noqa: E402
from service_case import ServiceCase  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "cluster.md"
BLOCK = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
RECORDS = 300


class Tour(ServiceCase):
    def setUp(self):
        super().setUp()
        tour = PAGE.read_text(encoding="utf-8").partition("\n## A tour\n")[2].partition("\n### ")[0]
        self.file, self.init, self.serve, self.status, self.shown = [text for _, text in BLOCK.findall(tour)]
        self.place = self.folder / self.name
        self.place.mkdir(parents=True)
        (self.place / "cluster.yaml").write_text(self.file.replace("localhost:9092", self.cluster.bootstrap))

    def words(self, line):
        program, *words = shlex.split(re.sub(r"127\.0\.0\.1:80\d\d", "127.0.0.1:0", line))
        self.assertEqual(program, "neardup")
        return [os.path.abspath(service.BINARY), *words]

    def run_line(self, text):
        line, = text.splitlines()
        done = subprocess.run(self.words(line), cwd=self.place, capture_output=True, text=True, timeout=service.PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def start(self, line):
        with open(self.place / "log.jsonl", "ab") as log:
            process = subprocess.Popen(self.words(line), cwd=self.place, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       preexec_fn=die_with_parent)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.kill()
        process.wait()

    def wait(self, condition, what):
        ends = time.monotonic() + service.PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), ends, f"{what}: {(self.place / 'log.jsonl').read_text()[-3000:]}")

    def wait_flags(self, count):
        with self.client.reader("flags") as reader:
            def there():
                reader.poll()
                return len(reader.messages) >= count

            self.wait(there, f"{count} flags")

    def test_the_commands_do_as_the_page_says(self):
        self.run_line(self.init)
        first, second, sketcher, other = [self.start(line) for line in self.serve.splitlines()]
        self.wait(lambda: {"documents", "flags"} <= self.cluster.metadata().topics.keys(), "the topics")
        flagged = 0
        for killed in (first, sketcher, None):
            self.client.produce("documents", documents.records(RECORDS, seed=flagged + 1, keys=True))
            flagged += RECORDS
            self.wait_flags(flagged)
            if killed:
                self.end(killed)
        found = exactly_once.problems(self.client.read_committed_all("documents"), self.client.read_committed_all("flags"),
                                      self.place)
        self.assertEqual(found, [])
        self.assert_shown(self.run_line(self.status))
        for process in (second, other):
            process.terminate()
            self.assertEqual(process.wait(service.PATIENCE), 0)

    def assert_shown(self, status):
        def labels(text):
            return [line.split()[0].partition("[")[0] for line in text.splitlines() if line.strip()]
        self.assertEqual(labels(status), labels(self.shown))
        self.assertIn(f"decided    up to seq {3 * RECORDS}, ", status)


if __name__ == "__main__":
    unittest.main()
