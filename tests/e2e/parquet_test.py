"""Parquet files as inputs and as the form of flags: the flags are those of the same records as JSON Lines, resumed runs included, and
every file that cannot be read is named with the reason."""

import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "crash"))
import parquet_files  # noqa: F401  (skips, or runs this again with pyarrow)
import pyarrow as pa
import pyarrow.parquet as pq

import corpus
import neardup
from folder import ScanTest
from kills import run_for

TEXTS = ["a first document with words enough to be compared with the others of its file",
         "another document \"about\" something\\else,\n\talso long enough \x01 to have shingles of its words \u00e9\u4e2d\U0001f600",
         "a first document with words enough to be compared with the others of its file"]
WANTED = ["unique", "unique", "exact_duplicate"]
IDS = ["a", "b", "c"]

# A program that writes one row group of 10 000 rows.
LARGE_ROW_GROUP = """
import sys, pyarrow as pa, pyarrow.parquet as pq
filler = "".join(chr(97 + i % 26) for i in range(20_000))
table = pa.table({"id": range(10_000), "text": [f"{i} {filler}{i}" for i in range(10_000)]})
pq.write_table(table, sys.argv[1], compression="zstd", row_group_size=10_000, use_dictionary=False)
"""


def records(count, seed=1):
    """Documents as dicts: some copies of others, some with a namespace, some with a time."""
    chosen = random.Random(seed)
    words = [f"word{i}" for i in range(500)]
    made = []
    for i in range(count):
        text = " ".join(chosen.choices(words, k=chosen.randrange(3, 120)))
        if made and chosen.random() < 0.3:
            text = chosen.choice(made)["text"] + chosen.choice(["", " more"])
        made.append({"id": f"d{i}", "text": text, "namespace": chosen.choice(["", "x"]), "ts": 1_700_000_000 + i, "n": i})
    return made


class ParquetTest(ScanTest):
    def write(self, name, columns, **options):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), path, **options)
        return path

    def json_lines(self, made, name="same.jsonl"):
        path = self.folder / name
        path.write_text("".join(json.dumps(record) + "\n" for record in made))
        return path

    def flags_of(self, path, **more):
        self.scan(path, **more)
        return self.output.read_bytes()


