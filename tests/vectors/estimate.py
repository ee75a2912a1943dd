"""The estimator of b-bit minwise hashing in exact fractions (Li, König, WWW 2010, Theorem 1)."""

from fractions import Fraction


def chance(size, universe, bits):
    """A_{j,b}: r(1 − r)^(2^b − 1) / (1 − (1 − r)^(2^b)) with r = size / universe."""
    n = 2**bits
    rest = universe - size
    return Fraction(size * rest ** (n - 1), universe**n - rest**n)


def constants(size1, size2, universe, bits):
    """C1 and C2 for a true permutation of `universe` numbers, sets of size1 and size2."""
    a1, a2 = chance(size1, universe, bits), chance(size2, universe, bits)
    weight1, weight2 = Fraction(size1, size1 + size2), Fraction(size2, size1 + size2)
    return a1 * weight2 + a2 * weight1, a1 * weight1 + a2 * weight2


def even_constants(bits):
    """C1 = C2 = 2^−b: every other family, whose stored bits are evenly spread."""
    return Fraction(1, 2**bits), Fraction(1, 2**bits)


def resemblance(count, k, c1, c2):
    """R = (P − C1) / (1 − C2), within 0 and 1, of `count` equal values among k."""
    return min(Fraction(1), max(Fraction(0), (Fraction(count, k) - c1) / (1 - c2)))


def ppm(r):
    """Parts per million, half rounded up."""
    return int(r * 1_000_000 + Fraction(1, 2))
