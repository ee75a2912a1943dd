"""Random records: few topics, so that many are similar, with deletes, versions, mistakes, empty and short texts."""

from rule import Record, sketch_of


def stream(rng, count):
    topics = [frozenset(rng.sample(range(40), rng.randint(3, 7))) for _ in range(rng.randint(2, 5))]
    is_hot = rng.random() < 0.4
    records, ts = [], 100
    for _ in range(count):
        ts += rng.choice([0, 0, 1, 2, -1]) + (200 if rng.random() < 0.01 else 0)
        content = _content(rng, topics[:1] if is_hot and rng.random() < 0.6 else topics)
        kind = "rejected" if rng.random() < 0.03 else "delete" if rng.random() < 0.07 else "doc"
        records.append(
            Record(kind, rng.choice("aaab"), f"i{rng.randrange(max(4, count // 2))}", content,
                   sketch_of(content) if len(content) > 1 else None, ts, 3 * len(content)))
    return records


def _content(rng, topics):
    shingles = set(rng.choice(topics))
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        if shingles and rng.random() < 0.5:
            shingles.discard(rng.choice(sorted(shingles)))
        shingles.add(rng.randrange(40))
    kind = rng.random()
    if kind < 0.03:
        return frozenset()
    return frozenset({rng.randrange(3)}) if kind < 0.08 else frozenset(shingles)
