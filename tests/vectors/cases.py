"""What is in the golden vectors: which texts, rules and counts. README.md describes the files."""

import estimate
import sketch
import text

OTHER_SEED = "0123456789abcdeffedcba9876543210"
LISTED = 16  # longer lists of elements and winning values are given by their digest only

SIMILARITY = ("fast_similarity", "none", 0)
FAMILIES = [
    SIMILARITY,
    ("minhash", "2u", 0),
    ("minhash", "2u", 1_000_003),
    ("minhash", "4u", 0),
    ("minhash", "4u", 2**40),
    ("minhash", "permutation", 1000),
    ("minhash", "ms32", 0),
    ("minhash", "ms32", 2**20),
]
# slots → the (bands, rows) tried with it
BANDS = {1: (1, 1), 16: (4, 4), 63: (7, 9), 64: (64, 1), 100: (3, 33), 256: (16, 6)}


def hex64(value):
    return f"{value:016x}"


def hex_list(values):
    return [hex64(value) for value in values]


def digest(values):
    d = 0
    for value in values:
        d = sketch.mix64(((d ^ value) + sketch.PHI) & sketch.MASK64)
    return hex64(d)


# --- texts


def letters(n, salt):
    """A word of n letters, another one for every salt."""
    return "".join(chr(ord("a") + sketch.mix64(salt * 1000 + i) % 26) for i in range(n))


def prose(tokens, vocabulary, salt):
    words = [letters(1 + sketch.mix64(w) % 9, salt + w) for w in range(vocabulary)]
    return " ".join(words[sketch.mix64(salt + 7919 * i) % vocabulary] for i in range(tokens))


def texts():
    return {
        "one": "a",
        "four": "to be or not",
        "five": "to be or not to",
        "six": "to be or not to be",
        "forty": prose(40, 30, 100),
        "four_hundred": prose(400, 120, 5000),
        "unicode": "größe mañana привет мир ελληνικά 東 京 の नमस्ते ภาษาไทย 한국어 𐌲𐌿𐍄 𠀀 żółw",
        "lengths": " ".join(letters(n, n) for n in (15, 16, 17, 31, 32, 33, 100, 1, 8)),
        "repeated": " ".join(["again and again and"] * 6),
        "same": " ".join(["same"] * 20),
    }


# --- hash.json


def basic_cases():
    numbers = [0, 1, 2**32 - 1, 2**61 - 1, 2**63, sketch.PHI, sketch.MASK64]
    labels = [(1, 0), (1, 2), (2, 0), (3, 0), (3, 511), (4, 1), (7, 15), (8, 0), (9, 23), (4096, 1), (4351, 999)]
    tokens = ["", "a", "news", "größe", "東"] + [letters(n, n) for n in (7, 8, 15, 16, 17, 31, 32, 33, 100)]
    seeds = [sketch.DEFAULT_SEED, OTHER_SEED]
    return {
        "mix64": [[hex64(z), hex64(sketch.mix64(z))] for z in numbers],
        "fold": [[hex64(a), hex64(b), hex64(sketch.fold(a, b))] for a in numbers[1:4] for b in numbers[3:]],
        "derive": [
            {"seed": s, "label": label, "i": i, "value": hex64(sketch.derive(s, label, i))}
            for s in seeds
            for label, i in labels
        ],
        "token_hash": [
            {"seed": s, "token": t, "hash": hex64(sketch.token_hash(s, t.encode()))} for s in seeds for t in tokens
        ],
        "elements": [
            element_case(s, name, text, unit, size)
            for s in seeds
            for name, text in texts().items()
            for unit in ("word", "char")
            for size in (1, 3, 5, 9)
        ],
    }


def element_case(seed, name, text, unit, size):
    xs = sketch.elements(seed, text, unit, size)
    shown = hex_list(xs) if len(xs) <= LISTED else []
    return {
        "seed": seed,
        "text": name,
        "unit": unit,
        "size": size,
        "count": len(xs),
        "distinct": len(set(xs)),
        "digest": digest(xs),
        "elements": shown,
    }


# --- sketch.json


def sketch_rules():
    """(text, unit, size, seed, family, slots, bits) of every case."""
    word5 = ("word", 5, sketch.DEFAULT_SEED)
    rules = [(name, *word5, SIMILARITY, 256, 8) for name in texts()]
    rules += [("forty", *word5, SIMILARITY, slots, bits) for slots in BANDS for bits in (1, 2, 4, 8, 16, 32)]
    for f, family in enumerate(FAMILIES[1:]):
        for s, slots in enumerate(BANDS):
            rules += [("forty", *word5, family, slots, 2 ** ((f + s + n) % 6)) for n in (0, 3)]
        rules.append(("four_hundred", *word5, family, 64, 8))
        rules.append(("unicode", "char", 5, OTHER_SEED, family, 100, 4))
    for name in ("one", "unicode", "lengths", "repeated", "same"):
        rules += [(name, unit, size, OTHER_SEED, SIMILARITY, 63, 8) for unit in ("word", "char") for size in (1, 3, 9)]
    rules.append(("one", *word5, ("minhash", "permutation", 2), 16, 1))
    rules.append(("forty", *word5, ("minhash", "permutation", 2**16), 4, 4))
    return rules


