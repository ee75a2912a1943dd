"""Sketches, bands and counts for the oracle, by the plain version of docs/formats/sketch.md that the golden vectors come
from (tests/vectors). What it computes again and again is remembered: the oracle asks for thousands of sketches."""

import functools
import pathlib
import sys
from fractions import Fraction

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "vectors"))
import estimate as estimator  # noqa: E402
import sketch as plain  # noqa: E402
import text as plain_text  # noqa: E402

plain.derive = functools.lru_cache(maxsize=None)(plain.derive)
plain.token_hash = functools.lru_cache(maxsize=None)(plain.token_hash)

FILTER_LOSS = Fraction(1, 10_000)  # how many pairs at the threshold exact verification may lose


tokens = functools.lru_cache(maxsize=None)(plain_text.tokens)


@functools.lru_cache(maxsize=None)
def values_of(text, unit, shingle, size, bits):
    """The stored values of a normalised text."""
    elements = plain.elements(plain.DEFAULT_SEED, text, unit, shingle)
    return tuple(plain.stored_bits(plain.fast_similarity(plain.DEFAULT_SEED, size, sorted(set(elements))), None, bits))


def equal(a, b):
    return sum(x == y for x, y in zip(a, b))


def similarity(count, size, bits):
    """What a count of equal values says, with 3 decimals."""
    millionths = estimator.ppm(estimator.resemblance(count, size, *estimator.even_constants(bits)))
    return (millionths + 500) // 1000 / 1000


def decision_count(threshold, size, bits):
    """The smallest count whose estimate reaches the threshold."""
    constants = estimator.even_constants(bits)
    return next(count for count in range(size + 1) if estimator.resemblance(count, size, *constants) >= threshold)


def lower_count(threshold, size, bits):
    """The largest count that a pair at the threshold reaches, but for FILTER_LOSS."""
    chance = float(threshold + (1 - threshold) * Fraction(1, 2**bits))
    weight, below = (1 - chance) ** size, 0.0
    for count in range(size + 1):
        below += weight
        if below >= FILTER_LOSS:
            return count
        weight *= (size - count) / (count + 1) * chance / (1 - chance)
    return size
