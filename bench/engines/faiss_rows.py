#!/usr/bin/env python3
"""faiss over random strings of bits: the ten nearest of one query, and of many at once. Run by `peers`.

Prints a JSON object a row, in the form of build/bench/engines.
"""
import argparse
import json
import statistics
import time

import faiss
import numpy


def measure(index, queries, threads, repeat):
    faiss.omp_set_num_threads(threads)
    single = []
    for i in range(min(200, len(queries))):
        start = time.perf_counter()
        index.search(queries[i:i + 1], 10)
        single.append((time.perf_counter() - start) * 1e3)
    together = []
    for _ in range(repeat):
        start = time.perf_counter()
        index.search(queries, 10)
        together.append(time.perf_counter() - start)
    return statistics.median(single), sorted(single)[len(single) * 99 // 100], statistics.median(together)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=4_000_000)
    parser.add_argument("--values", type=int, default=512, help="bits of a string")
    parser.add_argument("--queries", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    chosen = numpy.random.default_rng(11)
    index = faiss.IndexBinaryFlat(options.values)
    index.add(chosen.integers(0, 256, (options.documents, options.values // 8), dtype=numpy.uint8))
    queries = chosen.integers(0, 256, (options.queries, options.values // 8), dtype=numpy.uint8)
    for threads in (1, 2):
        one, p99, together = measure(index, queries, threads, options.repeat)
        gigabytes = options.documents * options.values / 8 / one / 1e6
        print(json.dumps({"engine": f"faiss {faiss.__version__} IndexBinaryFlat", "threads": threads,
                          "one query ms": round(one, 3), "p99": round(p99, 3), "GB/s": round(gigabytes, 1),
                          "all at once s": round(together, 3)}), flush=True)


if __name__ == "__main__":
    main()
