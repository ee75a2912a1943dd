"""Whatever happens to sketchers, shards, resolvers and their broker (chaos_case.py).

  cluster_shards_chaos_test.py [EVENTS [SEED]]
"""

import shutil

import needs

needs.broker()
import chaos_case  # noqa: E402

MOST_SHARDS = 5


class Shards(chaos_case.ChaosCase):
    def test_events_at_random(self):
        self.make_cluster(partitions=chaos_case.PARTITIONS, batch__documents=40)
        self.shards = [[self.shard(0, 0), self.shard(0, 1)], [self.shard(1, 0)]]
        self.resolvers = [self.role("resolver", f"resolver-{i}") for i in range(2)]
        self.sketchers = [self.role("sketcher", f"sketcher-{i}") for i in range(2)]
        self.backups = {}  # by shard
        self.place_shards([0, 1], "--wait", "0")
        self.run_events()

    def shard(self, number, replica):
        return self.role("shard", f"shard-{number}-{replica}", cluster__shard=number, cluster__replica=replica)

    def replicas(self):
        return [replica for shard in self.shards for replica in shard]

    def processes(self):
        return [*self.resolvers, *self.replicas(), *self.sketchers]

    def events(self):
        return ((self.kill_resolver, 4), (self.kill_shard, 5), (self.kill_sketcher, 4), (self.kill_all_resolvers, 1),
                (self.pause_resolver, 2), (self.pause_shard, 2), (self.pause_sketcher, 1), (self.restart_broker, 1),
                (self.put_an_old_backup, 2), (self.place, 2), (self.delete_answers, 2), (self.repeat_messages, 2), (self.another_rule, 1))

    def kill_resolver(self):
        self.hit()
        self.chance.choice(self.resolvers).kill()

    def kill_all_resolvers(self):
        self.hit()
        for resolver in self.resolvers:
            resolver.kill()

    def kill_shard(self):
        self.hit()
        self.chance.choice(self.replicas()).kill()

    def kill_sketcher(self):
        self.chance.choice(self.sketchers).kill()

    def pause_resolver(self):
        self.pause(self.chance.choice(self.resolvers))
        self.hit()

    def pause_shard(self):
        self.pause(self.chance.choice(self.replicas()))
        self.hit()

    def pause_sketcher(self):
        self.pause(self.chance.choice(self.sketchers))

    def put_an_old_backup(self):
        """The state of a replica, or one of before of its shard in its place."""
        number = self.chance.randrange(len(self.shards))
        replica = self.chance.choice(self.shards[number])
        replica.kill()
        state = replica.keys["storage.path"]
        backups = self.backups.setdefault(number, [])
        if backups and self.chance.random() < 0.6:
            shutil.rmtree(state)
            shutil.copytree(self.chance.choice(backups), state)
        else:
            backup = self.folder / self.name / f"backup-{number}-{len(backups)}"
            shutil.copytree(state, backup)
            backups.append(backup)
        self.hit()

    def place(self):
        """New documents to some of the shards, or to one more."""
        if len(self.shards) < MOST_SHARDS and self.chance.random() < 0.5:
            self.shards.append([self.shard(len(self.shards), 0).start()])
            self.shards[-1][0].wait_ready()
        numbers = range(len(self.shards))
        self.try_to_place(sorted(self.chance.sample(numbers, self.chance.randint(1, len(self.shards)))), "--wait", "30")
        self.hit()

    def delete_answers(self):
        topic = f"{self.name}.answers"
        for shard in range(len(self.shards)):
            self.cluster.delete_records(topic, shard, self.cluster.end_offsets(topic)[shard])
        self.hit()


if __name__ == "__main__":
    chaos_case.main()
