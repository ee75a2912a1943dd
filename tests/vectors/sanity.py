"""Are the sketches of this version what the papers promise: unbiased estimates?

A fixed generator draws sets with an exact Jaccard similarity, each under its own seed. The mean of the
estimates must lie within four standard errors of that similarity.
"""

import random
import statistics

import estimate
import sketch

TRIALS = 120
SLOTS = 64
BITS = 4
UNIVERSE = 2**12
FAMILIES = [("fast_similarity", "none", 0), ("minhash", "2u", 0), ("minhash", "4u", 0), ("minhash", "ms32", 0),
            ("minhash", "permutation", UNIVERSE)]
# (shared elements, elements only in A, elements only in B)
SETS = [(0, 1, 1), (0, 40, 40), (8, 4, 4), (20, 20, 40), (40, 8, 2), (57, 3, 0), (64, 0, 0)]


def draw(rng, universe, shape):
    shared, only_a, only_b = shape
    xs = rng.sample(range(universe or sketch.P), shared + only_a + only_b)
    return xs[: shared + only_a], xs[:shared] + xs[shared + only_a :]


def estimate_once(rng, family, shape):
    name, function, universe = family
    seed = f"{rng.getrandbits(128):032x}"
    sets = draw(rng, universe, shape)
    winning = [sketch.winning_values(seed, name, SLOTS, xs, function, universe) for xs in sets]
    a, b = (sketch.stored_bits(w, function, BITS) for w in winning)
    if function == "permutation":
        c1, c2 = estimate.constants(len(sets[0]), len(sets[1]), universe, BITS)
    else:
        c1, c2 = estimate.even_constants(BITS)
    equal = sum(x == y for x, y in zip(a, b))
    return float((equal / SLOTS - c1) / (1 - c2))  # not clamped: clamping adds a bias


def trials_of(function):
    return TRIALS // 10 if function == "permutation" else TRIALS  # a permutation is slow to draw


def run():
    wrong = 0
    for family in FAMILIES:
        for shape in SETS:
            rng = random.Random(f"{family} {shape}")
            found = [estimate_once(rng, family, shape) for _ in range(trials_of(family[1]))]
            truth = shape[0] / sum(shape)
            error = statistics.stdev(found) / len(found) ** 0.5
            off = abs(statistics.fmean(found) - truth)
            biased = off > 4 * error + 1e-12
            wrong += biased
            print(f"{family[0]:15} {family[1]:11} J {truth:.3f}  mean {statistics.fmean(found):+.4f}  "
                  f"standard error {error:.4f}  {'BIASED' if biased else 'ok'}")
    return wrong
