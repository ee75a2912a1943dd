"""Inputs in buckets: the flags are those of local files, names are listed as those of directories, faults of the network are retried, and
what cannot be read is named. The server is moto, with a proxy in front of it that makes faults."""

import bz2
import gzip
import io
import json
import os
import random
import time
import unittest

import s3_server  # noqa: F401  (skips, or runs this again with moto)
import pyarrow as pa
import pyarrow.parquet as pq

import neardup
from folder import FolderTest
from s3_server import Fault, KEY, SECRET

TEXT = "a document with words enough to be compared with the others of its file, which is number "


def lines(first, count, filler=0):
    return "".join(json.dumps({"id": f"d{i}", "text": TEXT + f"{i} " + "x" * filler}) + "\n" for i in range(first, first + count)).encode()


def large(count, seed=1):
    """Some 10 KB a document, no two alike."""
    chosen = random.Random(seed)
    return b"".join(json.dumps({"id": f"d{i}", "text": " ".join(str(chosen.randrange(10**9)) for _ in range(1000))}).encode() + b"\n"
                    for i in range(count))


class S3Test(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.server = s3_server.Server()
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        super().setUp()
        self.addCleanup(self.server.calm)

    def scan(self, *inputs, status=0, environment=None, **more):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        wanted = {**clean, **(self.server.environment() if environment is None else environment)}
        done = neardup.scan(inputs, more.pop("output", self.output), env=wanted, **more)
        said = done.stderr.decode()
        self.assertEqual(done.returncode, status, said)
        self.assertNotIn(SECRET, said)
        return said

    def ids(self):
        return [flag["id"] for flag in neardup.parse_flags(self.output.read_bytes())]

    def files(self):
        found = [flag["source"]["file"] for flag in neardup.parse_flags(self.output.read_bytes())]
        return list(dict.fromkeys(found))

    def fail_first(self, times, fault, method="GET"):
        """The first requests for objects fail."""
        left = [times]

        def next_fault(seen, path, ranged):
            if seen != method or (method == "GET" and not ranged) or left[0] == 0:
                return None
            left[0] -= 1
            return fault
        self.server.proxy.fault = next_fault


class Reading(S3Test):
    def test_all_formats(self):
        made = lines(0, 50)
        records = [json.loads(line) for line in made.splitlines()]
        table = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(records), table, row_group_size=7)
        rows = "id,text\n" + "".join(f"{record['id']},\"{record['text']}\"\n" for record in records)
        crawl = "".join(f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <{record['id']}>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
                        f"Content-Type: text/plain\r\nContent-Length: {len(record['text'])}\r\n\r\n{record['text']}\r\n\r\n"
                        for record in records)
        for name, data in {"a.jsonl": made, "a.jsonl.gz": gzip.compress(made), "a.jsonl.bz2": bz2.compress(made),
                           "a.csv": rows.encode(), "a.csv.gz": gzip.compress(rows.encode()), "a.warc": crawl.encode(),
                           "a.parquet": table.getvalue()}.items():
            with self.subTest(name):
                local = self.folder / name
                local.write_bytes(data)
                self.scan(local)
                wanted = self.output.read_bytes()
                path = self.server.put(f"formats/{name}", data)
                self.scan(path)
                self.assertEqual(neardup.without_source(wanted), neardup.without_source(self.output.read_bytes()))
                self.assertEqual(self.files(), [path])
                # The endpoint in the name does not hide the format.
                named = f"{path}?scheme=http&endpoint_override={self.server.host}&region=us-east-1"
                keys = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}
                self.scan(named, environment=keys)
                self.assertEqual(neardup.without_source(wanted), neardup.without_source(self.output.read_bytes()))

    def test_an_object_of_many_blocks(self):
        data = large(4000)
        local = self.folder / "large.jsonl"
        local.write_bytes(data)
        peak = json.loads(self.scan(local, options=["--json"]).splitlines()[-1])["peak_rss_bytes"]
        wanted = neardup.without_source(self.output.read_bytes())
        said = self.scan(self.server.put("large.jsonl", data), options=["--json"])
        self.assertEqual(wanted, neardup.without_source(self.output.read_bytes()))
        # Blocks, and what Arrow and the SDK take.
        self.assertLess(json.loads(said.splitlines()[-1])["peak_rss_bytes"], peak + (250 << 20))

    def test_only_the_columns_that_are_needed_are_read(self):
        table = pa.table({"id": [f"d{i}" for i in range(200)], "text": [TEXT + str(i) for i in range(200)],
                          "blob": [random.Random(i).randbytes(50_000) for i in range(200)]})
        out = io.BytesIO()
        pq.write_table(table, out)
        self.scan(self.server.put("columns.parquet", out.getvalue()))
        ranges = [ranged.removeprefix("bytes=").split("-") for _, path, ranged in self.server.proxy.seen if ranged]
        self.assertLess(sum(int(last) - int(first) + 1 for first, last in ranges), 2_000_000)
        self.assertEqual(len(self.ids()), 200)

    def test_empty_objects(self):
        self.scan(self.server.put("empty.jsonl", b""), self.server.put("one.jsonl", lines(0, 1)))
        self.assertEqual(self.ids(), ["d0"])


