"""docs/formats/sketch.md in plain Python: from normalised text to band keys.

Written from that page and the papers it names, never from the C++, so that the two check each other.
Slow and simple on purpose: a function here is the sentence of the specification that has its name.
"""

MASK64 = 2**64 - 1
P = 2**61 - 1
PHI = 0x9E3779B97F4A7C15
DEFAULT_SEED = "243f6a8885a308d313198a2e03707344"

TOKEN, SHINGLE_BASE, ROUND, TWO_UNIVERSAL, FOUR_UNIVERSAL, MULTIPLY_SHIFT, BAND, CHECK = range(1, 9)
PERMUTATION = 4096


# --- basic functions


def mix64(z):
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & MASK64
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & MASK64
    return z ^ z >> 31


def fold(a, b):
    product = a * b
    return (product & MASK64) ^ (product >> 64)


def derive(seed, label, i):
    """`seed` is written as 32 hex digits."""
    s0, s1 = int(seed[:16], 16), int(seed[16:], 16)
    inner = mix64(((s0 ^ ((label << 32) + i)) + PHI) & MASK64)
    return mix64(((s1 ^ inner) + PHI) & MASK64)


# --- tokens and shingles


def token_hash(seed, token):
    k0, k1, k2 = (derive(seed, TOKEN, i) for i in range(3))
    h = (k2 + len(token)) & MASK64
    for start in range(0, len(token), 16):
        block = token[start : start + 16].ljust(16, b"\0")
        lo, hi = int.from_bytes(block[:8], "little"), int.from_bytes(block[8:], "little")
        h = fold(lo ^ k0 ^ h, hi ^ k1)
    return h


def units(text, unit):
    return text.split(" ") if unit == "word" else list(text)


def shingle_base(seed):
    base = derive(seed, SHINGLE_BASE, 0) % P
    return base if base >= 2 else 2


def elements(seed, text, unit, size):
    """x_0, x_1, … in the order of the text; the same shingle twice is the same number twice."""
    base = shingle_base(seed)
    values = [token_hash(seed, u.encode()) % P for u in units(text, unit)]
    w = min(size, len(values))
    result = []
    for i in range(len(values) - w + 1):
        x = 0
        for value in values[i : i + w]:
            x = (x * base + value) % P
        result.append(x)
    return result


# --- winning values


def fast_similarity(seed, t, xs):
    """Dahlgaard, Knudsen, Thorup, FOCS 2017, section 2."""
    bins = [None] * t
    for i in range(t):
        key = derive(seed, ROUND, i)
        for x in xs:
            h = mix64(x ^ key)
            slot = (h >> 32) * t >> 32
            value = (i << 32) + h % 2**32
            if bins[slot] is None or value < bins[slot]:
                bins[slot] = value
        if None not in bins:
            return bins
    for i in range(t, 2 * t):
        if bins[i - t] is None:
            key = derive(seed, ROUND, i)
            bins[i - t] = min((i << 32) + mix64(x ^ key) % 2**32 for x in xs)
    return bins


def two_universal(seed, j, universe):
    c1 = derive(seed, TWO_UNIVERSAL, 2 * j) % P
    c2 = 1 + derive(seed, TWO_UNIVERSAL, 2 * j + 1) % (P - 1)
    return lambda x: into((c1 + c2 * x) % P, universe)


def four_universal(seed, j, universe):
    c = [derive(seed, FOUR_UNIVERSAL, 4 * j + n) % P for n in range(4)]
    return lambda x: into((c[0] + c[1] * x + c[2] * x**2 + c[3] * x**3) % P, universe)


def permutation(seed, j, universe):
    pi = list(range(universe))
    for i in range(universe - 1, 0, -1):
        r = derive(seed, PERMUTATION + j, i) * (i + 1) >> 64
        pi[i], pi[r] = pi[r], pi[i]
    return lambda x: pi[x]


def multiply_shift(seed, j, _universe):
    a, b = derive(seed, MULTIPLY_SHIFT, 2 * j), derive(seed, MULTIPLY_SHIFT, 2 * j + 1)
    return lambda x: (a * (x % 2**32) + b & MASK64) >> 32


HASHES = {"2u": two_universal, "4u": four_universal, "permutation": permutation, "ms32": multiply_shift}


def into(x, universe):
    return x % universe if universe else x


def minhash(seed, k, xs, name, universe):
    """Li, Shrivastava, König 2012; `universe` 0 means none."""
    xs = [into(x, universe) for x in xs]
    functions = (HASHES[name](seed, j, universe) for j in range(k))
    return [min(map(h, xs)) for h in functions]


def winning_values(seed, family, slots, xs, name, universe):
    if family == "fast_similarity":
        return fast_similarity(seed, slots, xs)
    return minhash(seed, slots, xs, name, universe)


# --- what is stored


def stored_bits(winning, name, bits):
    """Li, König 2010. The permutation's own bits are kept, since the paper's constants hold for those."""
    values = winning if name == "permutation" else map(mix64, winning)
    return [value % 2**bits for value in values]


def pack(values, bits):
    words = [0] * ((len(values) * bits + 63) // 64)
    for j, value in enumerate(values):
        words[j * bits // 64] |= value << (j * bits % 64)
    return words


def one_bit(values):
    return pack([value & 1 for value in values], 1)


def band_keys(seed, values, bits, bands, rows, name_space):
    n = token_hash(seed, name_space.encode())
    keys = []
    for m in range(bands):
        h = mix64(derive(seed, BAND, m) ^ n)
        for v in pack(values[m * rows : (m + 1) * rows], bits):
            h = mix64(((h ^ v) + PHI) & MASK64)
        keys.append(h)
    return keys
