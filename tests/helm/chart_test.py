"""The chart: every switch does what it says and nothing invalid; what is not meant to be is refused."""

import atexit
import functools
import json
import pathlib
import re
import shutil
import sys
import tempfile
import textwrap
import unittest

from chart import CHART, DEFAULTS, Refused, at, conform, helm, leaves, nested, render, rendered_text, yaml
import schemas
from switches import CONFIG, CONTAINER, MAIN, POD, SWITCHES

ALERTS = """groups:
  - name: planted
    rules:
      - alert: Planted
        expr: up == 0
        annotations: {summary: "{{ $labels.pod }}", runbook: docs/runbooks/Planted.md}
"""
BOARD = '{"title": "{{legend}}", "panels": []}\n'


def covered(leaf):
    """Is the switch in the table, by itself or with its parents?"""
    return any(leaf == key or (leaf.startswith(key + ".") and at({"": value}, leaf.removeprefix(key)) is not None)
               for key, value, *_ in SWITCHES)


@functools.cache
def all_schemas():
    """A folder with a folder of schemas for each version of Kubernetes."""
    folder = tempfile.TemporaryDirectory(prefix="schemas-")
    atexit.register(folder.cleanup)
    for version in schemas.versions():
        place = pathlib.Path(folder.name) / version
        place.mkdir()
        schemas.write(place, version)
    return pathlib.Path(folder.name)


class Chart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="chart-")
        cls.addClassCleanup(folder.cleanup)
        # With a dashboard and alerts of the test's own.
        cls.chart = pathlib.Path(folder.name) / "neardup"
        shutil.copytree(CHART, cls.chart)
        for name, text in (("dashboards/planted.json", BOARD), ("alerts/neardup.yaml", ALERTS)):
            (cls.chart / name).parent.mkdir(exist_ok=True)
            (cls.chart / name).write_text(text)
        cls.schemas = all_schemas()

    def render(self, values=None):
        return render(values, chart=self.chart)


class Switches(Chart):
    def test_each_is_in_the_table(self):
        self.assertEqual([leaf for leaf in leaves(DEFAULTS) if not covered(leaf)], [])

    def test_each_does_what_it_says(self):
        before = self.render()
        for key, value, which, path, expected in SWITCHES:
            with self.subTest(key):
                after = self.render(nested(key, value))
                self.assertNotEqual(at(before.get(which), path), expected, "is the same without the switch")
                self.assertEqual(at(after.get(which), path), expected)

    def test_none_makes_an_object_that_kubernetes_refuses(self):
        texts = [rendered_text(nested(key, value), chart=self.chart) for key, value, *_ in SWITCHES]
        self.assertEqual(conform("\n---\n".join(texts), self.schemas), [])

    def test_kubeconform_sees_mistakes(self):
        wrong = rendered_text().replace("podManagementPolicy", "podManagmentPolicy")
        self.assertIn("podManagmentPolicy", str(conform(wrong, self.schemas)))


