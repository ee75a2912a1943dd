"""`scan --emit` of Parquet inputs: for each input and kind a part with the schema, the metadata and the rows of the input, as they are."""

import datetime
import decimal
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import unittest

import parquet_files  # noqa: F401  (skips, or runs this again with pyarrow)
import pyarrow as pa
import pyarrow.parquet as pq

import neardup
from emit_test import KIND_OF, KINDS
from folder import ScanTest

MASK = "mask"
FAST = ("storage.memory=16MiB",)


def table(count, seed=1, name="d"):
    """Rows of every status, with columns of many types."""
    chosen = random.Random(seed)
    words = [f"word{i}" for i in range(500)]
    texts, rows = [], []
    for i in range(count):
        text = " ".join(chosen.choices(words, k=chosen.randrange(8, 60)))
        if texts and chosen.random() < 0.4:
            text = chosen.choice(texts) + chosen.choice(["", " more"])
        texts.append(text)
        rows.append({"id": chosen.choice([f"{name}{i}"] * 9 + [None]), "text": chosen.choice([text] * 8 + ["two words", "", None]),
                     "delete": chosen.random() < 0.05})
    some = [None if chosen.random() < 0.3 else i for i in range(count)]
    lists = [None if i is None else list(range(i % 4)) for i in some]
    columns = {
        "id": pa.array([row["id"] for row in rows]),
        "text": pa.array([row["text"] for row in rows], pa.large_string()),
        "delete": pa.array([row["delete"] for row in rows]),
        "n": pa.array(some, pa.int64()),
        "small": pa.array([i % 100 for i in range(count)], pa.uint8()),
        "nothing": pa.nulls(count),
        "flag": pa.array([None if i is None else i % 3 == 0 for i in some]),
        "share": pa.array([None if i is None else i / 7 for i in some], pa.float32()),
        "language": pa.array([["en", "de", None][i % 3] for i in range(count)]).dictionary_encode(),
        "bytes": pa.array([None if i is None else bytes([i % 256]) * (i % 5) for i in some], pa.binary()),
        "hash": pa.array([i.to_bytes(4, "big") for i in range(count)], pa.binary(4)),
        "at": pa.array([None if i is None else datetime.datetime(2024, 1, 1) + datetime.timedelta(seconds=i) for i in some],
                       pa.timestamp("us", "Europe/Berlin")),
        "day": pa.array([datetime.date(2020, 1, 1) + datetime.timedelta(days=i % 900) for i in range(count)]),
        "price": pa.array([None if i is None else decimal.Decimal(i) / 100 for i in some], pa.decimal128(12, 2)),
        "list": pa.array(lists, pa.list_(pa.int32())),
        "lists": pa.array([None if i is None else [[str(i)], None, []][: i % 4] for i in some], pa.list_(pa.list_(pa.string()))),
        "meta": pa.array([None if i is None else {"url": f"https://example.org/{i}", "x": {"y": None if i % 2 else i}} for i in some]),
        "pairs": pa.array([None if i is None else [{"k": str(i), "v": i}] * (i % 3) for i in some]),
        "map": pa.array([None if i is None else [("a", i), ("b", None)][: i % 3] for i in some], pa.map_(pa.string(), pa.int64())),
    }
    schema = pa.table(columns).schema.with_metadata({"huggingface": '{"info":{}}', "x": "y"})
    return pa.table(columns, schema=schema)


def plain(rows):
    """Without dictionaries, of which two files may have different ones for the same values."""
    for i, field in enumerate(rows.schema):
        if pa.types.is_dictionary(field.type):
            rows = rows.set_column(i, field.name, rows[i].cast(field.type.value_type))
    return rows


def kinds(flags):
    return [KIND_OF[flag["status"]] for flag in flags]


