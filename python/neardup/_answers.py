"""Answers about documents: similar ones, and two side by side."""

from __future__ import annotations

import html

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    _Hits = list[dict[str, Any]]
    _Fields = dict[str, Any]
else:
    _Hits, _Fields = list, dict


class Hits(_Hits):
    """The most similar documents, best first: dicts with id, seq, similarity and its interval.

    `as_of_seq`, `engine` and `complete_above` (no document above that similarity is missing) are those of the answer.
    """

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(answer.pop("hits"))
        self.answer = answer

    def __getattr__(self, name: str) -> Any:
        try:
            return self.answer[name]
        except KeyError:
            raise AttributeError(name) from None


class Explanation(_Fields):
    """Two documents side by side, as `POST /v1/compare` answers (docs/api.md): `sketch`, and where both texts are there `exact`
    and `passages`. Its str and its HTML are for people."""

    def __str__(self) -> str:
        a, b = self["a"]["name"], self["b"]["name"]
        lines = [f"{a!r} and {b!r}: " + ("the same text" if self["same_content"] else f"threshold {self['threshold']:g}")]
        for kind, words in ("exact", "similarity of the texts"), ("sketch", "estimate by sketches"):
            if kind in self:
                lines.append(f"  {words}: {self[kind]['similarity']:.3f}")
        for kind, words in ("shared", "shared"), ("only_a", f"only in {a!r}"), ("only_b", f"only in {b!r}"):
            lines += [f"  {words}: {passage['text']}" for passage in self.get("passages", {}).get(kind, [])[:3]]
        if "passages" not in self:
            lines.append("  no passages: a text is not kept (storage.keep_texts)")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"
