"""Streams that are meant to hurt, of words made here, and the plain streams that they are held against."""

import dataclasses
import itertools
import json
import random
import typing

NORMAL, SHORT, SHORTEST = 600, 31, 6  # words of a document
PAGE, NOTICE = 160, 15  # of a page of a templated site, of an error page
CRAWLS = 10
LONG_BYTES = 5_000_000

random_ = random.Random(1)
WORDS = ["".join(random_.choices(["ba", "de", "fi", "go", "lu", "mar", "nes", "tor", "ka", "sun"], k=random_.randint(2, 4)))
         + random_.choice("aeiklmnrst") for _ in range(20_000)]
# Texts are made of phrases: joining words one by one would take longer than the scan.
PHRASES = [" ".join(random_.choices(WORDS, k=10)) for _ in range(200_000)]


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    make: typing.Callable  # count → (id, text) or (id, text, namespace) of each document
    documents: int
    plain: str  # the name of the plain stream that it is compared with
    settings: tuple = ()
    by_byte: bool = False  # compared by bytes, not by documents
    most: float = 2  # how many times slower than the plain stream it may be
    steady: bool = False  # a document may not cost more at the end than at the start


def text(chance, words):
    phrases = " ".join(chance.choices(PHRASES, k=words // 10))
    rest = " ".join(chance.choices(WORDS, k=words % 10))
    return f"{phrases} {rest}".strip()


def edited(chance, original, share):
    """With a share of the words changed, one at least."""
    words = original.split()
    for _ in range(max(1, int(len(words) * share))):
        words[chance.randrange(len(words))] = chance.choice(WORDS)
    return " ".join(words)


def numbered(texts):
    return ((f"d{i}", made) for i, made in enumerate(texts))


def plain(words):
    """Distinct, but for every tenth: one of the documents before it with another last word."""
    def make(count):
        chance = random.Random(2)
        last = ""
        for i in range(count):
            made = f"{last.rpartition(' ')[0]} w{i}" if i % 10 == 9 else text(chance, words)
            last = made if i % 10 == 0 else last
            yield f"d{i}", made
    return make


def distinct(words):
    def make(count):
        chance = random.Random(3)
        return numbered(text(chance, words) for _ in range(count))
    return make


def template(share):
    """Every second document is a template in which a share of the words is its own, in one block."""
    def make(count):
        chance = random.Random(4)
        form = text(chance, NORMAL).split()
        own = int(NORMAL * share)
        for i in range(count):
            at = chance.randrange(NORMAL - own)
            filled = " ".join([*form[:at], text(chance, own), *form[at + own:]])
            yield f"d{i}", filled if i % 2 else text(chance, NORMAL)
    return make


def one_bucket(count):
    """All agree but for the last word."""
    form = text(random.Random(5), SHORT - 1)
    return numbered(f"{form} w{i}" for i in range(count))


def identical(words):
    return lambda count: numbered(itertools.repeat(text(random.Random(6), words), count))


def long_ones(count):
    chance = random.Random(7)
    return numbered(text(chance, LONG_BYTES // 9) for _ in range(count))


def long_word_again(count):
    return numbered(f"{i} " + "again " * (LONG_BYTES // 6) for i in range(count))


def power_law(count):
    """Clusters of versions; the k-th cluster is chosen with a chance of about 1 / k."""
    chance = random.Random(8)
    for i in range(count):
        cluster = int(count ** chance.random())
        yield f"d{i}", edited(chance, text(random.Random(cluster), NORMAL), 0.01)


def one_id(count):
    return (("page", made) for _, made in distinct(NORMAL)(count))


def one_id_two_texts(count):
    chance = random.Random(9)
    return (("page", made) for made in itertools.islice(itertools.cycle([text(chance, NORMAL) for _ in range(2)]), count))


def many_namespaces(count):
    """One error page on each of many sites."""
    form = text(random.Random(10), NOTICE)
    return (("404", form, f"site-{i}") for i in range(count))


def crawled_again(count):
    """The pages of a templated site, CRAWLS times, each time with one word changed on each page."""
    chance = random.Random(11)
    form = text(chance, PAGE - 20)
    own = [text(chance, 19) for _ in range(count // CRAWLS)]
    for crawl in range(CRAWLS):
        for i, words in enumerate(own):
            yield f"p{i}", f"w{crawl}x{i % 7} {form} {words}"


def alike_crawled_again(count):
    """The same, of pages that agree but for two words."""
    form = text(random.Random(12), PAGE - 2)
    for crawl in range(CRAWLS):
        for i in range(count // CRAWLS):
            yield f"x{i}", f"{form} u{i} v{crawl}"


def notice_leaves(count):
    """All pages show one notice; then, page by page, one gets its own text and a new one shows the notice."""
    chance = random.Random(13)
    notice = text(chance, NOTICE)
    for i in range(count // 2):
        yield f"n{i}", notice
    for i in range(count // 4):
        yield f"n{i}", text(chance, NOTICE)
        yield f"m{i}", notice


MURMUR = 0xc6a4a7935bd1e995  # the multiplier of MurmurHash64A, which libstdc++'s std::hash uses for strings
MASK = (1 << 64) - 1


def letters(chance):
    """8 bytes of ASCII as a number; some are control characters."""
    return int.from_bytes(bytes(chance.choices(range(1, 128), k=8)), "little")


def spelled(block):
    """As it stands in JSON."""
    return json.dumps(block.to_bytes(8, "little").decode())[1:-1]


def ordinary_pair(chance):
    return spelled(letters(chance)), spelled(letters(chance))


def colliding_pair(chance):
    """Two strings of 8 bytes that MurmurHash64A cannot tell apart in pairs, for any seed: what it makes of each
    differs in the highest bit only, and two such differences cancel out."""
    folded = lambda value: value ^ value >> 47
    mixed = lambda block: folded(block * MURMUR & MASK) * MURMUR & MASK
    inverse = pow(MURMUR, -1, 1 << 64)
    unmixed = lambda value: folded(value * inverse & MASK) * inverse & MASK
    while True:
        one = letters(chance)
        other = unmixed(mixed(one) ^ 1 << 63)
        if all(0 < byte < 128 for byte in other.to_bytes(8, "little")):
            return spelled(one), spelled(other)


def ids(pair):
    """Each document is called by one string of every pair; which ones spells its number in binary."""
    def make(count):
        chance = random.Random(14)
        pairs = [pair(chance) for _ in range(count.bit_length())]
        for i in range(count):
            yield "".join(both[i >> bit & 1] for bit, both in enumerate(pairs)), f"note {i}"
    return make


def marks(count):
    """A letter under 100 000 marks of alternating classes: nothing in it is in order."""
    return numbered(f"word {i} here are the marks a" + "\u0301\u0316" * 50_000 for i in range(count))


def cases(megabytes, members):
    """The plain streams first."""
    normal, short = megabytes * 1_000_000 // 5_400, megabytes * 1_000_000 // 280
    shortest, longs = megabytes * 1_000_000 // 160, max(2, megabytes * 1_000_000 // LONG_BYTES)
    notices, pages, named = megabytes * 1_000_000 // 800, megabytes * 1_000_000 // 2_800, megabytes * 1_000_000 // 2_000
    against_all = ("against=all",)
    plains = [
        Case("plain", plain(NORMAL), normal, "plain"),
        Case("plain, against all", plain(NORMAL), normal, "plain, against all", against_all),
        Case("plain, short, against all", plain(SHORT), members, "plain, short, against all", against_all),
        Case("plain, 31 words", plain(SHORT), short, "plain, 31 words"),
        Case("plain, 6 words", distinct(SHORTEST), shortest, "plain, 6 words"),
        Case("plain, 15 words", plain(NOTICE), notices, "plain, 15 words"),
        Case("plain, 15 words, against all", plain(NOTICE), notices, "plain, 15 words, against all", against_all),
        Case("plain, 160 words", plain(PAGE), pages, "plain, 160 words"),
        Case("plain, 160 words, against all", plain(PAGE), pages, "plain, 160 words, against all", against_all),
        Case("long ids", ids(ordinary_pair), named, "long ids"),
    ]
    return plains + [
        Case("all distinct", distinct(NORMAL), normal, "plain"),
        Case("all identical", identical(NORMAL), normal, "plain"),
        Case("all identical, against all", identical(NORMAL), normal, "plain, against all", against_all),
        Case("template in half, similarity 0.9", template(0.05), normal, "plain"),
        Case("template in half, similarity 0.6", template(0.25), normal, "plain"),
        Case("template in half, similarity 0.9, against all", template(0.05), normal, "plain, against all", against_all),
        Case("template in half, similarity 0.6, against all", template(0.25), normal, "plain, against all", against_all),
        Case(f"one bucket of {members}", one_bucket, members, "plain, 31 words"),
        Case(f"one bucket of {members}, against all", one_bucket, members, "plain, short, against all", against_all),
        Case("clusters of power-law sizes", power_law, normal, "plain"),
        Case("clusters of power-law sizes, against all", power_law, normal, "plain, against all", against_all),
        Case("one id, other text every time", one_id, normal, "plain"),
        Case("one id, two texts in turn", one_id_two_texts, normal, "plain"),
        Case("one text in as many namespaces", many_namespaces, notices, "plain, 15 words", steady=True),
        Case("one text in as many namespaces, against all", many_namespaces, notices, "plain, 15 words, against all",
             against_all, most=4, steady=True),
        Case("templated site, ten crawls", crawled_again, pages, "plain, 160 words", steady=True),
        Case("templated site, ten crawls, against all", crawled_again, pages, "plain, 160 words, against all", against_all,
             most=4, steady=True),
        Case("pages alike, ten crawls", alike_crawled_again, pages, "plain, 160 words", steady=True),
        Case("pages alike, ten crawls, against all", alike_crawled_again, pages, "plain, 160 words, against all",
             against_all, most=4, steady=True),
        Case("a notice that leaves, against all", notice_leaves, notices, "plain, 15 words, against all", against_all,
             most=4),
        Case("ids that collide under std::hash", ids(colliding_pair), named, "long ids", steady=True),
        Case("4 words: below min_tokens", distinct(4), shortest, "plain, 6 words"),
        Case("5 words: one shingle", distinct(5), shortest, "plain, 6 words"),
        Case("31 words, all identical", identical(SHORT), short, "plain, 31 words"),
        Case("5 MB of text", long_ones, longs, "plain", by_byte=True),
        Case("5 MB of one word", long_word_again, longs, "plain", by_byte=True),
        Case("200 kB of alternating marks", marks, max(2, megabytes * 5 // 4), "plain", by_byte=True),
    ]
