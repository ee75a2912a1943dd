"""Each way to log in that docs/operations.md shows, with a real broker over TLS: it works, a wrong secret is reported, and
settings that cannot work are refused before any request."""

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
import service  # noqa: E402
from service_case import ServiceCase  # noqa: E402
from token_server import TokenServer  # noqa: E402

USER, PASSWORD, WRONG = "neardup", "right-horse-battery", "wrong-horse-battery"
OPERATIONS = {"topic": ("read", "write", "describe", "describe_configs"), "group": ("read",),
              "transactional_id": ("write", "describe")}


class Logins(ServiceCase):
    principal = USER

    def logging_in(self, librdkafka, label="service", secrets=None, **options):
        """A service, not started, whose user has all permissions that it needs once it is logged in."""
        topic = self.topic(label)
        self.client.produce(topic, documents.records(20))
        made = self.make([topic], label, kafka__librdkafka=librdkafka, kafka__secrets=secrets or {}, **options)
        keys = made.keys
        group = keys["kafka.group_id"]
        for kind, name in (*[("topic", keys[f"kafka.{key}_topic"]) for key in ("output", "dead_letter")],
                           ("topic", topic), ("group", group), ("transactional_id", f"{group}/1/0")):
            self.cluster.allow(self.principal, kind, name, *OPERATIONS[kind])
        return made

    def flags_come(self, made):
        made.start()
        made.wait_flags(self.client, 20)
        self.assertEqual(made.stop(), 0, made.log_text()[-3000:])

    def secret(self, text, label="secret"):
        file = self.folder / f"{self.name}.{label}"
        file.write_text(text + "\n")
        return str(file)


class Sasl(Logins):
    @classmethod
    def setUpClass(cls):
        folder = cls.new_folder()
        cls.tls = certificates.make(folder / "tls")
        cls.tokens = cls.enterClassContext(TokenServer(folder / "tokens", {USER: PASSWORD}))
        cls.CLUSTER = {"tls": cls.tls, "users": {USER: PASSWORD}, "tokens": cls.tokens}
        super().setUpClass()

    def settings(self, mechanism, **more):
        return {**self.tls.client_settings(), "security.protocol": "SASL_SSL", "sasl.mechanism": mechanism,
                **{key.replace("_", "."): value for key, value in more.items()}}

    def bearer(self, secret, **more):
        settings = self.settings("OAUTHBEARER", sasl_oauthbearer_method="oidc", sasl_oauthbearer_client_id=USER,
                                 sasl_oauthbearer_token_endpoint_url=self.tokens.token_url, **more)
        return settings, {"sasl.oauthbearer.client.secret": self.secret(secret)}

    def test_by_password(self):
        for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512", "PLAIN"):
            with self.subTest(mechanism):
                made = self.logging_in(self.settings(mechanism, sasl_username=USER), mechanism,
                                       {"sasl.password": self.secret(PASSWORD)})
                self.flags_come(made)

    def test_a_wrong_password_is_told_and_not_shown(self):
        for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
            with self.subTest(mechanism):
                made = self.logging_in(self.settings(mechanism, sasl_username=USER), mechanism,
                                       {"sasl.password": self.secret(WRONG)})
                self.assertNotIn(WRONG, self.assert_fails(made, 78, "uthentication failed", "credentials"))

    def test_by_tokens_of_an_oidc_provider(self):
        settings, secrets = self.bearer(PASSWORD)
        self.flags_come(self.logging_in(settings, secrets=secrets))

    def test_tokens_are_renewed_before_they_end(self):
        self.addCleanup(setattr, self.tokens, "seconds", self.tokens.seconds)
        self.tokens.seconds = 15  # a shorter life leaves no time between renewing and logging in again
        settings, secrets = self.bearer(PASSWORD)
        made = self.logging_in(settings, secrets=secrets)
        made.start().wait_ready()
        before = self.tokens.given
        made.wait_until(lambda: self.tokens.given > before + 2, "new tokens")
        self.client.produce(made.keys["kafka.topics"][0], documents.records(20, seed=2))
        made.wait_flags(self.client, 40)
        self.assertEqual(made.stop(), 0, made.log_text()[-3000:])

    def test_a_wrong_client_secret_is_told_and_not_shown(self):
        settings, secrets = self.bearer(WRONG)
        text = self.assert_fails(self.logging_in(settings, secrets=secrets), 78, "invalid_client", "token")
        self.assertNotIn(WRONG, text)

    def test_a_token_server_with_a_fault_is_waited_for_and_told(self):
        self.addCleanup(setattr, self.tokens, "broken", None)
        self.tokens.broken = 501, {"error": "not now"}  # librdkafka tries some others again before it tells
        settings, secrets = self.bearer(PASSWORD)
        made = self.logging_in(settings, secrets=secrets)
        made.start()
        made.wait_until(lambda: "not now" in made.log_text(), "the reason in the log")
        self.assertFalse(made.ready())
        self.tokens.broken = None
        made.wait_flags(self.client, 20)
        self.assertEqual(made.stop(), 0, made.log_text()[-3000:])


