"""The class MinHashLSH in the shape of datasketch's, over texts in place of MinHash objects (docs/python.md, "From datasketch")."""

from __future__ import annotations

import contextlib

from ._deduplicator import Deduplicator
from ._errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence
    from typing import Any
    Text = str | bytes | Sequence[str]

_PIECE = 1024  # texts of a session that are inserted at once
_MOST_HITS = 10_000  # of one query


class MinHashLSH:
    """An index of keys that finds those whose texts are similar to a query's.

    threshold  a query finds the keys of texts at least as similar, 0 to 1
    path       the directory of the index; None: a temporary one
    settings   as of Deduplicator

    Where datasketch takes a MinHash, give the text itself, or a list of tokens. Unlike there the index is exact about what it returns:
    similarities are estimated from sketches, and only those above the threshold are results.
    """

    def __init__(self, threshold: float = 0.9, path: str | os.PathLike[str] | None = None, **settings: Any) -> None:
        self.threshold = threshold
        # Every text is kept, and not only originals, since a query is to find all of them.
        size = 256 if threshold >= 0.6 else 512  # sketch values that a recall of 0.99 needs there
        self._index = Deduplicator(path, threshold=threshold, **{"against": "all", "sketch.size": size, **settings})
        self._most = 100  # hits that are asked for at first

    def insert(self, key: str, text: Text) -> None:
        """Adds a text. The same key again replaces its text."""
        self._index.add([_text(text)], [key])

    @contextlib.contextmanager
    def insertion_session(self) -> Iterator[_Session]:
        """`with lsh.insertion_session() as session: session.insert(key, text)`: faster for many texts."""
        session = _Session(self._index)
        yield session
        session.flush()

    def query(self, text: Text) -> list[str]:
        """The keys of all texts at least `threshold` similar, the most similar first."""
        return [hit["id"] for hit in self.query_scores(text)]

    def query_scores(self, text: Text) -> list[dict[str, Any]]:
        """The same as dicts with id, similarity, and the 95 % interval of the estimate."""
        text = _text(text)
        while True:
            try:
                hits = self._index.similar(text, k=self._most, min_similarity=self.threshold, engine="lsh")
            except InputError:  # too short for a sketch
                return []
            if len(hits) < self._most or self._most == _MOST_HITS:
                return list(hits)
            self._most = min(2 * self._most, _MOST_HITS)

    def remove(self, key: str) -> None:
        """Raises ValueError for a key that is not there, as datasketch."""
        if self._index.delete([key])["deleted"] == 0:
            raise ValueError("The given key does not exist")

    def close(self) -> None:
        self._index.close()

    def __enter__(self) -> MinHashLSH:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Session:
    def __init__(self, index: Deduplicator) -> None:
        self._index = index
        self._keys: list[str] = []
        self._texts: list[str | bytes] = []

    def insert(self, key: str, text: Text) -> None:
        self._keys.append(key)
        self._texts.append(_text(text))
        if len(self._keys) == _PIECE:
            self.flush()

    def flush(self) -> None:
        if self._keys:
            self._index.add(self._texts, self._keys)
        self._keys, self._texts = [], []


def _text(text: Text) -> str | bytes:
    return text if isinstance(text, (str, bytes)) else " ".join(text)
