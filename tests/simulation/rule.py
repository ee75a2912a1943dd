"""What decides a flag: similarity, stream time and retention, over small sets of numbers instead of texts."""

from collections import deque, namedtuple

SLOTS, ROWS = 8, 2
BANDS = SLOTS // ROWS

# kind: doc, delete or rejected; content: a set of shingles; sketch: None for a text that is too short.
Record = namedtuple("Record", "kind ns id content sketch ts nbytes")
# Of an id: its current version.
Row = namedtuple("Row", "seq content has_doc")


class Rule:
    def __init__(self, rng):
        self.cap = rng.choice([1, 2, 3, 8])
        self.all = rng.random() < 0.35
        self.verify = rng.choice(["sketch", "sketch", "none", "exact"])
        self.need = rng.choice([5, 6, 7])
        self.threshold = rng.choice([(1, 2), (2, 3)])
        self.max_docs = rng.choice([0, 0, 0, 15, 40])
        self.max_age = rng.choice([0, 0, 0, 20, 60])
        self.max_step = rng.choice([5, 30])
        self.max_bytes = rng.choice([0, 0, 0, 40, 150])


def sketch_of(shingles):
    def value(slot):
        return min((x * 2654435761 + slot * 40503 ^ (x << slot)) % 1009 for x in shingles) % 4

    return tuple(value(slot) for slot in range(SLOTS))


def band(sketch, number):
    return sketch[number * ROWS:(number + 1) * ROWS]


def equal_values(a, b):
    return sum(x == y for x, y in zip(a, b))


def equal_bands(a, b):
    """The numbers of the buckets that both documents are in."""
    return [m for m in range(BANDS) if band(a.sketch, m) == band(b.sketch, m)]


def similarity(a, b):
    """Of two documents, or None where one of them is missing or has no sketch."""
    return equal_values(a.sketch, b.sketch) if a and a.sketch and b.sketch else None


def score(rule, query, document):
    """None unless the document passes, else what the choice goes by: (numerator, denominator) of the similarity."""
    count = equal_values(query.sketch, document.sketch)
    if rule.verify == "none":
        return count, SLOTS
    if rule.verify == "sketch":
        return (count, SLOTS) if count >= rule.need else None
    if count < rule.need - 2:
        return None
    common, both = len(query.content & document.content), len(query.content | document.content)
    least, of = rule.threshold
    return (common, both) if common * of >= least * both else None


def better(a, seq_a, b, seq_b):
    """Is the score a of the document seq_a preferred to b of seq_b?"""
    left, right = a[0] * b[1], b[0] * a[1]
    return left > right or (left == right and seq_a < seq_b)


class Clock:
    """Stream time. It follows from the log alone."""

    def __init__(self, rule):
        self.step, self.began, self.now = rule.max_step, 0, 0

    def advance(self, record):
        if record.kind == "rejected" or record.ts <= self.now:
            return
        self.now = self.now + self.step if self.began and record.ts - self.now > self.step else record.ts
        self.began = self.began or self.now

    def age(self, time):
        return self.now - max(time, self.began)


class Retention:
    """The ages of rows in the order of seq; they give the watermark, below which rows are forgotten."""

    def __init__(self, rule):
        self.rule, self.rows, self.bytes, self.ended, self.mark = rule, deque(), 0, set(), 0

    def add(self, seq, time, nbytes):
        self.rows.append((seq, time, nbytes))
        self.bytes += nbytes

    def end(self, seq):
        for row, _, nbytes in self.rows:
            if row == seq and row not in self.ended:
                self.bytes -= nbytes
                self.ended.add(row)

    def advance(self, seq, clock):
        first = seq - min(seq, self.rule.max_docs) if self.rule.max_docs else 0
        while self.rows:
            row, time, nbytes = self.rows[0]
            if row not in self.ended:
                if row >= first and not self._is_over(time, clock):
                    break
                self.bytes -= nbytes
                self.mark = row + 1
            self.ended.discard(row)
            self.rows.popleft()
        self.mark = max(self.mark, first)

    def _is_over(self, time, clock):
        too_many = self.rule.max_bytes and self.bytes > self.rule.max_bytes
        return too_many or (self.rule.max_age and clock.age(time) > self.rule.max_age)
