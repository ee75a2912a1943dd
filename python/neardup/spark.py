"""A step for Spark, whose tasks share the index of a service.

    kept = frame.mapInArrow(neardup.spark.filter("http://host:8080", token), frame.schema)
"""

from __future__ import annotations

from ._remote import RemoteFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


def filter(url: str, token: str | None = None, *, text: str = "text", id: str = "id", **options: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What `mapInArrow` calls for each partition, which must have the columns `text` and `id`. `options` are those of neardup.Client."""
    remote = RemoteFilter(url, token, text, id, **options)

    def filter_partition(batches: Iterable[Any]) -> Iterator[Any]:
        yield from map(remote, batches)
    return filter_partition
