"""The metrics that neardup exports, by docs/metrics.md, and what is wrong with an expression that uses others.

That docs/metrics.md is what a service really exports is shown by a separate test (tests/kafka).
"""

import pathlib
import re
from typing import NamedTuple

from promql import uses

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
ROW = re.compile(r"\| `(?P<name>\w+)` \| (?P<type>counter|gauge|histogram) \| [^|]* \| (?P<labels>[^|]*) \|")
SCRAPED = {"namespace", "job", "instance", "pod"}  # labels that Prometheus puts to all that it scrapes
LABEL = re.compile(r"`(\w+)`: (.*)")
LISTED = re.compile(r"\w+(, \w+)*")
RATES = re.compile(r"\b(?:rate|irate|increase)\s*\(\s*(\w+)")


class Metric(NamedTuple):
    type: str
    labels: dict  # label → its values, None where they are not listed


FOREIGN = {  # Prometheus's own metrics
    "up": Metric("gauge", {}),
    "ALERTS": Metric("gauge", {"alertname": None, "alertstate": {"pending", "firing"}, "severity": None}),
}


def metrics():
    """Series name → Metric; a histogram stands there as its three series."""
    found = {}
    for row in ROW.finditer(PAGE.read_text(encoding="utf-8")):
        labels = dict(_label(text) for text in filter(None, row["labels"].split("; ")))
        if row["type"] == "histogram":
            found[f"{row['name']}_bucket"] = Metric("counter", {**labels, "le": None})
            found.update({f"{row['name']}_{part}": Metric("counter", labels) for part in ("sum", "count")})
        else:
            found[row["name"]] = Metric(row["type"], labels)
    return found


def problems(expression, known=None):
    """What would never match anything, a line each. `known`: as metrics() gives it."""
    known = {**(known or metrics()), **FOREIGN}
    used, grouped = uses(expression)
    found = [f"{name} is not exported" for name in used if name not in known]
    there = {name: known[name] for name in used if name in known}
    for name, metric in there.items():
        found += [problem for matcher in sorted(used[name]) for problem in _mismatches(name, metric, matcher)]
    nowhere = grouped - SCRAPED - {label for metric in there.values() for label in metric.labels}
    found += [f"no metric in it has the label {label}" for label in sorted(nowhere)]
    found += [f"rate of {name}, which is no counter" for name in RATES.findall(expression)
              if name in there and there[name].type != "counter"]
    return found


def _label(text):
    """("status", {"rejected", …}) of "`status`: rejected, …"."""
    name, values = LABEL.fullmatch(text).groups()
    return name, set(values.split(", ")) if LISTED.fullmatch(values) else None


def _mismatches(name, metric, matcher):
    if matcher.label in SCRAPED:
        return []
    if matcher.label not in metric.labels:
        return [f"{name} has no label {matcher.label}"]
    values = metric.labels[matcher.label]
    return [f"{name} has no {matcher.label} {value}" for value in matcher.value.split("|")
            if values is not None and value not in values]
