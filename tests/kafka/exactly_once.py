"""The checker: whether the flags in the output topic are those that exactly-once promises for the input.

The reference is independent of the service: the messages that a test produced, and `neardup scan` over the same
documents in the order in which the service says that it read them.
"""

import json
import pathlib
import sys
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
import schemas  # noqa: E402

SHOWN = 10  # problems of one kind that are listed one by one


class Flag(NamedTuple):
    message: object
    record: dict
    place: tuple  # of the input message: topic, partition, offset

    @property
    def seq(self):
        return self.record["seq"]


def problems(inputs, outputs, folder, sets=(), first_seq=1):
    """What is wrong, in words; an empty list when all is well.

    inputs: all messages of the input topics (topic, partition, offset, key, value), each to be flagged once.
    outputs: all committed messages of the output topic, in mode `flags`.
    folder: for the reference's files. sets: the settings of the service that change flags, for `neardup scan --set`.
    """
    flags, found = _parsed(outputs)
    flags.sort(key=lambda flag: flag.seq)
    found += _once_each(inputs, flags)
    found += _numbered(flags, first_seq)
    found += _in_order(flags)
    found += _valid(flags, first_seq)
    # Without the right inputs a reference would only repeat the same in many words.
    return found or _as_scan_says(inputs, flags, pathlib.Path(folder), sets)


def _parsed(outputs):
    flags, found = [], []
    for message in outputs:
        try:
            record = json.loads(message.value)
            source = record["source"]
            place = source["topic"], source["partition"], source["offset"]
            flags.append(Flag(message, {**record, "seq": int(record["seq"])}, place))
            found += _wrapped(message, record)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            found.append(f"no flag at {_name(message.place)}: {error!r} in {message.value!r}")
    return flags, found


def _wrapped(message, record):
    """A flag's message has the document's id for its key and the status in a header."""
    wanted = record["id"].encode() if record["id"] is not None else None
    if message.key != wanted:
        yield f"the flag at {_name(message.place)} has the key {message.key!r}, not {wanted!r}"
    status = dict(message.headers).get("neardup-status")
    if status != record["status"].encode():
        yield f"the flag at {_name(message.place)} says {status!r} in its header, {record['status']} in its record"


def _once_each(inputs, flags):
    wanted = {message.place for message in inputs}
    first = {}
    doubled, strange = [], []
    for flag in flags:
        if flag.place not in wanted:
            strange.append(f"flag {flag.seq} is for {_name(flag.place)}, which is no input")
        elif flag.place in first:
            doubled.append(f"{_name(flag.place)} has two flags, {first[flag.place]} and {flag.seq}")
        first.setdefault(flag.place, flag.seq)
    lost = [f"{_name(place)} has no flag" for place in sorted(wanted - first.keys())]
    return _some(lost) + _some(doubled) + _some(strange)


def _numbered(flags, first_seq):
    found = []
    for before, flag in zip([None, *flags], flags):
        expected = before.seq + 1 if before else first_seq
        if before and flag.seq == before.seq:
            found.append(f"seq {flag.seq} stands twice, for {_name(before.place)} and {_name(flag.place)}")
        elif flag.seq != expected:
            found.append(f"seq {expected} is wanted where {flag.seq} stands, for {_name(flag.place)}")
    return _some(found)


def _in_order(flags):
    last, found = {}, []
    for flag in flags:
        *partition, offset = flag.place
        before = last.get(tuple(partition))
        if before and offset < before.place[2]:
            found.append(f"{_name(flag.place)} was taken (seq {flag.seq}) after {_name(before.place)} ({before.seq})")
        last[tuple(partition)] = flag
    return _some(found)


def _valid(flags, first_seq):
    try:
        neardup.parse_flags(_lines(flags), first_seq)
    except (AssertionError, ValueError) as error:
        return [f"against the contract: {error}"]
    records = (json.loads(flag.message.value) for flag in flags)
    return _some([f"against the schema: {error}" for error in schemas.misfits(records)])


def _as_scan_says(inputs, flags, folder, sets):
    messages = {message.place: message for message in inputs}
    wanted = scanned([messages[flag.place] for flag in flags], folder, sets)
    difference = neardup.first_difference(neardup.without_source(wanted), neardup.without_source(_lines(flags)))
    return [f"not as scan says, {difference}"] if difference else []


def scanned(messages, folder, sets=()):
    """The flags file of `neardup scan` for the messages, in that order."""
    documents = folder / "reference.jsonl"
    documents.write_bytes(b"".join(_as_line(message) + b"\n" for message in messages))
    return neardup.scan_or_fail([documents], folder / "reference.flags", sets=sets, options=["--allow-all-rejected"])


def _as_line(message):
    """The input line for scan that is equivalent to the message; a null value deletes its key."""
    if message.value is None:
        return json.dumps({"id": message.key.decode(), "delete": True}).encode()
    assert message.value.strip(), "scan skips blank lines: check such messages by themselves"
    return message.value.replace(b"\n", b" ")


def _lines(flags):
    return b"".join(flag.message.value + b"\n" for flag in flags)


def _some(found):
    rest = len(found) - SHOWN
    return found[:SHOWN] + ([f"… and {rest} more like that"] if rest > 0 else [])


def _name(place):
    topic, partition, offset = place
    return f"{topic}/{partition}@{offset}"
