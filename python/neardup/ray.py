"""A step for Ray Data, whose tasks share the index of a service.

    kept = dataset.map_batches(neardup.ray.filter("http://host:8080", token), batch_format="pyarrow")
"""

from ._remote import RemoteFilter


def filter(url, token=None, *, text="text", id="id", **options):
    """What `map_batches` calls with each batch, which must have the columns `text` and `id`. `options` are those of neardup.Client."""
    return RemoteFilter(url, token, text, id, **options)
