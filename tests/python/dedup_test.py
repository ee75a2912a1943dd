"""neardup.dedup, and frames of other libraries as data. What is not installed is skipped."""

import importlib.util
import itertools
import re
import resource
import subprocess
import sys
import types
import unittest

import package
from package import Test, lines, package as neardup, records, scan, words

TEXTS = [words(1, 100), words(500, 600), words(1, 99), "short", words(500, 600), words(900, 999)]
KEPT = [True, True, False, True, False, True]
LEFT = list(itertools.compress(TEXTS, KEPT))


def needs(*names):
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"{', '.join(missing)} not installed")


class PlainPython(Test):
    def test_lists_and_tuples(self):
        self.assertEqual(neardup.dedup(TEXTS), LEFT)
        self.assertEqual(neardup.dedup(tuple(TEXTS)), tuple(LEFT))
        self.assertEqual(neardup.dedup([text.encode() for text in TEXTS]), [text.encode() for text in LEFT])
        self.assertEqual(neardup.dedup([]), [])

    def test_dicts_keep_their_other_fields(self):
        rows = [{"body": text, "n": n} for n, text in enumerate(TEXTS)]
        self.assertEqual(neardup.dedup(rows, text="body"), list(itertools.compress(rows, KEPT)))

    def test_settings_and_a_state(self):
        self.assertEqual(len(neardup.dedup([words(1, 100), words(1, 85)], threshold=0.7)), 1)
        self.assertEqual(len(neardup.dedup(TEXTS, path=self.folder / "state")), 4)
        self.assertEqual(neardup.dedup([words(1, 98), words(7000, 7100)], path=self.folder / "state"), [words(7000, 7100)])

    def test_generators_are_read_as_they_are_used(self):
        read = []

        def texts():
            for i in range(30_000):
                read.append(i)
                yield words(i * 300, i * 300 + 20)
        found = neardup.dedup(texts())
        self.assertIsInstance(found, types.GeneratorType)
        next(found)
        self.assertLess(len(read), 10_000)
        self.assertEqual(len(list(found)), 29_999)

    def test_a_generator_that_raises(self):
        def texts():
            yield from TEXTS
            raise KeyError("in the middle")
        with self.assertRaises(KeyError):
            list(neardup.dedup(texts()))

    def test_generators_take_bounded_memory(self):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        kept = sum(1 for _ in neardup.dedup((f"short text {i} about {i % 997} things and more" for i in range(100_000)), threshold=0.9))
        self.assertGreater(kept, 1000)
        self.assertLess((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, 400)  # MiB

    def test_other_kinds_are_refused(self):
        for data in ("one text", {"text": "a"}, 7, None):
            with self.subTest(data=data), self.assertRaises(neardup.InputError):
                neardup.dedup(data)


@needs("polars")
class Polars(Test):
    def setUp(self):
        super().setUp()
        import polars
        self.polars = polars
        self.frame = polars.DataFrame({"n": range(6), "text": TEXTS})

    def test_kinds(self):
        found = neardup.dedup(self.frame)
        self.assertTrue(found.equals(self.frame.filter(self.polars.Series(KEPT))))
        self.assertEqual(self.frame.pipe(neardup.dedup)["n"].to_list(), [0, 1, 3, 5])
        self.assertEqual(neardup.dedup(self.frame.lazy()).collect()["n"].to_list(), [0, 1, 3, 5])
        self.assertEqual(neardup.dedup(self.frame["text"]).to_list(), LEFT)

    def test_flags_of_a_frame_are_those_of_scan(self):
        documents = records(7, 3000)
        frame = self.polars.DataFrame({key: [d.get(key) for d in documents] for key in ("id", "text", "namespace")})
        wanted = scan(documents)
        for data in frame, frame.to_arrow() if importlib.util.find_spec("pyarrow") else frame:
            with neardup.Deduplicator() as index:
                self.assert_same(wanted, lines(index.add(data)))
        with neardup.Deduplicator() as index:
            self.assert_same(wanted, lines(index.add(frame["text"], frame["id"], frame["namespace"].fill_null(""))))

    def test_flags_become_a_frame(self):
        with neardup.Deduplicator() as index:
            flags = index.add(self.frame)
        found = self.polars.DataFrame(flags)
        self.assertEqual(found.columns, list(neardup.COLUMNS))
        for name in neardup.COLUMNS:
            self.assertEqual(found[name].to_list(), flags.column(name), name)
        self.assertEqual(self.polars.DataFrame(flags[0:0]).height, 0)

    def test_columns_that_are_no_strings(self):
        for series, pattern in ((self.polars.Series([1, 2]), "type 'l'"), (self.polars.Series(["a", None]), "text 1: null"),
                                (self.polars.Series(["a", "b"], dtype=self.polars.Categorical), "categorical"),
                                (self.polars.Series([["a"]]), "not strings")):
            with self.subTest(series=series), neardup.Deduplicator() as index:
                with self.assertRaisesRegex(neardup.InputError, pattern):
                    index.add(series)
                with self.assertRaises(neardup.InputError):
                    index.add(self.polars.DataFrame({"text": series}))
                self.assertEqual(index.stats()["next_seq"], 1)
        with neardup.Deduplicator() as index, self.assertRaisesRegex(neardup.InputError, "no column 'body'"):
            index.add(self.frame, text="body")
        with neardup.Deduplicator() as index, self.assertRaisesRegex(neardup.InputError, "ids: the column"):
            index.add(self.frame.with_columns(id=self.polars.col("n")))


@needs("pyarrow")
class PyArrow(Test):
    def setUp(self):
        super().setUp()
        import pyarrow
        self.pyarrow = pyarrow
        self.table = pyarrow.table({"n": range(6), "text": TEXTS})

    def test_kinds(self):
        kept = [0, 1, 3, 5]
        self.assertEqual(neardup.dedup(self.table).column("n").to_pylist(), kept)
        self.assertEqual(neardup.dedup(self.table.to_batches()[0]).column("n").to_pylist(), kept)
        self.assertEqual(neardup.dedup(self.table.to_reader()).column("n").to_pylist(), kept)
        self.assertEqual(neardup.dedup(self.table.column("text")).to_pylist(), LEFT)
        self.assertEqual(neardup.dedup(self.table.column("text").combine_chunks()).to_pylist(), LEFT)

    def test_string_types_slices_and_chunks(self):
        wanted = None
        for kind in "string", "large_string", "string_view", "binary", "large_binary", "binary_view":
            type_ = getattr(self.pyarrow, kind)()
            data = self.pyarrow.chunked_array([self.pyarrow.array(["x", *TEXTS[:2]], type_)[1:], self.pyarrow.array(TEXTS[2:] + ["y"], type_)[:-1]])
            with self.subTest(kind=kind), neardup.Deduplicator() as index:
                found = lines(index.add(data))
                wanted = wanted or found
                self.assertEqual(found, wanted)
        frame = self.pyarrow.concat_tables([self.table.slice(0, 2), self.table.slice(2)])
        with neardup.Deduplicator() as index:
            self.assertEqual(lines(index.add(frame)), wanted)

    def test_binary_that_is_no_utf8(self):
        with neardup.Deduplicator() as index:
            with self.assertRaisesRegex(neardup.InputError, "text 1: not valid UTF-8"):
                index.add(self.pyarrow.array([b"a", b"\xff"]))

    def test_a_stream_that_raises(self):
        def batches():
            yield self.table.to_batches()[0]
            raise KeyError("in the middle")
        reader = self.pyarrow.RecordBatchReader.from_batches(self.table.schema, batches())
        with neardup.Deduplicator() as index:
            with self.assertRaisesRegex(neardup.InputError, "cannot be read.*in the middle"):
                index.add(reader)
            self.assertEqual(index.stats()["next_seq"], 1)

    def test_flags_become_a_table(self):
        with neardup.Deduplicator() as index:
            flags = index.add(TEXTS)
        table = self.pyarrow.table(flags)
        table.validate(full=True)
        for name in neardup.COLUMNS:
            self.assertEqual(table.column(name).to_pylist(), flags.column(name), name)


@needs("pandas")
class Pandas(Test):
    def test_kinds(self):
        import pandas
        frame = pandas.DataFrame({"n": range(6), "text": TEXTS}, index=list("abcdef"))
        found = neardup.dedup(frame)
        self.assertEqual((found.index.tolist(), found["n"].tolist()), (list("abdf"), [0, 1, 3, 5]))
        self.assertEqual(neardup.dedup(frame["text"]).tolist(), LEFT)
        with self.assertRaises(neardup.InputError):
            neardup.dedup(frame, text="body")
        with self.assertRaisesRegex(neardup.InputError, "text 1"):
            neardup.dedup(pandas.Series(["a", None], dtype=object))


@needs("datasets")
class HuggingFace(Test):
    def test_kinds(self):
        import datasets
        data = datasets.Dataset.from_dict({"n": range(6), "text": TEXTS})
        self.assertEqual(neardup.dedup(data)["n"][:], [0, 1, 3, 5])
        self.assertEqual(neardup.dedup(data.select([4, 3, 2, 1, 0]))["n"][:], [4, 3, 2])
        found = neardup.dedup(data.to_iterable_dataset())
        self.assertIsInstance(found, datasets.IterableDataset)
        self.assertEqual([row["n"] for row in found], [0, 1, 3, 5])


@needs("duckdb", "pyarrow")
class DuckDB(Test):
    def test_relations(self):
        import duckdb
        import pyarrow
        table = pyarrow.table({"n": range(6), "text": TEXTS})
        found = neardup.dedup(duckdb.from_arrow(table))
        self.assertIsInstance(found, duckdb.DuckDBPyRelation)
        self.assertEqual([row[0] for row in found.fetchall()], [0, 1, 3, 5])


HIDE = "sys.modules['tqdm'] = sys.modules['tqdm.auto'] = None"


class Progress(Test):
    def call(self, progress, hide=False):
        """What an `add` of an iterator and one of a list write to standard error, with line ends for returns. Without the blanks by which
        tqdm covers a longer line."""
        code = ("import sys, neardup\n"
                f"{HIDE if hide else ''}\n"
                "texts = [' '.join(f'w{i + j}' for j in range(50)) for i in range(20_000)]\n"
                "with neardup.Deduplicator() as index:\n"
                f"    index.add(iter(texts), progress={progress})\n"
                f"    index.add(texts, progress={progress})\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        return re.sub(" +\n", "\n", done.stderr)

    @needs("tqdm")
    def test_a_bar_of_tqdm(self):
        shown = self.call(True)
        self.assertRegex(shown, r"\n20000 texts \[\d\d:\d\d, .* texts/s\]")  # of an iterator
        self.assertRegex(shown, r"\n100%\|.*\| 20000/20000 \[\d\d:\d\d<\d\d:\d\d, .* texts/s\]\n$")

    def test_a_line_without_tqdm(self):
        shown = self.call(True, hide=True)
        self.assertRegex(shown, r"\n20000 texts\n")
        self.assertRegex(shown, r"\n\d+ texts \(\d+ %\)")

    def test_nothing_by_itself_where_there_is_no_terminal(self):
        self.assertEqual(self.call(None) + self.call(False), "")


class Imports(Test):
    def test_the_package_imports_nothing_that_takes_long(self):
        """It has to be there in 0.1 s, which bench/results/python.md measures."""
        slow = {"numpy", "pyarrow", "pandas", "polars", "tqdm", "asyncio", "ssl"}
        code = f"import sys, neardup; print(sorted({{name.partition('.')[0] for name in sys.modules}} & {slow}))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "[]\n")


if __name__ == "__main__":
    package.main()
