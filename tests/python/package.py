"""What tests of the Python package share: the package itself, texts, and the command to compare with.

The package is the one that the running Python imports, or else the one that scripts/python-wheel has left in build/python/package:
then the test is run again by its interpreter, or by that of scripts/python-packages where that is there. Without a package tests
are skipped (77)."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

import packages

TESTS = pathlib.Path(__file__).resolve().parents[1]
BUILT = TESTS.parent / "build" / "python" / "package"


def run_with_built_package():
    if not BUILT.is_dir() or "NEARDUP_TESTED_PACKAGE" in os.environ:
        packages.outside.skip("there is no Python package; scripts/python-wheel builds it", "NEARDUP_REQUIRE_PYTHON")
    python = packages.outside.home() / packages.name() / "bin" / "python"
    if not python.exists():
        python = (BUILT / "interpreter").read_text().strip()
    environment = {**os.environ, "PYTHONPATH": str(BUILT), "NEARDUP_TESTED_PACKAGE": str(BUILT)}
    os.execve(python, [python, "-B", *sys.argv], environment)


try:
    import neardup as package
except ModuleNotFoundError:  # one that cannot be loaded is a failure
    run_with_built_package()

# The tests of the command have a module of the same name.
sys.path[:0] = [str(TESTS / "e2e"), str(TESTS / "http")]
del sys.modules["neardup"]
import corpus  # noqa: E402
import neardup as command  # noqa: E402
from server import Server  # noqa: E402, F401
sys.modules["neardup"] = package


def records(seed, count):
    """Documents with everything that a flag can say about them: dicts with id, text and perhaps namespace."""
    found = []
    for line in corpus.Corpus(seed).lines(count):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and {"id", "text"} <= record.keys() and isinstance(record["id"], str) and "\ud800" not in record["id"]:
            found.append({key: record[key] for key in ("id", "text", "namespace") if key in record})
    return found


def words(begin, end):
    return " ".join(f"w{i}" for i in range(begin, end + 1))


def scan(documents, sets=(), state=None):
    """The flags of `neardup scan`, without source."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "docs.jsonl")
        source.write_text("".join(json.dumps(document) + "\n" for document in documents))
        return command.without_source(command.scan_or_fail([source], pathlib.Path(folder, "flags.jsonl"), state, sets))


def lines(flags):
    return command.without_source(flags.to_jsonl())


class Test(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def assert_same(self, wanted, found):
        self.assertIsNone(command.first_difference(wanted, found))


def main():
    unittest.main(module="__main__")
