"""The chart, rendered by the real Helm, and what its tests need. Where Helm is missing, the test program ends with 77
and the reason on a line."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "helm" / "neardup"
MINIMAL = pathlib.Path(__file__).with_name("minimal.yaml")


sys.path.insert(0, str(ROOT / "tests"))
import outside  # noqa: E402

REQUIRED_BY = "NEARDUP_REQUIRE_KUBERNETES"
yaml = outside.or_skip(REQUIRED_BY, outside.module, "yaml", "python3-yaml")


def _tools():
    done = subprocess.run([ROOT / "scripts" / "kubernetes-tools"], capture_output=True, text=True)
    if done.returncode == 77:
        outside.skip(done.stderr.strip(), REQUIRED_BY)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return pathlib.Path(done.stdout.strip())


TOOLS = _tools()
DEFAULTS = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())


class Refused(Exception):
    """Helm's message."""


def helm(*words, values=None, base=MINIMAL, **environment):
    """What Helm prints for the chart with `values` over those of the file `base`, the least it needs (None: it takes no
    values)."""
    given = ["-f", base, "-f", "-"] if base else []
    with tempfile.TemporaryDirectory(prefix="helm-") as home:
        done = subprocess.run([TOOLS / "helm", *words, *given], input=json.dumps(values or {}),
                              env=os.environ | {"HOME": home} | environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(done.stdout + done.stderr)
    return done.stdout


def rendered_text(values=None, chart=CHART, release="n", options=()):
    # `n`, `y`, `1` are no texts in YAML unless they are quoted.
    return helm("template", release, chart, "--namespace", "7", *options, values=values)


def render(values=None, **options):
    """(kind, name) → object."""
    objects = [one for one in yaml.safe_load_all(rendered_text(values, **options)) if one]
    return {(one["kind"], one["metadata"]["name"]): one for one in objects}


def nested(key, value):
    """`a.b`, 1 → {"a": {"b": 1}}"""
    for word in reversed(key.split(".")):
        value = {word: value}
    return value


def at(value, path):
    """The part at `a.b.0.c`; None where there is none. A key with dots in it stands in brackets: `a.[b.c]`."""
    while path:
        if path.startswith("["):
            word, _, path = path[1:].partition("]")
            path = path.removeprefix(".")
        else:
            word, _, path = path.partition(".")
        try:
            value = value[int(word) if isinstance(value, list) else word]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return value


def leaves(values, schema=SCHEMA, prefix=""):
    """Keys that can be set: those whose value the schema does not spell out further."""
    for key, value in values.items():
        part = schema["properties"][key]
        if key == "config":  # the program's, not the chart's
            yield prefix + key
            continue
        part = SCHEMA["$defs"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        if part.get("additionalProperties") is False and part.get("type") == "object":
            yield from leaves(value, part, f"{prefix}{key}.")
        else:
            yield prefix + key


def conform(text, schemas):
    """Problems that kubeconform finds; `schemas`: a folder with one for each version of Kubernetes."""
    return [f"{version.name}: {problem}" for version in sorted(schemas.iterdir()) for problem in _conform(text, version)]


def _conform(text, schemas):
    location = schemas / "{{.ResourceKind}}{{.KindSuffix}}.json"
    done = subprocess.run([TOOLS / "kubeconform", "-strict", "-output", "json", "-schema-location", location, "-"],
                          input=text, capture_output=True, text=True)
    return [f"{one['kind']} {one['name']}: {one['msg']}" for one in json.loads(done.stdout)["resources"]]
