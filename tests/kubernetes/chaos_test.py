"""Random events on Kubernetes: documents keep coming while pods, processes and nodes come and go, and each gets one right flag.

  chaos_test.py [EVENTS [SEED]]
"""

import collections
import random
import signal
import sys
import time
import unittest

import control

sys.path.insert(0, str(control.ROOT / "tests"))
import needs  # noqa: E402

needs.broker()
control.needed()
import release_case  # noqa: E402

EVENTS = 12
SEED = random.SystemRandom().randrange(1 << 31)
INSTANCES = 2
LONGEST_PAUSE = 8  # seconds
WEIGHTS = {"delete": 3, "kill": 3, "stop": 2, "update": 2, "switch_off": 2, "cut_off": 2}


class Chaos(release_case.ReleaseCase):
    def test_random_events(self):
        print(f"{EVENTS} events, seed {SEED}", flush=True)
        self.chance = random.Random(SEED)
        self.given = self.values(instances=INSTANCES)
        self.install(self.given)
        self.wait_ready(INSTANCES)
        self.begin(SEED)
        happened = self.chance.choices(*zip(*WEIGHTS.items()), k=EVENTS)
        for event in happened:
            getattr(self, event)(f"n-neardup-{self.chance.randrange(INSTANCES)}")
            time.sleep(self.chance.uniform(0, 3))
        self.wait_ready(INSTANCES, seconds=180)
        print(", ".join(f"{name} {count}" for name, count in sorted(collections.Counter(happened).items())), flush=True)
        self.finish(INSTANCES)

    def wait_there(self, name):
        """Until the pod has a node and a process; that node and that process."""
        def there():
            pod = self.pods().get(name)
            found = pod and "nodeName" in pod["spec"] and self.node_of(name).pod(self.namespace, name)
            return found and found.container("neardup").running() and (found.node, found.container("neardup"))

        return control.wait_until(there, lambda: f"{name}, seed {SEED}: {self.told()}", 180)

    def pause(self):
        time.sleep(self.chance.uniform(0.5, LONGEST_PAUSE))

    def delete(self, name):
        self.wait_there(name)
        self.api.delete("pods", self.namespace, name)

    def kill(self, name):
        self.wait_there(name)[1].signal(signal.SIGKILL)

    def stop(self, name):
        _, process = self.wait_there(name)
        process.signal(signal.SIGSTOP)
        self.pause()
        process.signal(signal.SIGCONT)

    def update(self, _):
        self.install(self.given | {"podAnnotations": {"event": str(self.chance.random())}})

    def switch_off(self, name):
        node, _ = self.wait_there(name)
        node.kill()
        self.pause()
        node.start()

    def cut_off(self, name):
        node, _ = self.wait_there(name)
        node.cut_off()
        self.pause()
        node.reconnect()


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        EVENTS = int(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        SEED = int(sys.argv.pop(1))
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
