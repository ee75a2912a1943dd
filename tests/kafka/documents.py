"""Documents for topics: those of tests/e2e/corpus.py (copies, edits, versions, deletes, short and bad ones)."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from client import Record  # noqa: E402
from corpus import Corpus  # noqa: E402


def records(count, seed=1, keys=False, partitions=None):
    """Records, the same for the same seed.

    keys: with the id as key. partitions: dealt to so many in turn, otherwise as the producer does it.
    """
    return [Record(line, key=id_of(line) if keys else None, partition=i % partitions if partitions else None)
            for i, line in enumerate(Corpus(seed).lines(count))]


def id_of(line):
    try:
        return json.loads(line)["id"].encode()
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
