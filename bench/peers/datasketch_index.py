"""datasketch: MinHash with xxhash in place of its SHA-1, which takes longer than all the rest; its dictionary
storage. It has no threads."""

import xxhash
from datasketch import MinHash, MinHashLSH

import stream


class Index:
    def __init__(self, size, bands, rows):
        self._size = size
        self._lsh = MinHashLSH(num_perm=size, params=(bands, rows))

    def sketch(self, shingle_lists):
        encoded = (map(str.encode, each) for each in shingle_lists)
        return MinHash.bulk(encoded, num_perm=self._size, hashfunc=xxhash.xxh32_intdigest)

    def candidates(self, sketch):
        return self._lsh.query(sketch)

    def similarity(self, sketch, other):
        return sketch.jaccard(other)

    def insert(self, key, sketch):
        self._lsh.insert(key, sketch, check_duplication=False)


if __name__ == "__main__":
    stream.main(Index)
