"""A step for Ray Data, whose tasks share the index of a service.

    kept = dataset.map_batches(neardup.ray.filter("http://host:8080", token), batch_format="pyarrow")
"""

from __future__ import annotations

from ._remote import RemoteFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def filter(url: str, token: str | None = None, *, text: str = "text", id: str = "id", **options: Any) -> RemoteFilter:
    """What `map_batches` calls with each batch, which must have the columns `text` and `id`. `options` are those of neardup.Client."""
    return RemoteFilter(url, token, text, id, **options)
