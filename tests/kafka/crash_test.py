"""Killed by kill -9 at any place of the exactly-once procedure, or stopped for longer than a transaction may take, the
service loses, doubles and changes nothing: not a flag, not a message that it passes on, not a dead letter."""

import needs

needs.broker()
import fault_case  # noqa: E402
import trial  # noqa: E402

PLACES = {
    "before_store": "before a batch is stored",
    "after_store": "when a batch is stored",
    "before_produce": "before a batch is sent",
    "after_produce": "when a batch is sent",
    "before_send_offsets": "before the offsets",
    "before_commit": "before the commit",
    "after_commit": "after the commit",
}
LEAVE_NOTHING = ("before_store", "after_commit")
NO_TRANSACTION = tuple(PLACES)[:4]  # places of at_least_once
MODES = {
    "flags": {"batch__in_flight": 2},
    "one in flight": {"batch__in_flight": 1},
    "annotate": {"batch__in_flight": 1, "output__mode": "annotate"},
    "filter": {"batch__in_flight": 2, "output__mode": "filter"},
    "at least once": {"batch__in_flight": 2, "kafka__guarantee": "at_least_once"},
}
KILLS = (1, 2, 1, 1, 3)  # at the first batch, the second, twice in a row at the first of a start, and a later one
DOCUMENTS = 700
SHORT = {"transaction.timeout.ms": "2000"}


class Crash(fault_case.FaultCase):
    def filled(self, **keys):
        partitions = 1 if keys.get("output__mode") == "filter" else 3
        topic = self.topic(partitions)
        self.fill(topic, fault_case.records(DOCUMENTS, len(self.name), partitions))
        return self.logged(topic, **keys)

    def check_kills(self, place, mode):
        service = self.filled(**MODES[mode])
        for number in KILLS:
            self.kill_at(service, place, number)
        self.go_on(service)
        if place not in LEAVE_NOTHING:
            again = service.events("stored batch sent", all_runs=True)
            decided = service.events("batch decided", all_runs=True)
            self.assertTrue(again, "no batch was left to be sent again")
            self.assertLessEqual({line["trace_id"] for line in again}, {line["trace_id"] for line in decided})

    def check_stop(self, mode):
        """In a transaction that the broker has aborted by the time it goes on."""
        service = self.filled(librdkafka=SHORT, **MODES[mode])
        service.start({"NEARDUP_FAILPOINT": "before_commit:3:stop"})
        service.wait_until(lambda: trial.stopped(service.process), "its stop")
        name = service.keys["kafka.group_id"] + "/1/0"
        service.wait_until(lambda: self.cluster.transaction_state(name) == "CompleteAbort", "the transaction's end")
        service.resume()
        status = service.wait_caught_up_or_ended(self.cluster)
        if status is not None:
            self.assertEqual(status, 75, service.log_text()[-3000:])
            service.start()
        self.finish(service)


def add_case(name, check, *arguments):
    setattr(Crash, f"test {name}".replace(" ", "_"), lambda self: check(self, *arguments))


for mode in MODES:
    for place, words in PLACES.items():
        if mode != "at least once" or place in NO_TRANSACTION:
            add_case(f"killed {words} {mode}", Crash.check_kills, place, mode)
    if mode != "at least once":
        add_case(f"stopped until its transaction has been aborted {mode}", Crash.check_stop, mode)

if __name__ == "__main__":
    fault_case.main()
