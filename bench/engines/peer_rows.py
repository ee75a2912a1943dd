#!/usr/bin/env python3
"""faiss and datasketch over the strings of bits that build/bench/hamming has written: the ten nearest of one query,
and of many at once, and the share of the planted neighbours among them. Run by `peers`.

Prints a JSON object a row, in the form of build/bench/hamming.
"""
import argparse
import json
import pathlib
import statistics
import time

import datasketch
import faiss
import numpy

SINGLE = 100  # queries that are timed one by one


class Forest:
    """MinHashLSHForest with a tree for each 64 bits, in the form of an index of faiss."""

    is_trained = True
    name = f"datasketch {datasketch.__version__} MinHashLSHForest"

    def __init__(self, bits):
        self.forest = datasketch.MinHashLSHForest(num_perm=bits, l=bits // 64)

    @staticmethod
    def sketches(rows):
        for row in rows:
            yield datasketch.LeanMinHash(seed=1, scheme="legacy", hashvalues=numpy.unpackbits(row, bitorder="little"))

    def add(self, rows):
        for i, sketch in enumerate(self.sketches(rows)):
            self.forest.add(i, sketch)
        self.forest.index()

    def search(self, queries, k):
        found = numpy.full((len(queries), k), -1)
        for i, sketch in enumerate(self.sketches(queries)):
            hits = self.forest.query(sketch, k)
            found[i, :len(hits)] = hits
        return None, found


def make(name, bits):
    """The index of a name."""
    if name == "forest":
        return Forest(bits)
    if name == "flat":
        return faiss.IndexBinaryFlat(bits)
    if name == "hash":
        index = faiss.IndexBinaryHash(bits, 20)
        index.nflip = 3
        return index
    if name == "multihash":
        index = faiss.IndexBinaryMultiHash(bits, bits // 20, 20)
        index.nflip = 2
        return index
    if name == "ivf":
        index = faiss.IndexBinaryIVF(faiss.IndexBinaryFlat(bits), bits, 2048)
        index.nprobe = 128
        return index
    index = faiss.IndexBinaryHNSW(bits, 16)
    index.hnsw.efSearch = 256
    return index


def recalls(found, neighbours):
    """The share of the planted neighbours that is found: of all, and by their place."""
    hits = (neighbours[:, :, None] == found[:, None, :]).any(axis=2)
    return hits.mean(), hits.mean(axis=0)


def measure(index, queries, threads):
    faiss.omp_set_num_threads(threads)
    single = []
    for i in range(min(SINGLE, len(queries))):
        start = time.perf_counter()
        index.search(queries[i:i + 1], 10)
        single.append((time.perf_counter() - start) * 1e3)
    start = time.perf_counter()
    found = index.search(queries, 10)[1]
    return statistics.median(single), time.perf_counter() - start, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder with the strings")
    parser.add_argument("--bits", type=int, default=512, help="of a string")
    parser.add_argument("--queries", type=int, default=1024, help="that are asked at once")
    parser.add_argument("--indexes", nargs="+", default=["flat"], choices=["flat", "hash", "multihash", "ivf", "hnsw", "forest"])
    options = parser.parse_args()
    read = lambda name, kind, width: numpy.fromfile(options.data / name, kind).reshape(-1, width)
    rows = read("rows", numpy.uint8, options.bits // 8)
    queries = read("queries", numpy.uint8, options.bits // 8)[:options.queries]
    neighbours = read("neighbours", numpy.uint32, 10)[:options.queries]
    for name in options.indexes:
        faiss.omp_set_num_threads(1)
        index = make(name, options.bits)
        start = time.perf_counter()
        if not index.is_trained:
            index.train(rows[:200_000])
        index.add(rows)
        hashing = time.perf_counter() - start
        for threads in (1, 2):
            one, together, found = measure(index, queries, threads)
            recall, by_place = recalls(found, neighbours)
            row = {"method": getattr(index, "name", f"faiss {faiss.__version__} {name}"), "threads": threads, "hashing s": round(hashing, 3),
                   "one query ms": round(one, 3), "all at once s": round(together, 3), "queries": len(queries),
                   "recall": round(float(recall), 4)}
            for place, similarity in ((6, "0.6"), (7, "0.5"), (8, "0.4"), (9, "0.3")):
                row[f"J {similarity}"] = round(float(by_place[place]), 3)
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
