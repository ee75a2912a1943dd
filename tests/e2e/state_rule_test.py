"""Commands that read a state take the rule from it: no setting is repeated, what contradicts it is refused by name, and no sketch
is made without its seed."""

import json
import os
import pathlib
import re
import subprocess
import unittest

import neardup
from folder import FolderTest
from report_test import Page

SEED = "00112233445566778899aabbccddeeff"
OTHER_SEED = "ffeeddccbbaa99887766554433221100"
WORDS = [f"w{i}" for i in range(120)]
TEXTS = {"a": WORDS, "b": [*WORDS, "and", "one"], "far": [f"x{i}" for i in range(90)]}
SEGMENT = 20_000  # documents that the index of keywords has a file for
IDENTITY = slice(16, 24)  # in the file (docs/formats/similar.md)
RULE = ("threshold=0.7", "sketch.size=128", "shingle.size=3", "lsh.bands=20", "lsh.rows=5", "against=all",
        "verify.mode=exact", "storage.keep_texts=all")


def options(sets):
    return [word for setting in sets for word in ("--set", setting)]


class StateRule(FolderTest):
    def scan(self, *sets):
        self.input = self.folder / "docs.jsonl"
        self.input.write_text("".join(json.dumps({"id": name, "text": " ".join(text)}) + "\n" for name, text in TEXTS.items()))
        flags = neardup.scan_or_fail([self.input], self.output, self.state, sets)
        self.flags = {flag["id"]: flag for flag in map(json.loads, flags.splitlines())}
        self.assertEqual({name: flag["status"] for name, flag in self.flags.items()},
                         {"a": "unique", "b": "near_duplicate", "far": "unique"})
        self.query = self.folder / "query.txt"
        self.query.write_text(" ".join(TEXTS["b"]))
        self.page = self.folder / "report.html"

    def run_command(self, *words, status=0, environment=None, stdin=None):
        done = subprocess.run([neardup.BINARY, *map(str, words)], capture_output=True, text=True, timeout=60, input=stdin,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, status, f"{words}: {done.stderr}")
        return done

    def commands(self):
        """Each command that reads a state, by a name."""
        state = ("--state", self.state)
        return {
            "check": ("check", *state, self.input),
            "similar of a text": ("similar", *state, self.query),
            "similar of an id": ("similar", *state, "--id", "a"),
            "similar by buckets": ("similar", *state, "--id", "a", "--engine", "lsh"),
            "explain": ("explain", *state, "a", "b"),
            "explain a source": ("explain", *state, "a", f"@{self.input}:2"),
            "groups": ("groups", *state, "--json"),
            "report": ("report", *state, "-o", "-", self.output, self.input),
        }

    def answer(self, *words, sets=(), **run):
        """What the command prints, without times."""
        found = self.run_command(*words, *options(sets), **run).stdout
        if words[0] == "report":
            found = Page(found.encode()).data
        return re.sub(r'"took_ms":[0-9.]+|"made":"[^"]*"', '"time":0', found)


