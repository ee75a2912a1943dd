"""A message as tests look at it. Needs no Kafka library."""

from typing import Any, NamedTuple


class Message(NamedTuple):
    """As read from a topic."""

    topic: str
    partition: int
    offset: int
    timestamp: int  # milliseconds, -1 for none
    key: Any
    value: Any
    headers: Any

    @property
    def place(self):
        return self.topic, self.partition, self.offset

    def header(self, name):
        """The last of that name, None without one."""
        return dict(self.headers).get(name)
