"""The dashboards that ship, as Grafana reads them."""

import json
import pathlib
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "helm" / "neardup" / "dashboards"
sys.path.insert(0, str(ROOT / "metrics"))
from dashboards import ALL  # noqa: E402


class PanelQuery(NamedTuple):
    dashboard: str
    row: str
    panel: str
    legend: str
    expression: str  # with Grafana's variables
    may_be_empty: str  # why; else it always has data

    @property
    def place(self):
        return f"{self.dashboard} / {self.row} / {self.panel}"


def load():
    """uid → dashboard, in the order of their source; dashboards_test.py sees that there are no other files."""
    return {one.uid: json.loads((FOLDER / f"{one.uid}.json").read_text(encoding="utf-8")) for one in ALL}


def queries():
    """Those of all panels."""
    return [one for name, board in load().items() for one in _queries(board, _may_be_empty(name))]


def filled(expression, range_="10s"):
    """With all variables as when all instances are chosen."""
    for name in ("namespace", "job", "instance"):
        expression = expression.replace(f"${name}", ".*")
    return expression.replace("$__rate_interval", range_)


def _may_be_empty(uid):
    source = next(one for one in ALL if one.uid == uid)
    return {(row.question, panel.title): panel.empty for row in source.rows for panel in row.panels}


def _queries(board, may_be_empty):
    row = ""
    for panel in board["panels"]:
        if panel["type"] == "row":
            row = panel["title"]
        for target in panel.get("targets", ()):
            yield PanelQuery(board["title"].partition(" / ")[2], row, panel["title"], target["legendFormat"],
                             target["expr"], may_be_empty[row, panel["title"]])
