"""A service names all missing permissions at once before it starts; the documented ones are enough. The brokers here
would create any topic that a client asks for by name."""

import sys
import unittest

import needs

needs.broker()
import documents  # noqa: E402
from decider_case import DeciderCase  # noqa: E402
from service_case import ServiceCase  # noqa: E402

USERS = ["nobody", "onlooker", "reader", "writer", "creator", "member", "restorer"]
WRONG = 78


def login(name, password=None):
    return {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanisms": "PLAIN", "sasl.username": name,
            "sasl.password": password or f"{name}-secret"}


class Permissions(ServiceCase):
    CLUSTER = {"users": {name: f"{name}-secret" for name in USERS},
               "properties": {"auto.create.topics.enable": "true"}}

    def made_for(self, user, *topics, **more):
        return self.make(topics, kafka__librdkafka=login(user), **more)

    def allow(self, user, service, inputs=(), outputs=(), group=()):
        """Operations on the topics and the group of a service."""
        keys = service.keys
        for topic in keys["kafka.topics"]:
            self.cluster.allow(user, "topic", topic, *inputs)
        for topic in (keys["kafka.output_topic"], keys["kafka.dead_letter_topic"]):
            self.cluster.allow(user, "topic", topic, *outputs)
        self.cluster.allow(user, "group", keys["kafka.group_id"], *group)

    def assert_missing(self, made, user, *permissions):
        """These are named, and no others."""
        text = self.assert_fails(made, WRONG, *(f"{one}: grant it to User:{user}" for one in permissions))
        self.assertEqual(text.count("missing permission: "), len(permissions), text)

    def test_all_that_is_not_permitted_is_named(self):
        made = self.made_for("nobody", self.topic("a"), self.topic("b"))
        keys = made.keys
        outputs = [keys["kafka.output_topic"], keys["kafka.dead_letter_topic"]]
        self.assert_missing(made, "nobody", *(f"READ on topic {topic}" for topic in keys["kafka.topics"]),
                            *(f"WRITE on topic {topic}" for topic in outputs),
                            f"READ on group {keys['kafka.group_id']}")

    def test_to_see_a_topic_is_not_to_read_it(self):
        topics = [self.topic("empty"), self.topic("full")]
        self.client.produce(topics[1], documents.records(5))
        made = self.made_for("onlooker", *topics)
        self.allow("onlooker", made, ["describe"], ["write"], ["read"])
        self.assert_missing(made, "onlooker", *(f"READ on topic {topic}" for topic in topics))

    def test_to_see_an_output_is_not_to_write_it(self):
        made = self.made_for("reader", self.topic())
        self.allow("reader", made, ["read"], ["describe"], ["read"])
        self.assert_missing(made, "reader", *(f"WRITE on topic {made.keys[key]}"
                                              for key in ("kafka.output_topic", "kafka.dead_letter_topic")))

    def test_a_group_that_is_closed_is_named(self):
        made = self.made_for("writer", self.topic())
        self.allow("writer", made, ["read"], ["write"])
        self.assert_missing(made, "writer", f"READ on group {made.keys['kafka.group_id']}")

    def test_topics_that_cannot_be_created_are_named(self):
        made = self.make_bare([self.topic()], options=["--create-topics"], kafka__librdkafka=login("creator"))
        self.allow("creator", made, ["read"], ["write"], ["read"])
        keys = made.keys
        self.assert_missing(made, "creator", f"CREATE on topic {keys['kafka.output_topic']}",
                            f"CREATE on topic {keys['kafka.dead_letter_topic']}")

    def test_the_permissions_that_it_needs_are_enough(self):
        topic = self.topic()
        self.client.produce(topic, documents.records(20))
        made = self.made_for("member", topic)
        self.allow("member", made, ["read"], ["write"], ["read"])
        self.cluster.allow("member", "transactional_id", f"{made.keys['kafka.group_id']}/1/0", "write")
        made.start().wait_ready()
        made.wait_flags(self.client, 20)
        told = [event["detail"] for event in made.events("start check")]
        self.assertEqual(["DESCRIBE_CONFIGS" in detail for detail in told], [True])

    def test_an_order_that_could_not_be_read_back_is_told(self):
        made = self.made_for("restorer", self.topic(partitions=2))
        self.allow("restorer", made, ["read"], ["write"], ["read"])
        self.cluster.allow("restorer", "transactional_id", f"{made.keys['kafka.group_id']}/1/0", "write")
        made.start().wait_ready()
        told = [event["detail"] for event in made.events("start check")]
        self.assertIn(f"READ on topic {made.keys['kafka.output_topic']} is not permitted", told[-1])
        self.assertIn("Grant it to User:restorer", told[-1])

    def test_a_wrong_password_ends_it(self):
        made = self.make([self.topic()], kafka__librdkafka=login("member", "guessed"))
        self.assert_fails(made, WRONG, "Authentication failed")

    def test_looking_for_topics_does_not_make_them(self):
        made = self.make_bare([f"{self.name}.docs"], kafka__brokers=self.cluster.internal_bootstrap)
        self.assert_fails(made, WRONG, "--create-topics")
        self.assertEqual([topic for topic in self.cluster.metadata().topics if topic.startswith(self.name)], [])

    def test_an_instance_without_a_partition_does_not_start(self):
        made = self.make([self.topic("a"), self.topic("b", partitions=2)], kafka__instance=2, kafka__instances=3,
                         kafka__brokers=self.cluster.internal_bootstrap)
        self.assert_fails(made, WRONG, "kafka.instance 2 of 3", "largest input topic has 2")


class PermissionsOfRoles(DeciderCase):
    """Roles of a cluster that may see its topics, and read what is decided."""
    CLUSTER = {"users": {"role": "role-secret"}}

    def assert_missing(self, role, *permissions):
        self.make_cluster(kafka__brokers=self.cluster.internal_bootstrap)
        self.keys = {}
        for kind in ("log", "answers", "decisions"):
            self.cluster.allow("role", "topic", f"{self.name}.{kind}", "describe")
        self.cluster.allow("role", "topic", f"{self.name}.decisions", "read")
        for group in ("sketchers", "decider", "shards"):
            self.cluster.allow("role", "group", f"{self.name}.{group}", "read")
        made = self.role(role, role, kafka__librdkafka=login("role"))
        wanted = [f"missing permission: {operation} on topic {self.name}.{kind}: grant it to User:role" for operation, kind in permissions]
        text = self.assert_fails(made, WRONG, *wanted)
        self.assertEqual(text.count("missing permission: "), len(permissions), text)

    def test_of_a_sketcher(self):
        self.assert_missing("sketcher", ("WRITE", "log"))

    def test_of_a_decider(self):
        self.assert_missing("decider", ("READ", "log"), ("WRITE", "decisions"))

    def test_of_a_shard(self):
        self.assert_missing("shard", ("READ", "log"), ("WRITE", "answers"))

    def test_of_a_resolver(self):
        self.assert_missing("resolver", ("READ", "log"), ("WRITE", "decisions"), ("READ", "answers"))


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main()
