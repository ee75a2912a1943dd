"""Ways to run a scan that must not change a flag, and how to compare them."""

import gzip
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass

import neardup


@dataclass
class Way:
    """How an input is given and processed; `pieces` > 0 cuts it into files, each scanned by a run over one state."""
    name: str
    sets: tuple = ()
    packing: str = ""
    pieces: int = 0
    one_run: bool = False  # the pieces are the inputs of one run


BATCHES = [Way("batch of 1", ("batch.documents=1",)),
           *(Way(f"batch of {n}", (f"batch.documents={n}", "storage.store=memory")) for n in (2, 777)),
           Way("batch of 100 KiB", ("batch.max_bytes=100KiB", "storage.store=memory"))]
THREADS = [Way("1 thread", ("cpu.threads=1",)), Way("2 threads", ("cpu.threads=2", "storage.store=memory"))]
FILTERS = [Way("without the 1-bit filter", ("filter.one_bit=false", "storage.store=memory"))]
BIT_COUNTS = [Way(f"bit count {count}", (f"cpu.bit_count={count}", "storage.store=memory"))
              for count in ("hardware", "word_parallel", "divide_and_conquer", "naive")]
PACKINGS = [Way(packing, ("storage.store=memory",), packing) for packing in ("gz", "zst")]


def simd_ways():
    """One way for each vector level of this machine; the others end with 78."""
    ways = []
    for level in ("portable", "avx2", "avx512"):
        sets = (f"cpu.simd={level}", "storage.store=memory")
        status = neardup.scan(["/dev/null"], sets=sets).returncode
        if status not in (0, 78):
            raise AssertionError(f"cpu.simd={level} ended with {status}")
        if status == 0:
            ways.append(Way(f"simd {level}", sets))
    return ways


def gpu_ways():
    """On the device, where there is one."""
    sets = ("backend=cuda", "storage.store=memory")
    return [Way("gpu", sets)] if neardup.scan(["/dev/null"], sets=sets).returncode == 0 else []


def all_ways(pieces=10):
    """Everything above, and the input in `pieces` files: of one run, and of as many runs over one state."""
    return [*BATCHES, *THREADS, *FILTERS, *simd_ways(), *gpu_ways(), *BIT_COUNTS, *PACKINGS,
            Way("files of one run", ("storage.store=memory",), pieces=pieces, one_run=True),
            Way("runs over one state", pieces=pieces)]


def named(*names):
    return [way for way in all_ways() if way.name in names]


def pack(path, packing):
    if packing == "gz":
        packed = path.with_suffix(".jsonl.gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        return packed
    if packing == "zst":
        subprocess.run(["zstd", "-q", "-f", "--rm", str(path)], check=True)
        return path.with_suffix(".jsonl.zst")
    return path


def cut(lines, pieces):
    """Nearly equal runs of lines, none of them lost."""
    pieces = min(pieces, max(1, len(lines)))
    return [lines[len(lines) * i // pieces: len(lines) * (i + 1) // pieces] for i in range(pieces)]


def flags_of(lines, way, sets=()):
    """The flags of input lines (bytes without line breaks), run that way, in a folder that goes away."""
    with tempfile.TemporaryDirectory(prefix="neardup-") as folder:
        return _flags_in(pathlib.Path(folder), lines, way, tuple(sets) + way.sets)


def _flags_in(folder, lines, way, sets):
    inputs = []
    for i, piece in enumerate(cut(lines, way.pieces or 1)):
        path = folder / f"input-{i}.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in piece))
        inputs.append(pack(path, way.packing))
    output = folder / "flags.jsonl"
    if not way.pieces or way.one_run:
        return neardup.scan_or_fail(inputs, output, sets=sets)
    # Each run goes on in the flags file of the one before; a piece may be nothing but rejected records.
    for path in inputs:
        flags = neardup.scan_or_fail([path], output, folder / "state", _with_texts(sets), ["--allow-all-rejected"])
    return flags


def _with_texts(sets):
    exact = "verify.mode=exact" in sets
    return (*sets, "storage.keep_texts=true") if exact else sets


def differences(lines, reference, ways, sets=()):
    """What the flags of each way say otherwise than `reference`: a list of texts, empty when all agree."""
    found = []
    for way in ways:
        flags = flags_of(lines, way, sets)
        neardup.parse_flags(flags)
        difference = neardup.first_difference(neardup.without_source(reference), neardup.without_source(flags))
        if difference:
            found.append(f"{way.name}: {difference}")
    return found
