"""`neardup search` against a brute force over random items of each kind, and what it says about hostile items."""

import gzip
import json
import math
import random
import subprocess
import unittest

import neardup
from folder import FolderTest

STRING = {"fields": {"name": {"kind": "string", "gram": 2}}}
PEOPLE = {"fields": {"job": {"kind": "category", "weight": 3}, "age": {"kind": "number", "min": 0, "max": 99, "bucket": 2},
                     "words": {"kind": "words", "weight": 2}}}


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(diagonal + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def bucket(number):
    return int(number // 2)


def score(query, item):
    """By the schema PEOPLE."""
    count = 3 * (query.get("job", 0) == item.get("job", 1)) + 2 * len(set(query.get("words", [])) & set(item.get("words", [])))
    if "age" in query and "age" in item:
        least, most = query["age"] if isinstance(query["age"], list) else [query["age"]] * 2
        count += bucket(least) <= bucket(item["age"]) <= bucket(most)
    return count


class SearchTest(FolderTest):
    def search(self, schema, items, queries, *options, status=0):
        """The answers, or after another status what stderr says. Items and queries: objects, or bytes of a line."""
        (self.folder / "schema.json").write_text(schema if isinstance(schema, str) else json.dumps(schema))
        for name, lines in (("items.jsonl", items), ("queries.jsonl", queries)):
            (self.folder / name).write_bytes(b"".join((x if isinstance(x, bytes) else json.dumps(x, ensure_ascii=False).encode()) + b"\n"
                                                      for x in lines))
        done = subprocess.run([neardup.BINARY, "search", "--schema", "schema.json", "--items", "items.jsonl", *options, "queries.jsonl"],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        self.answers = [json.loads(line) for line in done.stdout.splitlines()]
        return self.answers if status == 0 else done.stderr


class AgainstBruteForce(SearchTest):
    def test_strings(self):
        chosen = random.Random(1)
        items = [{"name": "".join(chosen.choices("abcäλ中", k=chosen.randint(1, 14)))} for _ in range(120)]
        queries = [{"name": "".join(chosen.choices("abcäλ中", k=chosen.randint(1, 16)))} for _ in range(60)]
        for query, answer in zip(queries, self.search(STRING, items, queries, "-k", "5"), strict=True):
            wanted = sorted((edit_distance(query["name"], item["name"]), place) for place, item in enumerate(items, 1))[:5]
            self.assertEqual([(hit["distance"], hit["item"]) for hit in answer["hits"]], wanted, query)
            self.assertTrue(answer["certain"])

    def test_rows(self):
        chosen = random.Random(2)

        def row():
            return {key: value for key, value in (
                ("job", chosen.choice(["baker", "nurse", "smith"])), ("age", chosen.randint(0, 99)),
                ("words", chosen.sample("abcdefgh", chosen.randint(1, 4)))) if chosen.random() < 0.8} or {"age": 5}

        items, queries = [row() for _ in range(300)], [row() for _ in range(200)]
        for query in queries[::2]:
            if "age" in query:
                query["age"] = [query["age"] - 7.5, query["age"] + 8]
        for query, answer in zip(queries, self.search(PEOPLE, items, queries, "-k", "9"), strict=True):
            scores = sorted((-score(query, item), place) for place, item in enumerate(items, 1))
            wanted = [(-count, place) for count, place in scores if count != 0][:9]
            self.assertEqual([(hit["count"], hit["item"]) for hit in answer["hits"]], wanted, query)

    def test_vectors(self):
        chosen = random.Random(3)
        for family in ("l1", "l2", "laplacian"):
            schema = {"fields": {"v": {"kind": "vector", "dimensions": 4, "family": family}}}
            items = [{"v": [chosen.gauss(0, 1) for _ in range(4)]} for _ in range(200)]
            queries = [{"v": [x + chosen.gauss(0, 0.1) for x in item["v"]]} for item in items[:50]]
            found = 0
            for query, answer in zip(queries, self.search(schema, items, queries, "-k", "1"), strict=True):
                def distance(item):
                    gaps = [abs(a - b) for a, b in zip(query["v"], item["v"], strict=True)]
                    return math.hypot(*gaps) if family == "l2" else sum(gaps)

                wanted = min(range(len(items)), key=lambda place: distance(items[place]))
                found += [hit["item"] for hit in answer["hits"]] == [wanted + 1]
                for hit in answer["hits"]:
                    self.assertAlmostEqual(hit["distance"], distance(items[hit["item"] - 1]), 4)
            self.assertGreaterEqual(found, 49, family)


class Hostile(SearchTest):
    def refused(self, schema, line, *parts):
        message = self.search(schema, [{"name": "good", "age": 1, "v": [1, 2], "words": ["a"]} if schema is ALL else {"name": "good"}, line],
                              [{"name": "x"}], status=65)
        for part in ("items.jsonl:2: ", *parts):
            self.assertIn(part, message)

    def test_items_are_named_by_line_and_field(self):
        for line, *parts in (
                (b'{"name": ""}', 'field "name"', "empty"),
                (json.dumps({"name": "x" * 1_000_000}).encode(), 'field "name"', "1000000 characters"),
                (b'{"name": 7}', 'field "name"', "no string"),
                (b'{"name": "\xff"}', 'field "name"', "UTF-8"),
                (b'{"name": "\\ud800"}', 'field "name"'),
                (b'{"name": "a", "name": "b"}', 'field "name"', "twice"),
                (b'{"title": "a"}', 'field "title"', "no such field"),
                (b'{"age": NaN}', 'field "age"', "number"),
                (b'{"age": 1e999}', 'field "age"', "number"),
                (b'{"age": -1}', 'field "age"', "out of range"),
                (b'{"age": 100}', 'field "age"', "out of range"),
                (b'{"age": [1, 2]}', 'field "age"', "number"),
                (b'{"v": [1]}', 'field "v"', "has 1 numbers"),
                (b'{"v": [1, "2"]}', 'field "v"', "number"),
                (b'{"v": [1, 1e300]}', 'field "v"', "out of range"),
                (b'{"words": []}', 'field "words"', "no words"),
                (b'{"words": ["a", 5]}', 'field "words"', "no string"),
                (b'{"words": "..."}', 'field "words"', "no words"),
                (b'{}', "none of the fields"),
                (b'{"name": null}', "none of the fields"),
                (b'{"name": "a"', ""),
                (b'{"name": "a"} {}', "follows"),
                (b'["a"]', "no JSON object")):
            with self.subTest(line[:60]):
                self.refused(ALL, line, *parts)

    def test_other_queries_are_answered(self):
        answers = self.search(STRING, [{"name": "harbour"}], [{"nam": "x"}, {"name": "harbor"}, b"\xff", {"name": ""}])
        self.assertEqual([list(answer) for answer in answers], [["error"], ["hits", "certain"], ["error"], ["error"]])
        self.assertIn('queries.jsonl:1: field "nam"', answers[0]["error"])
        self.assertIn("queries.jsonl:3: ", answers[2]["error"])
        self.search(STRING, [{"name": "harbour"}], [{"nam": "x"}], status=65)

    def test_too_many_keywords(self):
        answers = self.search(PEOPLE, [{"words": ["a"]}], [{"words": [str(i) for i in range(200)]}])
        self.assertEqual([hit["count"] for hit in answers[0]["hits"]], [])  # of words that no item has
        items = [{"words": [str(i) for i in range(200)]}]
        answers = self.search(PEOPLE, items, [{"words": [str(i) for i in range(count)]} for count in (128, 127)])
        self.assertIn("add up to 256", answers[0]["error"])
        self.assertEqual([hit["count"] for hit in answers[1]["hits"]], [254])

    def test_schemas(self):
        for schema, *parts in (
                ("{", "schema.json"), ("[]", "no JSON object"), ({"fields": {}}, "1 to 15 fields"), ({"field": {}}, "field: "),
                ({"fields": {"a": {}}}, "fields.a", "kind"), ({"fields": {"a": {"kind": "text"}}}, "fields.a.kind", "none of string"),
                ({"fields": {"a": {"kind": "string", "gram": 99}}}, "fields.a.gram", "1 to 8"),
                ({"fields": {"a": {"kind": "string", "bucket": 9}}}, "fields.a.bucket", "no setting"),
                ({"fields": {"a": {"kind": "number"}}}, "fields.a", "min"),
                ({"fields": {"a": {"kind": "number", "min": 0, "max": 1e9, "bucket": 1e-3}}}, "fields.a", "buckets"),
                ({"fields": {"a": {"kind": "vector"}}}, "fields.a", "dimensions"),
                ({"id": "a", "fields": {"a": {"kind": "words"}}}, "fields.a", "name")):
            with self.subTest(schema):
                message = self.search(schema, [{"a": "x"}], [{"a": "x"}], status=78)
                for part in parts:
                    self.assertIn(part, message)

    def test_usage(self):
        self.assertIn("no items", self.search(STRING, [], [{"name": "x"}], status=65))
        self.search(STRING, [{"name": "x"}], [], "-k", "0", status=64)


ALL = {"fields": {"name": {"kind": "string"}, "age": {"kind": "number", "min": 0, "max": 99}, "v": {"kind": "vector", "dimensions": 2},
                  "words": {"kind": "words"}}}


class Options(SearchTest):
    def test_distances_and_ids(self):
        schema = {"id": "key", **STRING}
        items = [{"key": "a", "name": "harbour"}, {"key": "b", "name": "harbor"}, {"key": "c", "name": "xyz"}]
        answer = self.search(schema, items, [{"name": "harbor"}], "--max-distance", "1")[0]
        self.assertEqual([(hit["id"], hit["distance"]) for hit in answer["hits"]], [("b", 0), ("a", 1)])
        self.assertIn("needs its id", self.search(schema, [{"name": "x"}], [{"name": "x"}], status=65))

    def test_ignored_fields_and_gzip(self):
        schema = {"unknown_fields": "ignore", **STRING}
        (self.folder / "items.jsonl.gz").write_bytes(gzip.compress(b'{"name": "harbour", "x": [1, {"y": 2}]}\n'))
        (self.folder / "schema.json").write_text(json.dumps(schema))
        done = subprocess.run([neardup.BINARY, "search", "--schema", "schema.json", "--items", "items.jsonl.gz"], cwd=self.folder,
                              input='{"name": "harbour"}\n', capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(json.loads(done.stdout)["hits"], [{"item": 1, "count": 6, "distance": 0}])
        self.assertIn("1 answers certain", done.stderr)

    def test_candidates_end_a_search(self):
        items = [{"name": "aaaa" + letter} for letter in "bcdefgh"]
        answer = self.search(STRING, items, [{"name": "zzzz"}], "--candidates", "1", "-k", "1")[0]
        self.assertEqual(answer, {"hits": [], "certain": False})


if __name__ == "__main__":
    unittest.main()
