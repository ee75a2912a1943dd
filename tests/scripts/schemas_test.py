"""The JSON Schemas of docs/formats against the records that really come and go, and against wrong ones."""

import json
import pathlib
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is missing")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
import neardup  # noqa: E402
from corpus import Corpus  # noqa: E402

RUNS = [("verify.mode=sketch", "output.fields=url,text_bytes"), ("verify.mode=exact", "text.invalid_utf8=reject"),
        ("verify.mode=none", "against=all", "text.max_bytes=500", "input.max_record_bytes=1KiB")]
BAD_BYTES = [b'{"id":"latin","text":"caf\xe9 one two three four five"}', b'{"id":"","text":"x"}',
             b'{"id":"t","text":5}']
WITH_URL = [b'{"id":"u","text":"x","url":"https://example.org/"}']
SOURCE = {"topic": "docs", "partition": 0, "offset": 41}
TAIL = {"threshold": 0.8, "rule": "5f0c000000000001", "source": SOURCE}
UNIQUE = {"id": "a", "namespace": "n", "url": "u", "text_bytes": 5, "seq": 17, "status": "unique", "previous": {"seq": 3, "similarity": 0.5}, **TAIL}
EXACT = {"id": "a", "seq": 17, "status": "exact_duplicate", "duplicate_of": "o", "duplicate_of_seq": 9,
         "similarity": 1.0, "similarity_low": 1.0, "similarity_high": 1.0, "verified_by": "content", **TAIL}
NEAR = {**EXACT, "status": "near_duplicate", "similarity": 0.934, "similarity_low": 0.901, "verified_by": "sketch",
        "bands_hit": 7}
REJECTED = {"id": None, "seq": 17, "status": "rejected", "reason": "missing_id", "detail": "no id", **TAIL}
DELETED = {"id": "a", "seq": 17, "status": "deleted", "known": False, **TAIL}
UNCHANGED = {"id": "a", "seq": 17, "status": "unchanged", "verdict": {"seq": 3, "kept": True}, **TAIL}
COPY = {"seq": 3, "kept": False, "duplicate_of": "o", "duplicate_of_seq": 1, "similarity": 0.9}
GOOD = [UNIQUE, EXACT, NEAR, REJECTED, DELETED, UNCHANGED]
CONDITIONAL = {"url": "u", "text_bytes": 5, "reason": "missing_id", "detail": "x", "known": False, "verdict": COPY, "bands_hit": 7,
               "previous": {"seq": 3},
               "duplicate_of": "o", "duplicate_of_seq": 9, "similarity": 1.0, "similarity_low": 1.0,
               "similarity_high": 1.0, "verified_by": "sketch"}
# What may be left out, and what may be there although it is not.
OPTIONAL = {"unique": {"namespace", "url", "text_bytes", "previous"}, "deleted": {"known", "namespace", "url"},
            "exact_duplicate": {"namespace", "url", "text_bytes", "previous"},
            "near_duplicate": {"namespace", "url", "text_bytes", "previous"},
            "rejected": {"namespace", "url"}, "unchanged": {"namespace", "url", "text_bytes", "verdict"}}
FILE = {"file": "docs.jsonl", "line": 12}
WRONG = {
    "id": [7, "", "x" * 1025], "namespace": ["", None, "x" * 1025], "url": ["", None, 5, "x" * 8193], "text_bytes": [0, 1.5, "5"], "seq": [0, 1.5, "17", 1 << 40],
    "status": ["duplicate"], "known": [True],
    "verdict": [3, {"seq": 3}, {"seq": 3, "kept": False}, {**COPY, "kept": True}, {**COPY, "id": "a"}], "reason": ["bad_luck"], "detail": ["", 7],
    "duplicate_of": [7, "", "x" * 1025], "duplicate_of_seq": [0, "9"], "similarity": [1.001, -0.1, "1.000"],
    "similarity_low": [-0.1], "similarity_high": [1.1], "verified_by": ["guess"], "bands_hit": [0, 1.5],
    "previous": [3, {}, {"seq": 0}, {"seq": 3, "id": "a"}, {"seq": 3, "similarity": 2}],
    "threshold": [0, 1.1, "0.8"], "rule": ["5F0C000000000001", "5f0c", 7],
    "source": [{}, "docs", {"topic": "docs", "partition": 0}, {**SOURCE, **FILE}, {**SOURCE, "topic": "a b"},
               {**SOURCE, "topic": 7}, {**SOURCE, "partition": -1}, {**SOURCE, "partition": 1 << 31},
               {**SOURCE, "partition": "0"}, {**SOURCE, "offset": -1}, {**SOURCE, "offset": "41"},
               {"line": 0}, {"line": 1, "request": 2}, {**FILE, "line": 0}, {**FILE, "line": "12"}, {**FILE, "file": ""}, {**FILE, "file": 7}]}