class PartsTest(ScanTest):
    def write(self, name, rows, **options):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(rows, path, **options)
        return path

    def options(self, folder, names=(*KINDS, MASK)):
        return [word for kind in names for word in ("--emit", f"{kind}={folder / kind}/")]

    def parts(self, folder, names=(*KINDS, MASK)):
        return {f"{kind}/{path.name}": path.read_bytes() for kind in names for path in sorted((folder / kind).iterdir())}

    def scan(self, *inputs, sets=(), **run):
        return super().scan(*inputs, sets=(*FAST, *sets), **run)

    def flags(self, path=None):
        """Of one input, or all."""
        return [flag for flag in super().flags() if path is None or flag["source"]["file"] == str(path)]

    def new_folder(self, name):
        folder = self.folder / name
        folder.mkdir()
        return folder

    def check(self, folder, *inputs):
        """The parts are the rows of the inputs, each in the part of its kind, and the mask says which."""
        for path in inputs:
            whole, flags = pq.read_table(path), self.flags(path)
            self.assertEqual(len(flags), whole.num_rows)
            of_rows = kinds(flags)
            for kind in KINDS:
                part = pq.read_table(folder / kind / path.name)
                self.assertTrue(part.schema.equals(whole.schema, check_metadata=True), kind)
                wanted = whole.filter(pa.array([k == kind for k in of_rows], pa.bool_()))
                self.assertTrue(plain(part).equals(plain(wanted)), f"{path.name}, {kind}")
            mask = pq.read_table(folder / MASK / path.name)
            self.assertEqual([str(column.type) for column in mask.schema], ["int64", "bool", "string"])
            self.assertEqual(mask.to_pydict(), {"row": list(range(1, whole.num_rows + 1)), "kept": [k == "kept" for k in of_rows],
                                                "status": [flag["status"] for flag in flags]})


class Parts(PartsTest):
    def test_the_parts_are_the_rows_of_the_input(self):
        rows = table(3000)
        for name, options in {"zstd": {"compression": "zstd", "row_group_size": 700}, "snappy": {},
                              "plain": {"compression": "none", "use_dictionary": False, "write_page_checksum": True},
                              "pages": {"data_page_version": "2.0", "data_page_size": 2000, "compression": "gzip"},
                              "old": {"version": "1.0", "use_deprecated_int96_timestamps": True, "use_compliant_nested_type": False},
                              "brotli": {"compression": "brotli", "store_schema": False}}.items():
            with self.subTest(name):
                folder = self.new_folder(name)
                path = self.write(f"{name}.parquet", rows, **options)
                self.scan(path, options=self.options(folder))
                self.assertEqual(set(kinds(self.flags())), set(KINDS))
                self.check(folder, path)
                kept = pq.ParquetFile(folder / "kept" / path.name)
                self.assertTrue(kept.schema.equals(pq.ParquetFile(path).schema))  # physical and logical types, too
                self.assertEqual(kept.metadata.row_group(0).column(1).compression,
                                 pq.ParquetFile(path).metadata.row_group(0).column(1).compression)

    def test_what_the_summary_says(self):
        path = self.write("in.parquet", table(500))
        folder = self.new_folder("out")
        said = self.scan(path, options=["--json", *self.options(folder)])
        counted = [kinds(self.flags()).count(kind) for kind in KINDS]
        self.assertEqual(json.loads(said.splitlines()[-1])["emitted"], dict(zip((*KINDS, MASK), (*counted, 500))))
        self.assertIn(f"{counted[0]}  kept in {folder}/kept\n", self.scan(path, options=self.options(folder)))

    def test_batches_do_not_change_the_bytes(self):
        inputs = [self.write(f"{part}.parquet", table(2000, part, f"d{part}-"), row_group_size=600) for part in range(3)]
        wanted = None
        for documents, kept in itertools.product((1, 700, 100_000), (True, False)):
            folder = self.new_folder(f"{documents}-{kept}")
            self.scan(*inputs, sets=[f"batch.documents={documents}"], options=self.options(folder), state=folder / "state" if kept else None)
            found = self.parts(folder)
            wanted = wanted or found
            self.assertEqual(list(found), list(wanted))
            self.assertEqual(found, wanted)
        self.check(folder, *inputs)

    def test_inputs_without_rows_and_kinds_without_rows(self):
        rows = table(100)
        inputs = [self.write("0.parquet", rows.slice(0, 0)), self.write("1.parquet", rows), self.write("2.parquet", rows.slice(0, 0))]
        folder = self.new_folder("out")
        self.scan(*inputs, options=self.options(folder))
        self.check(folder, *inputs)
        only = self.write("only.parquet", pa.table({"id": ["a", "b"], "text": ["one text with words", "quite another one of these"]}))
        for state in (None, self.state):
            self.scan(only, options=self.options(folder), state=state)
            self.check(folder, only)
            self.assertEqual(pq.read_table(folder / "rejected" / "only.parquet").num_rows, 0)
        self.scan(inputs[0], options=self.options(folder))
        self.check(folder, inputs[0])

    def test_large_texts_and_texts_that_are_too_large(self):
        texts = [f"{i} " + "w " * (400_000 if i % 3 else 10) for i in range(40)]
        path = self.write("in.parquet", pa.table({"id": [str(i) for i in range(40)], "text": texts, "lists": [[text] * 2 for text in texts]}))
        folder = self.new_folder("out")
        self.scan(path, options=self.options(folder), sets=["input.max_record_bytes=64KiB"])
        self.check(folder, path)
        self.assertEqual(pq.read_table(folder / "rejected" / path.name).num_rows, 26)

    def test_flags_as_parquet_too(self):
        path = self.write("in.parquet", table(300))
        folder = self.new_folder("out")
        flags = self.folder / "flags.parquet"
        self.scan(path, options=self.options(folder), output=flags)
        kept = pq.read_table(folder / "kept" / path.name)
        wanted = [KIND_OF[status] == "kept" for status in pq.read_table(flags)["status"].to_pylist()]
        self.assertTrue(plain(kept).equals(plain(pq.read_table(path).filter(pa.array(wanted)))))

    def test_folders(self):
        path = self.write("in/in.parquet", table(50))
        clean = self.new_folder("clean")
        (clean / "old.parquet").write_bytes(b"of another run")
        (clean / "in.parquet").write_bytes(b"also")
        said = self.scan(path, options=["--emit", f"kept={clean}"])  # a folder that is there needs no slash
        self.assertIn(f"{clean} has 1 files that are not of this run, old.parquet among them", said)
        self.assertEqual((clean / "old.parquet").read_bytes(), b"of another run")
        self.assertEqual(sorted(os.listdir(clean)), ["in.parquet", "old.parquet"])
        self.assertEqual(pq.read_table(clean / "in.parquet").num_rows, kinds(self.flags()).count("kept"))
        self.scan(path, options=["--emit", f"kept={self.folder}/missing/clean/"], status=74)