class Reading(ParquetTest):
    def test_the_flags_of_the_same_records_as_json_lines(self):
        made = records(3000)
        wanted = neardup.without_source(self.flags_of(self.json_lines(made)))
        for name, options in {"zstd": {"compression": "zstd"}, "plain": {"compression": "none", "use_dictionary": False},
                              "groups": {"row_group_size": 100, "write_page_checksum": True},
                              "pages": {"data_page_version": "2.0", "data_page_size": 2000}}.items():
            with self.subTest(name):
                path = self.write(f"{name}.parquet", pa.Table.from_pylist(made), **options)
                found = self.flags_of(path)
                self.assertIsNone(neardup.first_difference(wanted, neardup.without_source(found)))
                lines = [flag["source"] for flag in neardup.parse_flags(found)]
                self.assertEqual(lines, [{"file": str(path), "line": i + 1} for i in range(len(made))])

    def test_types_of_text_and_id(self):
        texts = {"string": pa.array(TEXTS), "large": pa.array(TEXTS, pa.large_string()), "view": pa.array(TEXTS, pa.string_view()),
                 "dictionary": pa.array(TEXTS).dictionary_encode(), "binary": pa.array([t.encode() for t in TEXTS], pa.binary()),
                 "large_binary": pa.array([t.encode() for t in TEXTS], pa.large_binary())}
        wanted = neardup.without_source(self.flags_of(self.json_lines([{"id": i, "text": t} for i, t in zip(IDS, TEXTS)])))
        for name, column in texts.items():
            with self.subTest(name):
                path = self.write("types.parquet", {"id": IDS, "text": column})
                self.assertEqual(neardup.without_source(self.flags_of(path)), wanted)
        for kind in (pa.int8(), pa.uint8(), pa.int32(), pa.int64(), pa.uint64()):
            with self.subTest(str(kind)):
                self.scan(self.write("ids.parquet", {"id": pa.array([7, 8, 9], kind), "text": TEXTS}))
                self.assertEqual([flag["id"] for flag in self.flags()], ["7", "8", "9"])
        # They are kept when files are written, unlike in JSON, where a large number would lose digits.
        self.scan(self.write("large.parquet", {"id": [2**63 - 1, 1, 2], "text": TEXTS}))
        self.assertEqual(self.flags()[0]["id"], "9223372036854775807")

    def test_times(self):
        moment = datetime.datetime(2024, 2, 29, 12, 0, 0, 500_000, tzinfo=datetime.timezone.utc)
        old = datetime.datetime(1969, 12, 31, 23, 59, 58, 500_000)
        for name, column in {"us": pa.array([moment] * 3, pa.timestamp("us", "UTC")), "ns": pa.array([moment] * 3, pa.timestamp("ns")),
                             "s": pa.array([moment] * 3, pa.timestamp("s")), "date": pa.array([moment.date()] * 3),
                             "old": pa.array([old] * 3, pa.timestamp("ms")), "number": pa.array([1.5e9] * 3),
                             "text": pa.array([moment.isoformat()] * 3)}.items():
            with self.subTest(name):
                said = self.scan(self.write("ts.parquet", {"id": IDS, "text": TEXTS, "ts": column}),
                                 sets=["retention.max_age=36500d"])
                self.assertNotIn("time", said)
                self.assertEqual(self.statuses(), WANTED)

    def test_only_the_columns_that_are_needed_are_read(self):
        path = self.write("bad.parquet", {"id": IDS, "text": TEXTS, "blob": ["x" * 100_000] * 3}, compression="none",
                          use_dictionary=False, write_page_checksum=True)
        data = bytearray(path.read_bytes())
        at = data.index(b"x" * 1000)
        data[at + 10] ^= 1  # its checksum is wrong now
        path.write_bytes(data)
        self.scan(path)
        self.assertEqual(self.statuses(), WANTED)

    def test_fields_of_structs(self):
        table = pa.table({"meta": [{"id": i, "n": [1], "url": f"https://example.org/{i}"} for i in IDS],
                          "body": [{"text": text, "html": "<p>"} for text in TEXTS]})
        self.scan(self.write("structs.parquet", table),
                  sets=["input.id_field=/meta/id", "input.text_field=/body/text", "input.url_field=/meta/url", "output.fields=url"])
        self.assertEqual([(flag["id"], flag["url"], flag["status"]) for flag in self.flags()],
                         [(i, f"https://example.org/{i}", status) for i, status in zip(IDS, WANTED)])
        table = pa.table({"a/b": IDS, "text": [None, TEXTS[0], TEXTS[1]], "s": [None, {"t": "x"}, {"t": None}]})
        self.scan(self.write("names.parquet", table), sets=["input.id_field=/a~1b", "input.namespace_field=/s/t"])
        self.assertEqual([flag.get("namespace") for flag in self.flags()], [None, "x", None])

    def test_fields_are_found(self):
        for name, columns in {"C4": {"text": TEXTS, "timestamp": ["x"] * 3, "url": IDS},
                              "FineWeb": {"text": TEXTS, "id": IDS, "url": ["u"] * 3, "token_count": [1, 2, 3], "list": [[1]] * 3},
                              "RedPajama": {"raw_content": TEXTS, "doc_id": IDS},
                              "OSCAR": {"content": TEXTS, "warc_headers": [{"warc-record-id": i} for i in IDS]},
                              "numbers": {"id": [97, 98, 99], "text": TEXTS}}.items():
            with self.subTest(name):
                self.scan(self.write("found.parquet", columns))
                self.assertEqual(self.statuses(), WANTED)
                wanted = ["97", "98", "99"] if name == "numbers" else IDS
                self.assertEqual([flag["id"] for flag in self.flags()], wanted)
        path = self.write("none.parquet", {"text": TEXTS})
        self.scan(path)
        self.assertEqual([flag["id"] for flag in self.flags()], [f"{path}:{i}" for i in (1, 2, 3)])

    def test_nulls_are_rejected_by_themselves(self):
        path = self.write("nulls.parquet", {"id": ["a", None, "c", "d"], "text": [TEXTS[0], TEXTS[0], None, TEXTS[1]]})
        self.scan(path)
        self.assertEqual([(flag["status"], flag.get("reason")) for flag in self.flags()],
                         [("unique", None), ("rejected", "missing_id"), ("rejected", "missing_text"), ("unique", None)])
        self.scan(self.write("empty.parquet", pa.table({"id": pa.array([None, None], pa.null()), "text": TEXTS[:2]})),
                  status=65, sets=["input.id=pointer"])

    def test_broken_utf8_is_treated_as_in_json(self):
        path = self.write("broken.parquet", {"id": IDS, "text": pa.array([b"\xff" + t.encode() for t in TEXTS], pa.binary())})
        self.scan(path)
        self.assertEqual(self.statuses(), WANTED)
        self.scan(path, sets=["text.invalid_utf8=reject"], status=65)

    def test_deletes(self):
        path = self.write("deletes.parquet", {"id": ["a", "a", "b"], "text": [TEXTS[0], None, TEXTS[0]], "delete": [False, True, None]})
        self.scan(path)
        self.assertEqual(self.statuses(), ["unique", "deleted", "unique"])

    def test_files_without_rows_and_folders(self):
        table = pa.table({"id": IDS, "text": TEXTS})
        self.write("set/0.parquet", table.slice(0, 0))
        self.write("set/1.parquet", table)
        self.scan(self.folder / "set")
        self.assertEqual(self.statuses(), WANTED)
        self.scan(self.folder / "set/0.parquet")
        self.assertEqual(self.flags(), [])

    def test_schemas_may_differ_between_files(self):
        first = self.write("1.parquet", {"id": IDS[:1], "text": TEXTS[:1], "x": [1]})
        second = self.write("2.parquet", {"text": pa.array(TEXTS[1:], pa.large_string()), "id": IDS[1:], "ts": [1, 2]})
        self.scan(first, second)
        self.assertEqual(self.statuses(), WANTED)

    def test_records_that_are_too_large(self):
        path = self.write("large.parquet", {"id": IDS, "text": [TEXTS[0], "w " * 10_000, TEXTS[2]]})
        self.scan(path, sets=["input.max_record_bytes=4KiB"])
        self.assertEqual([flag.get("reason") for flag in self.flags()], [None, "record_too_large", None])

    def test_a_large_row_group_is_read_in_pieces(self):
        # 200 MB of text. Written by another process: the peak memory of a child includes that of its parent.
        path = self.folder / "large.parquet"
        subprocess.run([sys.executable, "-c", LARGE_ROW_GROUP, path], check=True)
        done = neardup.scan([path], self.output, options=["--json"], sets=["batch.max_bytes=16MiB"])
        summary = json.loads(done.stderr.decode().splitlines()[-1])
        self.assertEqual(summary["documents"], 10_000)
        self.assertLess(summary["peak_rss_bytes"], 200 << 20)

    def test_other_commands(self):
        made = records(300)
        path, lines = self.write("in.parquet", pa.Table.from_pylist(made)), self.json_lines(made)
        self.scan(lines, state=self.state)
        self.assertEqual(neardup.without_source(neardup.run("check", "--state", self.state, path).encode()),
                         neardup.without_source(neardup.run("check", "--state", self.state, lines).encode()))
        for prefer in ("longest", "score:/n"):
            self.assertEqual(neardup.run("groups", self.output, "--prefer", prefer, "--inputs", path),
                             neardup.run("groups", self.output, "--prefer", prefer, "--inputs", lines))


