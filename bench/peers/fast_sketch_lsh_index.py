"""FastSketchLSH: sketched in bulk by all threads; its index numbers the rows as they are inserted, and has one
thread: with more, an insertion of one row takes time that grows with the index."""

from FastSketchLSH import LSH, FastSimilaritySketch, estimate_jaccard

import stream


class Index:
    def __init__(self, size, bands, rows):
        assert bands * rows == size, "FastSketchLSH bands use every value"
        self._sketcher = FastSimilaritySketch(size=size)
        self._lsh = LSH(num_perm=size, num_bands=bands, num_threads=1)

    def sketch(self, shingle_lists):
        return [row.copy() for row in self._sketcher.batch(shingle_lists)]

    def candidates(self, sketch):
        return self._lsh.query(sketch)

    def similarity(self, sketch, other):
        return estimate_jaccard(sketch, other)

    def insert(self, key, sketch):
        self._lsh.insert(sketch.reshape(1, -1))


if __name__ == "__main__":
    stream.main(Index)
