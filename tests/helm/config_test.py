"""The configuration that the chart makes, in the hands of the real command."""

import http.client
import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import tempfile
import unittest

from chart import CHART, ROOT, Refused, at, render, yaml
from pod import NEARDUP, Pod
from switches import BACKUP, JOB, MAIN, POD, RESOLVERS, SHARD, SKETCHERS, sharded

sys.path.insert(0, str(ROOT / "tests" / "http"))
from certificates import Authority  # noqa: E402

CONTENT = {"seed": "00112233445566778899aabbccddeeff", "token": "a-token-of-the-test\n",
           "tls/ca": pathlib.Path("/etc/ssl/certs/ca-certificates.crt").read_text()}
VALUES = {
    "instances": 4,
    "config": {
        # Numbers that YAML writers without integers, such as Helm, would write as floating point.
        "threshold": 0.85, "storage": {"expected_documents": 100000000, "memory": "64MiB"}, "lsh": {"recall": 0.999},
        "retention": {"max_bytes": 123456789012}, "batch": {"linger_ms": 50}, "shutdown": {"drain_seconds": 7},
        "filter": {"one_bit": False},
        "kafka": {"brokers": "127.0.0.1:1", "topics": ["one", "two"],
                  "librdkafka": {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512",
                                 "sasl.username": "me", "socket.timeout.ms": 60000}}},
    "secrets": {"seed": {"name": "s"}, "token": {"name": "t"}, "tls": {"ca": {"name": "c"}},
                "kafka": {"sasl.password": {"name": "p", "key": "k"}}}}
NUMBER = {"NEARDUP_KAFKA_INSTANCE": "3"}