class Resuming(ParquetTest):
    def test_an_interrupted_run_continues(self):
        made = records(40_000)
        path = self.write("in.parquet", pa.Table.from_pylist(made), row_group_size=3000)
        sets = ["batch.documents=1000"]
        wanted = self.flags_of(path, sets=sets)
        chosen = random.Random(7)
        kills = 0
        for _ in range(60):
            command = neardup.scan_command([path], self.output, self.state, sets)
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
                try:
                    run.wait(chosen.uniform(0.02, 0.4))
                except subprocess.TimeoutExpired:
                    run.send_signal(chosen.choice([signal.SIGKILL, signal.SIGTERM]))
                    kills += 1
            if run.returncode == 0:
                break
        else:
            self.scan(path, state=self.state, sets=sets)
        self.assertGreater(kills, 0)
        self.assertIsNone(neardup.first_difference(wanted, self.output.read_bytes()))
        self.assertIn("already read", self.scan(path, state=self.state, sets=sets))

    def test_a_position_within_a_row_group(self):
        """The first row groups are good, and the third is damaged: what came before it is kept and not read again."""
        made = records(900)
        path = self.write("in.parquet", pa.Table.from_pylist(made), row_group_size=300, write_page_checksum=True, compression="none",
                          use_dictionary=False)
        good = path.read_bytes()
        bad = bytearray(good)
        at = bad.rindex(made[-1]["text"].encode())
        bad[at] ^= 1
        path.write_bytes(bad)
        said = self.scan(path, state=self.state, status=65, sets=["batch.documents=7"])
        self.assertIn(f"{path} is damaged after row 600, in row group 3: ", said)
        self.assertEqual(len(self.flags()), 600)
        path.write_bytes(good)
        self.scan(path, state=self.state, sets=["batch.documents=7"])
        self.assertEqual(len(self.flags()), 900)
        kept = self.output.read_bytes()
        self.assertEqual(neardup.without_source(kept), neardup.without_source(self.flags_of(self.json_lines(made))))

    def test_a_shorter_file(self):
        made = records(900)
        path = self.write("in.parquet", pa.Table.from_pylist(made), row_group_size=300, write_page_checksum=True, compression="none",
                          use_dictionary=False)
        bad = bytearray(path.read_bytes())
        bad[bad.rindex(made[-1]["text"].encode())] ^= 1
        path.write_bytes(bad)
        self.scan(path, state=self.state, status=65)
        self.write("in.parquet", pa.Table.from_pylist(made[:300]), row_group_size=300, write_page_checksum=True, compression="none",
                   use_dictionary=False)
        said = self.scan(path, state=self.state, status=75)
        self.assertIn(str(path), said)


