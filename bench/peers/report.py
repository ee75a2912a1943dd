"""The rows as tables in Markdown."""

from measure import runs

WANTED = {"gaoya": 11, "rensa": 50}  # times as fast as the peer


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    print("\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines) + "\n")


def speed(row, seconds="seconds"):
    return row["bytes"] / 1e6 / row[seconds]


def ratios(rows):
    """(row of a peer, times as fast, times as fast per CPU second) of the first row: ours with its default store."""
    ours = rows[0]
    return [(row, speed(ours) / speed(row), speed(ours, "cpu_seconds") / speed(row, "cpu_seconds"))
            for row in rows if row["peer"] != ours["peer"]]


def print_runs(rows):
    size = max(row["size"] for row in rows)
    print(f"## {rows[0]['documents']:,} documents, {rows[0]['bytes'] / 1e6:.0f} MB of text, {size} values\n")
    table(["program", "values", "bands × rows", "documents/s", "MB/s", "CPU seconds", "MB per CPU second",
           "peak memory MB", "bytes per kept document", "precision", "recall"],
          [[row["name"], row["size"], f"{row['bands']} × {row['rows']}", f"{row['documents'] / row['seconds']:,.0f}",
            runs.spread([row["bytes"] / 1e6 / seconds for seconds in row["seconds_all"]], 1),
            f"{row['cpu_seconds']:.2f}", f"{speed(row, 'cpu_seconds'):.1f}", f"{row['peak_rss_bytes'] / 1e6:.0f}",
            f"{row['bytes_per_kept']:,.0f}", f"{row['precision']:.4f}", f"{row['recall']:.4f}"] for row in rows])
    table(["neardup against", "times as fast", "wanted", "times as fast per CPU second"],
          [[row["name"], f"{wall:.1f}", WANTED.get(row["peer"], ""), f"{cpu:.1f}"] for row, wall, cpu in ratios(rows)])


def print_sketching(rows):
    print("## Sketching alone\n\nM shingles a second on one core, fast similarity sketch, shingles hashed before.\n")
    table(["values", "shingles in a set", "neardup", "FastSketchLSH", "times as fast"],
          [[row["size"], row["shingles"], f"{row['neardup_m_per_s']:.0f}", f"{row['FastSketchLSH_m_per_s']:.0f}",
            f"{row['neardup_m_per_s'] / row['FastSketchLSH_m_per_s']:.1f}"] for row in rows])
