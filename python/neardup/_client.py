"""The methods of Deduplicator, answered by a running service over HTTP."""

from __future__ import annotations

import json
import threading
import urllib.parse
import uuid

from . import _core, _pieces
from ._answers import Explanation, Hits
from ._errors import Error, InputError, ServiceError, UnsupportedError
from ._flags import Flags
from ._http import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Iterator
    from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_PIECE = 8192  # documents of a request


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
        self._lock = threading.Lock()

    def add(self, data: Any, ids: Any = None, namespaces: Any = None, *, text: str = "text", id: str = "id",
            namespace: str = "namespace") -> Flags:
        """Decides and stores texts, in requests of 8,192, and returns their Flags. Texts without an id get a random one. If it raises
        in the middle, the requests before are stored; calling it again with the same ids is safe."""
        return self._all("/v1/documents", data, ids, namespaces, (text, id, namespace))

    def check(self, data: Any, ids: Any = None, namespaces: Any = None, *, text: str = "text", id: str = "id",
              namespace: str = "namespace") -> Flags:
        """The Flags that the texts would get. Stores nothing."""
        return self._all("/v1/check", data, ids, namespaces, (text, id, namespace))

    def stream(self, data: Iterable[Any], *, text: str = "text", id: str = "id", namespace: str = "namespace",
               size: int = 1024) -> Iterator[Flags]:
        """Reads an iterator of texts or dicts, and yields the Flags of `size` of them as they are decided and stored."""
        for piece in _pieces.pieces(data, size=size):
            yield self._post("/v1/documents", *_plain(*piece, (text, id, namespace)))

    def _all(self, path, data, ids, namespaces, names):
        if not _pieces.is_iterator(data):
            data, ids, namespaces = _plain(data, ids, namespaces, names)
        flags = None
        for piece in _pieces.pieces(data, ids, namespaces, _PIECE):
            more = self._post(path, *_plain(*piece, names))
            flags = more if flags is None else (flags._extend(more) or flags)
        return flags if flags is not None else Flags(_core.Flags.from_rows([]))

    def _post(self, path, texts, ids, namespaces):
        body = _records(texts, ids, namespaces)
        answer = self._request("POST", path, body, content_type="application/x-ndjson")
        try:
            flags = Flags(_core.Flags.from_rows(json.loads(b"[" + b",".join(answer.splitlines()) + b"]")))
        except (Error, ValueError, KeyError) as error:
            raise UnsupportedError(f"{path}: the service answers in a way that this client does not know ({error})") from error
        if len(flags) != len(texts):
            raise UnsupportedError(f"{path}: {len(flags)} flags for {len(texts)} documents")
        return flags

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


def _plain(data, ids, namespaces, names):
    """Lists of str. Of Arrow data by its own methods, so that no library is needed here."""
    if _pieces.is_arrow(data) and hasattr(data, "to_pylist"):  # pyarrow
        data = data.to_pylist()
    elif _pieces.is_arrow(data) and hasattr(data, "to_dicts"):  # polars
        data = data.to_dicts()
    elif _pieces.is_arrow(data) and hasattr(data, "to_list"):
        data = data.to_list()
    data, ids, namespaces = _pieces.columns(data, ids, namespaces, names)
    if isinstance(data, (str, bytes)) or not hasattr(data, "__len__"):
        raise InputError(f"texts: {type(data).__name__}; give a list of them, or a frame")
    for what, other in ("ids", ids), ("namespaces", namespaces):
        if other is not None and len(other) != len(data):
            raise InputError(f"{len(other)} {what} for {len(data)} texts")
    return data, ids, namespaces


def _records(texts, ids, namespaces):
    lines = []
    for row, text in enumerate(texts):
        if isinstance(text, bytes):
            text = _decoded(row, text)
        if not isinstance(text, str):
            raise InputError(f"text {row}: {type(text).__name__}, not a str or bytes")
        record = {"id": uuid.uuid4().hex if ids is None else ids[row], "text": text}
        if namespaces is not None:
            record["namespace"] = namespaces[row]
        if not isinstance(record["id"], str):
            raise InputError(f"id {row}: {type(record['id']).__name__}, not a str")
        lines.append(_encode(record))
    try:
        return "\n".join(lines).encode()
    except UnicodeEncodeError:
        row = next(row for row, line in enumerate(lines) if not _encodes(line))
        raise InputError(f"text {row}: half of a surrogate pair, which UTF-8 cannot hold") from None


def _encodes(line):
    try:
        line.encode()
    except UnicodeEncodeError:
        return False
    return True


def _decoded(row, text):
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise InputError(f"text {row}: not valid UTF-8") from None
