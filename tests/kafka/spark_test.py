"""The program for Spark in docs/cluster.md, with a real Spark on this machine: the files are in the log, each record once."""

import gzip
import unittest

import needs

needs.broker()
import exactly_once  # noqa: E402
import files  # noqa: E402
import spark_program  # noqa: E402
from page_case import PageCase, blocks_of  # noqa: E402

SPARK = spark_program.needed()
RECORDS = 500
FILES = 3


class Spark(PageCase):
    def test_the_program_of_the_page(self):
        _, each, program, submit = blocks_of("## Backfill from files", "## ")
        self.assertTrue(program.startswith("# backfill.py\n"), program)
        (self.place / "backfill.py").write_text(program)
        records = []
        for i in range(FILES):
            path, lines = self.place / f"part-{i}.jsonl.gz", files.lines_of(i, RECORDS)
            path.write_bytes(gzip.compress(files.content(lines)))
            records += files.records_of(path, lines)
        self.run_line(self.init)
        said = self.run_shell(submit, f"{SPARK['SPARK_HOME']}/bin", **SPARK)
        self.assertEqual(said.count(f"{RECORDS} records appended to crawl.log"), FILES, said)
        self.assertEqual(self.run_shell(each).count(f"{RECORDS}  in the log already"), FILES)
        self.start(self.serve.splitlines()[0])
        self.wait_flags(len(records))
        self.assertEqual(exactly_once.problems(records, self.client.read_committed_all("flags"), self.place), [])


if __name__ == "__main__":
    unittest.main()
