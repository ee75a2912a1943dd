"""Broken variants of the protocol. Each breaks one rule, and the simulation has to find it."""

import contextlib

WHAT_IS_BROKEN = {
    "no-window": "the resolver forgets what it has decided since the answers",
    "no-ended": "documents that have ended since an answer still count",
    "local-cap": "the cap counts the documents of each shard",
    "no-shortage": "a list that was cut is believed to be complete",
    "stale": "answers from before the window are taken",
    "no-fence": "a resolver that was replaced may still commit",
    "no-dedup": "chunks count whatever the position of their source",
    "late-mark": "the watermark moves after the decision",
    "no-again": "a resolver starts without asking the shards again",
    "no-mark": "shards that are asked again do not learn the watermark",
    "no-slack": "shards list no more documents than the cap",
}

_active = set()


def broken(name):
    return name in _active


@contextlib.contextmanager
def only(*names):
    """Within it, just these rules are broken."""
    before = set(_active)
    _active.clear()
    _active.update(names)
    try:
        yield
    finally:
        _active.clear()
        _active.update(before)
