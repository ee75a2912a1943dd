"""The command under test: how tests run it, and the form that each of its flags files must have."""

import json
import os
import pathlib
import re
import subprocess

BINARY = os.environ.get("NEARDUP_BINARY", "neardup")

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/formats/flag.schema.json").read_text(encoding="utf-8"))
ORDER = list(SCHEMA["properties"])
ORIGINAL = ["duplicate_of", "duplicate_of_seq", "similarity", "similarity_low", "similarity_high", "verified_by"]
STATUSES = set(SCHEMA["properties"]["status"]["enum"])
REASONS = set(SCHEMA["properties"]["reason"]["enum"])
SIMILARITY = re.compile(r'"similarity(?:_low|_high)?":([^,}]*)')


def scan_command(inputs, output=None, state=None, sets=(), options=()):
    command = [BINARY, "scan"]
    for setting in sets:
        command += ["--set", setting]
    if state is not None:
        command += ["--state", str(state)]
    if output is not None:
        command += ["-o", str(output)]
    return command + list(options) + [str(path) for path in inputs]


def scan(inputs, output=None, state=None, sets=(), options=(), **run):
    run.setdefault("timeout", 120)
    return subprocess.run(scan_command(inputs, output, state, sets, options), capture_output=True, **run)


def run(*words):
    """Another command than scan, which must succeed."""
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"{done.args} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def scan_or_fail(inputs, output, state=None, sets=(), options=(), **run):
    """The bytes of the flags file of a run that must succeed."""
    done = scan(inputs, output, state, sets, options, **run)
    if done.returncode != 0:
        raise AssertionError(f"{done.args} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return pathlib.Path(output).read_bytes()


def without_source(flags):
    """What 'the same flags, byte for byte' compares."""
    return b"".join(line[: line.rindex(b',"source":')] + b"\n" for line in flags.splitlines())


def flags_of_checks(checks):
    """Checks as the flags that they are for: seq instead of as_of_seq, and no source."""
    return re.sub(rb'"as_of_seq":([0-9]+)', lambda found: b'"seq":%d' % (int(found[1]) + 1), without_source(checks))


def first_difference(wanted, found):
    """Nothing, or the first line in which two flags files differ, for people."""
    if wanted == found:
        return None
    a, b = wanted.splitlines(), found.splitlines()
    for number, (x, y) in enumerate(zip(a, b), 1):
        if x != y:
            return f"flag {number}:\n  wanted {x.decode(errors='replace')}\n  found  {y.decode(errors='replace')}"
    return f"{len(a)} flags wanted, {len(b)} found (or only the last line break differs)"


def parse_flags(flags, first_seq=1):
    """The records of a flags file, each checked against the contract; seqs without gaps."""
    if flags and not flags.endswith(b"\n"):
        raise AssertionError("the flags file ends within a line")
    records = []
    for place, line in enumerate(flags.decode().split("\n")[:-1]):
        record = json.loads(line, object_pairs_hook=_object)
        try:
            _check(record, line, first_seq + place)
        except AssertionError as error:
            raise AssertionError(f"{error}, in {line}") from None
        records.append(record)
    return records


def _object(pairs):
    fields = dict(pairs)
    assert len(fields) == len(pairs), f"a field stands twice: {pairs}"
    return fields


def _require(condition, message):
    if not condition:
        raise AssertionError(message)


def _check(record, line, seq):
    names = list(record)
    _require(names == [name for name in ORDER if name in record], f"fields out of order: {names}")
    _require(record["seq"] == seq, f"seq {seq} wanted")
    _require(record["status"] in STATUSES, "unknown status")
    _require(record.get("namespace") != "", "an empty namespace is left out")
    _require({"threshold", "rule", "source"} <= record.keys(), "threshold, rule or source missing")
    _require(re.fullmatch("[0-9a-f]{16}", record["rule"]), "a rule has 16 hex digits")
    _require(all(re.fullmatch(r"[01]\.[0-9]{3}", number) for number in SIMILARITY.findall(line)),
             "similarities have 3 decimals")
    status = record["status"]
    _require((status == "rejected") == ("reason" in record) == ("detail" in record), "reason and detail")
    _require(status != "rejected" or (record["reason"] in REASONS and record["detail"]), "unknown reason or no detail")
    _require(status == "rejected" or isinstance(record["id"], str), "only rejected records may lack an id")
    _require("known" not in record or (status == "deleted" and record["known"] is False), "known")
    _require("verdict" not in record or (status == "unchanged" and record["verdict"]["seq"] < seq), "verdict")
    _require(record.get("text_bytes", 1) >= 1 and ("text_bytes" not in record or status not in ("deleted", "rejected")),
             "text_bytes")
    _require("previous" not in record or record["previous"]["seq"] < seq, "previous is older")
    _check_original(record)


def _check_original(record):
    if record["status"] not in ("exact_duplicate", "near_duplicate"):
        _require(not set(ORIGINAL + ["bands_hit"]) & record.keys(), "evidence without an original")
        return
    _require(set(ORIGINAL) <= record.keys(), "evidence is missing")
    _require(record["duplicate_of_seq"] < record["seq"], "the original came earlier")
    low, middle, high = record["similarity_low"], record["similarity"], record["similarity_high"]
    _require(0 <= low <= middle <= high <= 1, "low ≤ similarity ≤ high")
    by_content = record["verified_by"] == "content"
    _require(by_content == (record["status"] == "exact_duplicate"), "content verifies exact duplicates, nothing else")
    _require(by_content == ("bands_hit" not in record), "bands_hit stands with all but content")
    _require(record["verified_by"] not in ("content", "exact") or low == middle == high, "an exact one has no interval")
    _require(record.get("bands_hit", 1) >= 1, "an original shares a bucket")
