"""rensa: R-MinHash of whole sets, sketched in bulk. Its deduplicator tells only that something is like a document;
its index, with the sketches beside it, tells what. Its rho sketches are left out: they have no query, and flag
whatever shares a band with any other row of a batch, an earlier or a later one."""

from rensa import RMinHash, RMinHashLSH

import stream
from cases import THRESHOLD

SEED = 42


class Index:
    def __init__(self, size, bands, rows):
        assert bands * rows == size, "rensa bands use every value"
        self._size = size
        self._lsh = RMinHashLSH(THRESHOLD, size, bands)

    def sketch(self, shingle_lists):
        return RMinHash.from_token_sets(shingle_lists, self._size, SEED)

    def candidates(self, sketch):
        return self._lsh.query(sketch)

    def similarity(self, sketch, other):
        return sketch.jaccard(other)

    def insert(self, key, sketch):
        self._lsh.insert(key, sketch)


if __name__ == "__main__":
    stream.main(Index)