class Files(Chart):
    def test_values_for_cpu_and_gpu_conform(self):
        for name in ("values-cpu.yaml", "values-gpu.yaml"):
            values = yaml.safe_load((CHART / name).read_text())
            self.assertEqual(conform(rendered_text(values), self.schemas), [], name)
            helm("lint", "--strict", "--quiet", CHART, values=values)

    def test_a_gpu_is_asked_for_and_used(self):
        objects = render(yaml.safe_load((CHART / "values-gpu.yaml").read_text()))
        self.assertEqual(at(objects[MAIN], CONTAINER + "resources.limits.[nvidia.com/gpu]"), 1)
        self.assertEqual(configuration(objects)["backend"], "cuda")

    def test_the_version_is_that_of_the_program(self):
        version = re.search(r"project\(neardup VERSION (\S+)", (CHART.parents[1] / "CMakeLists.txt").read_text())[1]
        self.assertEqual(yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"], version)
        gpu = render(yaml.safe_load((CHART / "values-gpu.yaml").read_text()))
        self.assertEqual(at(gpu[MAIN], CONTAINER + "image"), f"neardup:{version}-cuda")

    def test_dashboards_and_alerts_of_the_chart_of_the_chart_are_all_there_and_conform(self):
        on = {"enabled": True}
        values = {"metrics": {"rules": on, "dashboards": on, "serviceMonitor": on}}
        objects = render(values)
        self.assertEqual(conform(rendered_text(values), self.schemas), [])
        for path in CHART.glob("dashboards/*.json"):
            board = objects["ConfigMap", "n-neardup-dashboard-" + path.stem.removeprefix("neardup-")]
            text, = board["data"].values()
            self.assertEqual(json.loads(text)["panels"], json.loads(path.read_text())["panels"])
        self.assertIn(("PrometheusRule", "n-neardup"), objects)


def configuration(objects):
    return yaml.safe_load(objects[CONFIG]["data"]["neardup.yaml"])


class Configuration(unittest.TestCase):
    def checksum(self, values):
        return at(render(values)[MAIN], "spec.template.metadata.annotations.[checksum/config]")

    def test_a_change_restarts_the_pods_and_nothing_else_does(self):
        before = self.checksum({})
        self.assertNotEqual(self.checksum({"config": {"threshold": 0.9}}), before)
        self.assertNotEqual(self.checksum({"secrets": {"seed": {"name": "s"}}}), before)
        self.assertEqual(self.checksum({"metrics": {"dashboards": {"enabled": True}}, "labels": {"a": "b"}}), before)

    def test_what_the_chart_sets_is_refused(self):
        for key in ("storage.path", "sketch.seed", "sketch.seed_file", "kafka.instance", "kafka.instances",
                    "kafka.secrets", "http.token_file"):
            with self.subTest(key), self.assertRaisesRegex(Refused, f"config.{key} is set by the chart"):
                render({"config": nested(key, 0)})

    def test_passwords_in_the_config_map_are_refused(self):
        for key in ("sasl.password", "ssl.key.pem", "ssl.key.password", "sasl.oauthbearer.client.secret"):
            with self.subTest(key), self.assertRaisesRegex(Refused, "use secrets.kafka for " + key):
                render({"config": {"kafka": {"librdkafka": {key: "x"}}}})

    def test_settings_beside_those_of_the_chart_stay(self):
        kafka = configuration(render({"config": {"kafka": {"librdkafka": {"security.protocol": "SSL"}}},
                                      "secrets": {"tls": {"ca": {"name": "s"}}}}))["kafka"]
        self.assertEqual(kafka["librdkafka"],
                         {"security.protocol": "SSL", "ssl.ca.location": "/run/secrets/neardup/tls/ca"})


class Schema(unittest.TestCase):
    def test_unknown_keys_are_refused_everywhere(self):
        sections = {""} | {leaf.rpartition(".")[0] for leaf in leaves(DEFAULTS)}
        for section in sections:
            key = (section + ".unknown").lstrip(".")
            with self.subTest(key), self.assertRaisesRegex(Refused, "additional properties 'unknown' not allowed"):
                render(nested(key, 1))

    def test_another_number_of_pods_by_itself_is_refused(self):
        for key in ("autoscaling.enabled", "replicaCount", "replicas"):
            with self.subTest(key), self.assertRaisesRegex(Refused, "not allowed"):
                render(nested(key, 1))

    def test_what_a_service_needs_is_asked_for(self):
        all_of_them = "missing properties 'brokers', 'topics', 'group_id', 'output_topic', 'dead_letter_topic'"
        with self.assertRaisesRegex(Refused, all_of_them):
            helm("template", "n", CHART, base=CHART / "values-cpu.yaml")
        with self.assertRaisesRegex(Refused, "missing property 'config'"):
            render({"config": None})
        for key in ("brokers", "topics", "group_id", "output_topic", "dead_letter_topic"):
            with self.subTest(key), self.assertRaisesRegex(Refused, f"/config/kafka/{key}': got null"):
                render({"config": {"kafka": {key: None}}})

    def test_wrong_values_are_refused(self):
        for key, value in (("instances", 0), ("args", ["--help"]), ("state.accessMode", "ReadWriteMany"),
                           ("config.http.listen", "127.0.0.1:8080"), ("image.digest", "1"), ("state.size", "many"),
                           ("secrets.kafka", {"sasl.password": {"name": "s"}}),
                           ("secrets.kafka", {"../x": {"name": "s", "key": "k"}})):
            with self.subTest(key), self.assertRaises(Refused):
                render(nested(key, value))


class Pods(unittest.TestCase):
    """The restricted profile of the Pod Security Standards, and what goes beyond it."""

    def test_both_are_restricted(self):
        objects = render()
        for pod in (objects[MAIN]["spec"]["template"]["spec"], objects["Pod", "n-neardup-test"]["spec"]):
            self.assertEqual(pod["automountServiceAccountToken"], False)
            self.assertEqual(pod["enableServiceLinks"], False)
            self.assertEqual(pod["securityContext"]["runAsNonRoot"], True)
            self.assertEqual(pod["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
            for container in pod["containers"]:
                self.assertEqual(container["securityContext"],
                                 {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                  "capabilities": {"drop": ["ALL"]}})

    def test_each_knows_its_instance(self):
        objects = render({"instances": 3})
        self.assertEqual(at(objects[MAIN], CONTAINER + "env"), [
            {"name": "NEARDUP_KAFKA_INSTANCE",
             "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['apps.kubernetes.io/pod-index']"}}}])
        self.assertEqual(configuration(objects)["kafka"]["instances"], 3)

    def test_there_is_no_volume_of_secrets_without_a_secret(self):
        names = [volume["name"] for volume in at(render()[MAIN], POD + "volumes")]
        self.assertEqual(names, ["config"])

    def test_selectors_take_the_instances_and_not_the_test(self):
        objects = render()
        selector = objects["Service", "n-neardup"]["spec"]["selector"]
        self.assertEqual(at(objects[MAIN], "spec.selector.matchLabels"), selector)
        self.assertEqual(at(objects["PodDisruptionBudget", "n-neardup"], "spec.selector.matchLabels"), selector)
        self.assertEqual(at(objects["NetworkPolicy", "n-neardup"], "spec.podSelector.matchLabels"), selector)
        self.assertLessEqual(selector.items(), at(objects[MAIN], "spec.template.metadata.labels").items())
        self.assertFalse(selector.items() <= objects["Pod", "n-neardup-test"]["metadata"]["labels"].items())

    def test_the_test_asks_each_instance_and_is_let_in(self):
        objects = render({"instances": 2, "networkPolicy": {"from": [{"podSelector": {}}]}})
        test = objects["Pod", "n-neardup-test"]
        self.assertEqual(at(test, "spec.containers.0.args"),
                         ["health", *(f"http://n-neardup-{i}.n-neardup.7.svc:8080/readyz" for i in (0, 1))])
        peer = at(objects["NetworkPolicy", "n-neardup"], "spec.ingress.0.from.1.podSelector.matchLabels")
        self.assertLessEqual(peer.items(), test["metadata"]["labels"].items())

    def test_metrics_are_scraped_from_who_is_not_ready(self):
        objects = render({"metrics": {"serviceMonitor": {"enabled": True}}})
        service = objects["Service", "n-neardup"]
        self.assertEqual(service["spec"]["publishNotReadyAddresses"], True)
        wanted = at(objects["ServiceMonitor", "n-neardup"], "spec.selector.matchLabels")
        self.assertLessEqual(wanted.items(), service["metadata"]["labels"].items())

    def test_an_own_service_account_is_not_made_twice(self):
        self.assertNotIn("ServiceAccount", [kind for kind, _ in render({"serviceAccountName": "mine"})])
        self.assertEqual(render()["ServiceAccount", "n-neardup"]["automountServiceAccountToken"], False)

    def test_names_stay_short_enough_for_pods(self):
        names = [name for kind, name in render(release="r" * 53) if kind == "StatefulSet"]
        self.assertLessEqual(len(names[0]), 52)


def examples(page):
    """What the YAML blocks of a page hold."""
    blocks = re.findall(r"(?ms)^ *```yaml\n(.*?)^ *```$", (CHART.parents[1] / page).read_text())
    return [yaml.safe_load(textwrap.dedent(block)) for block in blocks]


class Examples(Chart):
    def test_values_of_the_pages_are_taken(self):
        for page in ("docs/kubernetes.md", "helm/neardup/README.md"):
            values = examples(page)[0]
            self.assertEqual(conform(rendered_text(values, chart=self.chart), self.schemas), [], page)

    def test_the_pod_for_commands_conforms_and_finds_what_the_chart_made(self):
        values, pod = examples("docs/kubernetes.md")
        self.assertEqual(conform(yaml.safe_dump(pod), self.schemas), [])
        service = render(values, release="neardup")["StatefulSet", "neardup"]
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        claim = f"{at(service, 'spec.volumeClaimTemplates.0.metadata.name')}-{service['metadata']['name']}-0"
        self.assertEqual(volumes["state"]["persistentVolumeClaim"]["claimName"], claim)
        self.assertEqual(volumes["config"]["configMap"]["name"], at(service, POD + "volumes.0.configMap.name"))
        self.assertEqual(volumes["seed"]["secret"]["secretName"], values["secrets"]["seed"]["name"])
        paths = {mount["name"]: mount["mountPath"] for mount in at(service, CONTAINER + "volumeMounts")}
        for mount in pod["spec"]["containers"][0]["volumeMounts"]:
            self.assertEqual(mount["mountPath"], paths[mount["name"].replace("seed", "secrets")])


class Lint(unittest.TestCase):
    def test_finds_nothing(self):
        helm("lint", "--strict", "--quiet", CHART)


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
