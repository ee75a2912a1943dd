"""The rule over global maps, one record after another: the flags that a cluster has to give."""

from rule import BANDS, Clock, Retention, Row, band, better, equal_bands, score, similarity


class Single:
    def __init__(self, rule):
        self.rule, self.seq, self.clock, self.retention = rule, 0, Clock(rule), Retention(rule)
        self.ids, self.docs = {}, {}  # (namespace, id) → Row; seq → Record

    def process(self, record):
        """The flag of the next record."""
        self.seq += 1
        self.clock.advance(record)
        self.retention.advance(self.seq, self.clock)
        self._forget()
        if record.kind == "rejected":
            return self.seq, "rejected"
        key = (record.ns, record.id)
        row = self.ids.get(key)
        if record.kind == "delete":
            if row:
                self._end(row)
                del self.ids[key]
            return self.seq, "deleted", bool(row)
        if row and row.content == record.content:
            return self.seq, "unchanged"
        return self._document(record, key, row)

    def _forget(self):
        mark = self.retention.mark
        self.ids = {key: row for key, row in self.ids.items() if row.seq >= mark}
        self.docs = {seq: doc for seq, doc in self.docs.items() if seq >= mark}

    def _end(self, row):
        self.retention.end(row.seq)
        self.docs.pop(row.seq, None)

    def _document(self, record, key, row):
        previous = None
        if row:
            previous = (row.seq, similarity(self.docs.get(row.seq), record))
            self._end(row)
        status, original = self._choose(record)
        has_doc = status != "empty" and (self.rule.all or original is None)
        if has_doc:
            self.docs[self.seq] = record
        self.ids[key] = Row(self.seq, record.content, has_doc)
        self.retention.add(self.seq, self.clock.now, record.nbytes if has_doc else 0)
        return self.seq, status, original, previous

    def _choose(self, record):
        if not record.content:
            return "empty", None
        same = [seq for seq, doc in self.docs.items() if doc.ns == record.ns and doc.content == record.content]
        if same:
            return "exact", (min(same), self.docs[min(same)].id)
        if record.sketch is None:
            return "short", None
        best = self._best(record)
        if best is None:
            return "unique", None
        seq, passing = best
        doc = self.docs[seq]
        return "near", (seq, doc.id, passing, len(equal_bands(doc, record)))

    def _best(self, record):
        """(seq, score) of the most similar document among the oldest of each bucket, or None."""
        best = None
        for seq in set().union(*(self._oldest(record, m) for m in range(BANDS))):
            passing = score(self.rule, record, self.docs[seq])
            if passing and (best is None or better(passing, seq, best[1], best[0])):
                best = (seq, passing)
        return best

    def _oldest(self, record, number):
        bucket = [seq for seq, doc in sorted(self.docs.items()) if doc.ns == record.ns and doc.sketch
                  and band(doc.sketch, number) == band(record.sketch, number)]
        return bucket[:self.rule.cap]
