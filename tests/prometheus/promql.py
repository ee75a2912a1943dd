"""Which metrics and labels a PromQL expression uses. Whether it is well formed, promtool says."""

import re
from typing import NamedTuple

TOKEN = re.compile(r"""
    (?P<text> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' )
  | (?P<range> \[ [^\]]* \] )
  | (?P<word> [a-zA-Z_:][\w:]* )
  | (?P<number> \d[\w.]* )
  | (?P<sign> \S )""", re.VERBOSE)
LISTS_LABELS = {"by", "without", "on", "ignoring", "group_left", "group_right"}
OPERATORS = {"and", "or", "unless", "offset", "bool", "atan2", "inf", "nan", "start", "end"}


class Matcher(NamedTuple):
    label: str
    value: str  # or the pattern


def uses(expression):
    """(metrics, labels): metric → its matchers; labels that are grouped or joined by."""
    tokens = [(one.lastgroup, one.group()) for one in TOKEN.finditer(expression)] + [("sign", "")]
    metrics, grouped, at = {}, set(), 0
    while at < len(tokens) - 1:
        (kind, word), following = tokens[at], tokens[at + 1][1]
        at += 1
        if kind != "word" or word.lower() in OPERATORS:
            continue
        if word in LISTS_LABELS:
            if following == "(":
                inside, at = _until(tokens, at, ")")
                grouped |= {label for kind, label in inside if kind == "word"}
        elif following == "{":
            inside, at = _until(tokens, at, "}")
            metrics[word] = metrics.get(word, set()) | _matchers(inside)
        elif following not in ("(", "by", "without"):  # else a function or an aggregation
            metrics.setdefault(word, set())
    return metrics, grouped


def _until(tokens, at, end):
    first = at
    while tokens[at][1] not in (end, ""):
        at += 1
    return tokens[first:at], at


def _matchers(tokens):
    labels = [word for kind, word in tokens if kind == "word"]
    values = [text[1:-1] for kind, text in tokens if kind == "text"]
    return {Matcher(*pair) for pair in zip(labels, values)}
