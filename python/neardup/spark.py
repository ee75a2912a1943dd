"""A step for Spark, whose tasks share the index of a service.

    kept = frame.mapInArrow(neardup.spark.filter("http://host:8080", token), frame.schema)
"""

from ._remote import RemoteFilter


def filter(url, token=None, *, text="text", id="id", **options):
    """What `mapInArrow` calls for each partition, which must have the columns `text` and `id`. `options` are those of neardup.Client."""
    remote = RemoteFilter(url, token, text, id, **options)

    def filter_partition(batches):
        yield from map(remote, batches)
    return filter_partition