def sketch_case(rule, text):
    name, unit, size, seed, (family, function, universe), slots, bits = rule
    xs = sketch.elements(seed, text, unit, size)
    winning = sketch.winning_values(seed, family, slots, xs, function, universe)
    values = sketch.stored_bits(winning, function, bits)
    bands, rows = BANDS.get(slots, (slots, 1))
    return {
        "text": name,
        "unit": unit,
        "size": size,
        "seed": seed,
        "family": family,
        "hash": function,
        "universe": universe,
        "slots": slots,
        "bits": bits,
        "bands": bands,
        "rows": rows,
        "distinct": len({sketch.into(x, universe) for x in xs}),
        "winning": hex_list(winning) if slots <= LISTED else [],
        "winning_digest": digest(winning),
        "sketch": hex_list(sketch.pack(values, bits)),
        "one_bit": hex_list(sketch.one_bit(values)),
        "keys": hex_list(sketch.band_keys(seed, values, bits, bands, rows, "")),
        "keys_news": hex_list(sketch.band_keys(seed, values, bits, bands, rows, "news")),
    }


# --- estimate.json


def even_cases():
    shapes = [(1, 1), (16, 1), (63, 2), (64, 4), (100, 8), (128, 1), (256, 1), (256, 8), (256, 16), (256, 32)]
    cases = []
    for k, bits in shapes:
        for count in sorted({0, 1, k // 2**bits, k // 2, k // 2 + 1, 4 * k // 5, k - 1, k}):
            r = estimate.resemblance(count, k, *estimate.even_constants(bits))
            cases.append({"count": count, "k": k, "bits": bits, "ppm": estimate.ppm(r)})
    return cases


def permutation_cases():
    cases = []
    for bits in (1, 2, 4, 8):
        least = 2 ** (bits + 4)
        for size1, size2 in ((1, 1), (7, 30), (200, 200)):
            for universe in (least * max(size1, size2), 2**24):
                c1, c2 = estimate.constants(size1, size2, universe, bits)
                cases += [permutation_case(n, bits, size1, size2, universe, c1, c2) for n in (10, 77, 127, 128)]
    return cases


def permutation_case(count, bits, size1, size2, universe, c1, c2):
    return {
        "count": count,
        "k": 128,
        "bits": bits,
        "size1": size1,
        "size2": size2,
        "universe": universe,
        "c1": f"{float(c1):.17g}",
        "c2": f"{float(c2):.17g}",
        "ppm": estimate.ppm(estimate.resemblance(count, 128, c1, c2)),
    }


# --- text.json


def run_of(first, last, marks, count, salt):
    """A run of letters first–last, some with a mark behind them."""
    numbers = [sketch.mix64(salt * 100_000 + i) for i in range(count)]
    return "".join(chr(first + n % (last - first + 1)) + (marks[n >> 32 & 7] if n >> 32 & 7 < len(marks) else "")
                   for n in numbers)


def raw_texts():
    thai, lao = run_of(0x0E01, 0x0E2E, "ัิุ่้", 90, 1), run_of(0x0E94, 0x0E97, "ັິຸ່້", 40, 2)
    khmer, burmese = run_of(0x1780, 0x17A2, "ាិុ្់", 90, 3), run_of(0x1000, 0x1020, "ါို်း", 90, 4)
    others = [run_of(*ends, "", 60, 5 + i) for i, ends in enumerate((
        (0x1950, 0x196D), (0x1980, 0x19AB), (0x1A20, 0x1A54), (0xA9E0, 0xA9E4), (0xAA60, 0xAA76), (0xAA80, 0xAAAF),
        (0x11700, 0x1171A)))]
    return ["to be, or not to be", "東京のtokyo", "ก", "กขกท", "ภาษาไทยไม่มีวรรค", "ພາສາລາວ", "ភាសាខ្មែរ", "မြန်မာဘာသာ",
            "กabcกขabc", "ปี๒๕๖๓ปี2563ปี", "ก漢字กの", "ก_ก", "กाท", "ाท", " ก ข.ค—ง ", "ฯลฯ ๆๆๆ", "นมस्ते ไทย",
            thai, lao, khmer, burmese, *others, thai + lao + khmer + burmese, " ".join((thai, "latin", burmese))]


def marked_texts():
    marks = "".join(map(chr, (*range(0x591, 0x5C8), 0x640, *range(0x64B, 0x656), 0x670)))
    return ["مُحَمَّد", "كـــتاب", "هٰذا", "בְּרֵאשִׁ֖ית", "ـ ً", "قِطَار2563كـ", "ไทย بِسْمِ ก",
            " ".join("ب" + mark + "א" for mark in marks if mark not in "\u0653\u0654\u0655")]


def files():
    """File name → its content: lists of cases by name."""
    by_name = texts()
    return {
        "hash.json": basic_cases(),
        "sketch.json": {
            "texts": [{"name": name, "text": text} for name, text in by_name.items()],
            "sketches": [sketch_case(rule, by_name[rule[0]]) for rule in sketch_rules()],
        },
        "estimate.json": {"even": even_cases(), "permutation": permutation_cases()},
        "text.json": {"normalised": [{"raw": raw, "fold": fold, "text": text.normalised(raw, fold)}
                                     for fold, raws in (("none", raw_texts()), ("marks", marked_texts()))
                                     for raw in raws]},
    }
