"""Commands of docs/runbooks: the shell can read them, they use names that the first page sets, and neardup has their options."""

import os
import pathlib
import re
import shlex
import subprocess
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "runbooks"
BINARY = os.environ["NEARDUP_BINARY"]
BLOCK = re.compile(r"(?ms)^( *)```sh\n(.*?)^\1```$")
SET = re.compile(r"(?:^|\s)([A-Z]+)=")
USED = re.compile(r"\$\{?([A-Z]+)\b")
IN_THE_POD = re.compile(r"-- /usr/bin/neardup (.*)")
TOOLS = {"kubectl", "promtool", "kcat", "kafka-topics.sh", "kafka-configs.sh", "kafka-consumer-groups.sh",
         "kafka-transactions.sh"}


def blocks(page):
    return [text for _, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


def lines(page):
    return [line.strip() for text in blocks(page) for line in text.splitlines()]


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = sorted(FOLDER.glob("*.md"))
        cls.common = set(SET.findall("\n".join(blocks(FOLDER / "README.md"))))

    def test_every_page_has_some(self):
        self.assertEqual([page.name for page in self.pages if not lines(page)], [])

    def test_the_shell_can_read_them(self):
        for page in self.pages:
            for text in blocks(page):
                done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), f"{page.name}: {text}")

    def test_they_begin_with_a_tool_or_set_a_name(self):
        for page in self.pages:
            for line in lines(page):
                first = shlex.split(line, comments=True)[0]
                self.assertTrue(first in TOOLS or SET.match(first), f"{page.name}: {line}")

    def test_names_in_them_are_set_before(self):
        for page in self.pages:
            known = set(self.common)
            for line in lines(page):
                self.assertLessEqual(set(USED.findall(line)), known, f"{page.name}: {line}")
                known |= set(SET.findall(line))

    def test_neardup_takes_those_that_are_for_it(self):
        found = [(page.name, words) for page in self.pages for line in lines(page) for words in IN_THE_POD.findall(line)]
        self.assertGreater(len(found), 5)
        for page, words in found:
            words = shlex.split(words)
            command = [word for word in words[:2] if re.fullmatch("[a-z-]+", word) and not word.startswith("-")]
            done = subprocess.run([BINARY, *command, "--help"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{page}: {words}")
            for option in [word for word in words if word.startswith("-")]:
                self.assertRegex(done.stdout, rf"(?m)(^|[\s,]){re.escape(option)}\b", f"{page}: {words}")


if __name__ == "__main__":
    unittest.main()
