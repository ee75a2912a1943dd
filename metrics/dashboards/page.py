"""The page in docs/ that says what each dashboard answers."""

HEAD = """\
# Dashboards

Written by `scripts/dashboards` from [metrics/dashboards](../metrics/dashboards/README.md), as the files in
`helm/neardup/dashboards` are: change it there. The chart brings them to Grafana's sidecar; without it, import the files
by hand (Dashboards, New, Import). They need Grafana 10.4 or later and a Prometheus that scrapes `/metrics`.

Choose the data source, and below it the Kubernetes namespace, job and instance; all of them is the default. The links
at the top lead to the other dashboards with the same choice. A dashed line is where an [alert](runbooks/README.md)
looks. An orange mark is the start of an instance. What each metric means: [metrics.md](metrics.md).
"""


def page(dashboards):
    return "\n".join([HEAD, *map(_dashboard, dashboards)])


def _dashboard(source):
    return "\n".join([f"## {source.title}", source.answers, *map(_row, source.rows), ""])


def _row(row):
    lines = [f"| {panel.title} | {_tells(panel)} |" for panel in row.panels]
    return "\n".join(["", f"**{row.question}**", "", "| panel | what it shows |", "| --- | --- |", *lines])


def _tells(panel):
    return f"{panel.tells} Empty: {panel.empty}." if panel.empty else panel.tells
