"""The model of a dashboard, independent of Grafana's format."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Query:
    """PromQL in which SCOPE stands for the label matchers of the chosen instances, SERVICE for those of the chosen jobs
    with all their instances, and RATE for the range of a rate.

    legend: what to call each series; {{label}} stands for its value.
    """

    expr: str
    legend: str = ""


@dataclass(frozen=True)
class Panel:
    """One figure or graph.

    tells: what the panel shows, and what is normal. unit: one of Grafana's. alarm: the panel is red from this
    value on, or below it with `alarm_below`. empty: why there may be no data; "": there always is.
    """

    title: str
    tells: str
    unit: str
    queries: tuple
    kind: str = "graph"  # graph | figure | names | heatmap; names: the legends of the series, as a list
    width: int = 8  # of 24
    stacked: bool = False
    log_scale: bool = False
    highest: float | None = None  # the end of the axis; None: it follows the data
    alarm: float | None = None
    alarm_below: bool = False
    empty: str = ""


@dataclass(frozen=True)
class Row:
    """Panels that answer one question."""

    question: str
    panels: tuple


@dataclass(frozen=True)
class Dashboard:
    """uid: must not change, as links contain it. answers: one sentence."""

    uid: str
    title: str
    answers: str
    rows: tuple


def rate(metric, by="", where=""):
    """The rate per second, summed over instances or by the labels `by`; where: more label matchers."""
    return _summed(f"rate({metric}{{{_scope(where)}}}[RATE])", by)


def total(metric, by="", where=""):
    """The current value, summed over instances or by the labels `by`."""
    return _summed(f"{metric}{{{_scope(where)}}}", by)


def quantiles(histogram, where=""):
    """Median, 95th and 99th percentile of a histogram, over all instances."""
    buckets = rate(f"{histogram}_bucket", "le", where)
    return tuple(Query(f"histogram_quantile({q}, {buckets})", f"p{q * 100:.0f}") for q in (0.5, 0.95, 0.99))


def mean(histogram, by="", where=""):
    """The mean of a histogram, over all instances or by the labels `by`."""
    return f"{rate(histogram + '_sum', by, where)} / {rate(histogram + '_count', by, where)}"


def _scope(where):
    return f"SCOPE,{where}" if where else "SCOPE"


def _summed(expr, by):
    return f"sum by ({by}) ({expr})" if by else f"sum({expr})"
