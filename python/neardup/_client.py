"""The methods of Deduplicator, answered by a running service over HTTP."""

from __future__ import annotations

import json
import threading
import urllib.parse
import uuid

from . import _core, _pieces
from ._answers import Explanation, Hits
from ._errors import InputError, ServiceError, UnsupportedError
from ._flags import Flags
from ._http import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Iterator
    from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ADD = "/v1/documents"
_REQUEST = 65_536  # documents of a request
_PIECE = 1 << 18  # bytes of a body that are written at once


def _body(records):
    """The body of the next request, as Connection takes it: bytes, or where it is long a function that returns its pieces."""
    end = min(records.row + _REQUEST, len(records))
    piece = records.next(_REQUEST, _PIECE)
    rest = records.row

    def pieces():
        yield piece
        records.row = rest
        while records.row < end:
            yield records.next(end - records.row, _PIECE)
    return piece if rest == end else pieces


class Client:
    """A service (`neardup serve`, docs/api.md) under the methods of Deduplicator. Threads may share it: requests go one after another.

    url      http://host:8080, or https
    token    of the service, for `add` and `delete`, and where reading needs one
    retries  of a request that got no answer or was refused for now. A resent document is `unchanged`, and its flag's `kept` is the
             decision of the first time.
    timeout  seconds that an answer may take
    context  an ssl.SSLContext for https; None: the system's certificates

    Raises ServiceError with status and reason, UnreachableError without an answer, UnsupportedError where the versions differ.
    """

    def __init__(self, url: str, token: str | None = None, *, retries: int = 5, timeout: float = 60.0,
                 context: ssl.SSLContext | None = None) -> None:
        self._connection = Connection(url, token, retries, timeout, context)
        self._wait = {"wait": int(min(timeout / 2, 300))}  # of a service on Kafka, for flags
        self._lock = threading.Lock()

    def add(self, data: Any, ids: Any = None, namespaces: Any = None, *, text: str = "text", id: str = "id", namespace: str = "namespace",
            errors: str = "strict") -> Flags:
        """As Deduplicator.add, in requests of up to 65,536 texts, which the service decides while it receives them. Texts without an id
        get a random one. If it raises in the middle, texts that were sent by then may be stored; calling it again with the same ids
        is safe. A service on Kafka gives the flags of at most 1,000 texts a call, and ServiceError where they take longer than half of
        `timeout`; the texts are in their topic then."""
        return self._decide(_ADD, data, ids, namespaces, (text, id, namespace), errors)

    def check(self, data: Any, ids: Any = None, namespaces: Any = None, *, text: str = "text", id: str = "id",
              namespace: str = "namespace", errors: str = "strict") -> Flags:
        """The Flags that the texts would get. Stores nothing."""
        return self._decide("/v1/check", data, ids, namespaces, (text, id, namespace), errors)

    def stream(self, data: Iterable[Any], *, text: str = "text", id: str = "id", namespace: str = "namespace", size: int = 1000,
               errors: str = "strict") -> Iterator[Flags]:
        """Reads an iterator of texts or dicts, and yields the Flags of `size` of them as they are decided and stored."""
        for piece in _pieces.pieces(data, size=size):
            yield self._decide_piece(_ADD, *piece, (text, id, namespace), errors)

    def _decide(self, path, data, ids, namespaces, names, errors):
        pieces = _pieces.pieces(data, ids, namespaces) if _pieces.is_iterator(data) else [(data, ids, namespaces)]
        flags = Flags(_core.Flags.from_lines(b""))
        for piece in pieces:
            flags = flags._and(self._decide_piece(path, *piece, names, errors))
        return flags

    def _decide_piece(self, path, data, ids, namespaces, names, errors):
        data, ids, namespaces = _pieces.columns(data, ids, namespaces, names)
        records = _core.Records(data, ids, namespaces, *names, _pieces.replaces(errors), uuid.uuid4().hex + "-")
        flags = Flags(_core.Flags.from_lines(b""))
        while records.row < len(records):
            flags = flags._and(self._post(path, _body(records)))
            if len(flags) != records.row:
                raise UnsupportedError(f"{path}: {len(flags)} flags for {records.row} documents")
        return flags

    def _post(self, path, body):
        answer = self._request("POST", path, body, self._wait if path == _ADD else None, "application/x-ndjson")
        try:
            return Flags(_core.Flags.from_lines(answer))
        except InputError as error:
            raise UnsupportedError(f"{path}: the service answers in a way that this client does not know: {error}") from error

    def _request(self, *arguments, **keywords):
        with self._lock:
            return self._connection.request(*arguments, **keywords)

    def _json(self, *arguments, **keywords):
        return json.loads(self._request(*arguments, **keywords))

    def similar(self, text: str | None = None, *, id: str | None = None, k: int = 10, min_similarity: float = 0.0, namespace: str = "",
                engine: str = "auto") -> Hits:
        """As Deduplicator.similar."""
        if (text is None) == (id is None):
            raise InputError("give either a text or id=…")
        query = {"k": k, "floor": min_similarity, "engine": engine, "namespace": namespace or None}
        asked = {"id": id} if text is None else {"text": text}
        answer = self._json("POST", "/v1/similar", _encode(asked).encode(), query, "application/x-ndjson")
        if "error" in answer:
            raise InputError(answer["error"])
        return Hits(answer)

    def explain(self, a: str | dict[str, str], b: str | dict[str, str], *, namespace: str = "") -> Explanation:
        """As Deduplicator.explain."""
        asked = {"a": a, "b": b, **({"namespace": namespace} if namespace else {})}
        return Explanation(self._json("POST", "/v1/compare", _encode(asked).encode()))

    def groups(self, top: int = 20) -> list[dict[str, Any]]:
        """As Deduplicator.groups."""
        return self._json("GET", "/v1/groups", query={"top": top})["groups"]

    def delete(self, ids: str | Iterable[str], *, namespace: str = "") -> dict[str, Any]:
        """As Deduplicator.delete, a request an id."""
        report = {"deleted": 0, "documents": 0, "text_bytes": 0, "unknown": []}
        for id in [ids] if isinstance(ids, str) else ids:
            try:
                one = self._json("DELETE", "/v1/documents/" + urllib.parse.quote(id, safe=""), query={"namespace": namespace or None})
            except ServiceError as error:
                if error.reason != "unknown_id":
                    raise
                one = {"deleted": 0, "documents": 0, "text_bytes": 0, "unknown": [id]}
            report = {key: report[key] + one[key] for key in report}
        return report

    def stats(self) -> dict[str, Any]:
        """What the state of the service holds."""
        return self._json("GET", "/v1/stats")

    @property
    def rule(self) -> str:
        """The fingerprint of the rule of the service."""
        return self._json("GET", "/v1/rule")["rule"]

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self):
        return f"<neardup.Client {self._connection.url}>"
