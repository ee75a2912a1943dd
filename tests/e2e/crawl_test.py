"""Crawls and tables: WARC, WET, CSV and TSV give the flags of the same texts as JSON Lines, but for their sources, also killed and
resumed; what is wrong with them is named."""

import csv
import gzip
import io
import json
import pathlib
import random
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "crash"))
import neardup  # noqa: E402
from folder import ScanTest  # noqa: E402
from kill_test import run_until_done  # noqa: E402

WORDS = [f"word{i}" for i in range(3000)]
HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello</p>"


def documents(count, seed=20261128):
    """Texts with copies and near-copies, quotes, commas, tabs, line ends and other scripts."""
    chance = random.Random(seed)
    texts = []
    for i in range(count):
        if texts and chance.random() < 0.3:
            words = chance.choice(texts).split(" ")
            if chance.random() < 0.7:
                words[chance.randrange(len(words))] = "changed"
        else:
            words = chance.choices(WORDS, k=chance.choice([8, 40, 150]))
            words += chance.choice([[], ['"quoted"', "a,b"], ["line\nend", "\ttab"], ["naïve", "日本語"], ["\u0001\\"]])
        texts.append(" ".join(words))
    return [{"id": f"urn:uuid:{i:08}", "url": f"https://example.org/{i}?a=b", "ts": "2026-01-02T03:04:05Z", "text": text}
            for i, text in enumerate(texts)]


def warc_record(kind, block, **fields):
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items() if value)
    return f"WARC/1.0\r\nWARC-Type: {kind}\r\n{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def conversion(document):
    return warc_record("conversion", document["text"].encode(), WARC_Target_URI=document["url"], WARC_Date=document["ts"],
                       WARC_Record_ID=f"<{document['id']}>", Content_Type="text/plain")


def wet(records):
    """The records of a WET file."""
    return [warc_record("warcinfo", b"software: by hand\r\n"), *map(conversion, records)]


def warc(records):
    """The same with requests and answers in HTML between them."""
    crawl = [warc_record("request", b"GET / HTTP/1.1\r\n\r\n", Content_Type="application/http; msgtype=request"),
             warc_record("response", HTML, Content_Type="application/http; msgtype=response",
                         WARC_Identified_Payload_Type="text/html")]
    return [part for record in records for part in (*crawl, conversion(record))]


def members(records):
    return b"".join(map(gzip.compress, records))


def table(records, delimiter):
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]), delimiter=delimiter, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().encode()


def lines(records):
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


FORMS = {
    "crawl.warc.wet.gz": lambda records: members(wet(records)),
    "crawl.warc.gz": lambda records: members(warc(records)),
    "crawl.wet": lambda records: b"".join(wet(records)),
    "any-name": lambda records: gzip.compress(b"".join(wet(records))),
    "table.csv": lambda records: table(records, ","),
    "table.csv.gz": lambda records: gzip.compress(table(records, ",")),
    "table.tsv": lambda records: table(records, "\t"),
}


class Killed:
    """An input, with the flags of an undisturbed run, for run_until_done."""

    def __init__(self, path, folder):
        self.paths, self.sets = [path], ("batch.documents=50", "storage.memory=16MiB", "output.fields=url")
        begin = time.monotonic()
        self.flags = neardup.scan_or_fail(self.paths, folder / "whole.flags", folder / "whole.state", self.sets)
        self.seconds = time.monotonic() - begin


