"""What a Prometheus says to the query of every panel."""

import math
import re
from typing import NamedTuple

import boards

MOST_SERIES = 16  # of a query, on the page
ALL_OF_THEM = re.compile(r'namespace=~"\.\*",job=~"\.\*",instance=~"\.\*",?')


class Answer(NamedTuple):
    query: boards.PanelQuery
    asked: str
    values: list  # of (name of the series, value)

    @property
    def has_data(self):
        return any(not math.isnan(value) for _, value in self.values)


def answers(server, range_="10s"):
    """One for each query of each panel; ValueError where Prometheus does not take it. range_: of rates."""
    return [_answer(server, query, boards.filled(query.expression, range_)) for query in boards.queries()]


def _answer(server, query, asked):
    return Answer(query, asked, [(_name(query, sample["metric"]), float(sample["value"][1]))
                                 for sample in server.query(asked)])


def page(title, found):
    """Markdown, by dashboard, row and panel."""
    lines, row, panel = [f"# {title}"], None, None
    for answer in found:
        query = answer.query
        if row != (query.dashboard, query.row):
            row, panel = (query.dashboard, query.row), None
            lines += ["", f"## {query.dashboard}: {query.row}"]
        if panel != query.panel:
            panel = query.panel
            lines += ["", f"**{panel}**"]
        lines += ["", f"`{_readable(answer.asked)}`", "", *_lines(answer)]
    return "\n".join(lines) + "\n"


def _lines(answer):
    if not answer.values:
        return ["- no data"]
    shown = [f"- {name or 'value'}: {value:.6g}" for name, value in sorted(answer.values, key=_order)[:MOST_SERIES]]
    left_out = len(answer.values) - len(shown)
    return shown + ([f"- … and {left_out} more"] if left_out else [])


def _order(named):
    """Bounds of buckets by their size, other names by their letters."""
    try:
        return 0, float(named[0]), ""
    except ValueError:
        return 1, 0, named[0]


def _readable(asked):
    return ALL_OF_THEM.sub("", asked).replace("{}", "")


def _name(query, labels):
    """As Grafana writes it."""
    if query.legend == "__auto":
        return ", ".join(f"{name}={value}" for name, value in sorted(labels.items()) if name != "__name__")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: labels.get(found[1], ""), query.legend)
