"""On real documents with exact truth, flags are as good as promised (score.py of the corpus is the referee)."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import neardup

# verify.mode: least precision, least recall
PROMISED = {"sketch": (0.96, 0.98), "exact": (0.999, 0.995)}
SKIPPED = 77


def score(folder, mode):
    corpus = folder / "peps.jsonl.zst"
    with tempfile.TemporaryDirectory(prefix="neardup-quality-") as place:
        flags = pathlib.Path(place) / "flags.jsonl"
        neardup.parse_flags(neardup.scan_or_fail([corpus], flags, sets=(f"verify.mode={mode}",)))
        said = subprocess.run([sys.executable, folder / "score.py", corpus, folder / "peps.pairs.tsv.zst", flags],
                              capture_output=True, text=True, check=True).stdout
    print(f"verify.mode={mode}: {said}", end="")
    return {name: float(value) for name, value in re.findall(r"(\w+) ([0-9.]+)", said)}


def shortfalls(mode, scores):
    precision, recall = PROMISED[mode]
    found = [f"{name} {scores[name]} below {least}" for name, least in (("precision", precision), ("recall", recall))
             if scores[name] < least]
    return found + [f"{name} is not 0" for name in ("missing_records", "names_later", "names_unkept") if scores[name]]


def main():
    folder = os.environ.get("NEARDUP_CORPUS")
    if not folder:
        print("NEARDUP_CORPUS is not set: quality is not measured")
        return SKIPPED
    found = shortfalls(sys.argv[1], score(pathlib.Path(folder), sys.argv[1]))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
