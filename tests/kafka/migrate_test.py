"""A service goes on with a state that got another rule; what was decided under the old one is delivered as it was."""

import json
import pathlib
import subprocess

import needs

needs.broker()
import fault_case  # noqa: E402
import service as services  # noqa: E402

COUNT = 60
NEW = {"threshold": 0.6, "lsh.bands": 30, "lsh.rows": 5}


def documents(first, shared):
    """Documents of `shared` words that depend only on their number, and of unique words after them."""
    def words(i):
        return [f"s{i}x{j}" for j in range(shared)] + [f"{first}o{i}x{j}" for j in range(100 - shared)]
    return [json.dumps({"id": f"{first + i}", "text": " ".join(words(i))}).encode() for i in range(COUNT)]


class Migrated(fault_case.FaultCase):
    def migrate(self, service):
        sets = [word for key, value in NEW.items() for word in ("--set", f"{key}={value}")]
        command = [services.BINARY, "migrate", "--json", "--state", service.keys["storage.path"], *sets]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        service.keys.update(NEW)
        return json.loads(done.stdout)

    def test_flags_name_the_rule_that_decided_them(self):
        topic = self.topic()
        self.fill(topic, documents(0, 85))
        service = self.service(topic)
        self.kill_at(service, "before_commit", 2)  # the first batch of flags is stored, not delivered
        migration = self.migrate(service)
        decided = migration["documents"]  # a slow machine cuts the documents into several batches
        self.assertGreater(decided, 0)
        self.assertEqual((migration["indexed"], migration["bands"]), (decided, 30))
        service.start().wait_ready()
        service.wait_flags(self.direct, COUNT)
        self.assertTrue(service.events("stored batch sent"))
        self.fill(topic, documents(COUNT, 85))  # similarity about 0.68
        service.wait_caught_up(self.cluster)
        flags = self.flag_records(service)
        self.assertEqual([flag["seq"] for flag in flags], list(range(1, 2 * COUNT + 1)))
        for flag in flags[:decided]:
            self.assertEqual((flag["status"], flag["threshold"], flag["rule"]),
                             ("unique", 0.8, migration["rule_before"]))
        for flag in flags[decided:COUNT]:
            self.assertEqual((flag["status"], flag["threshold"], flag["rule"]), ("unique", 0.6, migration["rule"]))
        for flag in flags[COUNT:]:
            self.assertEqual((flag["status"], flag["threshold"], flag["rule"]),
                             ("near_duplicate", 0.6, migration["rule"]))
            self.assertEqual(flag["duplicate_of_seq"], flag["seq"] - COUNT)
        self.assertEqual(service.stop(), 0)

    def test_the_old_configuration_is_refused_afterwards(self):
        topic = self.topic()
        self.fill(topic, documents(0, 85))
        service = self.service(topic)
        service.start()
        service.wait_flags(self.direct, COUNT)
        command = [services.BINARY, "migrate", "--state", service.keys["storage.path"], "--set", "threshold=0.6"]
        self.assertEqual(subprocess.run(command, capture_output=True, timeout=60).returncode, 75)  # in use
        self.assertEqual(service.stop(), 0)
        old = dict(service.keys)
        self.migrate(service)
        service.keys.clear()
        service.keys.update(old)
        self.refused(service, 78, "threshold_ppm: 600000 in the state, 800000 now")
        self.assertTrue(pathlib.Path(service.keys["storage.path"]).exists())


if __name__ == "__main__":
    fault_case.main()