class PodTest(unittest.TestCase):
    """Secrets and the volume lie in a folder, as if it were the root of the pod."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pod-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def make(self, values, content, which=MAIN):
        self.objects = render(values)
        claims = [claim["metadata"]["name"] for claim in at(self.objects[which], "spec.volumeClaimTemplates") or []]
        self.pod = Pod(self.root, at(self.objects[which], "spec.template.spec"), self.objects, content, claims)
        self.file = self.pod.inside("/etc/neardup/neardup.yaml")

    def command(self, *words, **environment):
        return subprocess.run([NEARDUP, *words], env=os.environ | environment, capture_output=True, text=True)

    def serve(self, **numbers):
        """The service as the pod starts it, waiting for brokers, and its ports: of the API, of probes and metrics, and
        with TLS of commands. `numbers`: what the pod gets from its own."""
        environment = os.environ | self.pod.environment("neardup") | numbers | {
            "NEARDUP_HTTP_LISTEN": "0.0.0.0:0", "NEARDUP_HTTP_METRICS_LISTEN": "0.0.0.0:0"}
        service = subprocess.Popen(self.pod.command("neardup"), env=environment, stderr=subprocess.PIPE, text=True)
        self.addCleanup(service.communicate)
        self.addCleanup(service.kill)
        ports = []
        for line in service.stderr:
            self.assertTrue(line.startswith("{"), line)
            event = json.loads(line)
            self.assertNotEqual(event["event"], "ended")
            if event["event"] == "listening":
                ports.append(int(event["address"].rpartition(":")[2]))
            if event["event"] == "waiting for Kafka":
                return service, ports
        return self.fail("it ended without a word")


class Configuration(PodTest):
    def setUp(self):
        super().setUp()
        self.make(VALUES, CONTENT)

    def test_it_has_no_problems(self):
        done = self.command("config", "check", self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_mistakes_would_be_seen(self):
        self.file.write_text(self.file.read_text().replace("threshold", "treshold"))
        self.assertEqual(self.command("config", "check", self.file).returncode, 78)

    def test_every_setting_arrives(self):
        shown = yaml.safe_load(self.command("config", "show", self.file, **NUMBER).stdout)
        for key in ("threshold", "storage.expected_documents", "lsh.recall", "retention.max_bytes", "batch.linger_ms",
                    "shutdown.drain_seconds", "filter.one_bit", "kafka.topics", "kafka.librdkafka.[sasl.username]"):
            with self.subTest(key):
                self.assertEqual(str(at(shown, key)), str(at(VALUES["config"], key)))
        self.assertEqual((shown["kafka"]["instance"], shown["kafka"]["instances"]), (3, 4))
        self.assertEqual(shown["kafka"]["secrets"],
                         {"sasl.password": f"{self.root}/run/secrets/neardup/kafka/sasl.password"})

    def test_serve_takes_it_and_ends_in_the_time_that_is_given(self):
        service, _ = self.serve(**NUMBER)
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=at(self.objects[MAIN], POD + "terminationGracePeriodSeconds"))

    def test_probes_have_a_port_and_the_other_one_asks_for_the_token(self):
        _, (api, probes) = self.serve(**NUMBER)

        def status(port, method, path, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request(method, path, body="{}" if method == "POST" else None, headers=headers)
            return connection.getresponse().status

        paths = ("/healthz", "/version", "/readyz", "/metrics")
        self.assertEqual([status(probes, "GET", path) for path in paths], [200, 200, 503, 200])
        self.assertEqual(status(probes, "POST", "/v1/control/stats"), 404)
        for authorization in ({}, {"Authorization": "Bearer 0000000000000000"}):
            self.assertEqual(status(api, "POST", "/v1/control/stats", **authorization), 401)
        known = {"Authorization": "Bearer " + CONTENT["token"].strip()}
        self.assertNotEqual(status(api, "POST", "/v1/control/stats", **known), 401)


class Roles(PodTest):
    """Of a cluster: the file is the same for all of them."""

    NAMED = VALUES | {"instances": 1, "config": VALUES["config"] | {"cluster": {"name": "crawl", "window": 131072}}}
    SHARDED = NAMED | {"cluster": sharded(shards={"count": 2, "replicas": 3})}
    PODS = ((MAIN, "decider", NAMED | {"cluster": {"enabled": True}}), (SHARD, "shard", SHARDED),
            (RESOLVERS, "resolver", SHARDED), (SKETCHERS, "sketcher", SHARDED))

    def configuration(self, verb, which, role, values, **environment):
        self.make(values, CONTENT, which)
        words = self.pod.command("neardup")
        self.assertIn(f"--role={role}", words)
        self.assertIn(f"--config={self.file}", words)
        return self.command("config", verb, self.file, "--set", f"cluster.role={role}",
                            **self.pod.environment("neardup"), **environment)

    def test_the_program_has_no_problems_with_any(self):
        for which, role, values in self.PODS:
            with self.subTest(role):
                done = self.configuration("check", which, role, values)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_serves_as_its_pod_starts_it_and_says_on_the_port_of_probes_that_it_waits(self):
        for which, role, values in self.PODS:
            with self.subTest(role):
                self.make(values, CONTENT, which)
                service, (_, probes) = self.serve(NEARDUP_CLUSTER_REPLICA="2")
                self.assertEqual(self.command("health", f"http://127.0.0.1:{probes}/healthz").returncode, 0)
                self.assertEqual(self.command("health", f"http://127.0.0.1:{probes}/readyz").returncode, 1)
                service.send_signal(signal.SIGTERM)
                service.wait(timeout=at(self.objects[which], POD + "terminationGracePeriodSeconds"))

    def test_a_role_is_needed(self):
        self.configuration("check", *self.PODS[0])
        self.assertIn("choose a role", self.command("config", "check", self.file).stderr)

    def test_a_shard_knows_its_number_and_its_replica(self):
        done = self.configuration("show", *self.PODS[1], NEARDUP_CLUSTER_REPLICA="2")
        cluster = yaml.safe_load(done.stdout)["cluster"]
        self.assertEqual({key: cluster[key] for key in ("name", "role", "shard", "replica", "window")},
                         {"name": "crawl", "role": "shard", "shard": 1, "replica": 2, "window": 131072})


class Tls(PodTest):
    """Of the API, by the files of a secret as cert-manager makes it."""

    def setUp(self):
        super().setUp()
        self.authority = Authority(self.root)
        cert, key = self.authority.issue("service", names="DNS:*.n-neardup.7.svc,IP:127.0.0.1")
        self.content = CONTENT | {"api/cert_file": cert.read_text(), "api/key_file": key.read_text(),
                                  "api/client_ca_file": self.authority.pem.read_text()}

    def make_tls(self, client_ca="", **more):
        tls = {"secretName": "crt", "clientCA": {"name": client_ca}}
        self.make(VALUES | {"api": {"enabled": True, "tls": tls}} | more, self.content)

    def back_up(self, port, trusted):
        """Runs the job for an instance at `port`, which it finds by its name."""
        spec = at(self.objects[BACKUP], JOB + "template.spec")
        pod = Pod(self.root / "job", spec, self.objects, CONTENT | {"ca": trusted.pem.read_text()})
        name = "https://n-neardup-3.n-neardup.7.svc:8081"
        words = [word.replace(name, f"https://127.0.0.1:{port}") for word in pod.command("backup", INSTANCE=3)]
        return self.command(*words[1:], **pod.environment("backup"))

    def test_the_program_has_no_problems_with_it(self):
        for client_ca in ("", "clients"):
            self.make_tls(client_ca)
            done = self.command("config", "check", self.file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            http = yaml.safe_load(self.file.read_text())["http"]
            self.assertEqual("client_ca_file" in http["tls"], client_ca != "")

    def test_the_job_of_backups_is_answered_and_trusts_only_the_authority_of_the_secret(self):
        self.make_tls(backup={"enabled": True})
        _, (api, *_) = self.serve(**NUMBER)
        done = self.back_up(api, trusted=self.authority)
        self.assertEqual(done.returncode, 75, done.stderr)
        self.assertIn("not deciding", done.stderr)
        done = self.back_up(api, trusted=Authority(self.root, "another"))
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("certificate verify failed", done.stderr)

    def test_only_clients_with_a_certificate_are_answered_and_probes_need_none(self):
        self.make_tls("clients")
        _, (api, probes, _) = self.serve(**NUMBER)

        def status(*identity):
            connection = http.client.HTTPSConnection("127.0.0.1", api, timeout=60,
                                                     context=self.authority.client(*identity))
            connection.request("GET", "/v1/stats", headers={"Authorization": "Bearer 0000000000000000"})
            return connection.getresponse().status

        self.assertEqual(status(*self.authority.issue("client")), 401)
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            status()
        self.assertEqual(self.command("health", f"http://127.0.0.1:{probes}/healthz").returncode, 0)


class Secrets(unittest.TestCase):
    """One list of what is secret among the settings of librdkafka: the program's."""

    # The keys of librdkafka whose value is a secret.
    KEYS = ("sasl.password", "ssl.key.password", "ssl.key.pem", "ssl.keystore.password", "sasl.oauthbearer.config",
            "sasl.oauthbearer.client.secret")

    def made_up(self):
        """Made-up keys that are secret by their name: each such part alone, and as part of a longer name."""
        schema = json.loads((CHART / "config.schema.json").read_text())
        pattern = at(schema, "properties.kafka.properties.librdkafka.x-secret-names")
        for part in pattern.replace("\\", "").split("|"):
            yield from (part, f"x.{part}", f"{part}.x", f"sasl.{part}.x")

    # Settings that keys with this prefix require.
    WITH = {"sasl.oauthbearer": {"security.protocol": "SASL_SSL", "sasl.mechanism": "OAUTHBEARER",
                                 "sasl.oauthbearer.method": "oidc", "sasl.oauthbearer.client.id": "x",
                                 "sasl.oauthbearer.client.secret": "x",
                                 "sasl.oauthbearer.token.endpoint.url": "http://127.0.0.1:1"},
            "sasl": {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.username": "x",
                     "sasl.password": "x"},
            "": {"security.protocol": "SSL"}}

    def shown(self, key):
        """`config show` of a file with the key set to `told`."""
        beside = next(keys for start, keys in self.WITH.items() if key.startswith(start))
        words = [word for name, value in (beside | {key: "told"}).items()
                 for word in ("--set", f"kafka.librdkafka.{name}={value}")]
        done = subprocess.run([NEARDUP, "config", "show", *words], capture_output=True, text=True)
        self.assertIn(key, done.stdout, done.stderr)
        return done.stdout

    def test_what_the_program_hides_never_reaches_the_config_map(self):
        made_up = list(self.made_up())
        self.assertGreaterEqual(len(made_up), 24)
        for key in (*self.KEYS, *made_up):
            with self.subTest(key), self.assertRaisesRegex(Refused, "use secrets.kafka for " + key):
                render({"config": {"kafka": {"librdkafka": {key: "told"}}}})
        for key in self.KEYS:
            with self.subTest(key):
                self.assertNotIn("told", self.shown(key))

    def test_what_the_chart_lets_through_the_program_shows(self):
        for key in ("sasl.username", "ssl.ca.pem", "ssl.certificate.pem", "sasl.oauthbearer.client.id", "client.id"):
            with self.subTest(key):
                self.assertIn("told", self.shown(key))
                self.assertIn("told", str(render({"config": {"kafka": {"librdkafka": {key: "told"}}}})))


if __name__ == "__main__":
    unittest.main()
