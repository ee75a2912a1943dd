"""Sketches of texts without a state, for those who join documents by themselves."""

from __future__ import annotations

from . import _core, _pieces, _settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Sketches:
    """Row i belongs to text i.

    `values` values of `bits` bits make a sketch: the share of equal values of two texts estimates their similarity. Texts that are
    in one of `bands` buckets together are candidates. Shapes: `sketches` n × words, and `buckets` n × bands, memoryviews of 64-bit
    numbers; `has_sketch` n bytes, 0 for texts too short for a sketch, whose rows are 0.
    """

    def __init__(self, parts: dict[str, Any]) -> None:
        self.values: int = parts["values"]
        self.bits: int = parts["bits"]
        self.bands: int = parts["bands"]
        self.has_sketch: bytes = parts["has_sketch"]
        self.sketches = self._rows(parts["sketches"], parts["words"])
        self.buckets = self._rows(parts["buckets"], parts["bands"])

    def _rows(self, data: bytes, width: int) -> memoryview[int]:
        view = memoryview(data)
        return view.cast("Q", [len(self), width]) if data else view.cast("Q")

    def __len__(self) -> int:
        return len(self.has_sketch)

    def buckets_of(self, i: int) -> list[int]:
        """The buckets of text i as a list, empty without a sketch."""
        return self.buckets[i:i + 1].tolist()[0] if self.has_sketch[i] else []

    def estimate(self, i: int, j: int) -> float | None:
        """The estimated similarity of two texts, 0 to 1; None without a sketch of both."""
        if not (self.has_sketch[i] and self.has_sketch[j]):
            return None
        shift = 64 // self.bits if self.bits else 1
        mask = (1 << self.bits) - 1
        equal = sum((a >> at * self.bits & mask) == (b >> at * self.bits & mask)
                    for a, b in zip(self._row(i), self._row(j)) for at in range(shift))
        by_chance = 1 / (1 << self.bits)
        return max(0.0, (equal / self.values - by_chance) / (1 - by_chance))

    def _row(self, i: int) -> list[int]:
        return self.sketches[i:i + 1].tolist()[0]

    def __repr__(self) -> str:
        return f"<{len(self)} sketches of {self.values} × {self.bits} bits, {self.bands} buckets each>"


def sketch(data: Any, *, text: str = "text", errors: str = "strict", **settings: Any) -> Sketches:
    """The Sketches of texts: a sequence, or an Arrow column or frame, as of Deduplicator.add. The same settings give the same bits on
    every machine; those of a Deduplicator are the defaults."""
    if _pieces.is_iterator(data):
        data = list(data)
    texts, _, _ = _pieces.columns(data, None, None, (text, text, text))
    return Sketches(_core.sketch(texts, text, _pieces.replaces(errors), _settings.pairs(settings)))
