"""The resolver: decides in order, from the answers of all shards and a window of its decisions. It has no disk."""

import copy
from collections import deque, namedtuple

from log import Reader
from mutants import broken
from rule import BANDS, Clock, Retention, Row, band, better, equal_bands, score, similarity

# What a decision changes: kept: the record became a document; has_row: it became the version of its id; ended: the seq
# of the version that it replaced or deleted, or 0.
Effect = namedtuple("Effect", "seq kept has_row ended")
# One transaction, together with its flags. mark: the watermark; again: shards resend answers from the next seq on.
Decided = namedtuple("Decided", "last effects mark again")

STALLED_STEPS = 400


class Shortage(Exception):
    """A list that was cut may be too short for this record."""

    def __init__(self, mark=0):
        super().__init__()
        self.mark = mark


class Fenced(Exception):
    """Another resolver has taken over."""


class Resolver:
    def __init__(self, cluster):
        self.cluster = cluster
        cluster.epoch += 1
        self.epoch = cluster.epoch
        self.reader, self.clock, self.retention = Reader(cluster.rule_id), Clock(cluster.rule), Retention(cluster.rule)
        self.undecided = deque()
        for decided in cluster.decisions:  # the real thing begins at the watermark
            self._replay(decided)
        self.seq = cluster.decisions[-1].last if cluster.decisions else 0
        self._clear_window()
        self.answers = {}  # shard → seq → Answer
        self.at = {shard: 0 if broken("no-again") else len(given) for shard, given in cluster.answers.items()}
        self.effects, self.flags, self.idle = [], [], 0
        if not broken("no-again"):
            self._commit(again=True)

    def _replay(self, decided):
        for effect in decided.effects:
            self._read_up_to(effect.seq)
            seq, record = self.undecided.popleft()
            assert seq == effect.seq
            self.clock.advance(record)
            self.retention.advance(seq, self.clock)
            if effect.ended:
                self.retention.end(effect.ended)
            if effect.has_row:
                self.retention.add(seq, self.clock.now, record.nbytes if effect.kept else 0)

    def _clear_window(self):
        """The window is what the records (base, seq] have created and ended."""
        self.base = self.seq
        self.docs, self.ids, self.ended = {}, {}, {}  # ids: key → (seq, Row or None); ended: seq → by which record

    def _read_up_to(self, seq):
        while not self.undecided or self.undecided[-1][0] < seq:
            counted = self.reader.next(self.cluster.log)
            if counted is None:
                return False
            self.undecided.extend(counted)
        return True

    def _commit(self, again=False, mark=0):
        """One transaction of Kafka: flags, what was decided, offsets."""
        if self.epoch != self.cluster.epoch and not broken("no-fence"):
            raise Fenced
        if again:
            self._clear_window()
        self.cluster.decisions.append(Decided(self.seq, self.effects, max(mark, self.retention.mark), again))
        self.cluster.flags.extend(self.flags)
        self.effects, self.flags = [], []

    def step(self):
        rng = self.cluster.rng
        if rng.random() < 0.1 and self.effects:
            self._commit()
        self._read_answers()
        for _ in range(rng.randint(1, 8)):
            if not self._decide_next():
                break
            if rng.random() < 0.3:
                self._shrink_window()

    def _read_answers(self):
        for shard, given in self.cluster.answers.items():
            answers, at = self.answers.setdefault(shard, {}), self.at.get(shard, 0)
            for answer in given[at:at + 8]:
                if answer.as_of >= self.base or broken("stale"):
                    answers[answer.seq] = answer
            self.at[shard] = min(at + 8, len(given))

    def _decide_next(self):
        """False: it has to wait."""
        if not self._read_up_to(self.seq + 1):
            return False
        seq, record = self.undecided[0]
        answers = [self.answers.get(shard, {}).get(seq) for shard in self.reader.placement(seq).answering]
        if any(a is None or (a.as_of < self.base and not broken("stale")) for a in answers):
            self._wait()
            return False
        self.idle = 0
        try:
            flag, effect = self._decide(seq, record, answers)
        except Shortage as short:  # ask again, and say what is too old for this record
            self.cluster.shortages += 1
            self._commit(again=True, mark=0 if broken("no-mark") else short.mark)
            return False
        self.undecided.popleft()
        self.seq = seq
        self.flags.append(flag)
        self.effects.append(effect)
        return True

    def _wait(self):
        self.idle += 1
        if self.idle > STALLED_STEPS:
            self.idle = 0
            self.cluster.stalls += 1
            self._commit(again=True)

    def _shrink_window(self):
        """It need not reach back further than any answer to come."""
        base = min(max((a.as_of for a in self.answers.get(shard, {}).values()), default=0)
                   for shard in self.reader.placement(self.seq).answering)
        if base <= self.base:
            return
        self.base = base
        self.docs = {seq: doc for seq, doc in self.docs.items() if seq > base}
        self.ids = {key: version for key, version in self.ids.items() if version[0] > base}
        self.ended = {seq: at for seq, at in self.ended.items() if at > base}
        for answers in self.answers.values():
            for seq in [seq for seq in answers if seq <= self.seq]:
                del answers[seq]

    def _is_live(self, seq):
        return seq >= self.retention.mark and (broken("no-ended") or seq not in self.ended)

    def _decide(self, seq, record, answers):
        """A shortage changes nothing."""
        before = self.clock, self.retention
        self.clock, self.retention = copy.copy(self.clock), copy.deepcopy(self.retention)
        self.clock.advance(record)
        if not broken("late-mark"):
            self.retention.advance(seq, self.clock)
        try:
            return self._judge(seq, record, answers)
        except Shortage:
            mark = self.retention.mark
            self.clock, self.retention = before
            raise Shortage(mark) from None
        finally:
            if broken("late-mark"):
                self.retention.advance(seq, self.clock)

    def _judge(self, seq, record, answers):
        """(flag, effect)"""
        if record.kind == "rejected":
            return (seq, "rejected"), Effect(seq, False, False, 0)
        key = (record.ns, record.id)
        row, previous = self._version(key, record, answers)
        if record.kind == "delete":
            if row:
                self._end(row.seq, seq)
                self.ids[key] = (seq, None)
            return (seq, "deleted", bool(row)), Effect(seq, False, False, row.seq if row else 0)
        if row and row.content == record.content:
            return (seq, "unchanged"), Effect(seq, False, False, 0)
        status, original = self._choose_without(row, seq, record, answers)
        if row:
            self._end(row.seq, seq)
        has_doc = status != "empty" and (self.cluster.rule.all or original is None)
        if has_doc:
            self.docs[seq] = record
        self.ids[key] = (seq, Row(seq, record.content, has_doc))
        self.retention.add(seq, self.clock.now, record.nbytes if has_doc else 0)
        flag = (seq, status, original, (row.seq, previous) if row else None)
        return flag, Effect(seq, has_doc, True, row.seq if row else 0)

    def _version(self, key, record, answers):
        """(row, similarity) of the current version of an id; (None, None) without one."""
        if key in self.ids and not broken("no-window"):
            row = self.ids[key][1]
            if row is None or row.seq < self.retention.mark:
                return None, None
            assert row.seq > self.base, "in the window"
            return row, similarity(self.docs.get(row.seq), record)
        rows = [a.id for a in answers if a.id and a.id[0].seq <= self.base and self._is_live(a.id[0].seq)]
        assert len(rows) <= 1 or not self.cluster.is_whole, "one version at most"
        return rows[0] if rows else (None, None)

    def _choose_without(self, row, seq, record, answers):
        """The older version of the record's own id does not count."""
        before = dict(self.ended)
        if row:
            self.ended[row.seq] = seq
        try:
            return self._choose(record, answers)
        except Shortage:
            self.ended = before
            raise

    def _end(self, seq, at):
        self.ended[seq] = at
        self.retention.end(seq)
        self.docs.pop(seq, None)

    def _choose(self, record, answers):
        """(status, original)"""
        if not record.content:
            return "empty", None
        window = {} if broken("no-window") else \
            {seq: doc for seq, doc in self.docs.items() if doc.ns == record.ns and self._is_live(seq)}
        names = {seq: name for a in answers for seq, name in a.same[0]}
        lists = [([seq for seq, _ in a.same[0]], a.same[1]) for a in answers]
        same = self._first(lists, [seq for seq, doc in window.items() if doc.content == record.content], 1)
        if same:
            return "exact", (same[0], names[same[0]] if same[0] in names else window[same[0]].id)
        if record.sketch is None:
            return "short", None
        best = self._best(Buckets(self, record, answers, window), self._passing(record, answers, window))
        return ("near", best) if best else ("unique", None)

    def _passing(self, record, answers, window):
        """seq → (score, id, numbers of the bands) of what passes the verification."""
        passing = {}
        for answer in answers:
            for seq, nominee in answer.nominees.items():
                if seq <= self.base and self._is_live(seq):
                    passing[seq] = nominee
        for seq, doc in window.items():
            value = doc.sketch and score(self.cluster.rule, record, doc)
            if value:
                passing[seq] = (value, doc.id, equal_bands(doc, record))
        return passing

    def _best(self, buckets, passing):
        """(seq, id, score, equal bands), or None."""
        best = None
        for seq, (value, name, bands) in passing.items():
            if best is not None and not better(value, seq, best[2], best[0]):
                continue
            if any(seq in buckets.counted(number) for number in bands):
                best = (seq, name, value, len(bands))
        return best

    def _first(self, lists, own, limit):
        """The first live seqs of lists that were cut, each as of its own time, and of the window."""
        older = {seq for seqs, _ in lists for seq in seqs if seq <= self.base and self._is_live(seq)}
        taken = sorted(older | set(own))[:limit]
        for seqs, more in lists:
            reaches = len(taken) == limit and taken[-1] <= seqs[-1] if more and seqs[-1] <= self.base else True
            if not reaches and not broken("no-shortage"):
                raise Shortage
        return taken


class Buckets:
    """The documents that count in each bucket of a record, looked for only where somebody may need them."""

    def __init__(self, resolver, record, answers, window):
        self.resolver, self.record, self.answers, self.window = resolver, record, answers, window
        self.known = {}
        for number in range(BANDS):
            if any(answer.bands[number][1] for answer in answers):  # a list that was cut may hide candidates
                self.counted(number)

    def counted(self, number):
        if number not in self.known:
            self.known[number] = self._count(number)
        return self.known[number]

    def _count(self, number):
        cap = self.resolver.cluster.rule.cap
        key = band(self.record.sketch, number)
        own = [seq for seq, doc in self.window.items() if doc.sketch and band(doc.sketch, number) == key]
        if not broken("local-cap"):
            return set(self.resolver._first([a.bands[number] for a in self.answers], own, cap))
        return set(own[:cap]) | {seq for a in self.answers for seq in a.bands[number][0][:cap]
                                 if self.resolver._is_live(seq)}