class Settings(StateRule):
    def test_no_setting_is_repeated(self):
        self.scan(*RULE)
        for name, words in self.commands().items():
            with self.subTest(name):
                self.assertEqual(self.answer(*words), self.answer(*words, sets=RULE[:-1]))
        checked = [json.loads(line) for line in self.answer(*self.commands()["check"]).splitlines()]
        self.assertEqual({flag["rule"] for flag in checked}, {self.flags["a"]["rule"]})
        explained = self.answer(*self.commands()["explain"])
        self.assertIn("threshold        0.700", explained)
        self.assertRegex(explained, "buckets shared   [0-9]+ of 20\n")

    def test_what_contradicts_the_rule_is_refused_by_its_name(self):
        self.scan(*RULE)
        for name, words in self.commands().items():
            for setting, of_state in (("threshold=0.8", "0.7"), ("sketch.size=256", "128"), ("shingle.unit=char", "word"),
                                      ("lsh.bands=16", "20"), ("verify.mode=sketch", "exact"), ("text.max_bytes=1KiB", "10MiB"),
                                      ("retention.max_age=1d", "0"), ("lsh.recall=0.5", "20 of 5")):
                with self.subTest(name, setting=setting):
                    said = self.run_command(*words, "--set", setting, status=78).stderr
                    self.assertIn(f"--set: `{setting.split('=')[0]}`", said)
                    self.assertIn(of_state, said)

    def test_the_message_says_where_each_setting_was_given(self):
        self.scan(*RULE)
        config = self.folder / "config.yaml"
        config.write_text("against: all\nthreshold: 0.75\nsketch: {bits: 8}\nshingle:\n  size: 4\n")
        said = self.run_command("explain", "--state", self.state, "-c", config, "a", "b", status=78,
                                environment={"NEARDUP_SKETCH_SIZE": "64"}).stderr
        for part in (f"{config}:2: `threshold` is 0.75, that of the state is 0.7", f"{config}:5: `shingle.size` is 4",
                     "NEARDUP_SKETCH_SIZE: `sketch.size` is 64", "Leave them out"):
            self.assertIn(part, said)
        for part in ("against", "sketch.bits"):
            self.assertNotIn(f"`{part}`", said)

    def test_a_setting_that_is_that_of_the_state_is_no_contradiction(self):
        self.scan("storage.keep_texts=all")
        for sets in (("threshold=0.80", "lsh.recall=0.99"), ("lsh.bands=16", "sketch.universe=none"), ("lsh.bands=auto", "lsh.rows=auto"),
                     ("retention.max_step=1h", "storage.memory=64MiB")):
            with self.subTest(sets):
                for words in self.commands().values():
                    self.run_command(*words, *options(sets))

    def test_what_is_asked_by_ids_takes_the_configuration_of_any_service(self):
        self.scan(*RULE)
        config = self.folder / "config.yaml"
        config.write_text("input: {format: raw}\nkafka:\n  brokers: k:9092\n  secrets: {sasl.password: /missing}\n"
                          "  librdkafka: {security.protocol: SASL_SSL, sasl.mechanisms: PLAIN, sasl.username: u}\n")
        for name in ("explain", "groups"):
            self.run_command(*self.commands()[name], "-c", config)

    def test_a_mistake_in_a_setting_is_told_as_ever(self):
        self.scan(*RULE)
        said = self.run_command("explain", "--state", self.state, "--set", "treshold=0.8", "a", "b", status=78).stderr
        self.assertIn("did you mean `threshold`?", said)

    def test_a_report_of_flags_of_another_rule_is_refused(self):
        self.scan(*RULE)
        other = self.folder / "other.jsonl"
        neardup.scan_or_fail([self.input], other)
        said = self.run_command("report", "--state", self.state, "-o", self.page, other, self.input, status=65).stderr
        self.assertIn(self.flags["a"]["rule"], said)
        self.assertFalse(self.page.exists())