class Usage(PartsTest):
    def refuse(self, *inputs, emit, words, status=64, **more):
        said = self.scan(*inputs, status=status, options=[word for one in emit for word in ("--emit", one)], **more)
        for word in words:
            self.assertIn(str(word), said)

    def test_wrong_usage_is_named(self):
        rows = table(20)
        first, second = self.write("a/x.parquet", rows), self.write("b/x.parquet", rows)
        third = self.write("b/x.parquet.new", rows)
        lines = self.folder / "in.jsonl"
        lines.write_text('{"id":"a","text":"b"}\n')
        clean = self.folder / "clean"
        self.refuse(first, second, emit=[f"kept={clean}/"], words=[first, second, "both have the part x.parquet"])
        self.refuse(first, third, emit=[f"kept={clean}/"], words=[first, third, "rename one"])
        self.refuse(first, lines, emit=[f"kept={clean}/"], words=["is Parquet, and", "is JSON Lines", "one format"])
        self.refuse(first, "-", emit=[f"kept={clean}/"], words=["is Parquet, and - is no file"])
        self.refuse(first, emit=[f"kept={clean}.parquet"], words=["clean.parquet is one file", "kept=clean/"])
        self.refuse(first, emit=[f"kept={clean}"], words=[f"{clean} is a file, and Parquet inputs", f"kept={clean}/"])
        self.refuse(lines, emit=[f"kept={clean}/"], words=["is a folder, which only Parquet inputs fill"])
        self.refuse(lines, emit=[f"mask={clean}/"], words=["is for Parquet inputs only"])
        self.refuse(lines, emit=[f"mask={clean}.jsonl"], words=["is for Parquet inputs only"])
        self.refuse(first, emit=[f"kept={clean}/", f"rejected={clean}"], words=["for two kinds"])
        self.refuse(first, emit=[f"kept={first.parent}/"], words=["has inputs, which their parts would replace"])
        (self.folder / "link").symlink_to(first.parent)
        self.refuse(first, emit=[f"kept={self.folder}/link/"], words=["has inputs, which their parts would replace"])
        self.assertFalse(clean.exists())
        clean.mkdir()
        for name in ("x.parquet.new", "x.parquet"):
            self.refuse(first, emit=[f"kept={clean}/"], words=["is the file of the flags", first], output=clean / name)
        self.assertEqual(os.listdir(clean), [])
        self.scan(first, second, third)

    def test_names_of_later_runs(self):
        first, second = self.write("a/x.parquet", table(20)), self.write("b/x.parquet", table(20, 2))
        clean = self.folder / "clean"
        self.scan(first, state=self.state, options=["--emit", f"kept={clean}/"])
        before = (clean / "x.parquet").read_bytes()
        self.refuse(second, emit=[f"kept={clean}/"], words=[first, second, "both have the part"], state=self.state)
        self.assertEqual((clean / "x.parquet").read_bytes(), before)
        self.scan(second, state=self.state, options=["--emit", f"kept={clean}2/"])  # new folders begin again
        self.scan(first, second, state=self.state, options=["--emit", f"kept={clean}2/"])

    def test_a_refusal_leaves_all_files_as_they_were(self):
        path = self.write("in.parquet", table(20))
        lines = self.folder / "in.jsonl"
        lines.write_text('{"id":"a","text":"b"}\n')
        kept = self.folder / "kept.jsonl"
        kept.write_text("of another run")
        new = self.folder / "new.jsonl"
        self.scan(lines, output=self.folder / "missing" / "flags", status=74,
                  options=["--emit", f"kept={kept}", "--emit", f"rejected={new}"])
        self.assertEqual(kept.read_text(), "of another run")
        self.assertFalse(new.exists())
        self.scan(path, output=self.folder / "missing" / "flags", status=74, options=["--emit", f"kept={self.folder}/clean/"])
        self.assertFalse((self.folder / "clean").exists())


