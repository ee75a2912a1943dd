"""The log: chunks of records and placements of shards, and how every reader counts them."""

from collections import namedtuple

from mutants import broken

BLOCK = 4  # seqs that go to one shard in a row; 4 096 in the real thing

# records: [(offset, Record)], of one source, which has been read up to the offset end.
Chunk = namedtuple("Chunk", "source start records end rule")
# Who answers, and who takes new documents.
Placement = namedtuple("Placement", "answering active")


class Reader:
    """Messages → records with seqs. Every role counts alike, since nothing else decides what counts."""

    def __init__(self, rule_id):
        self.rule_id, self.at, self.seq, self.positions, self.placements = rule_id, 0, 0, {}, []

    def next(self, log):
        """The records of the next message that count, [(seq, Record)]; None at the end of the log."""
        if self.at == len(log):
            return None
        message = log[self.at]
        self.at += 1
        if isinstance(message, Placement):
            self.placements.append((self.seq + 1, message))
            return []
        return self._take(message) if message.rule == self.rule_id else []

    def _take(self, chunk):
        position = self.positions.get(chunk.source, 0)
        is_gap, is_seen = chunk.start > position, chunk.end <= position
        if (is_gap or is_seen) and not broken("no-dedup"):
            return []
        counted = []
        for offset, record in chunk.records:
            if offset >= position or broken("no-dedup"):
                self.seq += 1
                counted.append((self.seq, record))
        self.positions[chunk.source] = max(chunk.end, position)
        return counted

    def placement(self, seq):
        """The one that holds for a seq."""
        for first, placement in reversed(self.placements):
            if seq >= first:
                return placement
        return None

    def owner(self, seq):
        active = self.placement(seq).active
        return active[(seq // BLOCK) % len(active)]


def all_records(rule_id, log):
    """The records of the whole log that count, and a reader at its end."""
    reader, records = Reader(rule_id), []
    while (counted := reader.next(log)) is not None:
        records += [record for _, record in counted]
    return records, reader
