"""The broker, the clients and the proxy that other tests use do what they say."""

import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import needs

needs.broker()
import certificates  # noqa: E402
import documents  # noqa: E402
import proxy  # noqa: E402
from admin import Admin  # noqa: E402
from broker import Cluster  # noqa: E402
from client import Client, Record  # noqa: E402
from confluent_kafka import KafkaException  # noqa: E402

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "kafka"


class Fixture(unittest.TestCase):
    def folder(self):
        folder = tempfile.TemporaryDirectory(prefix="neardup-kafka-")
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def cluster(self, **options):
        cluster = Cluster(self.folder(), **options)
        self.addCleanup(cluster.close)
        cluster.start()
        return cluster


class OneNode(Fixture):
    """The proxy stands before the clients' listener; `direct` goes around it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="neardup-kafka-")
        cls.addClassCleanup(folder.cleanup)
        cls.proxy = cls.enterClassContext(proxy.Proxy())
        cls.node = cls.enterClassContext(Cluster(folder.name, proxies={1: cls.proxy}))
        cls.client = Client(cls.node.bootstrap)
        cls.direct = Client(cls.node.internal_bootstrap)

    def topic(self, partitions=1):
        name = self.id().rpartition(".")[2]
        self.node.create_topic(name, partitions)
        return name

    def test_records_come_back_as_they_were_sent(self):
        topic = self.topic(3)
        sent = [Record(b"a", b"k", [("h", b"1"), ("h", b"2")], 1_600_000_000_000, 2), Record(None, b"k", None, 5, 0),
                Record(b"", None, None, 6, 0)]
        places = self.client.produce(topic, sent)
        self.assertEqual(places, [(2, 0), (0, 0), (0, 1)])
        found = {(m.partition, m.offset): Record(m.value, m.key, m.headers or None, m.timestamp, m.partition)
                 for m in self.client.read_committed_all(topic)}
        self.assertEqual([found[place] for place in places], sent)

    def test_50_000_records_are_read(self):
        topic = self.topic(2)
        self.client.produce(topic, [b"%d" % i for i in range(50_000)])
        self.assertEqual(sorted(int(m.value) for m in self.client.read_committed_all(topic)), list(range(50_000)))

    def test_only_committed_transactions_are_seen(self):
        topic = self.topic()
        self.client.produce_and_abort(topic, [b"aborted"])
        self.client.produce_and_commit(topic, [b"committed"])
        open_one = self.client.begin(topic, [b"open"])
        self.client.produce(topic, [b"behind"])
        self.assertEqual([m.value for m in self.client.read_committed_all(topic)], [b"committed"])
        self.assertEqual([m.value for m in self.client.read_uncommitted_all(topic)],
                         [b"aborted", b"committed", b"open", b"behind"])
        self.assertEqual((self.node.end_offsets(topic), self.node.end_offsets(topic, committed=False)),
                         ({0: 4}, {0: 6}))
        open_one.commit_transaction(30)
        self.assertEqual([m.value for m in self.client.read_committed_all(topic)], [b"committed", b"open", b"behind"])

    def test_states_of_a_transaction(self):
        topic = self.topic()
        for end, what in (("commit_transaction", "Commit"), ("abort_transaction", "Abort")):
            producer = self.client.begin(topic, [b"x"], "some-id")
            self.assertEqual(self.node.transaction_state("some-id"), "Ongoing")
            getattr(producer, end)(30)
            self.assertIn(self.node.transaction_state("some-id"), (f"Prepare{what}", f"Complete{what}"))

    def test_positions_of_a_group(self):
        topic = self.topic(2)
        self.client.produce(topic, [Record(b"x", partition=p) for p in (0, 0, 1)])
        self.assertEqual(self.node.lag("group", topic), 3)
        self.node.commit("group", topic, 0, 1, "something")
        self.assertEqual(self.node.committed("group"), {(topic, 0): (1, "something")})
        self.assertEqual(self.node.lag("group", topic), 2)
        self.node.commit("group", topic, 1, 1)
        self.node.forget_offsets("group", topic, 0)
        self.assertEqual(self.node.committed("group"), {(topic, 1): (1, "")})
        self.node.forget_group("group")
        self.assertEqual(self.node.committed("group"), {})

    def test_topics_shrink_grow_and_go(self):
        topic = self.topic()
        self.client.produce(topic, [b"0", b"1", b"2"])
        self.node.delete_records(topic, 0, 2)
        self.assertEqual(([m.offset for m in self.client.read_committed_all(topic)], self.node.start_offsets(topic)),
                         ([2], {0: 2}))
        self.node.create_partitions(topic, 3)
        self.assertEqual(self.node.partitions(topic), [0, 1, 2])
        self.node.delete_topic(topic)
        self.assertEqual(self.node.partitions(topic), [])

    def test_a_killed_node_keeps_its_data(self):
        topic = self.topic()
        self.client.produce(topic, [b"before"])
        self.node.kill()
        self.assertRaises(OSError, self.node.metadata)
        self.node.restart()
        self.client.produce(topic, [b"after"])
        self.assertEqual([m.value for m in self.client.read_committed_all(topic)], [b"before", b"after"])

    def test_a_paused_node_goes_on(self):
        topic = self.topic()
        self.node.pause()
        producer = self.client.producer()
        producer.produce(topic, b"late")
        self.assertEqual(producer.flush(0.5), 1)
        self.node.resume()
        self.assertEqual(producer.flush(30), 0)

    def test_what_is_cut_before_never_reached_the_broker(self):
        topic = self.topic()
        trap = self.proxy.cut_before(proxy.PRODUCE)
        producer = self.client.producer(message_send_max_retries=0)
        producer.produce(topic, b"lost")
        trap.wait()
        producer.flush(30)
        self.assertEqual(self.node.end_offsets(topic), {0: 0})

    def test_what_is_cut_after_was_carried_out(self):
        topic = self.topic()
        trap = self.proxy.cut_after(proxy.PRODUCE)
        errors = []
        producer = self.client.producer(message_send_max_retries=0)
        producer.produce(topic, b"kept", on_delivery=lambda error, _: errors.append(error))
        trap.wait()
        producer.flush(30)
        self.assertEqual(self.node.end_offsets(topic), {0: 1})
        self.assertIsNotNone(errors[0], "the producer cannot know")

    def test_a_commit_whose_answer_is_lost_has_happened(self):
        topic = self.topic()
        producer = self.client.begin(topic, [b"once"])
        trap = self.proxy.cut_after(proxy.END_TXN)
        producer.commit_transaction(30)
        self.assertTrue(trap.sprung())
        self.assertEqual([m.value for m in self.direct.read_committed_all(topic)], [b"once"])

    def test_cut_connections_and_refused_ones(self):
        topic = self.topic()
        producer = self.client.producer()
        producer.produce(topic, b"first")
        producer.flush(30)
        self.proxy.refuse()
        self.proxy.cut()
        producer.produce(topic, b"second")
        self.assertEqual(producer.flush(0.5), 1)
        self.assertEqual([m.value for m in self.direct.read_committed_all(topic)], [b"first"])
        self.proxy.accept()
        self.assertEqual(producer.flush(30), 0)

    def test_documents_are_the_same_for_the_same_seed(self):
        some = documents.records(300, seed=7, keys=True, partitions=3)
        self.assertEqual(some, documents.records(300, seed=7, keys=True, partitions=3))
        self.assertNotEqual(some, documents.records(300, seed=8, keys=True, partitions=3))
        self.assertEqual({record.partition for record in some}, {0, 1, 2})


class ThreeNodes(Fixture):
    def test_leaders_move_and_a_dead_leader_is_replaced(self):
        cluster = self.cluster(nodes=3)
        client = Client(cluster.bootstrap)
        cluster.create_topic("docs", 2)
        client.produce("docs", [Record(b"first", partition=0)])
        new = cluster.leader("docs", 0) % 3 + 1
        cluster.move_leader("docs", 0, new)
        self.assertEqual(cluster.leader("docs", 0), new)
        client.produce("docs", [Record(b"second", partition=0)])
        cluster.kill(new)
        client.produce("docs", [Record(b"third", partition=0)])
        self.assertNotEqual(cluster.leader("docs", 0), new)
        cluster.restart(new)
        cluster.wait_in_sync("docs", 2)
        self.assertEqual([m.value for m in client.read_committed_all("docs")], [b"first", b"second", b"third"])


class Access(Fixture):
    def test_users_may_do_what_was_allowed(self):
        cluster = self.cluster(users={"reader": "r-secret", "writer": "w-secret"})
        cluster.create_topic("docs")
        cluster.allow("writer", "topic", "docs", "write", "describe")
        login = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "PLAIN", "sasl_username": "writer"}
        writer = Client(cluster.bootstrap, sasl_password="w-secret", **login)
        self.assertEqual(writer.produce("docs", [b"x"]), [(0, 0)])
        with self.assertRaises(KafkaException):
            Client(cluster.bootstrap, sasl_password="wrong", **login).producer().list_topics("docs", 5)
        reader = Client(cluster.bootstrap, sasl_password="r-secret", **{**login, "sasl_username": "reader"})
        self.assertIsNotNone(reader.producer().list_topics("docs", 30).topics["docs"].error)

    def test_tls_with_our_own_authority(self):
        tls = certificates.make(self.folder())
        cluster = self.cluster(tls=tls, properties={"listener.name.client.ssl.client.auth": "required"})
        cluster.create_topic("docs")
        settings = {**tls.client_settings(), **tls.client_certificate()}
        self.assertEqual(Client(cluster.bootstrap, **settings).produce("docs", [b"x"]), [(0, 0)])
        with self.assertRaises(KafkaException):
            Client(cluster.bootstrap).producer().list_topics("docs", 3)


class Ends(Fixture):
    def test_brokers_die_with_the_test_that_started_them(self):
        code = ("import sys, time; from broker import Cluster; c = Cluster(sys.argv[1]); c.start(); "
                "print(c.nodes[1].process.pid, flush=True); time.sleep(600)")
        test = subprocess.Popen([sys.executable, "-B", "-c", code, self.folder()], stdout=subprocess.PIPE,
                                cwd=pathlib.Path(__file__).parent)
        self.addCleanup(test.stdout.close)
        broker = int(test.stdout.readline())
        self.assertTrue(alive(broker))
        test.kill()
        test.wait()
        self.assert_ends(broker)

    def test_the_script_starts_stops_and_starts_again_with_the_data(self):
        folder = self.folder()
        self.addCleanup(subprocess.run, [SCRIPT, "stop", folder])
        for round_number in range(2):
            subprocess.run([SCRIPT, "start", folder], check=True)
            broker = int((folder / "pid").read_text())
            self.assertEqual("docs" in Admin([address(folder)]).metadata().topics, round_number == 1)
            if round_number == 0:
                Admin([address(folder)]).create_topic("docs")
            subprocess.run([SCRIPT, "stop", folder], check=True)
            self.assert_ends(broker)

    def test_the_script_leaves_alone_what_does_not_run(self):
        self.assertEqual(subprocess.run([SCRIPT, "stop", self.folder()]).returncode, 0)

    def test_without_java_the_script_says_so_and_exits_with_77(self):
        python = pathlib.Path(sys.executable).resolve()
        done = subprocess.run([python, SCRIPT, "jars"], env={"PATH": "/nonexistent"}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (77, 1))
        self.assertIn("Java", done.stderr)

    def assert_ends(self, process):
        deadline = time.monotonic() + 20
        while alive(process):
            self.assertLess(time.monotonic(), deadline, f"process {process} still lives")
            time.sleep(0.05)


def address(folder):
    host, _, port = (folder / "bootstrap").read_text().strip().rpartition(":")
    return host, int(port)


def alive(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


if __name__ == "__main__":
    unittest.main()