class Crawl(ScanTest):
    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_every_form_has_the_flags_of_json_lines(self):
        records = documents(300)
        sets = ("output.fields=url,text_bytes", "retention.max_age=3650d")
        wanted = neardup.scan_or_fail([self.write("a.jsonl", lines(records))], self.output, sets=sets)
        statuses = {flag["status"] for flag in neardup.parse_flags(wanted)}
        self.assertLessEqual({"unique", "exact_duplicate", "near_duplicate"}, statuses)
        for name, make in FORMS.items():
            with self.subTest(name):
                self.scan(self.write(name, make(records)), sets=sets)
                self.assertIsNone(neardup.first_difference(neardup.without_source(wanted),
                                                           neardup.without_source(self.output.read_bytes())))

    def test_sources_are_records_of_warc_and_lines_of_tables(self):
        records = documents(3)
        records[0]["text"] = 'first line\nsecond "line"'
        for name, places in (("crawl.wet", [2, 3, 4]), ("crawl.warc.gz", [3, 6, 9]), ("table.csv", [2, 4, 5])):
            with self.subTest(name):
                path = self.write(name, FORMS[name](records))
                self.scan(path)
                self.assertEqual([flag["source"] for flag in self.flags()],
                                 [{"file": str(path), "line": place} for place in places])
                shown = neardup.run("explain", f"@{path}:{places[0]}", f"@{path}:{places[0]}")
                self.assertIn("1.000", shown)

    def test_what_is_no_text_is_counted_once(self):
        notes = self.scan(self.write("crawl.warc.gz", FORMS["crawl.warc.gz"](documents(20))))
        self.assertEqual(notes.count("note"), 1)
        self.assertIn("40 records without a text were skipped: request 20, response (text/html) 20; extract the text of HTML first",
                      notes)
        self.assertNotIn("note", self.scan(self.write("crawl.wet", FORMS["crawl.wet"](documents(20)))))

    def test_other_commands_read_them(self):
        records = documents(60)
        for name in ("crawl.warc.gz", "table.tsv"):
            with self.subTest(name):
                state = self.folder / f"{name}.state"
                path = self.write(name, FORMS[name](records))
                self.scan(path, state=state)
                checks = subprocess.run([neardup.BINARY, "check", "--state", str(state), str(path)], capture_output=True, check=True)
                self.assertEqual({json.loads(line)["status"] for line in checks.stdout.splitlines()}, {"unchanged"})
                page = self.folder / "page.html"
                said = [checks.stderr.decode()]
                for command in (["groups", "--prefer", "longest", "--inputs", path, self.output],
                                ["report", "-o", page, self.output, path]):
                    done = subprocess.run([neardup.BINARY, *map(str, command)], capture_output=True, text=True, timeout=120)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    said.append(done.stderr)
                self.assertIn("changed", page.read_text())
                if name == "crawl.warc.gz":
                    self.assertTrue(all("without a text were skipped" in text for text in said[:2]), said)

    def test_a_ragged_row_is_rejected_and_the_others_are_read(self):
        self.scan(self.write("a.csv", b"id,text\na,one two three\nb\nc,x,y\n\"d\"e,f\ng,four five six\n"))
        flags = self.flags()
        self.assertEqual([flag.get("reason") for flag in flags], [None, "invalid_json", "invalid_json", "invalid_json", None])
        self.assertIn("the row has 1 field, and the header has 2", flags[1]["detail"])
        self.assertIn("the row has 3 fields", flags[2]["detail"])
        self.assertIn("closing quote of field 1", flags[3]["detail"])

    def test_bad_files_are_named_behind_their_good_records(self):
        records = documents(5)
        whole, wrong = b"".join(wet(records)), wet(records)
        wrong[3] = wrong[3].replace(b"Content-Length: ", b"Content-Length: 1")
        cases = {"cut.wet": (whole[:-3], 4, "from record 6 on, at byte"),
                 "wrong.wet": (b"".join(wrong), 2, "from record 4 on, at byte"),
                 "html.warc": (b"<html>\n", 0, "should begin there with WARC/"),
                 "open.csv": (b'id,text\na,b c\nb,"c\nd,e\n', 1, "line 3: a quote is opened"),
                 "twice.csv": (b"id,id\na,b\n", 0, "names the column \"id\" twice"),
                 "utf16.tsv": ("id\ttext\n".encode("utf-16"), 0, "iconv")}
        good = self.write("good.csv", b"id,text\nlast,some words\n")
        for name, (content, count, said) in cases.items():
            with self.subTest(name):
                path = self.write(name, content)
                self.assertIn(said, self.scan(path, status=65))
                self.assertEqual(len(self.flags()) if count else 0, count)
                self.scan(path, good, status=65, options=["--keep-going"])
                self.assertEqual([flag["id"] for flag in self.flags()][count:], ["last"])

    def test_records_over_the_limit_are_rejected_unread(self):
        records = documents(3)
        records[1]["text"] = "x" * 5000
        for name in ("crawl.warc.gz", "table.csv"):
            with self.subTest(name):
                self.scan(self.write(name, FORMS[name](records)), sets=("input.max_record_bytes=4KiB",))
                self.assertEqual([flag.get("reason") for flag in self.flags()], [None, "record_too_large", None])

    def test_broken_bytes_are_replaced_and_counted(self):
        record = warc_record("conversion", b"caf\xe9 and six more words of text", WARC_Record_ID="<a>")
        for name, content in (("a.wet", record), ("a.csv", b"id,text\na,caf\xe9 and six more words of text\n")):
            with self.subTest(name):
                self.assertIn("U+FFFD", self.scan(self.write(name, content)))
                self.assertEqual(self.flags()[0]["status"], "unique")

    def test_files_that_grow_are_read_on(self):
        records = documents(10)
        for name in ("crawl.warc.gz", "table.csv"):
            with self.subTest(name):
                state, make = self.folder / f"{name}.state", FORMS[name]
                head, whole = make(records[:6]), make(records)
                self.assertTrue(name == "table.csv" or whole.startswith(head))
                self.output.unlink(missing_ok=True)
                self.scan(self.write(name, head), state=state)
                self.scan(self.write(name, whole), state=state)
                self.assertEqual([flag["id"] for flag in self.flags()], [record["id"] for record in records])

    def test_a_row_that_is_still_written_is_left_for_the_next_run(self):
        path = self.write("a.csv", b"id,text\na,one two three four five\nb")
        self.assertIn("line 3 is not complete yet", self.scan(path, state=self.state))
        path.write_bytes(path.read_bytes() + b",six seven eight nine ten\n")
        self.scan(path, state=self.state)
        self.assertEqual([flag["id"] for flag in self.flags()], ["a", "b"])

    def test_killed_runs_end_with_the_same_flags(self):
        records = documents(2500)
        for name in ("crawl.warc.wet.gz", "table.csv", "table.csv.gz"):
            with self.subTest(name):
                folder = self.folder / f"{name}.runs"
                folder.mkdir()
                inputs = Killed(self.write(name, FORMS[name](records)), folder)
                chance = random.Random(name)
                within = 0
                for run in range(20):  # a busy machine lets few kills come in the middle
                    output = folder / f"{run}.flags"
                    within += run_until_done(inputs, output, folder / f"{run}.state", chance)[1]
                    self.assertIsNone(neardup.first_difference(inputs.flags, output.read_bytes()))
                    if within >= 3:
                        break
                self.assertGreaterEqual(within, 3, "too few kills came in the middle to prove anything")


if __name__ == "__main__":
    unittest.main()