class ClientCertificates(Logins):
    principal = "client"

    @classmethod
    def setUpClass(cls):
        cls.tls = certificates.make(cls.new_folder() / "tls")
        cls.CLUSTER = {"tls": cls.tls, "client_certificates": True}
        super().setUpClass()

    def test_a_certificate_of_an_intermediate_authority_is_a_login(self):
        settings = {**self.tls.client_settings(), **self.tls.client_certificate()}
        self.flags_come(self.logging_in(settings))

    def test_without_one_nobody_gets_in(self):
        made = self.logging_in(self.tls.client_settings())
        made.start()
        made.wait_until(lambda: made.events("waiting for Kafka"), "the log line")
        self.assertFalse(made.ready())


class Refused(unittest.TestCase):
    """Before a broker is asked: there is none."""

    def check(self, *settings, environment=None):
        """What `serve` says, and within which time it ends."""
        with tempfile.TemporaryDirectory(prefix="neardup-refused-") as folder:
            words = [f"kafka.librdkafka.{setting}" for setting in ("security.protocol=SASL_SSL", *settings)]
            words += ["kafka.brokers=127.0.0.1:1", "kafka.topics=a", "kafka.group_id=g", "kafka.output_topic=o",
                      "kafka.dead_letter_topic=d", f"storage.path={folder}/state", "http.listen=127.0.0.1:0"]
            file = pathlib.Path(folder) / "empty.yaml"
            file.write_text("{}")
            begun = time.monotonic()
            done = subprocess.run([service.BINARY, "serve", "-c", file, *[w for word in words for w in ("--set", word)]],
                                  capture_output=True, text=True, timeout=60, env=environment)
            self.assertLess(time.monotonic() - begun, 5)
            self.assertEqual(done.returncode, 78, done.stderr)
            return done.stderr

    def test_iam_of_amazon(self):
        self.assertIn("MSK takes SCRAM-SHA-512", self.check("sasl.mechanism=AWS_MSK_IAM"))

    def test_kerberos_without_its_plugin(self):
        with tempfile.TemporaryDirectory() as nothing:
            said = self.check("sasl.mechanism=GSSAPI", environment={"SASL_PATH": nothing})
        self.assertIn("libsasl2-modules-gssapi-mit", said)

    def test_bearers_without_a_source_of_tokens(self):
        self.assertIn("sasl.oauthbearer.method: oidc", self.check("sasl.mechanism=OAUTHBEARER"))

    def test_a_misspelt_key(self):
        self.assertIn("did you mean `ssl.ca.location`?", self.check("sasl.mechanism=PLAIN", "ssl.ca.locaton=x"))

    def test_a_misspelt_protocol(self):
        said = self.check("security.protocol=SASL_SLL")
        self.assertIn("does not accept this value of `kafka.librdkafka.security.protocol`", said)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main()
