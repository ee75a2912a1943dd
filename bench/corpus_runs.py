"""What the corpus benches share: running `neardup scan`, measuring it, and describing the machine."""
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def corpus():
    folder = os.environ.get("NEARDUP_CORPUS")
    if not folder:
        sys.exit("NEARDUP_CORPUS is not set: name the folder that holds peps.jsonl.zst, peps.pairs.tsv.zst and score.py")
    return pathlib.Path(folder)


def plain_corpus(folder):
    """The corpus decompressed once, in a temporary folder."""
    plain = pathlib.Path(tempfile.gettempdir()) / "neardup-bench-peps.jsonl"
    if not plain.exists():
        subprocess.run(["zstd", "-dqf", folder / "peps.jsonl.zst", "-o", plain], check=True)
    return plain


def warm(document_file):
    """Before a run is timed: the file is in the cache of the system, and nothing is left to be written."""
    os.sync()
    with open(document_file, "rb") as file:
        while file.read(1 << 20):
            pass


def scan(binary, document_file, flags, settings=(), state=None):
    """One run: the summary of `scan --json`, with `cpu_seconds` and `wall_seconds` of the process."""
    command = [binary, "scan", "--json", "-o", flags]
    command += [part for setting in settings for part in ("--set", setting)]
    command += ["--state", state] if state else []
    warm(document_file)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command + [document_file], stderr=subprocess.PIPE, text=True, check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    summary = json.loads(done.stderr.strip().splitlines()[-1])
    summary["wall_seconds"] = wall
    summary["cpu_seconds"] = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    return summary


def score(folder, document_file, flags, threshold=0.8):
    """The referee's figures by name."""
    text = subprocess.run([sys.executable, folder / "score.py", document_file, folder / "peps.pairs.tsv.zst", flags,
                           str(threshold)], stdout=subprocess.PIPE, text=True, check=True).stdout
    words = text.split()
    return {name: float(value) for name, value in zip(words[::2], words[1::2])}


def spread(values, digits=2):
    """Median with minimum and maximum."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def machine():
    text = subprocess.run(["lscpu"], stdout=subprocess.PIPE, text=True, check=True).stdout
    model = re.search(r"Model name:\s*(.*)", text).group(1)
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start"
