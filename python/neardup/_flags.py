"""Flags: the decisions about the texts of a call, in their order."""

from __future__ import annotations

import html

from . import _core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, overload

_SHOWN = 5  # pairs in a repr


class Flags:
    """The decisions of one call, columnar: `flags.kept`, `flags.duplicate_of`, … are lists, one value a text.

    `flags[i]` is a dict with the fields that flag i has; a slice is a list of those. An Arrow consumer takes all columns at once:
    `polars.DataFrame(flags)`, `pyarrow.table(flags)`. Similarities are 0 to 1 with three decimals, cut; `similarity_low` and
    `similarity_high` are the 95 % interval of the estimate. None stands where a flag has no such field.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Flags) -> None:
        self._core = core

    @property
    def kept(self) -> list[bool]:
        """Whether each text is one to keep: status unique, too_short or empty; of `unchanged`, what was decided the first time."""
        return self._core.kept()

    @property
    def id(self) -> list[str | None]:
        """The ids; of texts without one, their `seq` in digits."""
        return self._core.column("id")

    @property
    def seq(self) -> list[int]:
        """Numbers from 1 without gaps, in the order of decisions; of a check, the one that would be next."""
        return self._core.column("seq")

    @property
    def status(self) -> list[str]:
        """unique, exact_duplicate, near_duplicate, unchanged, too_short, empty or rejected."""
        return self._core.column("status")

    @property
    def duplicate_of(self) -> list[str | None]:
        """The id of the original that each copy repeats."""
        return self._core.column("duplicate_of")

    @property
    def similarity(self) -> list[float | None]:
        """The similarity to that original, 0 to 1."""
        return self._core.column("similarity")

    def column(self, name: str) -> list[Any]:
        """Any column by its name; `neardup.COLUMNS` lists them."""
        return self._core.column(name)

    @property
    def counts(self) -> dict[str, int]:
        """How many flags have each status; statuses without one are left out."""
        return self._core.counts()

    @property
    def rule(self) -> str:
        """The fingerprint of the rule that decided, 16 hex digits."""
        return self._core.rule

    def to_jsonl(self) -> bytes:
        """The flags as `neardup scan` writes them, one JSON object a line, as bytes; "source" has the row."""
        return self._core.lines()

    def __len__(self) -> int:
        return len(self._core)

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, i: int) -> dict[str, Any]: ...

        @overload
        def __getitem__(self, i: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, i: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(i, slice):
            return [self._core.row(at) for at in range(*i.indices(len(self)))]
        return self._core.row(i + len(self) if i < 0 else i)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self._core.row, range(len(self)))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)

    def _and(self, more: Flags) -> Flags:
        """These with more behind them; none yet take the rule of those."""
        if not len(self):
            return more
        self._core.extend(more._core)
        return self

    def _pairs(self) -> list[dict[str, Any]]:
        copies = (flag for flag in self if "duplicate_of" in flag)
        return [flag for flag, _ in zip(copies, range(_SHOWN))]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in self.counts.items())
        lines = [f"<{len(self)} flags: {counts or 'none'}>"]
        lines += [f"  {flag['id']!r} repeats {flag['duplicate_of']!r} ({flag['similarity']:.3f})" for flag in self._pairs()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join(f"<th>{status}</th><td>{count}</td>" for status, count in self.counts.items())
        rows = "".join(f"<tr><td>{html.escape(flag['id'])}</td><td>{html.escape(flag['duplicate_of'])}</td>"
                       f"<td>{flag['similarity']:.3f}</td></tr>" for flag in self._pairs())
        pairs = f"<table><tr><th>id</th><th>repeats</th><th>similarity</th></tr>{rows}</table>" if rows else ""
        return f"<table><tr><th>flags</th><td>{len(self)}</td>{cells}</tr></table>{pairs}"


COLUMNS = _core.Flags.columns
