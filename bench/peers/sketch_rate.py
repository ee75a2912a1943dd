"""Prints how many elements a second FastSketchLSH sketches on one core: CPU time, median of 7.

  sketch_rate.py SIZE COUNT…     COUNT elements in each set, as 64-bit hashes; a JSON row for each
"""

import json
import statistics
import sys
import time

import numpy
from FastSketchLSH import FastSimilaritySketch

ELEMENTS = 60_000  # in one call, as in bench/sketch
REPEATS, LEAST_SECONDS = 7, 0.02


def seconds(call, calls):
    start = time.thread_time()
    for _ in range(calls):
        call()
    return (time.thread_time() - start) / calls


def rate(size, count):
    sets = max(1, ELEMENTS // count)
    hashes = numpy.random.default_rng(1).integers(0, 2**64, sets * count, dtype=numpy.uint64)
    ends = numpy.arange(sets + 1, dtype=numpy.uint64) * numpy.uint64(count)
    sketcher = FastSimilaritySketch(size=size)
    call = lambda: sketcher.batch_csr(hashes, ends, prehashed=True, num_threads=1)
    calls = int(LEAST_SECONDS / min(seconds(call, 1), seconds(call, 1))) + 1
    return sets * count / statistics.median(seconds(call, calls) for _ in range(REPEATS))


if __name__ == "__main__":
    for count in map(int, sys.argv[2:]):
        print(json.dumps({"count": count, "m_elements_per_s": rate(int(sys.argv[1]), count) / 1e6}))
