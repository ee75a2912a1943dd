"""The network is cut before a request reaches the broker, or before its answer comes back; the disk is full: no flag is
lost, doubled or changed."""

import resource
import signal
import time

import needs

needs.broker()
import documents  # noqa: E402
import proxy  # noqa: E402
import trial  # noqa: E402
from broker import die_with_parent  # noqa: E402

REQUESTS = {"Produce": proxy.PRODUCE, "Fetch": proxy.FETCH, "OffsetFetch": 9, "InitProducerId": 22,
            "AddPartitionsToTxn": proxy.ADD_PARTITIONS_TO_TXN, "AddOffsetsToTxn": 25, "EndTxn": proxy.END_TXN,
            "TxnOffsetCommit": proxy.TXN_OFFSET_COMMIT}
LATER = 4  # how many requests of the kind pass first
DOCUMENTS = 300


class Network(trial.Trial):
    """One broker behind a proxy."""

    @classmethod
    def cluster_options(cls):
        cls.proxy = cls.enterClassContext(proxy.Proxy())
        return {"proxies": {1: cls.proxy}}

    def filled(self, **keys):
        topic = self.topic()
        self.fill(topic, documents.records(DOCUMENTS, seed=len(self.name)))
        return self.service(topic, batch__documents=20, librdkafka={"reconnect.backoff.ms": "10"}, **keys)

    def check_cut(self, cut, request, passing):
        service = self.filled()
        trap = cut(REQUESTS[request], passing)
        service.start()
        service.wait_until(trap.sprung, f"a cut at {request}")
        self.finish(service)

    def check_cut_of_a_start(self, cut, request):
        """Requests that come once: those of the second start, with stored batches to be sent."""
        service = self.filled(batch__in_flight=3)
        service.start({"NEARDUP_FAILPOINT": "before_commit:3"})
        self.assertEqual(service.wait_exit(), -signal.SIGKILL)
        trap = cut(REQUESTS[request])
        service.start()
        service.wait_until(trap.sprung, f"a cut at {request}")
        self.finish(service)

    def test_a_commit_that_only_the_positions_tell_of(self):
        """The broker commits, the answer is lost, and the producer cannot repeat the request: it has been fenced."""
        service = self.filled()
        service.keys["kafka.librdkafka"]["transaction.timeout.ms"] = "2000"
        service.start()
        service.wait_caught_up(self.cluster)
        self.proxy.refuse()
        try:
            trap = self.proxy.cut_after(proxy.END_TXN)
            self.fill(service.keys["kafka.topics"][0], documents.records(20, seed=5))
            service.wait_until(trap.sprung, "a cut at EndTxn")
            transactional_id = f"{service.keys['kafka.group_id']}/1/0"
            self.direct.producer(transactional_id=transactional_id).init_transactions(30)
            time.sleep(2.5)  # until the transaction has timed out: fencing then counts as expiry
        finally:
            self.proxy.accept()
        service.wait_until(lambda: service.events("producer recreated"), "a new producer")
        self.finish(service)

    def test_the_network_is_away_for_a_while(self):
        service = self.filled()
        service.start()
        service.wait_flags(self.direct, 40)
        self.proxy.refuse()
        self.proxy.cut()
        try:
            service.wait_until(lambda: not service.ready(), "its notice of the outage")
        finally:
            self.proxy.accept()
        service.wait_ready()
        self.finish(service)


def add_cuts():
    for request in REQUESTS:
        for moment in (proxy.BEFORE, proxy.AFTER):
            add_cuts_at(request, moment)


def add_cuts_at(request, moment):
    def cut(test):
        return test.proxy.cut_before if moment == proxy.BEFORE else test.proxy.cut_after

    def first(test):
        test.check_cut(cut(test), request, 0)

    def later(test):
        test.check_cut(cut(test), request, LATER)

    def of_a_start(test):
        test.check_cut_of_a_start(cut(test), request)

    setattr(Network, f"test_cut_{moment}_the_first_{request}", first)
    again = request not in ("OffsetFetch", "InitProducerId")  # those come once a start
    setattr(Network, f"test_cut_{moment}_a_later_{request}", later if again else of_a_start)


class Disk(trial.Trial):
    """The state's disk is full: no file may pass a limit, which the kernel tells a process that ignores the signal."""

    def test_full_and_then_with_room_again(self):
        topic = self.topic()
        self.fill(topic, documents.records(2000, seed=7))
        service = self.service(topic)
        service.before_exec = die_but_not_of_limits
        service.start({"NEARDUP_FAILPOINT": "before_store:2:stop"})
        service.wait_until(lambda: trial.stopped(service.process), "its second batch")
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (64 << 10, resource.RLIM_INFINITY))
        service.resume()
        self.assertEqual(service.wait_exit(), 74, service.log_text()[-2000:])
        ended = service.events("ended")[0]
        self.assertEqual(ended["status"], 74)
        self.assertIn(service.keys["storage.path"], ended["reason"])
        self.finish(service.start())


def die_but_not_of_limits():
    die_with_parent()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


add_cuts()

if __name__ == "__main__":
    trial.main()