class Names(S3Test):
    KEYS = ["set/a/0.jsonl", "set/a b/date=2024-01-01/x.jsonl", "set/a.jsonl", "set/b/c/d.jsonl.gz", "set/b%20c/e.jsonl",
            "set/.hidden/f.jsonl", "set/_SUCCESS", "set/é.jsonl"]

    def setUp(self):
        super().setUp()
        for number, key in enumerate(self.KEYS):
            data = lines(number * 10, 1)
            self.server.put(key, gzip.compress(data) if key.endswith(".gz") else data)
            local = self.folder / key
            local.parent.mkdir(parents=True, exist_ok=True)
            local.write_bytes(gzip.compress(data) if key.endswith(".gz") else data)

    def same_as_local(self, name):
        self.scan(self.folder / name)
        wanted = self.ids()
        said = self.scan(f"s3://bucket/{name}")
        self.assertEqual(self.ids(), wanted, name)
        return said

    def test_directories_and_patterns_are_those_of_files(self):
        for name in ("set", "set/", "set/*.jsonl", "set/**/*.jsonl", "set/**/*.gz", "set/?/*", "set/*/date=*/*", "set/**/[a-e].jsonl*",
                     "set/a b/date=2024-01-01/x.jsonl", "set/b%20c/*"):
            with self.subTest(name):
                self.same_as_local(name)
        self.assertIn("1 file whose name tells no known format was skipped", self.same_as_local("set/"))

    def test_lists(self):
        names = self.folder / "names"
        names.write_text("s3://bucket/set/a b/date=2024-01-01/x.jsonl\ns3://bucket/set/a.jsonl\n")
        self.scan(options=["--files-from", names])
        self.assertEqual(self.ids(), ["d10", "d20"])

    def test_more_than_a_page_of_objects(self):
        for number in range(1100):
            self.server.put(f"many/{number:04}.jsonl", lines(number, 1))
        self.scan("s3://bucket/many/*50.jsonl")
        self.assertEqual(self.ids(), [f"d{i}" for i in range(50, 1100, 100)])

    def test_names_of_nothing(self):
        for name, word in {"s3://bucket/none*.jsonl": "no file has such a name", "s3://bucket/set/_SUCC*/": "",
                           "s3://nowhere/": "there is no such bucket", "s3://nowhere/x.jsonl": "there is no such object or bucket",
                           "s3://bucket/set/none.jsonl": "there is no such object"}.items():
            with self.subTest(name):
                said = self.scan(name, status=65)
                self.assertIn(word, said)
                self.assertIn(name, said)


