"""A shard: holds the documents of its blocks of seqs, and answers every record as of its last applied decision."""

import copy
from collections import deque, namedtuple

from log import Reader
from rule import BANDS, Row, band, equal_bands, score, similarity

# What one shard knows about one record, as of the last decision that it has applied. id: the row of the id and its
# similarity; same: documents with the content; bands: those of each bucket; nominees: those that pass, by seq. Lists of
# documents are (the oldest, are there more?).
Answer = namedtuple("Answer", "seq as_of id same bands nominees")


class Shard:
    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.durable = self._empty()
        self.backups = []
        self._load()

    def _empty(self):
        """reader: of the log; undecided: read, not decided; d: the last seq decided; at: the next of the decisions."""
        return {"reader": Reader(self.cluster.rule_id), "undecided": deque(), "ids": {}, "docs": {}, "mark": 0, "d": 0, "at": 0}

    def _load(self):
        self.__dict__.update(copy.deepcopy(self.durable))
        self.next_answer = self.d + 1
        self._ask_again()

    def _ask_again(self):
        self.unanswered = deque(x for x in self.undecided if x[0] >= self.next_answer)

    def _sync(self):
        self.durable = copy.deepcopy({name: getattr(self, name) for name in self._empty()})
        if self.cluster.rng.random() < 0.2:
            self.backups.append(self.durable)

    def crash(self):
        rng = self.cluster.rng
        if rng.random() < 0.15:  # the disk is lost, too: an old backup, or nothing
            self.durable = rng.choice(self.backups) if self.backups and rng.random() < 0.7 else self._empty()
            self.backups = []
        self._load()

    def step(self):
        what = self.cluster.rng.random()
        if what < 0.4:
            self._apply()
        elif what < 0.8:
            self._answer()
        elif what < 0.9:
            self._sync()
        else:
            self._read()

    def _read(self):
        counted = self.reader.next(self.cluster.log)
        if counted:
            self.undecided.extend(counted)
            self.unanswered.extend(x for x in counted if x[0] >= self.next_answer)

    def _apply(self):
        """The next decided batch."""
        if self.at == len(self.cluster.decisions):
            return
        decided = self.cluster.decisions[self.at]
        if decided.last > self.d and (not self.undecided or self.undecided[-1][0] < decided.last):
            self._read()
            return
        self.at += 1
        for effect in decided.effects:
            seq, record = self.undecided.popleft()
            assert seq == effect.seq
            self._apply_effect(effect, record)
        self.d, self.mark = max(self.d, decided.last), decided.mark
        self._forget()
        if decided.again:
            self.next_answer = self.d + 1
            self.unanswered = deque(self.undecided)
        while self.unanswered and self.unanswered[0][0] <= self.d:
            self.unanswered.popleft()
        self.next_answer = max(self.next_answer, self.d + 1)

    def _apply_effect(self, effect, record):
        key = (record.ns, record.id)
        if effect.ended:
            self.docs.pop(effect.ended, None)
            if key in self.ids and self.ids[key].seq == effect.ended:
                del self.ids[key]
        if effect.has_row and self.reader.owner(effect.seq) == self.name:
            if effect.kept:
                self.docs[effect.seq] = record
            self.ids[key] = Row(effect.seq, record.content, effect.kept)

    def _forget(self):
        self.ids = {key: row for key, row in self.ids.items() if row.seq >= self.mark}
        self.docs = {seq: doc for seq, doc in self.docs.items() if seq >= self.mark}

    def _answer(self):
        for _ in range(self.cluster.rng.randint(1, 6)):
            if not self.unanswered:
                self._read()
                return
            seq, record = self.unanswered[0]
            if seq > self.d + self.cluster.window:
                return
            self.unanswered.popleft()
            self.next_answer = seq + 1
            if self.name in self.reader.placement(seq).answering:
                self.cluster.answers[self.name].append(self._look_up(seq, record))

    def _look_up(self, seq, record):
        nothing = Answer(seq, self.d, None, ([], False), [([], False)] * BANDS, {})
        if record.kind == "rejected":
            return nothing
        row = self.ids.get((record.ns, record.id))
        known = (row, similarity(self.docs.get(row.seq), record)) if row else None
        if record.kind == "delete":
            return nothing._replace(id=known)
        mine = [(s, doc) for s, doc in self.docs.items() if doc.ns == record.ns]
        same, more = oldest([s for s, doc in mine if doc.content == record.content], 1 + self.cluster.slack)
        answer = nothing._replace(id=known, same=([(s, self.docs[s].id) for s in same], more))
        if not record.sketch:
            return answer
        bands = [self._bucket(mine, record, number) for number in range(BANDS)]
        return answer._replace(bands=bands, nominees=self._nominees(bands, record))

    def _bucket(self, mine, record, number):
        return oldest([s for s, doc in mine if doc.sketch and band(doc.sketch, number) == band(record.sketch, number)],
                      self.cluster.rule.cap + self.cluster.slack)

    def _nominees(self, bands, record):
        nominees = {}
        for seq in {seq for seqs, _ in bands for seq in seqs}:
            doc = self.docs[seq]
            passing = score(self.cluster.rule, record, doc)
            if passing:
                nominees[seq] = (passing, doc.id, equal_bands(doc, record))
        return nominees


def oldest(seqs, limit):
    """(the oldest, are there more?)"""
    seqs = sorted(seqs)
    return seqs[:limit], len(seqs) > limit
