"""A strict parser of the text format of Prometheus, version 0.0.4: anything invalid is an error that says why."""

import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
TYPES = {"counter", "gauge", "histogram"}


class Family:
    def __init__(self, name, help_text):
        self.name = name
        self.help = help_text
        self.type = None
        self.samples = {}  # (suffix, ((label, value), …)) → number

    def value(self, **labels):
        return self.samples["", tuple(sorted(labels.items()))]

    def values(self, label):
        """By the value of its only label."""
        return {dict(labels)[label]: value for (suffix, labels), value in self.samples.items() if not suffix}

    def count(self, **labels):
        return self.samples["_count", tuple(sorted(labels.items()))]

    def sum(self, **labels):
        return self.samples["_sum", tuple(sorted(labels.items()))]

    def label_names(self):
        return {name for _, labels in self.samples for name, _ in labels} - {"le"}


def parse(text):
    """Families by name. Raises ValueError at the first thing that is not right."""
    if not text.endswith("\n"):
        raise ValueError("the last line has no end")
    families = {}
    current = None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, _, help_text = line[7:].partition(" ")
            if name in families:
                raise ValueError(f"{name} begins twice")
            current = families[name] = Family(name, help_text)
        elif line.startswith("# TYPE "):
            name, _, kind = line[7:].partition(" ")
            if current is None or name != current.name or current.type or current.samples or kind not in TYPES:
                raise ValueError(f"out of place: {line}")
            current.type = kind
        else:
            _add_sample(current, line)
    for family in families.values():
        _check(family)
    return families


def _add_sample(family, line):
    found = SAMPLE.fullmatch(line)
    if not found or family is None or not found[1].startswith(family.name):
        raise ValueError(f"not a sample of {family and family.name}: {line}")
    labels = _labels(found[2] or "", line)
    key = found[1][len(family.name):], tuple(sorted(labels))
    if key in family.samples:
        raise ValueError(f"stands twice: {line}")
    family.samples[key] = float(found[3])


def _labels(text, line):
    labels, at = [], 0
    while at < len(text):
        found = LABEL.match(text, at)
        if not found:
            raise ValueError(f"bad labels: {line}")
        labels.append((found[1], found[2]))
        at = found.end()
    if len({name for name, _ in labels}) != len(labels):
        raise ValueError(f"a label stands twice: {line}")
    return labels


def _check(family):
    if not family.type or not family.samples:
        raise ValueError(f"{family.name} has no type or no samples")
    suffixes = {suffix for suffix, _ in family.samples}
    wanted = {"_bucket", "_count", "_sum"} if family.type == "histogram" else {""}
    if suffixes != wanted:
        raise ValueError(f"{family.name} is a {family.type} with {suffixes}")
    if family.type == "counter" and any(value < 0 or math.isnan(value) for value in family.samples.values()):
        raise ValueError(f"{family.name} is below zero")
    if family.type == "histogram":
        _check_histogram(family)


def _check_histogram(family):
    series = {}
    for (suffix, labels), value in family.samples.items():
        if suffix == "_bucket":
            rest = tuple(label for label in labels if label[0] != "le")
            series.setdefault(rest, []).append((float(dict(labels)["le"]), value))
    for labels, buckets in series.items():
        bounds, counts = zip(*sorted(buckets))
        if bounds[-1] != math.inf or list(counts) != sorted(counts):
            raise ValueError(f"{family.name}{labels}: no last bucket, or counts that fall")
        if counts[-1] != family.samples["_count", labels]:
            raise ValueError(f"{family.name}{labels}: the count is not that of the last bucket")