class SecretSeed(StateRule):
    SETS = (f"sketch.seed={SEED}", "storage.keep_texts=all")
    GIVEN = ("--set", SETS[0])

    def setUp(self):
        super().setUp()
        self.scan(*self.SETS)
        self.bands = self.flags["b"]["bands_hit"]

    def test_with_it_evidence_is_that_of_the_flag(self):
        file = self.folder / "seed"
        file.write_text(SEED + "\n")
        for given in (self.GIVEN, ("--set", f"sketch.seed_file={file}")):
            for side in ("b", f"@{self.input}:2"):
                found = self.run_command("explain", "--state", self.state, *given, "a", side).stdout
                self.assertIn(f"buckets shared   {self.bands} of 16", found)
                self.assertRegex(found, rf"estimate +{self.flags['b']['similarity']:.3f} ")

    def test_without_it_explain_makes_no_sketch_and_asks_for_it(self):
        for sides, of in ((("a", "b"), "of B"), (("b", "a"), "of A"), (("a", f"@{self.input}:2"), "of B"),
                          ((f"@{self.input}:1", f"@{self.input}:2"), "of both")):
            with self.subTest(sides):
                found = self.run_command("explain", "--state", self.state, *sides).stdout
                self.assertIn("estimate         not known: the seed of the state is secret; with `sketch.seed_file`", found)
                self.assertIn(f"the text {of} has a sketch", found)
                self.assertNotIn("buckets", found)
                self.assertRegex(found, "exact Jaccard +0.9[0-9]+ ")
        found = self.run_command("explain", "--state", self.state, "a", "far").stdout
        self.assertIn("buckets shared   0 of 16", found)  # both sketches are stored
        found = self.run_command("explain", "--state", self.state, "a", f"@{self.input}:1").stdout
        self.assertIn("the normalised texts are equal", found)

    def test_without_it_what_needs_a_sketch_is_refused(self):
        for name in ("check", "similar of a text", "similar by buckets"):
            with self.subTest(name):
                said = self.run_command(*self.commands()[name], status=78).stderr
                self.assertIn("`sketch.seed_file` or `sketch.seed`", said)
                self.run_command(*self.commands()[name], *self.GIVEN)
        said = self.run_command("similar", "--state", self.state, "-", status=78, stdin='{"id":"a"}\n').stderr
        self.assertIn("sketch.seed_file", said)

    def test_without_it_an_id_is_asked_about(self):
        for engine in ("scan", "match", "ewh"):
            words = (*self.commands()["similar of an id"], "--engine", engine)
            self.assertEqual(self.answer(*words), self.answer(*words, *self.GIVEN))

    def test_without_it_the_index_of_keywords_is_still_that_of_the_state(self):
        more = self.folder / "more.jsonl"
        with more.open("w") as file:
            for i in range(SEGMENT):
                file.write(json.dumps({"id": f"d{i}", "text": f"{i} " * 5}) + "\n")
        neardup.scan_or_fail([more], self.output, self.state, (*self.SETS, "similar.index=on"))

        def identities():
            return {path.read_bytes()[IDENTITY] for path in (self.state / "similar").iterdir()}
        before = identities()
        self.assertEqual(len(before), 1)
        words = self.commands()["similar of an id"]
        self.assertEqual(json.loads(self.run_command(*words).stdout)["engine"], "match")
        self.run_command("delete", "--state", self.state, "d7")
        self.run_command("compact", "--state", self.state)
        self.assertEqual(identities(), before)

    def test_another_one_is_refused_and_not_shown(self):
        file = self.folder / "seed"
        file.write_text(OTHER_SEED)
        for name, words in self.commands().items():
            for setting in (f"sketch.seed={OTHER_SEED}", f"sketch.seed_file={file}"):
                with self.subTest(name, setting=setting.split("=")[0]):
                    said = self.run_command(*words, "--set", setting, status=78).stderr
                    self.assertIn("--set: the seed given is not that of the state", said)
                    self.assertNotIn(OTHER_SEED, said)

    def test_a_report_without_it_has_no_estimates(self):
        words = self.commands()["report"]
        [pair] = json.loads(self.answer(*words))["pairs"]
        self.assertIn("the seed of the state is secret", pair["comparison"]["no_sketch"])
        self.assertNotIn("sketch", pair["comparison"])
        self.assertGreater(pair["comparison"]["exact"]["similarity"], 0.9)
        [pair] = json.loads(self.answer(*words, *self.GIVEN))["pairs"]
        self.assertEqual(pair["comparison"]["sketch"]["bands_hit"], self.bands)


class NoFlags(StateRule):
    def test_files_without_flags_end_with_65(self):
        none = self.folder / "none.jsonl"
        none.write_text("")
        for words in (("groups", none), ("report", "-o", self.folder / "page.html", none)):
            self.assertIn(f"{none}: there are no flags", self.run_command(*words, status=65).stderr)
            self.assertIn("no flags", self.run_command(words[0], "--help").stdout)
        self.assertIn("standard input: there are no flags", self.run_command("groups", "-", status=65, stdin="").stderr)
        self.assertEqual([path.name for path in pathlib.Path(self.folder).iterdir()], ["none.jsonl"])


if __name__ == "__main__":
    unittest.main()
