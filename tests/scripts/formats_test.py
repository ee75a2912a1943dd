"""A grammar in docs/formats that names its header stands there as in the header. `formats_test.py --write` copies it."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = re.compile(r"(?<=<!-- grammar of )([\w/.]+)( -->\n```\n)(.*?)(?=```\n)", re.S)
LINES = re.compile(r"(?://   .*\n)+")


def grammar(header):
    """The first indented lines of a comment."""
    lines = LINES.search((ROOT / header).read_text(encoding="utf-8"))[0]
    return lines.replace("//   ", "")


def with_grammars(page):
    return COPY.sub(lambda copy: copy[1] + copy[2] + grammar(copy[1]), page)


class Formats(unittest.TestCase):
    def test_grammars_are_those_of_the_headers(self):
        copies = 0
        for path in (ROOT / "docs" / "formats").glob("*.md"):
            page = path.read_text(encoding="utf-8")
            copies += len(COPY.findall(page))
            self.assertEqual(page, with_grammars(page), f"{path}: tests/scripts/formats_test.py --write")
        self.assertGreater(copies, 1)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for path in (ROOT / "docs" / "formats").glob("*.md"):
            path.write_text(with_grammars(path.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        unittest.main()
