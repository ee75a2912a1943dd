"""`scan --emit`: the records themselves, byte for byte, each in the file of what became of it."""

import gzip
import json
import random
import shutil
import subprocess
import unittest

import neardup
from folder import ScanTest

KINDS = ("kept", "duplicates", "rejected", "deleted")
KIND_OF = {"unique": "kept", "too_short": "kept", "empty": "kept", "exact_duplicate": "duplicates", "near_duplicate": "duplicates",
           "unchanged": "duplicates", "rejected": "rejected", "deleted": "deleted"}


def records(count, seed=7):
    """Lines of every status, in forms that only the input has: spaces, other fields, CRLF, bytes that are not UTF-8."""
    chance = random.Random(seed)
    words = [f"word{i}" for i in range(2000)]
    texts, lines = [], []
    for i in range(count):
        kind = chance.random()
        text = " ".join(chance.choices(words, k=40))
        if kind < 0.2 and texts:
            text = chance.choice(texts)
        elif kind < 0.4 and texts:
            text = chance.choice(texts) + " more"
        texts.append(text)
        line = json.dumps({"id": f"d{i}", "extra": [1, {"x": "ü"}], "text": text}, ensure_ascii=chance.random() < 0.5).encode()
        line = chance.choice([line, b"  " + line + b"\t", b'{"text":"two words","id":"s%d"}' % i, b'{"text":"","id":"e%d"}' % i,
                              b'{"id":"d%d","delete":true}' % chance.randrange(i + 1), b'{"id":%d}' % i, b"not json",
                              line[:-2] + b'\xff"}', line, line, line])
        lines.append(line + chance.choice([b"\n", b"\n", b"\r\n"]))
    return lines


def unpack(path):
    content = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(content)
    if path.suffix == ".zst":
        return subprocess.run(["zstd", "-dc"], input=content, capture_output=True, check=True).stdout
    return content


