"""`neardup similar` gives the documents that comparing everything gives, and says how complete an answer is."""

import fractions
import json
import math
import random
import subprocess
import unittest

import neardup
import sketches
from folder import FolderTest

SEED = 20261122
SIZE, BITS = 128, 8
SETS = (f"sketch.size={SIZE}", "against=all")
DOCUMENTS = 400
FORM = ["as_of_seq", "engine", "complete_above", "searched", "hits", "took_ms"]
HIT = ["id", "seq", "similarity", "similarity_low", "similarity_high", "equal", "bands_hit"]


def values(text):
    return sketches.values_of(text, "word", 5, SIZE, BITS)


def make_texts(chosen, count):
    """Families of texts whose members differ in few or in most words."""
    words = [f"word{i}" for i in range(3000)]
    parents = [[chosen.choice(words) for _ in range(80)] for _ in range(12)]
    for _ in range(count):
        share = chosen.random() ** 2 / 3
        yield " ".join(chosen.choice(words) if chosen.random() < share else word for word in chosen.choice(parents))


class Similar(FolderTest):
    ENGINE = "scan"
    SETS = SETS

    def setUp(self):
        super().setUp()
        self.chosen = random.Random(SEED)
        self.live = {}  # (namespace, id) → seq, text
        self.seq = 0

    def scan(self, records, sets=None):
        path = self.folder / f"{self.seq}.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        neardup.scan_or_fail([path], self.folder / "flags", self.state, sets or self.SETS)
        for record in records:
            self.seq += 1
            self.live[record.get("namespace", ""), record["id"]] = self.seq, record["text"]

    def fill(self, count=DOCUMENTS, **more):
        self.scan([{"id": f"d{i}", "namespace": self.chosen.choice(["", "", "b"]), "text": text, **more}
                   for i, text in enumerate(make_texts(self.chosen, count))])

    def run_similar(self, *words, stdin="", sets=None):
        engine = [] if "--engine" in words else ["--engine", self.ENGINE]
        command = [neardup.BINARY, "similar", "--state", str(self.state), *engine, *map(str, words)]
        for setting in sets or self.SETS:
            command += ["--set", setting]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)

    def ask(self, *words, stdin="", status=0):
        done = self.run_similar(*words, stdin=stdin)
        self.assertEqual(done.returncode, status, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def nominated(self, own, other, least):
        """Whether the engine must compare these two."""
        return True

    def compared(self, text, name_space, but=None, least=0.3):
        """(equal values, seq, id) of the live documents of the namespace that are compared, best first."""
        own = values(text)
        found = [(-sketches.equal(own, values(other)), seq, name)
                 for (space, name), (seq, other) in self.live.items()
                 if space == name_space and name != but and self.nominated(own, values(other), least)]
        return [(-equal, seq, name) for equal, seq, name in sorted(found)]

    def check(self, answer, text, name_space, but=None, k=10, least=0.3):
        compared = self.compared(text, name_space, but, least)
        wanted = [row for row in compared if sketches.similarity(row[0], SIZE, BITS) >= least][:k]
        hits = answer["hits"]
        self.assertEqual([(hit["equal"], hit["seq"], hit["id"]) for hit in hits], wanted)
        form = [name for name in FORM[:5] + ["fewer_because"] * (len(hits) < k) + FORM[5:]]
        self.assertEqual(list(answer), form)
        self.assertEqual(answer["engine"], self.ENGINE)
        self.assertEqual(answer["as_of_seq"], self.seq)
        self.assertEqual(answer["searched"], sum(space == name_space for space, _ in self.live))
        for hit in hits:
            self.assertEqual(list(hit), HIT)
            self.assertEqual(hit["similarity"], sketches.similarity(hit["equal"], SIZE, BITS))
            self.assertLessEqual(hit["similarity_low"], hit["similarity"])
            self.assertGreaterEqual(hit["similarity_high"], hit["similarity"])
        if len(hits) < k:
            self.check_reason(answer["fewer_because"], len(compared) > len(hits))

    def check_reason(self, reason, others):
        self.assertEqual(reason, "min_similarity" if others else "documents")

    def test_hits_are_the_documents_with_the_most_equal_values(self):
        self.fill()
        names = self.chosen.sample(sorted(self.live), 25)
        for name_space, name in names[:8]:
            [answer] = self.ask("--id", name, "--namespace", name_space, "-k", 7)
            self.check(answer, self.live[name_space, name][1], name_space, but=name, k=7)
        queries = [{"namespace": space, "id": name} for space, name in names]
        queries += [{"namespace": space, "text": text} for space in ("", "b") for text in make_texts(self.chosen, 10)]
        answers = self.ask("-", "--min-similarity", 0.1, stdin="".join(json.dumps(q) + "\n" for q in queries))
        self.assertEqual(len(answers), len(queries))
        for query, answer in zip(queries, answers):
            name = query.get("id")
            text = query.get("text") or self.live[query["namespace"], name][1]
            self.check(answer, text, query["namespace"], but=name, least=0.1)

    def test_deletes_and_new_versions_are_seen(self):
        self.fill()
        names = [name for space, name in self.live if space == ""]
        near = max(names, key=lambda name: self.compared(self.live["", name][1], "", name)[5:6])
        text = self.live["", near][1]
        for _ in range(3):
            [answer] = self.ask("--id", near)
            self.check(answer, text, "", but=near)
            best = answer["hits"][0]["id"]
            neardup.run("delete", "--state", self.state, best)
            del self.live["", best]
        other = answer["hits"][1]["id"]
        self.scan([{"id": other, "text": " ".join(f"new{i}" for i in range(60))}, {"id": "copy", "text": text}])
        [answer] = self.ask("--id", near)
        self.check(answer, text, "", but=near)
        neardup.run("compact", "--state", self.state)
        [answer] = self.ask("--id", near)
        self.check(answer, text, "", but=near)

    def test_a_file_is_one_text_or_lines(self):
        self.fill(50)
        text = self.live[next(iter(self.live))][1]
        one, lines = self.folder / "text.txt", self.folder / "queries.jsonl"
        one.write_text(text)
        lines.write_text(json.dumps({"text": text}) + "\n" + json.dumps({"text": text, "id": "own"}) + "\n")
        [answer] = self.ask(one)
        self.check(answer, text, "")
        first, second = self.ask(lines)
        self.check(first, text, "")
        self.assertEqual(second["hits"], first["hits"])

    def test_few_documents_and_the_reason(self):
        self.scan([{"id": "a", "text": "one two three four five six seven"}])
        [answer] = self.ask("--id", "a")
        self.assertEqual(answer["hits"], [])
        self.check_reason(answer["fewer_because"], False)
        [answer] = self.ask("-", "--namespace", "other", stdin='{"text":"one two three four five six seven"}\n')
        self.assertEqual(answer["searched"], 0)
        self.check_reason(answer["fewer_because"], False)
        self.scan([{"id": "b", "text": "eight nine ten eleven twelve thirteen fourteen"}])
        [answer] = self.ask("--id", "a", "-k", 10_000)
        self.assertEqual(answer["hits"], [])
        self.check_reason(answer["fewer_because"], True)

    def test_a_query_without_an_answer_says_why(self):
        self.fill(20)
        self.scan([{"id": "short", "text": "two words"}, {"id": "none", "text": ""}])
        for query, why in (('{"id":"nobody"}', "no such id"), ('{"text":"two words"}', "text.min_tokens"),
                           ('{"text":""}', "text.min_tokens"), ('{"id":"short"}', "text.min_tokens"),
                           ('{"id":"none"}', "text.min_tokens"), ("{}", "neither a text nor an id"),
                           ("not json", "JSON"), ('{"id":"d1","delete":true}', "is a delete")):
            with self.subTest(query=query):
                error, answer = self.ask("-", stdin=query + '\n{"text":"one two three four five six"}\n')
                self.assertEqual(list(error), ["error"])
                self.assertIn(why, error["error"])
                self.assertIn("hits", answer)
                [error] = self.ask("-", stdin=query + "\n", status=65)
                self.assertIn(why, error["error"])
        self.assertEqual(self.ask("-", stdin=""), [])

    def test_what_cannot_be_asked_is_refused(self):
        self.fill(20)
        text = self.folder / "text.txt"
        text.write_text("one two three four five six seven")
        short = self.folder / "short.txt"
        short.write_text("two words")
        for words, sets, status, why in (
                (["--id", "nobody"], self.SETS, 64, "no such id"), (["--id", "d1", text], self.SETS, 64, "--id"),
                ([text, "--engine", "fast"], self.SETS, 64, "auto, scan, match"),
                ([], self.SETS, 64, "--id"), ([text, "-k", "0"], self.SETS, 64, "from 1 to 10000"),
                ([text, "--min-similarity", "1.5"], self.SETS, 64, "from 0 to 1"), ([short], self.SETS, 65, "text.min_tokens"),
                ([self.folder / "missing"], self.SETS, 65, "cannot be read"), ([self.folder], self.SETS, 65, "cannot be read"),
                ([text], ("sketch.size=64",), 78, "sketch.size"),
                ([text], (*self.SETS, "text.max_bytes=16"), 78, "text.max_bytes")):
            with self.subTest(words=words):
                done = self.run_similar(*words, sets=sets)
                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                self.assertIn(why, done.stderr)
        self.state = self.folder / "nothing"
        self.assertEqual(self.run_similar("--id", "d1").returncode, 75)

    def test_copies_have_no_sketch_under_against_kept(self):
        sets = (f"sketch.size={SIZE}",)
        text = " ".join(f"word{i}" for i in range(50))
        self.scan([{"id": "kept", "text": text}, {"id": "copy", "text": text}], sets)
        done = self.run_similar("--id", "copy", sets=sets)
        self.assertEqual(done.returncode, 64)
        self.assertIn("copy of kept (seq 1)", done.stderr)
        done = self.run_similar("-", stdin=json.dumps({"text": text}) + "\n", sets=sets)
        self.assertEqual([hit["id"] for hit in json.loads(done.stdout)["hits"]], ["kept"])


def most_differing_bits(least):
    """Documents with this similarity differ in more bits with a chance of at most 1 in 500."""
    equal = fractions.Fraction(1 + fractions.Fraction(str(least))) / 2
    below = 0
    for count in range(SIZE + 1):
        below += math.comb(SIZE, count) * equal ** count * (1 - equal) ** (SIZE - count)
        if below >= fractions.Fraction(2, 1000):
            return SIZE - count


class Partial:
    """An engine that does not see all documents."""

    def check_reason(self, reason, others):
        self.assertEqual(reason, "reach", "it cannot prove that all others are less similar")


class Indexed:
    """What only an index on disk can show."""

    def answers(self, queries, *words):
        done = self.ask("-", *words, stdin="".join(json.dumps(query) + "\n" for query in queries))
        return [{name: value for name, value in answer.items() if name != "took_ms"} for answer in done]

    def test_an_index_on_disk_changes_no_answer(self):
        sets = (*self.SETS, "similar.index=on", f"similar.engine={self.ENGINE}")
        records = [{"id": f"d{i}", "text": text} for i, text in enumerate(make_texts(self.chosen, 17_000))]
        path = self.folder / "many.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        neardup.scan_or_fail([path], self.folder / "flags", self.state, sets)
        queries = [{"id": f"d{self.chosen.randrange(17_000)}"} for _ in range(30)]
        with_index = self.answers(queries)
        [segment] = (self.state / "similar").iterdir()
        self.assertEqual(segment.name.partition("-")[0], "0")
        self.assertEqual(self.answers(queries, "--engine", "auto"), with_index)
        whole = segment.read_bytes()
        for damaged in (whole[:1000], whole[:100_000] + b"?" + whole[100_001:]):
            segment.write_bytes(damaged)
            self.assertEqual(self.answers(queries), with_index)
        segment.unlink()
        self.assertEqual(self.answers(queries), with_index)
        self.assertEqual({answer["engine"] for answer in self.answers(queries, "--engine", "auto")}, {"scan"})
        self.seq = 17_000
        self.scan([{"id": f"e{i}", "text": text} for i, text in enumerate(make_texts(self.chosen, 10))], sets)
        [segment] = (self.state / "similar").iterdir()
        stats = json.loads(neardup.run("stats", "--json", "--state", self.state))
        self.assertEqual((stats["keyword_segments"], stats["keyword_bytes"]), (1, segment.stat().st_size))
        self.assertIn(f"in 1 segments, {self.KEYWORDS} a document", neardup.run("stats", "--state", self.state))
        query, answer = next(pair for pair in zip(queries, with_index) if pair[1]["hits"])
        best = answer["hits"][0]["id"]
        neardup.run("delete", "--state", self.state, best)
        size = segment.stat().st_size
        after = self.answers([query])
        self.assertNotIn(best, [hit["id"] for hit in after[0]["hits"]])
        neardup.run("compact", "--state", self.state)
        [compacted] = (self.state / "similar").iterdir()
        self.assertLess(compacted.stat().st_size, size, "a document less")
        self.assertEqual(self.answers([query]), after)

    def test_backups_leave_the_index_out(self):
        self.fill(30)
        (self.state / "similar").mkdir()
        (self.state / "similar" / "0-31").write_bytes(b"x" * 1000)
        neardup.run("backup", "--state", self.state, self.folder / "copy")
        self.assertFalse(list((self.folder / "copy").rglob("similar")))
        neardup.run("restore", "--state", self.folder / "restored", self.folder / "copy")
        name_space, name = next(iter(self.live))
        query = {"namespace": name_space, "id": name}
        before = self.answers([query])
        self.state = self.folder / "restored"
        self.assertEqual(self.answers([query]), before)


def bits_of(sketch):
    return [value & 1 for value in sketch]


def within_limit(own, other, least):
    return sum(a != b for a, b in zip(bits_of(own), bits_of(other))) <= most_differing_bits(least)


class SimilarByKeywords(Indexed, Partial, Similar):
    ENGINE = "match"
    KEYWORDS = 32

    def nominated(self, own, other, least):
        common = any(own[2 * i:2 * i + 2] == other[2 * i:2 * i + 2] for i in range(self.KEYWORDS))
        return common and within_limit(own, other, least)


class SimilarByErrorWeights(Indexed, Partial, Similar):
    ENGINE = "ewh"
    KEYWORDS = SIZE // 16

    def nominated(self, own, other, least):
        a, b = bits_of(own), bits_of(other)
        errors = [sum(a[j] != b[j] for j in range(i, i + 16)) for i in range(0, SIZE, 16)]
        return sum(4 - e for e in errors if e <= 2) >= 4 and within_limit(own, other, least)


class SimilarByBuckets(Partial, Similar):
    ENGINE = "lsh"
    BANDS, ROWS = 20, 4
    SETS = (*SETS, f"lsh.bands={BANDS}", f"lsh.rows={ROWS}")

    def nominated(self, own, other, least):
        return any(own[i:i + self.ROWS] == other[i:i + self.ROWS] for i in range(0, self.BANDS * self.ROWS, self.ROWS))

    def test_an_id_needs_the_configuration(self):
        self.fill(20)
        done = self.run_similar("--id", "d1", sets=("sketch.size=64",))
        self.assertEqual(done.returncode, 78, "buckets depend on the seed")
        self.assertIn("sketch.size", done.stderr)


if __name__ == "__main__":
    unittest.main()
