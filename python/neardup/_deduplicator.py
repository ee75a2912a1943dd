"""An index of documents in this process, on disk or temporary."""

from __future__ import annotations

import atexit
import json
import os
import time
import weakref

from . import _core, _pieces, _progress, _settings
from ._answers import Explanation, Hits
from ._errors import InputError
from ._flags import Flags

TYPE_CHECKING = False  # as typing's, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any
    Progress = bool | Callable[[int], object] | None

_open = weakref.WeakSet()  # to be closed before the interpreter ends


@atexit.register
def _end():
    for deduplicator in list(_open):
        deduplicator.close()
    _core.interpreter_ends()
    time.sleep(0.01)  # threads that wait for the GIL get it while there is one


def _begin_child():
    _open.clear()
    _core.end_without_threads()


os.register_at_fork(after_in_child=_begin_child)


class Deduplicator:
    """Finds the texts that repeat earlier ones.

    path      the directory of the state: what `add` stores is durable when it returns, and a later Deduplicator, `neardup scan
              --state` or `neardup serve` continues with it. None: a temporary state, removed at the end.
    settings  those of docs/configuration.md, such as threshold=0.8, lsh={"recall": 0.999} or **{"storage.keep_texts": "all"}. A state
              keeps the rule it was made under; one that contradicts it is refused (RuleError). Environment and files are not read.

    One process owns a state, and its threads may share the object: calls wait for each other, without the GIL. After a fork the
    child gets ForkError. Ctrl-C ends `add` after the texts that were read by then, which are stored whole.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, **settings: Any) -> None:
        self._path = None if path is None else os.fspath(path)
        self._state = _core.State(self._path, _settings.pairs(settings))
        _settings.warn(self._state.warnings())
        _open.add(self)

    def add(self, data: Any, ids: Any = None, namespaces: Any = None, *, text: str = "text", id: str = "id", namespace: str = "namespace",
            errors: str = "strict", progress: Progress = None) -> Flags:
        """Decides texts in their order, stores them, and returns their Flags.

        data        a sequence of str or of bytes in UTF-8; an Arrow array, column or frame (polars, pyarrow, DuckDB, …), which is
                    read without a copy; a pandas object; dicts; or an iterator of any of those values, which is decided and stored
                    in pieces of 16,384. Of frames and dicts the fields `text`, and where they are there `id` and `namespace`.
        ids         a str a text, 1 to 1,024 bytes; without, its `seq` in digits. The same id again is a new version.
        namespaces  a str a text: texts are compared within their namespace. Without: one for all.
        errors      "strict": a text that is not UTF-8 is an InputError; "replace": such parts become U+FFFD, as in `scan`.
        progress    True shows a bar, a function gets the number of texts so far; None: a bar for long calls at a terminal.

        Raises InputError, and then nothing of the call is stored (of an iterator: of the piece); ClosedError; ForkError;
        StorageError, and then batches before it are.
        """
        return self._decide(self._state.add, data, ids, namespaces, (text, id, namespace), errors, progress)

    def check(self, data: Any, ids: Any = None, namespaces: Any = None, *, text: str = "text", id: str = "id", namespace: str = "namespace",
              errors: str = "strict", progress: Progress = None) -> Flags:
        """The Flags that the texts would get if each came next. Stores nothing; the texts do not see each other. As `add`."""
        return self._decide(self._state.check, data, ids, namespaces, (text, id, namespace), errors, progress)

    def _decide(self, decide, data, ids, namespaces, names, errors, progress):
        replace = _pieces.replaces(errors)
        if _pieces.is_iterator(data):
            return self._decide_iterator(decide, data, ids, namespaces, names, errors, progress)
        data, ids, namespaces = _pieces.columns(data, ids, namespaces, names)
        total = len(data) if hasattr(data, "__len__") else None
        if not progress and not _progress.is_shown(progress, total):
            return Flags(decide(data, ids, namespaces, *names, replace, None))
        with _progress.shown(progress, total) as update:
            return Flags(decide(data, ids, namespaces, *names, replace, update))

    def _decide_iterator(self, decide, data, ids, namespaces, names, errors, progress):
        flags = self._decide(decide, [], None, None, names, errors, False)
        with _progress.shown(progress, None) as update:
            for piece in _pieces.pieces(data, ids, namespaces):
                flags = flags._and(self._decide(decide, *piece, names, errors, False))
                if update:
                    update(len(flags))
        return flags

    def similar(self, text: str | None = None, *, id: str | None = None, k: int = 10, min_similarity: float = 0.0, namespace: str = "",
                engine: str = "auto") -> Hits:
        """The `k` stored documents most similar to a text, or to a stored id, also below the threshold, as Hits."""
        if (text is None) == (id is None):
            raise InputError("give either a text or id=…")
        return Hits(json.loads(self._state.similar(text if id is None else id, id is not None, k, min_similarity, namespace, engine)))

    def explain(self, a: str | dict[str, str], b: str | dict[str, str], *, namespace: str = "") -> Explanation:
        """Two documents side by side, as an Explanation: each the id of a stored one, or {"text": …}. Passages need the texts of both:
        `storage.keep_texts` is "kept", or "all" for those of copies, too."""
        return Explanation(json.loads(self._state.explain(*_side(a), *_side(b), namespace)))

    def groups(self, top: int = 20) -> list[dict[str, Any]]:
        """The originals with the most copies, a dict each: group (its id), seq, copies."""
        return json.loads(self._state.groups(top))["groups"]

    def delete(self, ids: str | Iterable[str], *, namespace: str = "") -> dict[str, Any]:
        """Deletes documents: later texts are no longer compared with them. Returns a dict with deleted, documents, text_bytes and
        unknown, the ids that were not there."""
        ids = [ids] if isinstance(ids, str) else list(ids)
        for i, value in enumerate(ids):
            if not isinstance(value, str):
                raise InputError(f"id {i}: {type(value).__name__}, not a str")
        return json.loads(self._state.delete(ids, namespace))

    def stats(self) -> dict[str, Any]:
        """What the state holds, as `neardup stats --json` (documents, bytes, rule, …)."""
        return json.loads(self._state.stats())

    @property
    def rule(self) -> str:
        """The fingerprint of the rule: texts under the same one get the same flags."""
        return self._state.rule()

    def close(self) -> None:
        """Waits for calls of other threads, and gives the state free. A temporary one is removed. Later calls raise ClosedError."""
        _open.discard(self)
        self._state.close()

    def __enter__(self) -> Deduplicator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self):
        where = "temporary" if self._path is None else repr(self._path)
        if not self._state.is_open:
            return f"<Deduplicator {where}, closed>"
        stats = self.stats()
        return f"<Deduplicator {where}: {stats['documents']} documents kept, next seq {stats['next_seq']}, rule {self.rule}>"


def _side(side):
    if isinstance(side, dict) and isinstance(side.get("text"), str):
        return side["text"], True
    if isinstance(side, str):
        return side, False
    raise InputError('give an id, or {"text": …}')
