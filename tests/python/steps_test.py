"""Steps for the pipelines of others, with the real packages; what is not installed is skipped."""

import contextlib
import importlib.util
import os
import sys
import unittest

import package
from package import Server, Test, package as neardup, words

TEXTS = [words(1, 100), words(500, 600), words(1, 99), words(900, 999), words(500, 600)]
IDS = ["a", "b", "c", "d", "e"]
LEFT = ["a", "b", "d"]


def needs(*names):
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"{', '.join(missing)} not installed")


class Step(Test):
    def service(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        server = stack.enter_context(Server(self.folder / "state"))
        return f"http://{server.address}", server.token


@needs("datatrove")
class Datatrove(Step):
    def run_on(self, step, **arguments):
        from datatrove.data import Document
        documents = [Document(text=text, id=id) for id, text in zip(IDS, TEXTS)]
        return [document.id for document in step.run(documents, **arguments)]

    def test_one_task(self):
        import neardup.datatrove
        self.assertEqual(self.run_on(neardup.datatrove.Filter()), LEFT)
        self.assertEqual(self.run_on(neardup.datatrove.Filter(batch_size=2)), LEFT)

    def test_a_pipeline_with_its_executor(self):
        from datatrove.data import Document
        from datatrove.executor import LocalPipelineExecutor
        from datatrove.pipeline.writers.jsonl import JsonlWriter
        import gzip
        import json
        import neardup.datatrove
        documents = [Document(text=text, id=id) for id, text in zip(IDS, TEXTS)]
        out, dropped = self.folder / "out", self.folder / "dropped"
        step = neardup.datatrove.Filter(exclusion_writer=JsonlWriter(str(dropped)))
        LocalPipelineExecutor([documents, step, JsonlWriter(str(out))], logging_dir=str(self.folder / "logs"), tasks=1).run()

        def written(folder):
            return [json.loads(line) for file in sorted(folder.glob("*.gz")) for line in gzip.open(file)]
        self.assertEqual([row["id"] for row in written(out)], LEFT)
        self.assertEqual([row["metadata"]["filter_reason"] for row in written(dropped)], ["near_duplicate", "exact_duplicate"])

    def test_many_tasks_share_a_service(self):
        import neardup.datatrove
        with self.assertRaisesRegex(neardup.Error, "share a service"):
            self.run_on(neardup.datatrove.Filter(), world_size=2)
        url, token = self.service()
        step = neardup.datatrove.Filter(url=url, token=token)
        self.assertEqual(self.run_on(step, rank=0, world_size=2), LEFT)
        self.assertEqual(self.run_on(step, rank=1, world_size=2), LEFT)  # as a task that is run again


@needs("pyarrow")
class Tables(Step):
    def test_a_filter_travels_and_needs_ids(self):
        import pickle
        import pyarrow
        import neardup.ray
        url, token = self.service()
        step = pickle.loads(pickle.dumps(neardup.ray.filter(url, token)))
        table = pyarrow.table({"id": IDS, "text": TEXTS, "n": range(5)})
        self.assertEqual(step(table).column("id").to_pylist(), LEFT)
        self.assertEqual(step(table).column("id").to_pylist(), LEFT)
        self.assertEqual(step(table.slice(0, 0)).num_rows, 0)
        with self.assertRaisesRegex(neardup.InputError, "no column 'id'"):
            step(table.drop_columns(["id"]))


@needs("ray", "pyarrow")
class Ray(Step):
    def test_map_batches(self):
        import pyarrow
        import ray
        import neardup.ray
        url, token = self.service()
        ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
        self.addCleanup(ray.shutdown)
        data = ray.data.from_arrow(pyarrow.table({"id": IDS, "text": TEXTS}))
        kept = data.map_batches(neardup.ray.filter(url, token), batch_format="pyarrow")
        self.assertEqual(sorted(row["id"] for row in kept.take_all()), LEFT)


@needs("pyspark", "pandas", "pyarrow")
class Spark(Step):
    def test_map_in_arrow(self):
        from pyspark.sql import SparkSession
        import neardup.spark
        url, token = self.service()
        os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
        spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
        self.addCleanup(spark.stop)
        frame = spark.createDataFrame(list(zip(IDS, TEXTS)), "id string, text string").coalesce(1)
        kept = frame.mapInArrow(neardup.spark.filter(url, token), frame.schema)
        self.assertEqual([row.id for row in kept.collect()], LEFT)


@needs("duckdb", "pyarrow")
class DuckDB(Step):
    def test_a_function(self):
        import duckdb
        import pyarrow
        import neardup.duckdb
        docs = pyarrow.table({"id": IDS, "text": TEXTS})
        connection = duckdb.connect()
        connection.register("docs", docs)
        with neardup.Deduplicator() as index:
            neardup.duckdb.register(connection, index)
            found = connection.sql("select id from docs where neardup_kept(id, text)").fetchall()
        self.assertEqual([row[0] for row in found], LEFT)


class Datasketch(Test):
    def test_the_class(self):
        import neardup.datasketch
        with neardup.datasketch.MinHashLSH(threshold=0.8) as lsh:
            lsh.insert("a", TEXTS[0])
            lsh.insert("c", TEXTS[2].split())
            with lsh.insertion_session() as session:
                for key, text in ("b", TEXTS[1]), ("d", TEXTS[3]):
                    session.insert(key, text)
            self.assertEqual(set(lsh.query(TEXTS[0])), {"a", "c"})
            self.assertGreater(lsh.query_scores(TEXTS[0])[0]["similarity"], 0.99)
            self.assertEqual(lsh.query("short"), [])
            self.assertEqual(lsh.query(words(7000, 7100)), [])
            lsh.remove("a")
            self.assertEqual(lsh.query(TEXTS[0]), ["c"])
            with self.assertRaises(ValueError):
                lsh.remove("a")

    def test_more_hits_than_are_asked_for_at_first(self):
        import neardup.datasketch
        with neardup.datasketch.MinHashLSH(threshold=0.5) as lsh, lsh.insertion_session() as session:
            for i in range(150):
                session.insert(str(i), words(1, 100) + f" x{i}")
            session.flush()
            self.assertGreater(len(lsh.query(words(1, 100))), 100)

    @needs("datasketch")
    def test_it_finds_what_datasketch_finds(self):
        import datasketch
        import neardup.datasketch

        def minhash(text):
            found = datasketch.MinHash(num_perm=128)
            for i in range(len(text.split()) - 4):
                found.update(" ".join(text.split()[i:i + 5]).encode())
            return found
        theirs = datasketch.MinHashLSH(threshold=0.8, num_perm=128)
        with neardup.datasketch.MinHashLSH(threshold=0.8) as ours:
            for key, text in zip(IDS, TEXTS):
                theirs.insert(key, minhash(text))
                ours.insert(key, text)
            for text in TEXTS:
                self.assertEqual(set(ours.query(text)), set(theirs.query(minhash(text))))


if __name__ == "__main__":
    package.main()