class Emit(ScanTest):
    def paths(self, suffix=""):
        return {kind: self.folder / f"{kind}.jsonl{suffix}" for kind in KINDS}

    def options(self, paths):
        return [word for kind, path in paths.items() for word in ("--emit", f"{kind}={path}")]

    def write(self, name, lines):
        path = self.folder / name
        path.write_bytes(b"".join(lines))
        return path

    def wanted(self, lines):
        statuses = self.statuses()
        self.assertEqual(len(statuses), len(lines))
        return {kind: b"".join(line for line, status in zip(lines, statuses) if KIND_OF[status] == kind) for kind in KINDS}

    def test_each_record_is_in_the_file_of_its_kind_as_it_was(self):
        lines = records(6000)
        path = self.write("in.jsonl", lines)
        for suffix in ("", ".gz", ".zst"):
            with self.subTest(suffix):
                paths = self.paths(suffix)
                said = self.scan(path, options=self.options(paths))
                wanted = self.wanted(lines)
                for kind in KINDS:
                    self.assertTrue(wanted[kind], kind)
                    self.assertEqual(unpack(paths[kind]), wanted[kind], kind)
                self.assertRegex(said, rf"\d+  kept in {paths['kept']}")

    def test_only_the_kinds_that_are_wanted(self):
        lines = records(500)
        path = self.write("in.jsonl", lines)
        kept = self.folder / "kept.jsonl"
        said = self.scan(path, options=["--json", "--emit", f"kept={kept}"])
        self.assertEqual(kept.read_bytes(), self.wanted(lines)["kept"])
        summary = json.loads(said.splitlines()[-1])
        self.assertEqual(summary["emitted"], {"kept": kept.read_bytes().count(b"\n")})
        self.assertEqual(summary["left_out"], 0)

    def test_several_inputs_blank_lines_and_a_last_line_without_an_end(self):
        first = self.write("a.jsonl", [b'\n{"id":"a","text":"x y"}\n \t\n{"id":"b","text":"z"}'])
        second = self.write("b.jsonl.gz", [gzip.compress(b'{"id":"c","text":"x y"}\n')])
        paths = self.paths()
        self.scan(first, second, options=self.options(paths))
        self.assertEqual(paths["kept"].read_bytes(), b'{"id":"a","text":"x y"}\n{"id":"b","text":"z"}\n')
        self.assertEqual(paths["duplicates"].read_bytes(), b'{"id":"c","text":"x y"}\n')
        self.assertEqual(paths["rejected"].read_bytes(), b"")

    def test_records_that_were_not_read_are_counted(self):
        path = self.write("in.jsonl", [b'{"id":"a","text":"x y"}\n', b'{"id":"b","text":"' + b"x" * 2000 + b'"}\n'])
        paths = self.paths()
        said = self.scan(path, options=["--set", "input.max_record_bytes=1KiB", *self.options(paths)])
        self.assertIn("1  records are in no file of --emit", said)
        self.assertEqual(paths["rejected"].read_bytes(), b"")

    def test_tables_keep_their_first_row_and_crawls_their_heads(self):
        rows = [b'a,"x y, z",1\r\n', b'b,"x y, z",2\r\n', b'"c","a ""quoted""\ntext",3\n']
        path = self.write("in.csv", [b"id,text,n\r\n", *rows])
        paths = self.paths()
        self.scan(path, options=self.options(paths))
        self.assertEqual(paths["kept"].read_bytes(), b"id,text,n\r\n" + rows[0] + rows[2])
        self.assertEqual(paths["duplicates"].read_bytes(), b"id,text,n\r\n" + rows[1])
        crawl = [b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:%d>\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (i, len(text), text)
                 for i, text in enumerate((b"some text", b"another one", b"some text"))]
        path = self.write("in.wet.gz", [gzip.compress(record) for record in crawl])
        self.scan(path, options=self.options(paths))
        self.assertEqual(paths["kept"].read_bytes(), crawl[0] + crawl[1])
        self.assertEqual(paths["duplicates"].read_bytes(), crawl[2])
        paths = self.paths(".warc.gz")
        self.scan(path, options=self.options(paths))
        self.assertEqual(paths["kept"].read_bytes().count(b"\x1f\x8b\x08"), 2)  # a member a record
        self.assertEqual(unpack(paths["kept"]), crawl[0] + crawl[1])

    def test_one_format_a_run(self):
        table = self.write("a.csv", [b"id,text\n", b"a,x y\n"])
        other = self.write("b.csv", [b"text,id\n", b"x y,b\n"])
        lines = self.write("c.jsonl", records(3))
        paths = self.paths()
        self.assertIn("is CSV, and", self.scan(table, lines, status=64, options=self.options(paths)))
        self.assertIn("has other columns than", self.scan(table, other, status=64, options=self.options(paths)))
        self.assertFalse(paths["kept"].exists())
        self.scan(table, lines)

    def test_wrong_usage_is_named(self):
        path = self.write("in.jsonl", records(5))
        other = self.folder / "x.jsonl"
        for words, reason in ((["keep=x"], "is not KIND=PATH, with one of kept, duplicates, rejected, deleted"), (["kept"], "KIND=PATH"),
                              (["kept="], "a file is needed"), (["kept=-"], "a file is needed"), (["kept=x.xz"], "end it with .zst or .gz"),
                              ([f"kept={path}"], "is an input too"), ([f"kept={self.output}"], "is the file of the flags"),
                              ([f"kept={other}", f"rejected={other}"], "for two kinds"), ([f"kept={other}", f"kept={other}2"], "given twice")):
            said = self.scan(path, status=64, options=[word for emit in words for word in ("--emit", emit)])
            self.assertIn(reason, said)
            self.assertFalse(other.exists())
        said = self.scan(path, status=74, options=["--emit", f"kept={self.folder}/missing/kept.jsonl"])
        self.assertIn("missing/kept.jsonl", said)

    def test_a_later_run_continues_its_files(self):
        lines = records(3000)
        path = self.write("in.jsonl", lines[:2000])
        for suffix in ("", ".zst", ".gz"):
            with self.subTest(suffix):
                path.write_bytes(b"".join(lines[:2000]))
                shutil.rmtree(self.state, ignore_errors=True)
                self.output.unlink(missing_ok=True)
                paths = self.paths(suffix)
                self.scan(path, state=self.state, options=self.options(paths))
                before = {kind: paths[kind].read_bytes() for kind in KINDS}
                self.scan(path, state=self.state, options=self.options(paths))  # nothing new
                self.assertEqual({kind: paths[kind].read_bytes() for kind in KINDS}, before)
                path.write_bytes(b"".join(lines))
                self.scan(path, state=self.state, options=self.options(paths))
                wanted = self.wanted(lines)
                for kind in KINDS:
                    self.assertEqual(unpack(paths[kind]), wanted[kind], kind)
                # Without the option the records of a run are in no file, and the next one begins again.
                path.write_bytes(b"".join(lines + records(10, seed=8)))
                self.scan(path, state=self.state)
                more = records(20, seed=9)
                path.write_bytes(b"".join(lines + records(10, seed=8) + more))
                self.scan(path, state=self.state, options=self.options(paths))
                self.assertEqual(sum(unpack(paths[kind]).count(b"\n") for kind in KINDS), len(more))

    def test_an_interrupted_run_is_finished_with_the_same_files(self):
        lines = [json.dumps({"id": f"d{i}", "text": f"document {i} " + "of some words " * 20}).encode() + b"\n" for i in range(60_000)]
        path = self.write("in.jsonl", lines)
        kept = self.folder / "kept.jsonl"
        command = neardup.scan_command([path], self.output, self.state, ["batch.documents=100"], ["--emit", f"kept={kept}"])
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as run:
            while not kept.exists() or kept.stat().st_size < 1_000_000:
                self.assertIsNone(run.poll(), "the run was over too early")
            run.kill()
        size = kept.stat().st_size
        for options, reason in (((), "had --emit kept=…"), (["--emit", f"kept={kept}2"], "is not the"),
                                (["--emit", f"kept={kept}", "--emit", f"rejected={kept}2"], "did not have --emit rejected=…")):
            self.assertIn(reason, self.scan(path, status=75, state=self.state, sets=["batch.documents=100"], options=options))
            self.assertEqual(kept.stat().st_size, size)
        kept.rename(f"{kept}.moved")
        said = self.scan(path, status=75, state=self.state, sets=["batch.documents=100"], options=["--emit", f"kept={kept}"])
        self.assertIn("is missing, shorter or changed", said)
        (self.folder / "kept.jsonl.moved").rename(kept)
        self.assertEqual(subprocess.run(command, stderr=subprocess.DEVNULL).returncode, 0)
        self.assertEqual(kept.read_bytes(), self.wanted(lines)["kept"])


if __name__ == "__main__":
    unittest.main()
