"""`explain --state` of flagged documents: what it tells with each setting of storage.keep_texts, and of lines of the input."""
import json
import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

import neardup

WORDS = [f"w{i}" for i in range(60)]
TEXTS = {"original": " ".join(WORDS), "near": " ".join(["New"] + WORDS[1:]), "exact": " ".join(WORDS).upper()}


class ExplainTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.input = self.folder / "docs.jsonl"
        self.input.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in TEXTS.items()))

    def scan(self, *settings):
        state = self.folder / "state"
        sets = [argument for setting in settings for argument in ("--set", setting)]
        done = subprocess.run([neardup.BINARY, "scan", "--state", str(state), *sets, str(self.input)], capture_output=True,
                              text=True, timeout=60, check=True)
        flags = {flag["id"]: flag["status"] for flag in map(json.loads, done.stdout.splitlines())}
        self.assertEqual(flags, {"original": "unique", "near": "near_duplicate", "exact": "exact_duplicate"})
        return state

    def explain(self, state, a, b):
        done = subprocess.run([neardup.BINARY, "explain", "--state", str(state), a, b], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_without_texts_the_verdict_is_told(self):
        for setting in ("none", "kept", "false", "true"):
            with self.subTest(setting):
                state = self.scan(f"storage.keep_texts={setting}")
                near = self.explain(state, "near", "original")
                self.assertRegex(near, r"A  near   flagged as a copy of original \(seq 1\), similarity 0\.9\d\d")
                self.assertIn("the text of A is not kept" if setting in ("kept", "true") else "of both is not kept", near)
                self.assertIn("of a flagged document no sketch is kept; the text of A would do", near)
                self.assertIn("equal, by their hashes", self.explain(state, "exact", "original"))
                subprocess.run(["rm", "-r", str(state)], check=True)

    def test_with_all_texts_a_copy_is_compared_as_two_files_are(self):
        state = self.scan("storage.keep_texts=all")
        found = self.explain(state, "near", "original")
        for part in ("60 tokens; flagged as a copy of original", "55 of 57 different shingles", "estimate  ", "only in A\n       1  New\n"):
            self.assertIn(part, found)
        self.assertIn("the normalised texts are equal", self.explain(state, "exact", "original"))

    def test_control_characters_reach_no_terminal(self):
        hostile = "\u001b[2J\u009b31m\r"
        names = {f"{version} {hostile}": " ".join(WORDS + [version, hostile]) for version in ("old", "new")}
        self.input.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in names.items()))
        state = self.folder / "state"
        neardup.scan_or_fail([self.input], self.folder / "flags", state, ["storage.keep_texts=all"])
        found = self.explain(state, *reversed(names))
        self.assertEqual({c for c in found if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0}, {"\n"})
        for part in ("A  new ␛[2J\ufffd31m␍   ", "flagged as a copy of old ␛[2J", "  new ␛[2J\ufffd31m"):
            self.assertIn(part, found)

    def test_under_against_all_the_sketch_of_a_copy_is_there(self):
        state = self.scan("against=all")
        found = self.explain(state, "near", "original")
        self.assertRegex(found, r"estimate         0\.9\d\d .* sketch values are equal")
        self.assertIn("the text of both is not kept", found)

    def test_a_line_of_the_input_stands_for_a_text_that_is_gone(self):
        state = self.scan()
        found = self.explain(state, f"@{self.input}:2", "original")
        self.assertIn("estimate         0.9", found)
        self.assertIn("the text of B is not kept", found)
        found = self.explain(state, f"@{self.input}:2", f"@{self.input}:1")
        self.assertIn("only in A\n       1  New\n", found)  # as it was written

    def of_texts(self, a, b, *options):
        for name, text in (("a", a), ("b", b)):
            (self.folder / name).write_text(text)
        return [neardup.BINARY, "explain", *options, str(self.folder / "a"), str(self.folder / "b")]

    def printed(self, a, b, *options):
        return subprocess.run(self.of_texts(a, b, *options), capture_output=True, text=True, timeout=60, check=True).stdout

    def test_what_differs_is_marked_and_long_equal_passages_are_folded(self):
        words = [f"w{i}" for i in range(200)]
        other = words[:50] + ["NEW,"] + words[51:150] + words[151:]
        found = self.printed(" ".join(words), " ".join(other))
        self.assertIn("what differs: 2 changes\n", found)
        self.assertIn("\n  … 38 equal words …\n  " + " ".join(words[38:50]) + " [-w50-] {+NEW,+} " + " ".join(words[51:63]) + "\n  … 75 equal words …\n", found)
        self.assertIn(" w149 [-w150-] w151 ", found)
        self.assertNotIn("\x1b", found)

    def test_texts_that_are_not_similar_or_equal_have_no_such_part(self):
        for other in (" ".join(WORDS[:20]), " ".join(WORDS).upper()):
            self.assertNotIn("what differs", self.printed(" ".join(WORDS), other))

    def test_many_changes_are_cut_short(self):
        words = [f"w{i}" for i in range(2000)]
        other = [f"x{i}" if i % 50 == 7 else word for i, word in enumerate(words)]
        found = self.printed(" ".join(words), " ".join(other))
        self.assertIn("what differs: 40 changes\n", found)
        self.assertEqual(found.count("{+"), 20)
        self.assertIn("\n  and 20 more\n", found)

    def test_colours_are_for_terminals_unless_they_are_asked_for(self):
        texts = " ".join(WORDS), " ".join(["New"] + WORDS[1:])
        coloured = "\x1b[31m[-w0-]\x1b[0m \x1b[32m{+New+}\x1b[0m w1"
        self.assertIn(coloured, self.printed(*texts, "--color", "always"))
        for environment, options, wanted in (({}, (), True), ({"NO_COLOR": "1"}, (), False), ({"NO_COLOR": ""}, (), True),
                                             ({"NO_COLOR": "1"}, ("--color=always",), True), ({}, ("--color=never",), False)):
            with self.subTest(environment=environment, options=options):
                self.assertEqual(coloured in self.on_a_terminal(self.of_texts(*texts, *options), environment), wanted)
        wrong = subprocess.run(self.of_texts(*texts, "--color", "blue"), capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(wrong.returncode, 64)

    @staticmethod
    def on_a_terminal(command, environment):
        ours, theirs = pty.openpty()
        clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        with subprocess.Popen(command, stdout=theirs, env=clean | environment) as process:
            os.close(theirs)
            out = b""
            try:
                while part := os.read(ours, 65536):
                    out += part
            except OSError:  # the other end was closed
                pass
            os.close(ours)
        assert process.returncode == 0
        return out.decode()


if __name__ == "__main__":
    unittest.main()
