#!/usr/bin/env python3
"""The growth of the index as a plot and as a projection, from the rows of `build/bench/index --json`.

  build/bench/index --documents 50000000 --memory 4GiB --json > rows.jsonl
  bench/growth_plot.py rows.jsonl --svg docs/growth.svg > bench/results/index.md
"""
import argparse
import json
import math
import pathlib

import corpus_runs as runs

PROJECTED = 1_000_000_000
MERGED = 8  # generations of a size become one
WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP = 720, 170, 64, 16, 34, 26

# Greys and colours that can be read on white and on black.
STYLE = """text { font: 12px sans-serif; fill: #777 } .title { font-weight: bold }
.grid { stroke: #8886; stroke-width: 1 } .line { fill: none; stroke-width: 2; stroke-linejoin: round }
.a { stroke: #2f81d6 } .b { stroke: #d0721a } .c { stroke: #2f9e5b } .least { stroke: #888; stroke-width: 1.5; stroke-dasharray: 4 4 }"""


def short(number):
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def step(most):
    """A round distance between grid lines, so that three to six of them fit."""
    power = 10 ** math.floor(math.log10(most / 3))
    return next(power * factor for factor in (5, 2, 1) if most / (power * factor) >= 3)


def ticks(most):
    distance = step(most)
    return [i * distance for i in range(math.floor(most / distance) + 1)]


class Panel:
    """One curve over the count of documents, from 0 on both axes."""

    def __init__(self, place, title, most_x, most_y):
        self.top = TOP + place * (HEIGHT + TOP + GAP)
        self.title, self.most_x, self.most_y = title, most_x, most_y * 1.05

    def x(self, value):
        return LEFT + value / self.most_x * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return self.top + HEIGHT - value / self.most_y * HEIGHT

    def frame(self):
        yield f'<text class="title" x="{LEFT}" y="{self.top - 10}">{self.title}</text>'
        for value in ticks(self.most_y):
            yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{self.y(value):.1f}" y2="{self.y(value):.1f}"/>'
            yield f'<text x="{LEFT - 6}" y="{self.y(value) + 4:.1f}" text-anchor="end">{short(value)}</text>'
        for value in ticks(self.most_x):
            yield f'<text x="{self.x(value):.1f}" y="{self.top + HEIGHT + 16}" text-anchor="middle">{short(value)}</text>'

    def line(self, kind, points):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        return f'<polyline class="line {kind}" points="{path}"/>'


def curve(rows, name):
    return [(row["documents"], row[name]) for row in rows]


def svg(rows, least):
    most = rows[-1]["documents"]
    panels = [
        ("a", "documents per CPU second, each million by itself", curve(rows, "documents_per_cpu_second")),
        ("b", "resident memory, bytes", curve(rows, "rss_bytes")),
        ("c", "bytes on disk per kept document; dashed: sketches, ids and postings alone",
         curve(rows, "disk_bytes_per_document")),
    ]
    height = TOP + len(panels) * (HEIGHT + TOP + GAP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
           f"<title>Growth of the index up to {short(most)} documents</title><style>{STYLE}</style>"]
    for place, (kind, title, points) in enumerate(panels):
        panel = Panel(place, title, most, max(y for _, y in points))
        out += panel.frame()
        if kind == "c" and least:
            out.append(panel.line("least", [(0, least), (most, least)]))
        out.append(panel.line(kind, points))
    return "\n".join(out + ["</svg>\n"])


