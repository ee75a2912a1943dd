"""The flags of the package are those of `neardup scan`, byte for byte without source, and their states are the same."""

import json

import package
from package import Test, lines, package as neardup, records, scan, words


def columns(documents):
    return ([d["text"] for d in documents], [d["id"] for d in documents], [d.get("namespace", "") for d in documents])


WAYS = ({}, {"threshold": 0.5, "lsh": {"recall": 0.9}}, {"against": "all"}, {"verify": {"mode": "exact"}}, {"lsh": {"bucket_cap": 2}}, {"shingle": {"unit": "char"}},
        {"sketch.family": "minhash"}, {"batch": {"documents": 7}}, {"cpu.threads": 1})


class SameFlags(Test):
    def test_under_many_settings(self):
        documents = records(1, 3000)
        for settings in WAYS:
            with self.subTest(settings=settings), neardup.Deduplicator(**settings) as index:
                self.assert_same(scan(documents, neardup._settings.pairs(settings)), lines(index.add(*columns(documents))))

    def test_in_any_pieces(self):
        documents = records(2, 2000)
        wanted = scan(documents)
        for size in 1, 3, 64, 65, 1000:
            with self.subTest(size=size), neardup.Deduplicator() as index:
                found = b"".join(lines(index.add(documents[i:i + size])) for i in range(0, len(documents), size))
                self.assert_same(wanted, found)

    def test_of_an_iterator(self):
        documents = records(3, 40_000)
        with neardup.Deduplicator() as index:
            self.assert_same(scan(documents), lines(index.add(iter(documents))))

    def test_of_bytes_and_of_texts_that_are_rejected(self):
        documents = [{"id": "a", "text": words(1, 100)}, {"id": "", "text": "x"}, {"id": "i" * 1025, "text": "x"},
                     {"id": "b", "text": "y" * 200}, {"id": "c", "text": ""}, {"id": "d", "text": "too short"},
                     {"id": "e", "namespace": "n" * 1025, "text": "x"}, {"id": "f", "text": "Größe 漢字 🎈 " + words(1, 9)}]
        wanted = scan(documents, ["text.max_bytes=700"])
        with neardup.Deduplicator(**{"text.max_bytes": 700}) as index:
            texts, ids, namespaces = columns(documents)
            self.assert_same(wanted, lines(index.add([text.encode() for text in texts], ids, namespaces)))
        self.assertEqual([json.loads(line + b"}").get("reason") for line in wanted.splitlines()][:4],
                         [None, "invalid_id", "invalid_id", None])

    def test_of_replaced_surrogates(self):
        documents = [{"id": "a", "text": "\ud800 " + words(1, 20)}, {"id": "b", "text": words(1, 20) + " \udc00\ud800"}]
        with neardup.Deduplicator() as index:
            self.assert_same(scan(documents), lines(index.add(documents, errors="replace")))

    def test_checks_are_the_flags_to_come(self):
        documents = records(4, 600)
        with neardup.Deduplicator() as index:
            index.add(documents[:300])
            for document in documents[300:]:
                checked = index.check([document])
                self.assertIn(b'"as_of_seq":', checked.to_jsonl())
                wanted = lines(index.add([document]))
                self.assertEqual(package.command.flags_of_checks(checked.to_jsonl()), wanted)


class States(Test):
    def test_each_continues_what_the_other_made(self):
        documents = records(5, 3000)
        wanted = scan(documents)
        state = self.folder / "state"
        found = scan(documents[:1000], state=state)
        with neardup.Deduplicator(state) as index:
            found += lines(index.add(documents[1000:2000]))
        found += scan(documents[2000:], state=state)
        self.assert_same(wanted, found)

    def test_a_state_keeps_its_rule(self):
        state = self.folder / "state"
        scan([{"id": "a", "text": words(1, 100)}], ["threshold=0.6"], state)
        with neardup.Deduplicator(state) as index:
            self.assertEqual(index.stats()["documents"], 1)
            flags = index.add([words(1, 88)], ["b"])
            self.assertEqual((flags.status, flags.duplicate_of), (["near_duplicate"], ["a"]))
        with self.assertRaisesRegex(neardup.RuleError, "threshold"):
            neardup.Deduplicator(state, threshold=0.9)

    def test_what_was_added_is_there_again(self):
        with neardup.Deduplicator(self.folder / "state", **{"storage.keep_texts": "all"}) as index:
            index.add([words(1, 100), words(1, 99)], ["a", "b"])
        with neardup.Deduplicator(self.folder / "state") as index:
            self.assertEqual(index.add([words(1, 100)], ["c"]).duplicate_of, ["a"])
            explained = index.explain("a", "b")
            self.assertGreater(explained["exact"]["similarity"], 0.98)
            self.assertIn("w1 w2", str(explained))
            self.assertEqual(index.groups(), [{"group": "a", "seq": 1, "copies": 2}])
            self.assertEqual([hit["id"] for hit in index.similar(words(1, 90), k=3)], ["a"])
            self.assertEqual(index.similar(id="a", k=3, engine="lsh"), [])
            self.assertEqual(index.delete(["a", "z"])["unknown"], ["z"])
            self.assertEqual(index.add([words(1, 100)], ["d"]).status, ["unique"])

    def test_a_second_add_of_the_same_has_the_first_decision(self):
        with neardup.Deduplicator() as index:
            texts, ids = [words(1, 100), words(1, 99), words(300, 400)], ["a", "b", "c"]
            first = index.add(texts, ids).kept
            again = index.add(texts, ids)
            self.assertEqual(again.status, ["unchanged"] * 3)
            self.assertEqual(again.kept, first)


class Sketches(Test):
    def test_estimates_are_those_of_explain(self):
        texts = [words(1, 100), words(10, 110), "short"]
        sketches = neardup.sketch(texts)
        self.assertEqual((len(sketches), sketches.has_sketch), (3, b"\1\1\0"))
        with neardup.Deduplicator() as index:
            for settings in {}, {"sketch.bits": 4}:
                sketches = neardup.sketch(texts, **settings)
                wanted = neardup.Deduplicator(**settings).explain({"text": texts[0]}, {"text": texts[1]})["sketch"]
                self.assertAlmostEqual(sketches.estimate(0, 1), wanted["similarity"], delta=0.001)
                both = len(set(sketches.buckets_of(0)) & set(sketches.buckets_of(1)))
                self.assertEqual(both, wanted["bands_hit"])
        self.assertIsNone(sketches.estimate(0, 2))
        self.assertEqual(sketches.buckets_of(2), [])


class Shown(Test):
    def test_objects_show_counts_and_pairs(self):
        with neardup.Deduplicator() as index:
            flags = index.add([words(1, 100), words(1, 99), "<b>"], ["a", "<i>", "c"])
            self.assertIn("1 near_duplicate", repr(flags))
            self.assertIn("'<i>' repeats 'a'", repr(flags))
            self.assertIn("&lt;i&gt;", flags._repr_html_())
            self.assertIn("2 documents kept", repr(index))
            self.assertIn("<pre>", index.explain("a", "<i>")._repr_html_())
            self.assertEqual(flags[1]["duplicate_of"], "a")
            self.assertEqual([flag["id"] for flag in flags], ["a", "<i>", "c"])
            self.assertEqual(flags[-1]["status"], "too_short")
            self.assertEqual(len(flags[:2]), 2)
        self.assertIn("closed", repr(index))


if __name__ == "__main__":
    package.main()
