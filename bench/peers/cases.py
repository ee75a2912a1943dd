"""What is compared: programs, sketch sizes, banding."""

import dataclasses
import itertools
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
THRESHOLD = 0.8
OUR_BANDING = (16, 6)  # solved by neardup from lsh.recall for both sizes

# The fewest bands with which a library finds a pair at the threshold with a chance of 0.99 or more. Bands times rows
# is the size for all but datasketch; of rensa and FastSketchLSH we ask for the usual sizes, which are powers of two.
BANDING = {128: {"datasketch": (16, 6), "rensa": (32, 4), "FastSketchLSH": (32, 4), "gaoya": (21, 6)},
           256: {"datasketch": (16, 6), "rensa": (32, 8), "FastSketchLSH": (32, 8), "gaoya": (32, 8)}}
SIZES = tuple(BANDING)
SCRIPTS = {"datasketch": "datasketch_index.py", "rensa": "rensa_index.py", "FastSketchLSH": "fast_sketch_lsh_index.py"}


@dataclasses.dataclass
class Case:
    name: str
    peer: str
    size: int
    banding: tuple
    command: list  # "{documents}" and "{flags}" stand for the two files
    threads: int = 0  # of rayon; 0: as many as there are cores
    fast: bool = True  # also runs on all documents when the others stop after some


def ours(binary, size):
    scan = [binary, "scan", "--json", "--set", f"sketch.size={size}", "-o", "{flags}", "{documents}"]
    memory = ["--set", "storage.store=memory"]
    return [Case("neardup", "neardup", size, OUR_BANDING, scan),
            Case("neardup, memory store", "neardup", size, OUR_BANDING, scan + memory)]


def gaoya(place, size):
    bands, rows = BANDING[size]["gaoya"]
    for native, threads in itertools.product((False, True), (1, 0)):
        name = f"gaoya{', built for this CPU' if native else ''}, {'1 thread' if threads else 'all threads'}"
        yield Case(name, "gaoya", bands * rows, (bands, rows),
                   [place.gaoya(native), "{documents}", "{flags}", bands, rows], threads)


def python(place, peer, size):
    bands, rows = BANDING[size][peer]
    return Case(peer, peer, size, (bands, rows),
                [place.python, "-B", HERE / SCRIPTS[peer], "{documents}", "{flags}", size, bands, rows], fast=False)


def cases(binary, place, size):
    """Ours first, then each peer that is installed."""
    found = ours(binary, size)
    found += gaoya(place, size) if "gaoya" in place.versions else []
    return found + [python(place, peer, size) for peer in SCRIPTS if peer in place.versions]
