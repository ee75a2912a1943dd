#!/usr/bin/env python3
"""Speed and memory of `scan` from Parquet, compared with JSON Lines of the same records. Needs pyarrow.

  bench/parquet.py DOCUMENTS.jsonl [--binary build/neardup] [--copies 4] [--repeat 7] [--folder DIR]

DOCUMENTS are JSON Lines with id and text, taken COPIES times with other ids. The forms run in turns; shown is the median of REPEAT runs.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import pyarrow as pa
import pyarrow.parquet as pq

from scan_costs import costs


def forms(records, folder):
    """Name → file."""
    lines = folder / "jsonl.jsonl"
    with open(lines, "w", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    subprocess.run(["zstd", "-q", "-f", "-3", lines, "-o", folder / "zst.jsonl.zst"], check=True)
    found = {"JSON Lines": lines, "JSON Lines, zstd": folder / "zst.jsonl.zst"}
    table = pa.Table.from_pylist(records)
    wide = table.append_column("html", pa.array([f"<p>{record['text']}</p>" for record in records]))
    for name, written, options in (("Parquet, zstd", table, {"compression": "zstd"}),
                                   ("Parquet, zstd, one row group", table, {"compression": "zstd", "row_group_size": len(records)}),
                                   ("Parquet, zstd, with a column as large as the text", wide, {"compression": "zstd"}),
                                   ("Parquet, snappy", table, {"compression": "snappy"}),
                                   ("Parquet, no compression", table, {"compression": "none"})):
        found[name] = folder / f"{len(found)}.parquet"
        pq.write_table(written, found[name], **{"row_group_size": 10_000, "use_dictionary": False, **options})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=pathlib.Path)
    parser.add_argument("--binary", default="build/neardup")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    read = [json.loads(line) for line in options.documents.read_text(encoding="utf-8").splitlines()]
    records = [{"id": f"{record['id']}.{copy}", "text": record["text"]} for copy in range(options.copies) for record in read]
    text = sum(len(record["text"].encode()) for record in records) / 1e6
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        files = forms(records, pathlib.Path(folder))
        runs = {name: [] for name in files}
        for _ in range(options.repeat):
            for name, path in files.items():
                runs[name].append(costs(options.binary, path, ["--set", "input.id=pointer"]))
        print(f"{len(records)} documents, {text:.0f} MB of text\n")
        print("| input | MB stored | MB/s of text | CPU s | peak MB |\n| --- | --- | --- | --- | --- |")
        for name, path in files.items():
            seconds, cpu, memory = (statistics.median(values) for values in zip(*runs[name]))
            print(f"| {name} | {path.stat().st_size / 1e6:.0f} | {text / seconds:.0f} | {cpu:.2f} | {memory / 1e6:.0f} |")


if __name__ == "__main__":
    main()
