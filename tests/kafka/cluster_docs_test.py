"""docs/cluster.md: its tour with a kill of each role, and its backfill."""

import gzip
import unittest

import needs

needs.broker()
import documents  # noqa: E402
import exactly_once  # noqa: E402
import files  # noqa: E402
import service  # noqa: E402
from page_case import PageCase, blocks_of  # noqa: E402

RECORDS = 300


class Tour(PageCase):
    def test_the_commands_do_as_the_page_says(self):
        self.run_line(self.init)
        first, second, sketcher, other = [self.start(line) for line in self.serve.splitlines()]
        self.wait_topics("documents", "flags")
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


class Backfill(PageCase):
    def test_the_commands_do_as_the_page_says(self):
        one, many, *_ = blocks_of("## Backfill from files", "## ")
        self.run_line(self.init)
        texts = {"documents.jsonl": files.lines_of(1, RECORDS)}
        texts.update({f"part-{i}.jsonl.gz": files.lines_of(i + 2, RECORDS) for i in range(4)})
        records = []
        for name, lines in texts.items():
            path = self.place / name
            data = files.content(lines)
            path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
            records += files.records_of(path, lines)
        self.start(self.serve.splitlines()[0])
        self.run_shell(one)
        self.run_shell(many)
        self.wait_flags(len(records))
        self.assertEqual(self.run_shell(many).count(f"{RECORDS}  in the log already"), 4)
        self.assertEqual(exactly_once.problems(records, self.client.read_committed_all("flags"), self.place), [])


if __name__ == "__main__":
    unittest.main()