class LaterRuns(PartsTest):
    def test_new_files_every_day(self):
        first = self.write("in/0.parquet", table(300))
        folder = self.new_folder("out")
        self.scan(first, state=self.state, options=self.options(folder))
        self.check(folder, first)
        before = self.parts(folder)
        times = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
        second = self.write("in/1.parquet", table(300, 2, "e"))
        said = self.scan(first.parent, state=self.state, options=self.options(folder))
        self.assertNotIn("not of this run", said)
        self.check(folder, first, second)
        self.assertEqual({name: data for name, data in self.parts(folder).items() if name.endswith("0.parquet")}, before)
        for path, time in times.items():
            self.assertEqual(path.stat().st_mtime_ns, time, "a part that is whole is not written again")

    def test_a_file_that_is_read_again_has_new_parts(self):
        path = self.write("in.parquet", table(300))
        folder = self.new_folder("out")
        self.scan(path, state=self.state, options=self.options(folder))
        self.scan(path, state=self.state, options=["--rescan", *self.options(folder)])
        self.assertIn("duplicates", kinds(self.flags()[300:]))
        self.assertEqual(pq.read_table(folder / MASK / path.name)["status"].to_pylist(), [flag["status"] for flag in self.flags()[300:]])
        self.write("in.parquet", table(200, 3, "e"))
        self.assertIn("not the file of the last run", self.scan(path, state=self.state, options=self.options(folder)))
        self.assertEqual(pq.read_table(folder / MASK / path.name)["status"].to_pylist(), [flag["status"] for flag in self.flags()[600:]])

    def test_a_file_that_has_grown_is_refused(self):
        """Its first rows were decided by an earlier run, so its parts would not have them."""
        rows = table(4000)
        path = self.write("in.parquet", rows.slice(0, 2000), row_group_size=1000, use_dictionary=False)
        head = path.read_bytes()[:4096]
        self.scan(path, state=self.state)
        self.write("in.parquet", rows, row_group_size=1000, use_dictionary=False)
        self.assertEqual(path.read_bytes()[:4096], head)
        said = self.scan(path, state=self.state, options=self.options(self.folder), status=75)
        self.assertIn("2000 rows that an earlier run has decided", said)
        self.scan(path, state=self.state)

    def test_other_formats_take_over(self):
        path = self.write("in.parquet", table(100))
        lines = self.folder / "in.jsonl"
        lines.write_text('{"id":"a","text":"b"}\n')
        folder = self.new_folder("out")
        self.scan(path, state=self.state, options=self.options(folder))
        self.scan(lines, state=self.state, options=["--emit", f"kept={folder}/kept.jsonl"])
        self.assertEqual((folder / "kept.jsonl").read_bytes(), lines.read_bytes())
        more = self.write("more.parquet", table(100, 2))
        self.scan(more, state=self.state, options=self.options(folder))
        self.assertEqual(len(self.parts(folder)), 10)


