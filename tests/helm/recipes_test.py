"""The recipes of docs/kafka-security.md: the chart takes each, the program accepts the resulting configuration, and
Strimzi's secrets and permissions are those that the recipes need."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from chart import ROOT, at, render, yaml
from switches import CONFIG, MAIN, POD

PAGE = (ROOT / "docs" / "kafka-security.md").read_text()
# What Strimzi's user operator writes into the secret of a user, by its way to log in.
OF_USERS = {"scram-sha-512": {"password", "sasl.jaas.config"},
            "tls": {"ca.crt", "user.crt", "user.key", "user.p12", "user.password"}}


def blocks(kind):
    """name → object of the YAML blocks that begin with `# kind: name`."""
    return {name: yaml.safe_load(text)
            for name, text in re.findall(rf"```yaml\n# {kind}: (\S+)\n(.*?)```", PAGE, re.DOTALL)}


RECIPES = blocks("values.yaml")
USER = blocks("KafkaUser")["scram"]


def secret_files(objects):
    """path → (secret, key) of the files that a pod gets."""
    return {item["path"]: (source["secret"]["name"], item["key"])
            for volume in at(objects[MAIN], POD + "volumes")
            for source in at(volume, "projected.sources") or [] for item in source["secret"]["items"]}


class Recipes(unittest.TestCase):
    def checked(self, config):
        """`config check` of the file with its secrets in a folder."""
        with tempfile.TemporaryDirectory(prefix="recipe-") as folder:
            text = config.replace("/run/secrets/neardup", folder)
            for path in re.findall(rf"{re.escape(folder)}/[\w./]+", text):
                pathlib.Path(path).parent.mkdir(exist_ok=True)
                pathlib.Path(path).write_text("secret\n")
            file = pathlib.Path(folder) / "neardup.yaml"
            file.write_text(text)
            return subprocess.run([os.environ["NEARDUP_BINARY"], "config", "check", file], capture_output=True, text=True)

    def test_all_are_there(self):
        self.assertEqual(set(RECIPES), {"strimzi-scram", "strimzi-mtls", "msk-scram", "msk-mtls", "oidc"})

    def test_the_chart_and_the_program_take_them(self):
        for name, values in RECIPES.items():
            with self.subTest(name):
                config = render(values)[CONFIG]["data"]["neardup.yaml"]
                done = self.checked(config)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                # Without the settings that secure the connection, the check fails.
                plain = re.sub(r"security\.protocol: \w+", "client.id: x", config)
                self.assertEqual(self.checked(plain).returncode, 78)

    def test_each_has_a_login_and_trusts_somebody(self):
        for name, values in RECIPES.items():
            with self.subTest(name):
                objects = render(values)
                settings = yaml.safe_load(objects[CONFIG]["data"]["neardup.yaml"])["kafka"]
                self.assertIn("ssl.ca.location", settings["librdkafka"])
                own = {"ssl.certificate.location", "ssl.key.location"} <= settings["librdkafka"].keys()
                self.assertNotEqual(own, "secrets" in settings, "a certificate or a secret")

    def test_secrets_of_strimzi_are_those_of_its_operators(self):
        user, cluster = USER["metadata"]["name"], USER["metadata"]["labels"]["strimzi.io/cluster"]
        for name, way in (("strimzi-scram", "scram-sha-512"), ("strimzi-mtls", "tls")):
            with self.subTest(name):
                files = secret_files(render(RECIPES[name]))
                self.assertEqual(files.pop("tls/ca"), (f"{cluster}-cluster-ca-cert", "ca.crt"))
                self.assertTrue(files)
                for secret, key in files.values():
                    self.assertEqual(secret, user)
                    self.assertIn(key, OF_USERS[way])
                self.assertTrue(RECIPES[name]["config"]["kafka"]["brokers"].startswith(f"{cluster}-kafka-bootstrap:"))

    def test_the_user_of_strimzi_may_do_what_the_service_does(self):
        kafka = RECIPES["strimzi-scram"]["config"]["kafka"]
        self.assertEqual(kafka["librdkafka"]["sasl.username"], USER["metadata"]["name"])
        allowed = {(acl["resource"]["type"], acl["resource"]["name"]): set(acl["operations"])
                   for acl in USER["spec"]["authorization"]["acls"]}
        wanted = {("topic", topic): "Read" for topic in kafka["topics"]}
        wanted |= {("topic", kafka[key]): "Write" for key in ("output_topic", "dead_letter_topic")}
        wanted |= {("group", kafka["group_id"]): "Read", ("transactionalId", kafka["group_id"] + "/"): "Write"}
        for what, operation in wanted.items():
            self.assertIn(operation, allowed[what])


if __name__ == "__main__":
    unittest.main()
