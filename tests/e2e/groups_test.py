"""`neardup groups` against a brute force over random histories, its rules, and what it refuses."""

import collections
import gzip
import json
import os
import random
import subprocess
import unittest

import neardup
from folder import FolderTest
from similar_test import make_texts

RECORDS = 400
IDS = 120
FIELDS = "output.fields=url,text_bytes"
WAYS = {"the default": (), "against all": ("against=all",), "exact": ("verify.mode=exact", "storage.keep_texts=kept"),
        "no verification": ("verify.mode=none",)}
RULES = ["", "oldest", "newest", "longest", "shortest_url", "https", "https,shortest_url", "longest,newest", "score:/quality",
         "score:/quality,https,longest"]


def latest(flags):
    """The flag of each document that is still there."""
    now = {}
    for flag in sorted(flags, key=lambda flag: flag["seq"]):
        name = flag.get("namespace", ""), flag["id"]
        if flag["status"] == "deleted":
            now.pop(name, None)
        elif flag["status"] not in ("unchanged", "rejected"):
            now[name] = flag
    return now.values()


def brute_force(flags, key):
    """The groups: documents that name the same original, it among them. `key` of a flag: the least survives."""
    stars, names = {}, {}
    for flag in latest(flags):
        seq = flag.get("duplicate_of_seq", flag["seq"])
        stars.setdefault(seq, []).append(flag)
        names[seq] = flag.get("duplicate_of", flag["id"])
    groups = []
    for seq in sorted(stars):
        members = sorted(stars[seq], key=lambda flag: flag["seq"])
        if len(members) > 1:
            namespace = {"namespace": members[0]["namespace"]} if "namespace" in members[0] else {}
            groups.append({"group": names[seq], **namespace, "seq": seq, "survivor": min(members, key=key)["id"],
                           "members": [flag["id"] for flag in members]})
    return groups


def key_of(rules, records):
    """What to sort the flags of a group by. `records`: by namespace and id."""
    def one(rule, flag):
        record = records.get((flag.get("namespace", ""), flag["id"]), {})
        url = flag.get("url") or record.get("url") or ""
        if rule.startswith("score:"):
            score = record.get(rule.removeprefix("score:/"))
            return -score if isinstance(score, (int, float)) and not isinstance(score, bool) else float("inf")
        return {"oldest": flag["seq"], "newest": -flag["seq"], "https": not url.startswith("https:"),
                "longest": -flag.get("text_bytes", len(record.get("text", "").encode())),
                "shortest_url": len(url) or float("inf")}[rule]
    return lambda flag: [*(one(rule, flag) for rule in rules.split(",") if rule), flag["seq"]]


class History:
    """Random records: of few ids, so that many replace others, with copies, retries, deletes and bad ones."""

    def __init__(self, seed):
        self.chosen = random.Random(seed)
        self.texts = []

    def records(self, count):
        return [self._record(text) for text in make_texts(self.chosen, count)]

    def _record(self, text):
        if self.texts and self.chosen.random() < 0.6:
            text = self.chosen.choice(self.texts) + self.chosen.choice(["", " ", " more", "\n\nand some more words"])
        self.texts.append(text)
        record = {"id": f"d{self.chosen.randrange(IDS)} \"é", "text": text}
        if self.chosen.random() < 0.3:
            record["namespace"] = "news"
        if self.chosen.random() < 0.7:
            record["url"] = self.chosen.choice(["http", "https"]) + "://example.org/" + "x" * self.chosen.randrange(5)
        if self.chosen.random() < 0.8:
            record["quality"] = self.chosen.choice([-1, 0, 0.5, 2e3, "5", None, True, [7]])
        if self.chosen.random() < 0.06:
            return {key: value for key, value in record.items() if key in ("id", "namespace")} | {"delete": True}
        if self.chosen.random() < 0.04:
            record["text"] = 5
        return record