class BadInput(ParquetTest):
    def refuse(self, path, *words, sets=(), status=65):
        said = self.scan(path, status=status, sets=sets)
        self.assertIn(str(path), said)
        for word in words:
            self.assertIn(word, said)
        return said

    def table(self, name="in.parquet", **options):
        return self.write(name, {"id": IDS, "text": TEXTS}, **options)

    def test_cut_short(self):
        path = self.table()
        whole = path.read_bytes()
        for size in (0, 3, 4, 11, len(whole) // 2, len(whole) - 1):
            with self.subTest(size):
                path.write_bytes(whole[:size])
                self.refuse(path, "ends too early")
        path.write_bytes(whole[:100] + whole[-60:])  # the footer is missing, but for its end
        self.refuse(path)

    def test_not_parquet(self):
        path = self.folder / "x.parquet"
        path.write_text('{"id":"a","text":"b"}\n')
        self.refuse(path, "is not Parquet")

    def test_by_its_bytes_and_not_by_its_name(self):
        self.scan(self.table("data.bin"))
        self.assertEqual(self.statuses(), WANTED)

    def test_a_pipe(self):
        path = self.table()
        with open(path, "rb") as file:
            done = neardup.scan(["-"], self.output, stdin=file)
        self.assertEqual(done.returncode, 65)
        self.assertIn(b"standard input is Parquet", done.stderr)

    def test_encrypted(self):
        import pyarrow.parquet.encryption as encryption

        class Client(encryption.KmsClient):
            def __init__(self, configuration):
                super().__init__()

            def wrap_key(self, key, master):
                return key.hex()

            def unwrap_key(self, key, master):
                return bytes.fromhex(key)

        for plaintext_footer in (False, True):
            with self.subTest(plaintext_footer=plaintext_footer):
                try:
                    factory = encryption.CryptoFactory(Client)
                    properties = factory.file_encryption_properties(
                        encryption.KmsConnectionConfig(),
                        encryption.EncryptionConfiguration(footer_key="f", column_keys={"c": ["text"]},
                                                           plaintext_footer=plaintext_footer))
                except (ImportError, NotImplementedError) as reason:
                    self.skipTest(str(reason))
                self.refuse(self.table(encryption_properties=properties), "is encrypted")

    def test_a_missing_column(self):
        path = self.write("in.parquet", {"id": IDS, "inhalt": TEXTS, "meta": [{"x": 1}] * 3})
        self.refuse(path, "no column text", "inhalt (string)", "meta/x (int64)", "input.text_field")
        self.refuse(path, "no column key", sets=["input.id_field=/key", "input.text_field=/inhalt"])

    def test_columns_of_other_types(self):
        lists = {"id": IDS, "text": [[text] for text in TEXTS]}
        self.refuse(self.write("in.parquet", lists), "/text", "list<", "string")
        self.refuse(self.write("in.parquet", {"id": IDS, "text": [1, 2, 3]}), "/text", "int64")
        self.refuse(self.write("in.parquet", {"id": [1.5, 2.5, 3.5], "text": TEXTS}), "/id", "double")
        self.refuse(self.write("in.parquet", {"id": IDS, "text": [{"a": text} for text in TEXTS]}), "/text", "struct<")
        self.refuse(self.write("in.parquet", {"id": IDS, "text": TEXTS, "ts": [[1]] * 3}), "/ts", "list<")

    def test_two_columns_of_one_name(self):
        table = pa.Table.from_arrays([pa.array(IDS), pa.array(TEXTS), pa.array(TEXTS)], names=["id", "text", "text"])
        self.refuse(self.write("in.parquet", table), "several columns /text")

    def test_a_wrong_checksum(self):
        path = self.table(write_page_checksum=True, compression="none", use_dictionary=False, write_statistics=False)
        data = bytearray(path.read_bytes())
        data[data.index(b"another")] ^= 1
        path.write_bytes(data)
        self.refuse(path, "is damaged", "row group 1", "checksum")

    def test_keep_going_reads_the_other_files(self):
        bad = self.folder / "bad.parquet"
        bad.write_bytes(b"PAR1xxxxxxxxPAR1")
        said = self.scan(bad, self.table(), status=65, options=["--keep-going"])
        self.assertIn(str(bad), said)
        self.assertEqual(self.statuses(), WANTED)

    def test_damage_anywhere_ends_in_an_error_or_in_flags(self):
        made = records(400)
        path = self.write("in.parquet", pa.Table.from_pylist(made), row_group_size=100, compression="zstd")
        for n, bad in enumerate(parquet_files.damaged(path.read_bytes(), 150, 1500)):
            path.write_bytes(bad)
            done = neardup.scan([path], self.output)
            self.assertIn(done.returncode, (0, 65), (n, done.stderr))


class Writing(ParquetTest):
    def rows(self, path):
        return pq.read_table(path).to_pylist()

    def test_flags_as_parquet_say_what_flags_in_json_say(self):
        made = corpus.Corpus(5)
        lines = self.folder / "in.jsonl"
        lines.write_bytes(b"".join(line + b"\n" for line in made.lines(3000)))
        sets = ["output.fields=url,text_bytes", "batch.documents=500"]
        wanted = neardup.parse_flags(self.flags_of(lines, sets=sets))
        output = self.folder / "flags.parquet"
        self.scan(lines, output=output, sets=sets)
        found = self.rows(output)
        self.assertEqual(len(found), len(wanted))
        for row, flag in zip(found, wanted):
            said = {name: value for name, value in row.items() if value is not None and name != "group"}
            if "previous" in said:
                said["previous"] = {name: value for name, value in said["previous"].items() if value is not None}
            if row["status"] == "deleted" and row["known"]:
                del said["known"]
            self.assertEqual(said, {name: value for name, value in flag.items() if value is not None})
            self.assertEqual(row["group"], flag.get("duplicate_of", flag["id"]))
        self.assertFalse((self.folder / "flags.parquet.new").exists())

    def test_groups_and_reports_of_flags_as_parquet(self):
        lines = self.json_lines(records(500))
        self.scan(lines)
        output = self.folder / "flags.parquet"
        self.scan(lines, output=output)
        self.assertEqual(neardup.run("groups", output), neardup.run("groups", self.output))
        neardup.run("report", "-o", self.folder / "report.html", output)
        self.assertGreater((self.folder / "report.html").stat().st_size, 1000)

    def test_no_half_file(self):
        lines = self.json_lines(records(60_000))
        output = self.folder / "flags.parquet"
        output.write_bytes(b"the former file")
        chosen = random.Random(2)
        kills = 0
        for _ in range(8):
            with subprocess.Popen(neardup.scan_command([lines], output), stderr=subprocess.DEVNULL) as run:
                time.sleep(chosen.uniform(0.02, 0.2))
                stopped = run.poll() is None
                run.send_signal(chosen.choice([signal.SIGKILL, signal.SIGINT]))
            if run.returncode != 0:
                kills += stopped
                self.assertEqual(output.read_bytes(), b"the former file")
        self.assertGreater(kills, 0)
        self.scan(lines, output=output)
        self.assertEqual(len(self.rows(output)), 60_000)

    def test_no_flags(self):
        output = self.folder / "flags.parquet"
        self.scan(self.json_lines([]), output=output)
        self.assertEqual(self.rows(output), [])

    def test_over_a_state_each_run_has_a_file(self):
        lines = self.json_lines(records(500))
        first, second = self.folder / "1.parquet", self.folder / "2.parquet"
        self.scan(lines, output=self.folder / "whole.parquet")
        self.scan(lines, output=first, state=self.state)
        self.assertEqual(first.read_bytes(), (self.folder / "whole.parquet").read_bytes())
        written = first.stat().st_mtime_ns
        self.scan(lines, output=first, state=self.state)  # nothing new
        self.assertEqual(first.stat().st_mtime_ns, written)
        more = self.json_lines(records(80), "more.jsonl")
        said = self.scan(lines, more, output=first, state=self.state, status=64)
        self.assertIn("has the flags of an earlier run over this state", said)
        self.scan(lines, more, output=second, state=self.state)
        self.assertEqual([len(self.rows(path)) for path in (first, second)], [500, 80])
        self.scan(self.json_lines(records(20), "third.jsonl"), state=self.state)  # JSON again
        self.assertEqual(self.output.read_bytes().count(b"\n"), 20)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.parquet.*")), [])

    def test_killed_runs_over_a_state_end_with_the_same_file(self):
        lines = self.json_lines(records(20_000))
        self.scan(lines, output=self.folder / "whole.parquet")
        wanted = (self.folder / "whole.parquet").read_bytes()
        chosen = random.Random(3)
        kills = 0
        for turn in range(4):
            output = self.folder / f"{turn}.parquet"
            command = neardup.scan_command([lines], output, self.folder / f"state-{turn}", ["batch.documents=500"])
            while True:
                status, said = run_for(command, chosen.uniform(0.02, 0.8))
                if status == 0:
                    break
                self.assertEqual(status, -9, said)
                kills += 1
                if output.exists():  # whole, although its process did not live to end
                    self.assertEqual(output.read_bytes(), wanted)
            self.assertEqual(output.read_bytes(), wanted)
            self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
            self.assertEqual(output.read_bytes(), wanted)
            self.assertFalse(pathlib.Path(f"{output}.rows").exists())
        self.assertGreater(kills, 4)

    def test_an_interrupted_run_says_where_its_flags_are(self):
        lines = self.json_lines(records(60_000))
        output = self.folder / "flags.parquet"
        command = neardup.scan_command([lines], output, self.state, ["batch.documents=100"])
        with subprocess.Popen(command, stderr=subprocess.PIPE) as run:
            rows = pathlib.Path(f"{output}.rows")
            while not rows.exists() or rows.stat().st_size < 100_000:
                self.assertIsNone(run.poll(), "the run was over too early")
            run.send_signal(signal.SIGINT)
            said = run.communicate()[1].decode()
        self.assertIn(f"the flags so far are in {rows}: the same command continues", said)
        said = self.scan(lines, state=self.state, status=75)  # to another file
        self.assertIn("rerun the same command", said)
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        self.assertEqual(len(self.rows(output)), 60_000)

    def test_what_is_refused(self):
        lines = self.json_lines(records(3))
        kept = f"kept={self.folder}/kept.jsonl"
        said = self.scan(self.write("in.parquet", {"id": IDS, "text": TEXTS}), options=["--emit", kept], status=64)
        self.assertIn("--emit", said)
        self.scan(lines, output=self.folder / "missing" / "x.parquet", status=74)
        os.mkdir(self.folder / "full")
        done = subprocess.run(["bash", "-c", f"ulimit -f 1; exec {neardup.BINARY} scan -o {self.folder}/full/x.parquet "
                               f"{self.json_lines(records(5000), 'more.jsonl')}"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(list((self.folder / "full").glob("x.parquet")), [])


if __name__ == "__main__":
    unittest.main()