class Faults(S3Test):
    def test_faults_that_pass(self):
        wanted = large(300)
        path = self.server.put("faults.jsonl", wanted)
        for name, fault in {"503": Fault(503, "ServiceUnavailable"), "throttling": Fault(503, "SlowDown"), "500": Fault(500, "InternalError"),
                            "cut": Fault(cut=1000), "nothing": Fault(cut=0)}.items():
            with self.subTest(name):
                self.fail_first(3, fault)
                self.scan(path)
                self.assertEqual(len(self.ids()), 300)

    def test_faults_that_stay_end_with_the_name_of_the_object(self):
        path = self.server.put("faults.jsonl", large(300))
        for name, fault in {"throttling": Fault(503, "SlowDown"), "cut": Fault(cut=1000)}.items():
            with self.subTest(name):
                self.fail_first(-1, fault)
                started = time.monotonic()
                said = self.scan(path, status=65)
                self.assertLess(time.monotonic() - started, 90)
                self.assertIn(f"cannot read {path}", said)

    def test_an_endpoint_that_cannot_be_reached(self):
        environment = {**self.server.environment(), "AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
        said = self.scan("s3://bucket/x.jsonl", status=65, environment=environment)
        self.assertIn("cannot read s3://bucket/x.jsonl", said)
        self.assertIn("check AWS_ENDPOINT_URL", said)

    def test_wrong_credentials(self):
        environment = {**self.server.environment(), "AWS_ACCESS_KEY_ID": "OTHER"}
        path = self.server.put("x.jsonl", lines(0, 1))
        for name in (path, "s3://bucket/"):
            with self.subTest(name):
                said = self.scan(name, status=65, environment=environment)
                self.assertIn(name, said)
                self.assertIn("check AWS_ACCESS_KEY_ID", said)

    def change_while_read(self, change, name, data):
        """`change` happens when the fourth block is read, which begins once the records of the second are taken."""
        path = self.server.put(name, data)
        done = []

        def fault(method, path, ranged):
            if method == "GET" and ranged and int(ranged[6:].split("-")[0]) >= 3 << 20 and not done:
                done.append(change())
        self.server.proxy.fault = fault
        said = self.scan(path, status=65, state=self.state)
        self.assertEqual(len(done), 1)
        self.assertIn(f"cannot read {path}: at byte ", said)
        return path, said

    def test_an_object_that_is_replaced(self):
        data, other = large(800), large(800, seed=2)
        path, said = self.change_while_read(lambda: self.server.put("replaced.jsonl", other), "replaced.jsonl", data)
        self.assertIn("replaced by another", said)
        kept = neardup.parse_flags(self.output.read_bytes())
        self.assertGreater(len(kept), 0)
        self.server.calm()
        # The run over the state knows that it is another.
        self.assertIn("is another file now", self.scan(path, status=75, state=self.state))
        # With the object restored it continues.
        self.server.put("replaced.jsonl", data)
        self.scan(path, state=self.state)
        self.assertEqual(self.ids(), [f"d{i}" for i in range(800)])
        self.assertIn("already read", self.scan(path, state=self.state))

    def test_an_object_that_vanishes(self):
        path, _ = self.change_while_read(lambda: self.server.client.delete_object(Bucket="bucket", Key="gone.jsonl"), "gone.jsonl",
                                         large(800))
        self.server.calm()
        self.assertIn(f"cannot read {path}", self.scan(path, status=65, state=self.state))

    def test_keep_going(self):
        path = self.server.put("good.jsonl", lines(0, 3))
        self.scan("s3://bucket/missing.jsonl", path, status=65, options=["--keep-going"])
        self.assertEqual(self.ids(), ["d0", "d1", "d2"])

    def test_an_object_that_has_grown_is_read_on(self):
        path = self.server.put("grown.jsonl", lines(0, 100))
        self.scan(path, state=self.state)
        self.server.put("grown.jsonl", lines(0, 150))
        self.assertIn("has grown: read on from line 101", self.scan(path, state=self.state, output=self.folder / "more.jsonl"))


class Refused(S3Test):
    def test_passwords_in_names(self):
        for name in (f"s3://{KEY}:{SECRET}@bucket/x.jsonl", f"s3://{KEY}:{SECRET}/with/slash@bucket/x.jsonl", f"s3://{SECRET}@bucket/",
                     f"s3://bucket/x.jsonl?secret_key={SECRET}", f"s3://bucket/?region=x&access_key={SECRET}",
                     f"s3://bucket/x?endpoint_override=http://a:{SECRET}@host", f"abfs://box:{SECRET}@account.dfs.core.windows.net/x"):
            for options in ([], ["--json"], ["--quiet"]):
                with self.subTest(name):
                    self.scan(name, status=64, options=options)
            names = self.folder / "names"
            names.write_text(name + "\n")
            self.scan(status=64, options=["--files-from", names])

    def test_outputs(self):
        path = self.server.put("x.jsonl", lines(0, 1))
        self.assertIn("only reads", self.scan(path, status=64, output="s3://bucket/flags.jsonl"))
        self.assertIn("only reads", self.scan(path, status=64, options=["--emit", "kept=s3://bucket/kept.jsonl"]))

    def test_emit_of_objects(self):
        data = large(5)
        kept = self.folder / "kept.jsonl"
        self.scan(self.server.put("emit.jsonl", data), options=["--emit", f"kept={kept}"])
        self.assertEqual(kept.read_bytes(), data)


if __name__ == "__main__":
    unittest.main()
