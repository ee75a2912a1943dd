"""A function for DuckDB.

    with neardup.Deduplicator() as index:
        neardup.duckdb.register(connection, index)
        connection.sql("from docs where neardup_kept(id, text)")
"""

from __future__ import annotations

import pyarrow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from ._client import Client
    from ._deduplicator import Deduplicator


def register(connection: Any, index: Deduplicator | Client, name: str = "neardup_kept") -> None:
    """Registers the SQL function `name(id, text)` → whether to keep the row: it adds the text to `index`, a Deduplicator or Client, which
    has to stay open. DuckDB decides in which order rows come, and calls the function for rows alone that reach it."""
    import duckdb

    def kept(ids, texts):
        flags = index.add(texts.to_pylist(), ids.to_pylist())
        return pyarrow.array(flags.kept, "bool")

    text = duckdb.sqltype("VARCHAR")
    connection.create_function(name, kept, [text, text], duckdb.sqltype("BOOLEAN"), type="arrow", side_effects=True)
