"""The JSON Schemas of the formats, for tests."""

import json
import pathlib

import needs

try:
    import jsonschema
except ImportError:
    needs.skip("the Python package jsonschema is missing (python3-jsonschema)")

FORMATS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "formats"


def schema(name):
    return jsonschema.Draft202012Validator(json.loads((FORMATS / f"{name}.schema.json").read_text()))


FLAG, INPUT = schema("flag"), schema("input")
EACH = 20  # records of a shape that are looked at: a validation takes half a millisecond


def misfits(records):
    """What does not fit the schema of flags, among the first records of each shape: the same fields and words."""
    seen = {}
    for record in records:
        shape = record.get("status"), record.get("verified_by"), tuple(record)
        seen[shape] = seen.get(shape, 0) + 1
        if seen[shape] <= EACH:
            yield from (f"{error.message}, in {record}" for error in FLAG.iter_errors(record))