class Groups(FolderTest):
    def write(self, name, records):
        path = self.folder / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path

    def run_groups(self, *words, status=0, **run):
        done = subprocess.run([neardup.BINARY, "groups", *map(str, words)], capture_output=True, timeout=120, **run)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done

    def groups(self, *words, **run):
        return [json.loads(line) for line in self.run_groups(*words, **run).stdout.splitlines()]

    def expect_the_groups_of_the_brute_force(self, seed, *sets):
        """With the fields in the flags, and with inputs instead; the flags in one file and in the files of two runs."""
        records = History(seed).records(RECORDS)
        inputs = [self.write("a.jsonl", records[:RECORDS // 2]), self.write("b.jsonl", records[RECORDS // 2:])]
        files = []
        for path in inputs:
            files.append(path.with_suffix(".flags"))
            neardup.scan_or_fail([path], files[-1], self.folder / f"state-{seed}", (FIELDS, *sets))
        flags = [json.loads(line) for path in files for line in path.read_text().splitlines()]
        last = {}
        for record, flag in zip(records, flags):
            if flag["status"] not in ("deleted", "rejected"):
                last[flag.get("namespace", ""), flag["id"]] = record
        sizes = set()
        for rules in RULES:
            options = ["--prefer", rules] if rules else []
            if "score" in rules:
                options += ["--inputs", inputs[0], "--inputs", inputs[1]]
            wanted = brute_force(flags, key_of(rules, last))
            self.assertEqual(self.groups(*options, *files), wanted, rules)
            self.assertEqual(self.groups(*options, *reversed(files)), wanted, rules)
            sizes |= {len(group["members"]) for group in wanted}
        self.assertGreater(len(sizes), 2, "the documents are not copied enough")
        return flags, inputs, files

    def expect_the_largest_groups_of_the_state(self, state, flags):
        now = latest(flags)
        copies = collections.Counter(flag["duplicate_of_seq"] for flag in now if "duplicate_of" in flag)
        wanted = sorted(({"group": flag["id"], **({"namespace": flag["namespace"]} if "namespace" in flag else {}),
                          "seq": flag["seq"], "copies": copies[flag["seq"]]} for flag in now if flag["seq"] in copies),
                        key=lambda group: (-group["copies"], group["seq"]))
        self.assertGreater(len(wanted), 5)
        for top in (3, 1000):
            done = self.run_groups("--state", state, "--top", top, "--json")
            self.assertEqual(json.loads(done.stdout)["groups"], wanted[:top])
        table = self.run_groups("--state", state, "--top", "1").stdout.decode()
        self.assertRegex(table, rf"copies +seq +original\n +{wanted[0]['copies']} +{wanted[0]['seq']}  ")

    def test_groups_of_a_random_history(self):
        for seed, (way, sets) in enumerate(WAYS.items(), 20261201):
            with self.subTest(way, seed=seed):
                flags, _, _ = self.expect_the_groups_of_the_brute_force(seed, *sets)
                groups = brute_force(flags, key_of("", {}))
                gone = [group for group in groups if group["group"] != group["members"][0]]
                self.assertTrue(gone, "no original ended before its copies")
                self.expect_the_largest_groups_of_the_state(self.folder / f"state-{seed}", flags)

    def test_it_reads_flags_or_a_state(self):
        flags = self.write("flags.jsonl", [])
        for words in ((), ("--state", self.folder, flags), ("--top", "3", flags), ("--json", flags),
                      ("--state", self.folder, "--prefer", "oldest"), ("--state", self.folder, "--top", "0")):
            self.run_groups(*words, status=64)
        self.run_groups("--state", self.folder / "none", status=75)

    def test_inputs_say_what_flags_do_not(self):
        """Each id once: a record is that of the flag."""
        records = list({record["id"]: record for record in History(7).records(RECORDS)}.values())
        inputs = self.write("input.jsonl", records)
        bare = self.folder / "bare.jsonl"
        neardup.scan_or_fail([inputs], bare)
        flags = [json.loads(line) for line in bare.read_text().splitlines()]
        last = {(record.get("namespace", ""), record["id"]): record for record in records}
        for rules in ("longest", "shortest_url", "https,longest", "score:/quality,longest"):
            self.assertEqual(self.groups("--prefer", rules, "--inputs", inputs, bare), brute_force(flags, key_of(rules, last)), rules)

    def test_fields_of_inputs_are_those_of_the_configuration(self):
        records = [{"page": {"id": name, "at": url}, "content": text} for name, url, text in
                   [("a", "http://x/long", "one two three four five"), ("b", "http://x/", "One Two Three Four Five")]]
        inputs = self.write("input.jsonl", records)
        sets = ["input.id_field=/page/id", "input.text_field=/content", "input.url_field=/page/at"]
        neardup.scan_or_fail([inputs], self.output, sets=sets)
        words = [word for setting in sets for word in ("--set", setting)]
        self.assertEqual(self.groups(*words, "--prefer", "shortest_url", "--inputs", inputs, self.output),
                         [{"group": "a", "seq": 1, "survivor": "b", "members": ["a", "b"]}])

    def copies(self):
        """A flags file of one group, without more fields."""
        inputs = self.write("input.jsonl", [{"id": name, "text": "the cat sat on the mat"} for name in "abc"])
        neardup.scan_or_fail([inputs], self.output)
        return self.output

    def test_flags_are_read_packed_and_from_standard_input(self):
        flags = self.copies()
        wanted = [{"group": "a", "seq": 1, "survivor": "a", "members": ["a", "b", "c"]}]
        self.assertEqual(self.groups(flags), wanted)
        packed = self.folder / "flags.jsonl.gz"
        packed.write_bytes(gzip.compress(flags.read_bytes()))
        self.assertEqual(self.groups(packed), wanted)
        self.assertEqual(self.groups("-", input=flags.read_bytes()), wanted)

    def test_an_output_file_has_what_would_be_printed(self):
        flags, out = self.copies(), self.folder / "groups.jsonl"
        self.assertEqual(self.run_groups("-o", out, flags).stdout, b"")
        self.assertEqual(out.read_bytes(), self.run_groups(flags).stdout)

    def test_documents_without_copies_are_no_groups(self):
        inputs = self.write("input.jsonl", [{"id": "a", "text": "one two three four five"}, {"id": "b", "text": ""}])
        neardup.scan_or_fail([inputs], self.output)
        self.assertEqual(self.groups("--prefer", "longest", self.output), [])

    def test_what_a_rule_lacks_ends_with_64_and_names_the_setting(self):
        flags = self.copies()
        for rules, said in [("longest", b"output.fields: [text_bytes]"), ("https", b"output.fields: [url]"),
                            ("shortest_url", b"output.fields: [url]"), ("oldest,longest", b"longest needs text_bytes"),
                            ("score:/q", b"needs --inputs"), ("score:q", b"JSON pointer"), ("best", b"`best`")]:
            self.assertIn(said, self.run_groups("--prefer", rules, flags, status=64).stderr, rules)
        inputs = self.folder / "input.jsonl"
        said = self.run_groups("--prefer", "score:/quality", "--inputs", inputs, flags, status=64).stderr
        self.assertIn(b"score:/quality needs --inputs with a number there", said)

    def test_what_cannot_be_read_ends_with_65(self):
        flags = self.copies()
        said = self.run_groups(self.folder / "input.jsonl", status=65).stderr.decode()
        self.assertIn(f"{self.folder / 'input.jsonl'}, line 1: not a flag of neardup", said)
        self.run_groups(self.folder / "missing", status=65)
        self.run_groups("--inputs", self.folder / "missing", flags, status=65)
        cut = self.folder / "cut.jsonl"
        cut.write_bytes(flags.read_bytes()[:-20])
        self.assertIn(b"cut.jsonl, line 3", self.run_groups(cut, status=65).stderr)
        damaged = self.folder / "damaged.gz"
        damaged.write_bytes(gzip.compress(flags.read_bytes())[:-30])
        self.run_groups(damaged, status=65)

    def test_flags_of_two_states_are_refused(self):
        flags, other = self.copies(), self.folder / "other.jsonl"
        inputs = self.write("input.jsonl", [{"id": name, "text": "quite another text of words"} for name in "xyz"])
        neardup.scan_or_fail([inputs], other)
        self.assertIn(b"of one state only", self.run_groups(flags, other, status=65).stderr)

    def test_wrong_usage_changes_no_file(self):
        flags = self.copies()
        before = flags.read_bytes()
        self.run_groups("-o", flags, flags, status=64)
        self.run_groups("--inputs", "-", "-", status=64, input=before)
        self.run_groups(status=64)
        self.run_groups("--set", "input.id_field=id", flags, status=78)
        self.assertEqual(flags.read_bytes(), before)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_output_that_cannot_be_written_ends_with_74(self):
        self.run_groups("-o", "/dev/full", self.copies(), status=74)


if __name__ == "__main__":
    unittest.main()
