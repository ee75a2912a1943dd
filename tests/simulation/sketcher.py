"""A sketcher: reads a source and appends chunks to the log."""

from log import Chunk


class Sketcher:
    """Begins at the committed offset and commits later. It may live on after another has taken its source over."""

    def __init__(self, cluster, source):
        self.cluster, self.source = cluster, source
        self.position = self.acknowledged = cluster.committed[source]

    def step(self):
        rng, records = self.cluster.rng, self.cluster.inputs[self.source]
        if self.position < len(records):
            end = min(len(records), self.position + rng.randint(1, 9))
            rule = self.cluster.rule_id if rng.random() > 0.03 else "other rule"
            self.cluster.log.append(
                Chunk(self.source, self.position, [(o, records[o]) for o in range(self.position, end)], end, rule))
            self.position = self.acknowledged = end
            if rule != self.cluster.rule_id:
                self.position = self.acknowledged = self.cluster.accepted(self.source)
        if rng.random() < 0.4:
            self.cluster.committed[self.source] = self.acknowledged

    def is_done(self):
        return self.position == len(self.cluster.inputs[self.source])