class Interrupted(PartsTest):
    def begun(self, path, folder, rows):
        """Kills a run of one input within its rows."""
        command = neardup.scan_command([path], self.output, self.state, (*FAST, "batch.documents=50"), self.options(folder))
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
            while not self.output.exists() or self.output.read_bytes().count(b"\n") < rows:
                self.assertIsNone(run.poll(), "the run was over too early")
            run.send_signal(signal.SIGKILL)
        return command

    def test_it_is_finished_with_the_same_command_only(self):
        rows = table(20_000)
        path = self.write("in.parquet", rows, row_group_size=3000)
        folder = self.new_folder("out")
        command = self.begun(path, folder, 500)
        self.assertEqual(list(folder.rglob("*.parquet")), [])
        other = self.options(folder)[2:]
        for options, reason in (((), "had --emit kept=…"), (other, "had --emit kept=…"), (["--emit", f"kept={self.folder}/x/", *other],
                                                                                        "is not the")):
            self.assertIn(reason, self.scan(path, status=75, state=self.state, options=options))
        good = path.read_bytes()
        self.write("in.parquet", rows.slice(0, 10_000), row_group_size=3000)
        self.assertIn("is another file now", self.scan(path, status=75, state=self.state, options=self.options(folder)))
        # With the same first 4 KiB, and as many rows: only the index at its end tells.
        self.write("in.parquet", rows.set_column(3, "n", pa.array(range(20_000), pa.int64())), row_group_size=3000)
        self.assertEqual(path.read_bytes()[:4096], good[:4096])
        self.assertIn("is another file now", self.scan(path, status=75, state=self.state, options=self.options(folder)))
        path.write_bytes(good)
        self.assertEqual(subprocess.run(command, stderr=subprocess.DEVNULL).returncode, 0)
        self.check(folder, path)

    def test_a_run_without_emit_cannot_be_finished_with_it(self):
        path = self.write("in.parquet", table(20_000), row_group_size=3000)
        command = neardup.scan_command([path], self.output, self.state, (*FAST, "batch.documents=50"))
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
            while not self.output.exists() or self.output.stat().st_size < 100_000:
                self.assertIsNone(run.poll(), "the run was over too early")
            run.kill()
        said = self.scan(path, status=75, state=self.state, options=self.options(self.folder))
        self.assertIn("has decided", said)
        self.scan(path, state=self.state)

    def test_parts_that_could_not_be_written(self):
        """All rows are decided, and a part is in the way: the same command writes it when it is not."""
        paths = [self.write(f"{part}.parquet", table(1000, part, f"d{part}-")) for part in range(2)]
        folder = self.new_folder("out")
        blocked = folder / "duplicates" / "1.parquet"
        blocked.mkdir(parents=True)
        self.assertIn(str(blocked), self.scan(*paths, status=74, state=self.state, options=self.options(folder)))
        self.assertEqual(list(folder.rglob("*.new")), [])
        flags = self.output.read_bytes()
        # Another run waits for them.
        self.assertIn("had --emit", self.scan(*paths, status=75, state=self.state))
        good = paths[1].read_bytes()
        other = self.write("other", table(1000, 5)).read_bytes()
        paths[1].unlink()
        for bad in (None, good[:5000], other):
            if bad is not None:
                paths[1].write_bytes(bad)
            said = self.scan(paths[0], status=75, state=self.state, options=self.options(folder))
            self.assertIn(f"{paths[1]} was read by an interrupted run, which has not written its parts yet", said)
        paths[1].write_bytes(good)
        self.assertIn(str(blocked), self.scan(*paths, status=74, state=self.state, options=["--rescan", *self.options(folder)]))
        blocked.rmdir()
        self.scan(*paths, state=self.state, options=self.options(folder))
        self.check(folder, *paths)
        self.assertEqual(self.output.read_bytes(), flags)
        self.assertIn("already read", self.scan(*paths, state=self.state, options=self.options(folder)))
        self.scan(*paths, state=self.state)

    def test_a_file_that_is_too_large_for_its_limit(self):
        path = self.write("in.parquet", table(3000))
        whole = self.new_folder("whole")
        self.scan(path, options=self.options(whole))
        folder = self.new_folder("out")
        command = neardup.scan_command([path], "/dev/null", self.state, FAST, self.options(folder))
        limited = subprocess.run(["bash", "-c", 'trap "" XFSZ; ulimit -f 100; exec "$@"', "bash", *command], capture_output=True, text=True)
        self.assertEqual(limited.returncode, 74, limited.stderr)
        self.assertEqual(list(folder.rglob("*.new")), [])
        for part in folder.rglob("*.parquet"):
            pq.read_table(part)
        self.assertEqual(subprocess.run(command, stderr=subprocess.DEVNULL).returncode, 0)
        self.assertEqual(self.parts(folder), self.parts(whole))

    def test_an_interrupt_leaves_no_half_part(self):
        path = self.write("in.parquet", table(40_000), row_group_size=2000)
        folder = self.new_folder("out")
        command = neardup.scan_command([path], self.output, self.state, FAST, self.options(folder))
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
            while not list(folder.rglob("*.new")):
                if run.poll() is not None:
                    break
            run.send_signal(signal.SIGINT)
        self.assertIn(run.returncode, (0, 130))
        if run.returncode == 130:
            self.assertEqual([*folder.rglob("*.new"), *folder.rglob("*.parquet")], [])
        self.scan(path, state=self.state, options=self.options(folder))
        self.check(folder, path)


