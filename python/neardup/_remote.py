"""Filters of tables through a service, for frameworks that run many tasks."""

from __future__ import annotations

from ._client import Client
from ._errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class RemoteFilter:
    """Table or record batch of pyarrow → the same without copies, decided by the service at `url`.

    All tasks share the index of the service. A framework may run a task again, so every row needs an id: then the second run gets the
    decisions of the first. Can be pickled; each process opens a separate connection.
    """

    def __init__(self, url: str, token: str | None = None, text: str = "text", id: str = "id", **options: Any) -> None:
        self._made_of = (url, token, text, id, options)
        self._client: Client | None = None

    def __call__(self, table: Any) -> Any:
        url, token, text, id, options = self._made_of
        if self._client is None:
            self._client = Client(url, token, **options)
        missing = {text, id} - set(table.schema.names)
        if missing:
            raise InputError(f"the table has no column {sorted(missing)[0]!r}: texts need an id, by which a second run of a task finds "
                             "the decisions of the first")
        if table.num_rows == 0:
            return table
        import pyarrow
        return table.filter(pyarrow.array(self._client.add(table.select([text, id]), text=text, id=id).kept))

    def __getstate__(self) -> tuple[Any, ...]:
        return self._made_of

    def __setstate__(self, made_of: tuple[Any, ...]) -> None:
        self._made_of, self._client = made_of, None
