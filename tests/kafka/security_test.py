"""Logins, TLS and permissions: they work, errors are reported clearly, and no secret is ever shown."""

import sys
import unittest

import needs

needs.broker()
import certificates  # noqa: E402
import documents  # noqa: E402
from service_case import ServiceCase  # noqa: E402

PASSWORD, WRONG = "right-horse-battery", "wrong-horse-battery"
LOGIN = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": "neardup"}
OF_INPUT, OF_OUTPUT = ("read", "describe", "describe_configs"), ("write", "describe", "describe_configs")


class Security(ServiceCase):
    def flags_come(self, made, count):
        made.start()
        made.wait_flags(self.client, count)
        self.assertEqual(made.stop(), 0, made.log_text()[-3000:])

    def fill(self, count=20):
        topic = self.topic()
        self.client.produce(topic, documents.records(count))
        return topic


class Logins(Security):
    CLUSTER = {"users": {"neardup": PASSWORD}}

    def secured(self, topics, librdkafka=None, **options):
        """A service, not started, whose user has all permissions that it needs."""
        made = self.make(topics, kafka__librdkafka={**LOGIN, **(librdkafka or {})}, **options)
        for what in self.needed(made):
            self.cluster.allow("neardup", *what)
        return made

    def needed(self, made, without=()):
        """(kind, name, operations…) of each permission; without: (kind, name, operation) that are left out."""
        keys = made.keys
        group = keys["kafka.group_id"]
        wanted = [*[("topic", topic, *OF_INPUT) for topic in keys["kafka.topics"]],
                  ("topic", keys["kafka.output_topic"], *OF_OUTPUT),
                  ("topic", keys["kafka.dead_letter_topic"], *OF_OUTPUT),
                  ("group", group, "read"), ("transactional_id", f"{group}/1/0", "write", "describe")]
        for kind, name, *operations in wanted:
            left = [operation for operation in operations if (kind, name, operation) not in without]
            if left:
                yield kind, name, *left

    def secret_file(self, text):
        file = self.folder / f"{self.name}.secret"
        file.write_text(text + "\n")
        return {"sasl.password": str(file)}

    def test_a_password_from_a_file(self):
        self.flags_come(self.secured([self.fill()], kafka__secrets=self.secret_file(PASSWORD)), 20)

    def test_a_password_from_the_environment(self):
        made = self.secured([self.fill()], environment={"NEARDUP_KAFKA_LIBRDKAFKA_SASL_PASSWORD": PASSWORD})
        self.flags_come(made, 20)

    def test_a_wrong_password_is_told_and_not_shown(self):
        made = self.secured([self.topic()], kafka__secrets=self.secret_file(WRONG), log__level="debug")
        text = self.assert_fails(made, 78, "uthentication failed", "credentials")
        self.assertNotIn(WRONG, text)

    def test_a_login_that_is_missing_is_told(self):
        made = self.make([self.topic()])
        made.start()
        made.wait_until(lambda: made.events("waiting for Kafka"), "the log line")
        self.assertFalse(made.ready())

    def test_secrets_never_reach_the_log(self):
        for label, given in (("file", {"kafka__secrets": self.secret_file(PASSWORD)}),
                             ("environment", {"environment": {"NEARDUP_KAFKA_LIBRDKAFKA_SASL_PASSWORD": PASSWORD}}),
                             ("configuration", {"librdkafka": {"sasl.password": PASSWORD}})):
            with self.subTest(label):
                topic = self.topic(label)
                self.client.produce(topic, documents.records(20))
                librdkafka = {"debug": "all", **given.pop("librdkafka", {})}
                made = self.secured([topic], librdkafka, label=label, log__level="debug", **given)
                self.flags_come(made, 20)
                self.assertTrue(made.events("librdkafka"), "debug=all writes nothing")
                self.assertNotIn(PASSWORD, made.log_text())

    def test_a_missing_permission_that_only_work_shows_is_named(self):
        made = self.make([self.fill()], kafka__librdkafka={**LOGIN, "sasl.password": PASSWORD})
        output, identity = made.keys["kafka.output_topic"], f"{made.keys['kafka.group_id']}/1/0"
        left_out = [("topic", output, "write"), ("transactional_id", identity, "write")]
        for what in self.needed(made, left_out):
            self.cluster.allow("neardup", *what)
        for missing, told in zip(left_out, ("missing permission: WRITE on topic", "uthorization failed")):
            self.assert_fails(made, 78, missing[1], told)
            self.cluster.allow("neardup", *missing)
        self.flags_come(made, 20)

    def test_without_describe_configs_it_warns_and_works(self):
        made = self.make([self.fill()], kafka__librdkafka={**LOGIN, "sasl.password": PASSWORD})
        for kind, name, *operations in self.needed(made):
            self.cluster.allow("neardup", kind, name, *(set(operations) - {"describe_configs"}))
        self.flags_come(made, 20)
        self.assertIn("DESCRIBE_CONFIGS", made.log_text())


class Tls(Security):
    @classmethod
    def setUpClass(cls):
        cls.tls = certificates.make(cls.new_folder() / "right")
        cls.other = certificates.make(cls.new_folder() / "other")
        cls.CLUSTER = {"tls": cls.tls, "properties": {"listener.name.client.ssl.client.auth": "requested"}}
        super().setUpClass()

    def test_a_certificate_of_our_own_authority(self):
        made = self.make([self.fill()], kafka__librdkafka={**self.tls.client_settings(),
                                                           **self.tls.client_certificate()})
        self.flags_come(made, 20)

    def test_another_authority_is_told(self):
        made = self.make([self.topic()], kafka__librdkafka=self.other.client_settings())
        self.assert_fails(made, 78, "certificate verify failed", "ssl.ca.location")

    def test_a_plain_client_is_told_why_nobody_answers(self):
        made = self.make([self.topic()])
        made.start()
        made.wait_until(lambda: made.events("waiting for Kafka"), "the log line")
        self.assertFalse(made.ready())

    def test_a_file_that_is_not_there_is_named(self):
        settings = {"security.protocol": "SSL", "ssl.ca.location": "/nonexistent/ca.pem"}
        self.assert_fails(self.make([self.topic()], kafka__librdkafka=settings), 78, "/nonexistent/ca.pem")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main()
