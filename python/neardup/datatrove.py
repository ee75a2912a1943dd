"""A step for datatrove.

    Filter()                                    # one task, which owns its index
    Filter(url="http://host:8080", token=…)     # any number of tasks, which share the index of a service
"""

from __future__ import annotations

from datatrove.pipeline.filters.base_filter import BaseFilter

from ._client import Client
from ._deduplicator import Deduplicator
from ._errors import Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator
    from typing import Any


class Filter(BaseFilter):
    """Drops the documents that repeat earlier ones; those it drops have the reason `exact_duplicate` or `near_duplicate`, and go to
    `exclusion_writer`. The id of a document is its `id`.

    path, settings  of the Deduplicator of a single task
    url, token      of the service that several tasks share; its settings are those it was started with
    """

    name = "🔎 neardup"

    def __init__(self, path: str | os.PathLike[str] | None = None, *, url: str | None = None, token: str | None = None,
                 exclusion_writer: Any = None, batch_size: int = 1000, **settings: Any) -> None:
        super().__init__(exclusion_writer, batch_size)
        self._made_of = (path, url, token, settings)
        self._index: Client | Deduplicator | None = None

    def run(self, data: Iterable[Any], rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        path, url, token, settings = self._made_of
        if url is None and world_size > 1:
            raise Error(f"{world_size} tasks cannot own one index: let them share a service, Filter(url=…)")
        with Client(url, token) if url else Deduplicator(path, **settings) as self._index:
            yield from super().run(data, rank, world_size)
        self._index = None

    def filter(self, doc: Any) -> Any:
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Any]) -> list[Any]:
        flags = self._index.add([doc.text for doc in batch], [str(doc.id) for doc in batch])
        return [kept or (False, status) for kept, status in zip(flags.kept, flags.status)]