def slope(points):
    """Least squares: rise per unit of x."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    over = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / over if over else 0.0


def project(rows):
    """Memory by its slope over the later half. Disk by its slope. A document's time grows with the generations, so with the
    logarithm of the documents: each factor of eight adds as much as the one before."""
    later = rows[len(rows) // 2:]
    end = rows[-1]["documents"]
    rss = later[-1]["rss_bytes"] + max(0.0, slope(curve(later, "rss_bytes"))) * (PROJECTED - end)
    totals = [(row["documents"], row["documents"] * row["disk_bytes_per_document"]) for row in later]
    disk = totals[-1][1] + slope(totals) * (PROJECTED - end)
    at = lambda row: math.log(row["documents"], MERGED)
    micros = [(at(row), 1e6 / row["documents_per_cpu_second"]) for row in rows]
    rise = max(0.0, slope(micros))
    mean_at = sum(x for x, _ in micros) / len(micros)
    mean = sum(y for _, y in micros) / len(micros)
    last = mean + rise * (math.log(PROJECTED, MERGED) - mean_at)
    # The mean of log(n) over all n up to N is log(N) − 1.
    average = last - rise / math.log(MERGED)
    walls = [row["cpu_seconds"] / row["seconds"] for row in later]
    busy = sum(walls) / len(walls)
    return {"rss_bytes": rss, "disk_bytes": disk, "cpu_seconds": average * PROJECTED / 1e6,
            "last_documents_per_cpu_second": 1e6 / last, "seconds": average * PROJECTED / 1e6 / busy}


def shown(rows):
    """Every row of few; else about twenty, the first and the last among them."""
    every = max(1, len(rows) // 20)
    return [row for i, row in enumerate(rows) if i == 0 or i % every == every - 1 or i == len(rows) - 1]


def table(rows):
    columns = [("documents", "{:,.0f}", 1), ("documents_per_second", "{:,.0f}", 1), ("documents_per_cpu_second", "{:,.0f}", 1),
               ("rss_bytes", "{:,.0f}", 2**20), ("disk_bytes_per_document", "{:.1f}", 1), ("write_amplification", "{:.2f}", 1),
               ("read_amplification", "{:.2f}", 1), ("candidates_per_document", "{:.3f}", 1), ("rows_per_document", "{:.3f}", 1),
               ("slowest_batch_ms", "{:,.0f}", 1)]
    titles = ["documents", "documents/s", "a CPU second", "RSS MiB", "disk bytes", "written", "read", "candidates", "rows read",
              "slowest batch ms"]
    yield "| " + " | ".join(titles) + " |"
    yield "| " + " | ".join(["---:"] * len(titles)) + " |"
    for row in shown(rows):
        yield "| " + " | ".join(form.format(row[name] / unit) for name, form, unit in columns) + " |"


def report(rows, total, reopened, command):
    yield "# The index as it grows\n"
    yield (f"`{command}`, {runs.machine().split(', load')[0]}. A row is a million documents by itself; disk is per kept document; *written* "
           "and *read* are bytes of the disk by the bytes of what was stored (sketch, id, 1-bit sketch, 9 bytes a band); candidates and "
           "rows read are per document.\n")
    yield from table(rows)
    if total:
        yield (f"\nAll: {total['documents_per_second']:,.0f} documents/s, {total['documents_per_cpu_second']:,.0f} a CPU second with "
               f"{total['settle_seconds']:.0f} s of work afterwards; the first {total['rows_averaged']:.0f} M "
               f"{total['first_rows_per_cpu_second']:,.0f}, the last {total['last_rows_per_cpu_second']:,.0f} "
               f"({total['last_rows_per_cpu_second'] / total['first_rows_per_cpu_second']:.0%}). Peak memory "
               f"{total['peak_rss_bytes'] / 2**30:.2f} GiB, {total['disk_by_least']:.2f} times the bytes stored on disk, "
               f"{total['missed']:.0f} of the copies missed.")
    if reopened:
        yield f"\nOpened again: ready after {reopened['ready_seconds']:.1f} s ({reopened['ready_cpu_seconds']:.1f} CPU seconds)."
    ahead = project(rows)
    yield (f"\nProjected to {short(PROJECTED)} documents on one machine: {ahead['rss_bytes'] / 2**30:.1f} GiB of memory (slope of the later "
           f"half of the rows; with a smaller budget it is the budget, and the rate falls), "
           f"{ahead['disk_bytes'] / 1e9:,.0f} GB of disk, {ahead['cpu_seconds'] / 3600:.1f} CPU hours, "
           f"{ahead['seconds'] / 3600:.1f} hours at the measured share of busy cores, the last million at "
           f"{ahead['last_documents_per_cpu_second']:,.0f} documents a CPU second (a document's time grows with the logarithm of the "
           f"documents: fitted to the rows).")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=pathlib.Path, help="what bench/index --json printed")
    parser.add_argument("--svg", type=pathlib.Path, help="write the plot here")
    parser.add_argument("--bands", default=20, type=int)
    parser.add_argument("--command", default="build/bench/index --documents 50000000 --memory 4GiB --json",
                        help="to be named in the report")
    asked = parser.parse_args()
    found = [json.loads(line) for line in asked.rows.read_text().splitlines()]
    of = lambda kind: [row for row in found if row["row"] == kind]
    rows = of("growth")
    if asked.svg:
        asked.svg.write_text(svg(rows, 256 + 16 + 32 + 9 * asked.bands))
    print("\n".join(report(rows, next(iter(of("total")), None), next(iter(of("reopen")), None), asked.command)))


if __name__ == "__main__":
    main()
