"""`neardup eval`: precision and recall against pairs that are known, by an independent count, and what it refuses."""

import itertools
import json
import random
import subprocess
import unittest

import neardup
from folder import FolderTest


def flag(seq, name, original=None):
    record = {"id": name, "seq": seq, "status": "near_duplicate" if original else "unique"}
    if original:
        record |= {"duplicate_of": original[1], "duplicate_of_seq": original[0], "similarity": 0.9, "similarity_low": 0.8,
                   "similarity_high": 0.95, "verified_by": "sketch", "bands_hit": 3}
    record |= {"threshold": 0.8, "rule": "0123456789abcdef", "source": {"file": "in.jsonl", "line": seq}}
    return json.dumps(record)


class Eval(FolderTest):
    def write(self, name, lines):
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    def eval(self, pairs, flags, *options, status=0, **run):
        done = subprocess.run([neardup.BINARY, "eval", *options, str(pairs), str(flags)], capture_output=True, text=True, timeout=60, **run)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def test_counts_and_pairs(self):
        flags = self.write("flags", [flag(1, "a"), flag(2, "b", (1, "a")), flag(3, "c", (1, "a")), flag(4, "d"), flag(5, "é"),
                                     flag(6, "f", (4, "d")), flag(7, "g")])
        # b and c are found over a; é and g are missed; f is wrong; x has no flag.
        pairs = self.write("pairs.tsv", ["a\tb\t0.93", "b\tc", "", "é\tg", "a\tx"])
        found = json.loads(self.eval(pairs, flags, "--json"))
        self.assertEqual(found, {"documents": 7, "known_pairs": 3, "found": 2, "recall": 0.6667, "flagged_pairs": 3, "right": 2,
                                 "precision": 0.6667, "f1": 0.6667, "pairs_without_a_flag": 1, "missed": [["é", "g"]], "wrong": [["f", "d"]]})
        text = self.eval(pairs, flags)
        for part in ("recall     0.6667", "precision  0.6667", "missed (1 of 1):\né\tg\n", "(1 of 1):\nf\td\n", "1 known pairs have an id without a flag"):
            self.assertIn(part, text)

    def test_against_an_independent_count(self):
        chance = random.Random(3)
        for _ in range(20):
            names = [f"d{i}" for i in range(60)]
            originals, lines, truth = [], [], []
            for seq, name in enumerate(names, 1):
                original = chance.choice(originals) if originals and chance.random() < 0.5 else None
                if original is None:
                    originals.append((seq, name))
                lines.append(flag(seq, name, original))
                if seq > 1 and chance.random() < 0.5:
                    truth.append((name, chance.choice(names[:seq - 1])))
            truth = truth or [("d1", "d0")]
            links = [(json.loads(line)["id"], json.loads(line).get("duplicate_of")) for line in lines]
            links = [link for link in links if link[1]]
            found = json.loads(self.eval(self.write("pairs", ["\t".join(pair) for pair in truth]), self.write("flags", lines), "--json"))
            by_flags, by_pairs = closure(names, links), closure(names, truth)
            self.assertEqual(found["found"], sum(pair in by_flags for pair in truth))
            self.assertEqual(found["right"], sum(pair in by_pairs for pair in links))
            self.assertEqual((found["known_pairs"], found["flagged_pairs"]), (len(truth), len(links)))

    def test_flags_of_a_run(self):
        texts = ["one two three four five six seven eight nine ten", "another text that is like no other one at all here"]
        path = self.write("in.jsonl", [json.dumps({"id": name, "text": text}) for name, text in
                                       (("a", texts[0]), ("b", texts[0]), ("c", texts[1]))])
        neardup.scan_or_fail([path], self.output)
        found = json.loads(self.eval(self.write("pairs", ["a\tb"]), self.output, "--json"))
        self.assertEqual((found["recall"], found["precision"], found["missed"], found["wrong"]), (1, 1, [], []))

    def test_what_cannot_be_used_is_named(self):
        flags = self.write("flags", [flag(1, "a")])
        for lines, reason in ((["a\tb", "a b"], "line 2: there is no tab"), (["\tb"], "line 1: an id is empty"), (["a\ta"], "both ids are the same"),
                              ([], "there are no pairs")):
            self.assertIn(reason, self.eval(self.write("pairs", lines), flags, status=65))
        good = self.write("pairs", ["a\tb"])
        self.assertIn("cannot read", self.eval(self.folder / "missing", flags, status=65))
        self.assertIn("there are no flags", self.eval(good, self.write("none", []), status=65))
        self.assertIn("line 1", self.eval(good, good, status=65))
        self.assertIn("standard input", self.eval("-", "-", status=64, input=""))


def closure(names, links):
    """All pairs that links connect, by sets that grow: slow and plain."""
    groups = [{name} for name in names]
    for a, b in links:
        first = next(group for group in groups if a in group)
        second = next(group for group in groups if b in group)
        if first is not second:
            first |= second
            groups.remove(second)
    return {pair for group in groups for pair in itertools.permutations(group, 2)}


if __name__ == "__main__":
    unittest.main()
