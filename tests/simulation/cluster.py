"""A cluster whose actors take steps in random order, and what all of them share."""

import random

import mutants
from log import Placement, all_records
from resolver import Fenced, Resolver
from rule import Rule
from shard import Shard
from single import Single
from sketcher import Sketcher
from streams import stream

MOST_STEPS = 400_000
MOST_CRASHES = 100
MOST_SHARDS = 7


class Cluster:
    """One run: random records, rule, sizes and faults, all from the seed."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.rule, self.rule_id = Rule(rng), "rule"
        self.is_whole = True  # no rule of the protocol is broken
        count, sources = rng.randint(30, 160), rng.randint(1, 3)
        records = stream(rng, count)
        self.inputs = {source: records[source::sources] for source in range(sources)}
        self.committed = dict.fromkeys(self.inputs, 0)
        self.window = rng.choice([1, 5, 20, 60])
        self.slack = 0 if mutants.broken("no-slack") else rng.choice([1, 1, 2, 4])
        self.log, self.decisions, self.flags = [], [], []
        self.epoch, self.stalls, self.shortages, self.crashes = 0, 0, 0, 0
        self.names = [f"s{i}" for i in range(rng.randint(1, 4))]
        self.answers = {name: [] for name in self.names}
        self.log.append(Placement(tuple(self.names), tuple(self.names)))
        self.replicas = [Shard(self, name) for name in self.names for _ in range(rng.choice([1, 1, 2]))]
        self.sketchers = {source: Sketcher(self, source) for source in self.inputs}
        self.zombies = []
        self.resolvers = [Resolver(self)]
        self.chaos = rng.choice([0, 0.01, 0.03])

    def accepted(self, source):
        """The position of a source, behind all of the log."""
        return all_records(self.rule_id, self.log)[1].positions.get(source, 0)

    def run(self):
        """Until all records are decided and applied. False: it stalled."""
        for step in range(MOST_STEPS):
            if self.crashes > MOST_CRASHES:
                self.chaos = 0
            actor = self.rng.random()
            if actor < 0.15:
                self._sketch()
            elif actor < 0.75:
                self._step_shard()
            else:
                self._step_resolver()
            if step % 50 == 0 and self._is_done():
                return True
        return False

    def _sketch(self):
        rng = self.rng
        source = rng.choice(list(self.sketchers))
        self.sketchers[source].step()
        if rng.random() < self.chaos * 3:  # a rebalance: the old owner may go on for a while
            self.zombies.append(self.sketchers[source])
            self.sketchers[source] = Sketcher(self, source)
        if self.zombies and rng.random() < 0.3:
            rng.choice(self.zombies).step()
        if len(self.zombies) > 2:
            self.zombies.pop(0)
        if rng.random() < 0.02 and len(self.names) < MOST_SHARDS:
            self._add_shard()

    def _add_shard(self):
        """Sometimes the first shard is sealed, too: it answers and takes no more."""
        name = f"s{len(self.names)}"
        self.names.append(name)
        self.answers[name] = []
        self.replicas.append(Shard(self, name))
        active = self.names[1:] if self.rng.random() < 0.4 else self.names
        self.log.append(Placement(tuple(self.names), tuple(active)))

    def _step_shard(self):
        shard = self.rng.choice(self.replicas)
        if self.rng.random() < self.chaos:
            self.crashes += 1
            shard.crash()
        else:
            shard.step()

    def _step_resolver(self):
        resolver = self.rng.choice(self.resolvers)
        try:
            if self.rng.random() < self.chaos / 2:
                self._replace(resolver)
            else:
                resolver.step()
        except Fenced:
            self.resolvers.remove(resolver)
        if not self.resolvers:
            self.resolvers.append(Resolver(self))

    def _replace(self, resolver):
        """Killed, or thought dead: then the old one still runs."""
        self.crashes += 1
        if self.rng.random() < 0.5:
            self.resolvers.append(Resolver(self))
        else:
            self.resolvers[self.resolvers.index(resolver)] = Resolver(self)

    def _is_done(self):
        if not all(sketcher.is_done() for sketcher in self.sketchers.values()):
            return False
        total = len(all_records(self.rule_id, self.log)[0])
        if self.decisions[-1].last >= total:
            self.chaos = 0  # now all of them may finish
        return self.chaos == 0 and all(s.d >= total and s.at == len(self.decisions) for s in self.replicas)


def mistake(seed, broken=()):
    """(what is wrong with a run or None, its cluster)"""
    with mutants.only(*broken):
        cluster = Cluster(seed)
        cluster.is_whole = not broken
        if not cluster.run():
            return "stalled", cluster
    return _difference(cluster), cluster


def _difference(cluster):
    """From one process that reads the same log."""
    records, reader = all_records(cluster.rule_id, cluster.log)
    single = Single(cluster.rule)
    wanted = [single.process(record) for record in records]
    if wanted != cluster.flags:
        pairs = enumerate(zip(wanted, cluster.flags))
        at = next((i for i, (a, b) in pairs if a != b), min(len(wanted), len(cluster.flags)))
        return f"flag {at}: {cluster.flags[at:at + 1]}, not {wanted[at:at + 1]}"
    if len(wanted) != sum(map(len, cluster.inputs.values())):
        return "records lost or doubled"
    for shard in cluster.replicas:
        if _rows(shard.docs, single) != _rows(_share(single, shard, reader), single):
            return f"rows of {shard.name}"
    return None


def _share(single, shard, reader):
    """Each replica holds just the documents of its blocks."""
    return {seq: doc for seq, doc in single.docs.items() if reader.owner(seq) == shard.name and seq >= shard.mark}


def _rows(docs, single):
    return {seq: doc for seq, doc in docs.items() if seq >= single.retention.mark}
