"""dedup: the same kind of data, without the copies."""

from __future__ import annotations

import itertools
import sys

from . import _pieces
from ._deduplicator import Deduplicator
from ._errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any
    from ._deduplicator import Progress

_PIECE = 4096  # items of a generator that are read ahead
_ROWS = 10_000  # of a Hugging Face dataset at once


def dedup(data: Any, text: str = "text", *, id: str = "id", path: str | os.PathLike[str] | None = None, errors: str = "strict",
          progress: Progress = None, **settings: Any) -> Any:
    """Returns `data` without the documents that repeat earlier ones; order, other columns and kind stay.

    data      a list or tuple of str, bytes or dicts; a generator or other iterator of them → a generator that reads `data` in pieces
              and holds one of them; a polars DataFrame, LazyFrame or Series; a pandas DataFrame or Series; a pyarrow Table,
              RecordBatch, RecordBatchReader (→ Table), ChunkedArray or Array; a Hugging Face Dataset or IterableDataset; a DuckDB
              relation.
    text, id  the column or key of the texts, and of ids, which need not be there. Two rows of the same id are two versions of one
              document, and both can stay.
    path      the directory of a state to compare with and to add to; None: a temporary one.
    settings  as of Deduplicator, errors and progress as of its `add`, and so are the exceptions.
    """
    deduplicator = Deduplicator(path, **settings)

    def keep(data):
        return deduplicator.add(data, text=text, id=id, errors=errors, progress=progress).kept

    way = _way(data)
    if way is _generator:
        return _generator(data, keep, deduplicator)
    if way is _iterable_dataset:
        return _iterable_dataset(data, keep, text, id)
    with deduplicator:
        return way(data, keep, text, id)


def _way(data):
    """By the module of its type, so that nothing is imported that the caller has not."""
    kind = type(data)
    library, name = kind.__module__.partition(".")[0], kind.__name__
    if library == "polars":
        return {"DataFrame": _polars, "Series": _polars, "LazyFrame": _lazy}.get(name, _refuse)
    if _pieces.is_pandas(data):
        return _pandas
    if library == "pyarrow":
        return _reader if name == "RecordBatchReader" else _pyarrow if hasattr(data, "filter") else _refuse
    if library == "datasets":
        return {"Dataset": _dataset, "IterableDataset": _iterable_dataset}.get(name, _refuse)
    if name == "DuckDBPyRelation":
        return _duckdb
    if isinstance(data, (list, tuple)):
        return _list
    if _pieces.is_iterator(data) and not isinstance(data, dict):
        return _generator
    return _refuse


def _refuse(data, keep, text, id):
    raise InputError(f"dedup of a {type(data).__module__}.{type(data).__qualname__}: give a list, an iterator, or a frame or table")


def _list(data, keep, text, id):
    return type(data)(itertools.compress(data, keep(data)))


def _generator(data, keep, deduplicator):
    with deduplicator:
        for piece, _, _ in _pieces.pieces(data, size=_PIECE):
            yield from itertools.compress(piece, keep(piece))


def _polars(data, keep, text, id):
    return data.filter(type(data.to_series())(keep(data)) if hasattr(data, "to_series") and hasattr(data, "columns")
                       else type(data)(keep(data)))


def _lazy(data, keep, text, id):
    return _polars(data.collect(), keep, text, id).lazy()


def _pandas(data, keep, text, id):
    return data[keep(data)]


def _pyarrow(data, keep, text, id):
    return data.filter(sys.modules["pyarrow"].array(keep(data), "bool"))


def _reader(data, keep, text, id):
    return _pyarrow(data.read_all(), keep, text, id)


def _duckdb(data, keep, text, id):
    import duckdb
    import pyarrow
    table = data.to_arrow_table() if hasattr(data, "to_arrow_table") else data.arrow()
    if isinstance(table, pyarrow.RecordBatchReader):
        table = table.read_all()
    return duckdb.from_arrow(_pyarrow(table, keep, text, id))


def _wanted(names, text, id):
    return [name for name in dict.fromkeys((text, id)) if name in names]


def _dataset(data, keep, text, id):
    columns = data.select_columns(_wanted(data.column_names, text, id)).with_format("arrow")
    kept = itertools.chain.from_iterable(keep(table) for table in columns.iter(_ROWS))
    return data.select(list(itertools.compress(range(len(data)), kept)))


def _iterable_dataset(data, keep, text, id):
    def keep_batch(batch):
        texts = batch[text]
        return keep([dict(zip((text, id), row)) for row in zip(texts, batch[id])] if id in batch else list(texts))
    return data.filter(keep_batch, batched=True, batch_size=_PIECE)
