"""Files of documents, for the log of a cluster: their lines, and what the log calls them."""

import pathlib
import string
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from cluster_log import check_of  # noqa: E402
from corpus import Corpus  # noqa: E402
from message import Message  # noqa: E402


def lines_of(seed, count):
    """The lines of so many records, rejected ones among them, with some blank lines between."""
    lines = [line.replace(b"\n", b" ") for line in Corpus(seed).lines(count)]
    for place in range(0, count, 50):
        lines[place:place] = [b""]
    return lines


def content(lines):
    return b"".join(line + b"\n" for line in lines)


def source_of(path):
    name = urllib.parse.quote(path.name, safe=string.punctuation.replace("%", ""))
    return f"file:{name}#{check_of(path.read_bytes()):016x}"


def records_of(path, lines):
    """The records of the file as messages of its source."""
    source = source_of(path)
    return [Message(source, 0, number, -1, None, line, []) for number, line in enumerate(lines, 1) if line.strip()]
