"""Whatever happens to sketchers, deciders and their broker (chaos_case.py).

  cluster_chaos_test.py [EVENTS [SEED]]
"""

import shutil

import needs

needs.broker()
import chaos_case  # noqa: E402


class Deciders(chaos_case.ChaosCase):
    def test_events_at_random(self):
        self.make_cluster(partitions=chaos_case.PARTITIONS, batch__documents=40)
        self.deciders = [self.role("decider", f"decider-{i}") for i in range(2)]
        self.sketchers = [self.role("sketcher", f"sketcher-{i}") for i in range(2)]
        self.backups = []
        self.run_events()

    def processes(self):
        return [*self.deciders, *self.sketchers]

    def events(self):
        return ((self.kill_decider, 5), (self.kill_sketcher, 5), (self.pause_decider, 2), (self.pause_sketcher, 2),
                (self.kill_both_deciders, 1), (self.restart_broker, 1), (self.put_an_old_backup, 2), (self.place, 2),
                (self.repeat_messages, 2), (self.another_rule, 1))

    def kill_decider(self):
        self.hit()
        self.chance.choice(self.deciders).kill()

    def kill_both_deciders(self):
        self.hit()
        for decider in self.deciders:
            decider.kill()

    def kill_sketcher(self):
        self.chance.choice(self.sketchers).kill()

    def pause_decider(self):
        self.pause(self.chance.choice(self.deciders))
        self.hit()

    def pause_sketcher(self):
        self.pause(self.chance.choice(self.sketchers))

    def put_an_old_backup(self):
        """The state of a decider, or one of before in its place."""
        decider = self.chance.choice(self.deciders)
        decider.kill()
        state = decider.keys["storage.path"]
        if self.backups and self.chance.random() < 0.6:
            shutil.rmtree(state)
            shutil.copytree(self.chance.choice(self.backups), state)
        else:
            backup = self.folder / self.name / f"backup-{len(self.backups)}"
            shutil.copytree(state, backup)
            self.backups.append(backup)
        self.hit()

    def place(self):
        self.try_to_place(range(self.chance.randint(1, 5)), "--wait", "0")


if __name__ == "__main__":
    chaos_case.main()