INPUTS = [{"id": "a", "text": "b"}, {"id": "a", "text": ""}, {"id": "a", "text": "b", "namespace": None},
          {"id": "a", "text": "b", "namespace": 3}, {"id": "a", "text": "b", "namespace": "n" * 1025},
          {"id": "a", "text": "b", "ts": [None]}, {"id": "a", "text": "b", "url": 5, "more": {}},
          {"id": "a"}, {"id": "a", "delete": True}, {"id": "a", "delete": True, "text": 5},
          {"id": "a", "delete": "true"}, {"id": "a", "delete": False, "text": "b"}, {"delete": True},
          {"text": "b"}, {"id": "", "text": "b"}, {"id": None, "text": "b"}, {"id": 5, "text": "b"},
          {"id": "i" * 1025, "text": "b"}, {"id": "i" * 1024, "text": "b"}, {"id": "a", "text": None},
          {"id": "a", "text": ["b"]}, {}, [], "text", None]


def validator(name):
    schema = json.loads((ROOT / "docs" / "formats" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


FLAG, INPUT = validator("flag"), validator("input")


def scan(lines, sets=()):
    with tempfile.TemporaryDirectory(prefix="neardup-schemas-") as folder:
        path = pathlib.Path(folder) / "input.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return neardup.parse_flags(neardup.scan_or_fail([path], path.with_name("flags"), sets=sets))


class Flags(unittest.TestCase):
    def test_every_flag_of_odd_documents_is_valid(self):
        seen = set()
        for seed, sets in enumerate(RUNS, 20261201):
            for flag in scan(Corpus(seed).lines(1000) + BAD_BYTES + WITH_URL, sets):
                self.assertEqual([error.message for error in FLAG.iter_errors(flag)], [], flag)
                seen |= {flag["status"], flag.get("reason"), flag.get("verified_by")} | flag.keys()
        over_http = {"verdict"}
        wanted = (neardup.STATUSES | neardup.REASONS | set(neardup.ORDER) | {"content", "sketch", "exact", "none"}) - over_http
        self.assertEqual(wanted - seen, set(), "the documents are not odd enough")

    def test_flags_of_topics_are_valid(self):
        for flag in GOOD:
            FLAG.validate(flag)

    def test_a_field_too_few_is_refused(self):
        for flag in GOOD:
            for name in flag:
                less = {key: value for key, value in flag.items() if key != name}
                self.assertEqual(FLAG.is_valid(less), name in OPTIONAL[flag["status"]], f"{flag} without {name}")

    def test_a_field_too_many_is_refused(self):
        for flag in GOOD:
            self.assertFalse(FLAG.is_valid({**flag, "more": 1}), flag)
            for name, value in CONDITIONAL.items():
                if name not in flag:
                    self.assertEqual(FLAG.is_valid({**flag, name: value}), name in OPTIONAL[flag["status"]],
                                     f"{flag} with {name}")

    def test_a_wrong_value_is_refused(self):
        self.assertEqual(list(WRONG), neardup.ORDER)
        for flag in GOOD:
            for name in flag:
                for value in WRONG[name]:
                    self.assertFalse(FLAG.is_valid({**flag, name: value}), f"{flag} with {name} {value}")
        self.assertFalse(FLAG.is_valid(list(UNIQUE)))

    def test_an_id_is_null_only_where_rejected(self):
        for flag in GOOD:
            self.assertEqual(FLAG.is_valid({**flag, "id": None}), flag["status"] == "rejected", flag)

    def test_content_verifies_exact_duplicates_and_nothing_else(self):
        self.assertFalse(FLAG.is_valid({**EXACT, "verified_by": "sketch"}))
        self.assertFalse(FLAG.is_valid({**EXACT, "similarity": 0.999}))
        self.assertFalse(FLAG.is_valid({**NEAR, "verified_by": "content"}))


class Inputs(unittest.TestCase):
    def test_the_schema_accepts_what_the_program_accepts(self):
        flags = scan([json.dumps(record).encode() for record in INPUTS])
        self.assertEqual(len(flags), len(INPUTS))
        for record, flag in zip(INPUTS, flags):
            self.assertEqual(INPUT.is_valid(record), flag["status"] != "rejected", (record, flag))


if __name__ == "__main__":
    unittest.main()
