"""Finds near-duplicate documents: in lists, frames, Arrow tables and streams, with an index on disk.

    kept = neardup.dedup(frame)                      # the same kind of data, without copies
    with neardup.Deduplicator("index") as index:     # an index on disk
        flags = index.add(frame)                     # flags.kept, flags.duplicate_of, flags.similarity
    client = neardup.Client("http://host:8080")      # the same methods of a running service

docs/python.md in the sources has the manual.
"""

from ._answers import Explanation, Hits
from ._core import __version__
from ._dedup import dedup
from ._deduplicator import Deduplicator
from ._errors import (ClosedError, Error, ForkError, InputError, InternalError, RuleError, ServiceError, SettingsError, StateInUseError,
                      StorageError, UnreachableError, UnsupportedError)
from ._flags import COLUMNS, Flags
from ._sketches import Sketches, sketch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._async_client import AsyncClient
    from ._client import Client

__all__ = ["AsyncClient", "COLUMNS", "Client", "ClosedError", "Deduplicator", "Error", "Explanation", "Flags", "ForkError", "Hits",
           "InputError", "InternalError", "RuleError", "ServiceError", "SettingsError", "Sketches", "StateInUseError", "StorageError",
           "UnreachableError", "UnsupportedError", "__version__", "dedup", "sketch"]


if not TYPE_CHECKING:  # a checker is to refuse other names
    def __getattr__(name):
        """The clients, which import asyncio and ssl, when they are first used."""
        if name == "Client":
            from ._client import Client
            return Client
        if name == "AsyncClient":
            from ._async_client import AsyncClient
            return AsyncClient
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