class BadInput(PartsTest):
    def test_damaged_files(self):
        rows = table(900)
        good = self.write("good.parquet", rows)
        bad = self.write("bad.parquet", rows, row_group_size=300, write_page_checksum=True, compression="none", use_dictionary=False)
        whole = bad.read_bytes()
        data = bytearray(whole)
        data[data.rindex(rows["text"][890].as_py().encode()) if rows["text"][890].as_py() else data.rindex(b"word")] ^= 1
        bad.write_bytes(data)
        none = self.folder / "none.parquet"
        none.write_bytes(b"PAR1xxxxxxxxPAR1")
        folder = self.new_folder("out")
        said = self.scan(none, bad, good, status=65, state=self.state, options=["--keep-going", *self.options(folder)])
        for word in (str(none), f"{bad} is damaged after row 600", "1 inputs have no parts", "bad.parquet among them"):
            self.assertIn(word, said)
        self.check(folder, good)
        self.assertEqual(sorted(os.listdir(folder / "kept")), ["good.parquet"])
        bad.write_bytes(whole)
        self.scan(bad, good, state=self.state, options=self.options(folder))
        self.check(folder, good, bad)

    def test_damage_in_a_column_that_is_not_decided(self):
        """The first reading does not see it."""
        rows = table(300)
        bad = self.write("bad.parquet", rows, write_page_checksum=True, compression="none", use_dictionary=False,
                         write_statistics=False)
        data = bytearray(bad.read_bytes())
        data[data.index(b"https://example.org/") + 3] ^= 1
        bad.write_bytes(data)
        self.scan(bad)
        folder = self.new_folder("out")
        said = self.scan(bad, status=65, options=self.options(folder))
        self.assertIn(f"{bad} cannot be read again for its parts", said)
        self.assertEqual([*folder.rglob("*.new"), *folder.rglob("*.parquet")], [])
        self.scan(bad, options=self.options(folder, [MASK]))  # needs no other column

    def test_damage_anywhere_ends_in_an_error_or_in_parts(self):
        path = self.write("in.parquet", table(200), row_group_size=60, compression="zstd")
        for n, bad in enumerate(parquet_files.damaged(path.read_bytes(), 40, 3000)):
            path.write_bytes(bad)
            folder = self.new_folder(f"out{n}")
            done = neardup.scan([path], self.output, options=self.options(folder))
            self.assertIn(done.returncode, (0, 65), (n, done.stderr))
            shutil.rmtree(folder)

    def test_a_damaged_file_among_lines(self):
        good, bad = self.folder / "a.csv", self.folder / "b.csv.gz"
        good.write_text("id,text\na,x y\n")
        bad.write_bytes(b"\x1f\x8b" + bytes(30))
        kept = self.folder / "kept.csv"
        self.scan(bad, good, status=65, options=["--keep-going", "--emit", f"kept={kept}"])
        self.assertEqual(kept.read_bytes(), good.read_bytes())


if __name__ == "__main__":
    unittest.main()
