"""A row of panels for the metrics of docs/metrics.md that no other panel asks for."""

import pathlib
import re

from dashboards.model import Panel, Query, Row, quantiles, rate, total

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
METRIC = re.compile(r"\| `(\w+)` \| (\w+) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|")
LABEL = re.compile(r"`(\w+)`: ")
UNITS = {"seconds": "s", "bytes": "bytes", "bytes per second": "Bps", "ratio": "percentunit"}
AFFIXES = re.compile("^neardup_|_total$|_seconds$|_bytes$|_ratio$")


def row(boards):
    asked = " ".join(query.expr for board in boards for row in board.rows for panel in row.panels for query in panel.queries)
    metrics = METRIC.findall(PAGE.read_text(encoding="utf-8"))
    return Row("What else does it report?", tuple(
        _panel(*metric) for metric in metrics if not re.search(rf"\b{metric[0]}(_bucket|_sum|_count)?\b", asked)))


def _panel(name, kind, unit, labels, meaning):
    title = AFFIXES.sub("", name).replace("_", " ").capitalize()
    return Panel(title, meaning, UNITS.get(unit, "short"), _queries(name, kind, LABEL.findall(labels)),
                 empty="nothing has been observed" if kind == "histogram" else "")


def _queries(name, kind, labels):
    if kind == "histogram":
        return quantiles(name)
    by = ["instance", *labels]
    legend = " ".join(f"{{{{{label}}}}}" for label in by)
    return (Query((rate if kind == "counter" else total)(name, ", ".join(by)), legend),)
