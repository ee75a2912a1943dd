"""The chart: every switch does what it says, the result is valid, and invalid values are refused."""

import atexit
import functools
import json
import pathlib
import re
import shutil
import sys
import tarfile
import tempfile
import textwrap
import unittest

from chart import CHART, DEFAULTS, Refused, at, conform, helm, leaves, nested, render, rendered_text, yaml
import schemas
from switches import BACKUP, CONFIG, CONTAINER, JOB, MAIN, POD, SOURCES, SWITCHES, beside

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
                after = self.render(nested(key, value) | beside(key))
                self.assertNotEqual(at(before.get(which), path), expected, "is the same without the switch")
                self.assertEqual(at(after.get(which), path), expected)

    def test_none_makes_an_object_that_kubernetes_refuses(self):
        texts = [rendered_text(nested(key, value) | beside(key), chart=self.chart) for key, value, *_ in SWITCHES]
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
        for key, value in (("storage.path", "x"), ("sketch.seed", "0" * 32), ("sketch.seed_file", "x"),
                           ("kafka.instance", 0), ("kafka.instances", 1), ("kafka.secrets", {}),
                           ("http.token_file", "x"), ("http.listen", "0.0.0.0:8080"), ("http.read_token_file", "x"),
                           ("http.tls", {"cert_file": "x"}),
                           ("backup.directory", "x"), ("cluster.role", "decider"), ("cluster.shard", 0),
                           ("cluster.replica", 0)):
            with self.subTest(key), self.assertRaisesRegex(Refused, f"config.{key} is set by the chart"):
                render({"config": nested(key, value)})

    def test_passwords_in_the_config_map_are_refused(self):
        for key in ("sasl.password", "ssl.key.pem", "ssl.key.password", "sasl.oauthbearer.client.secret", "ssl_key",
                    "sasl.oauthbearer.config", "sasl.oauthbearer.assertion.private.key.passphrase"):
            with self.subTest(key), self.assertRaisesRegex(Refused, "use secrets.kafka for " + key):
                render({"config": {"kafka": {"librdkafka": {key: "x"}}}})

    def test_certificates_are_no_secrets(self):
        kafka = configuration(render({"config": {"kafka": {"librdkafka": {"ssl.ca.pem": "x"}}}}))["kafka"]
        self.assertEqual(kafka["librdkafka"], {"ssl.ca.pem": "x"})

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
        all_of_them = "missing in config.kafka.*: brokers, topics, group_id, output_topic, dead_letter_topic"
        with self.assertRaisesRegex(Refused, all_of_them):
            helm("template", "n", CHART, base=CHART / "values-cpu.yaml")
        with self.assertRaisesRegex(Refused, "missing property 'config'"):
            render({"config": None})
        for key in ("brokers", "topics", "group_id", "output_topic", "dead_letter_topic"):
            with self.subTest(key), self.assertRaisesRegex(Refused, f"missing in config.kafka.*: {key}"):
                render({"config": {"kafka": {key: ""}}})

    def test_misspelt_settings_are_refused(self):
        for key in ("treshold", "lsh.bandz", "kafka.brokerz", "sotrage.memory", "http.tls.cert"):
            with self.subTest(key), self.assertRaisesRegex(Refused, "additional properties '.*' not allowed"):
                render({"config": nested(key, 1)})

    def test_settings_out_of_bounds_are_refused(self):
        for key, value in (("threshold", 1.5), ("threshold", "0,8"), ("against", "some"), ("sketch.bits", 3),
                           ("storage.memory", "2 Gi"), ("storage.memory", 1), ("retention.max_age", 90),
                           ("filter.one_bit", "yes"), ("kafka.topics", {"a": "b"}), ("batch.in_flight", 17)):
            with self.subTest(f"{key}: {value}"), self.assertRaisesRegex(Refused, "config"):
                render({"config": nested(key, value)})

    def test_settings_may_stand_as_in_a_file(self):
        for key, value in (("threshold", "0.85"), ("threshold", 1), ("sketch.bits", "8"), ("storage.memory", "64mib"),
                           ("storage.memory", 67108864), ("retention.max_age", "0"), ("retention.max_age", 0),
                           ("retention.max_documents", 0), ("cpu.threads", "auto"), ("lsh.bands", "auto"),
                           ("filter.one_bit", "false"), ("kafka.topics", "a,b"), ("kafka.group_id", 7),
                           ("kafka.librdkafka", {"socket.keepalive.enable": True, "socket.timeout.ms": 9})):
            with self.subTest(f"{key}: {value}"):
                self.assertEqual(at(configuration(render({"config": nested(key, value)})), key), value)

    def test_wrong_values_are_refused(self):
        for key, value in (("instances", 0), ("args", ["--help"]), ("state.accessMode", "ReadWriteMany"),
                           ("config.http.metrics_listen", "127.0.0.1:8080"), ("api.port", 0), ("image.digest", "1"), ("state.size", "many"),
                           ("secrets.kafka", {"sasl.password": {"name": "s"}}),
                           ("secrets.kafka", {"../x": {"name": "s", "key": "k"}}), ("updateStrategy.type", "Recreate"),
                           ("backup.restore", "../x"), ("extraEnv", {"a": "b"})):
            with self.subTest(key), self.assertRaises(Refused):
                render(nested(key, value))


class Memory(unittest.TestCase):
    """A limit that a full load would break is refused."""

    def render(self, limit, **config):
        return render({"resources": {"limits": {"memory": limit}}, "config": config})

    def test_the_least_is_the_sum_of_the_documentation(self):
        for limit, config in (("4352Mi", {}), (4352 << 20, {}), ("1344Mi", {"batch": {"max_bytes": "64MiB"},
                              "storage": {"memory": "576MiB"}}), ("66816Mi", {"storage": {"memory": "63GiB"}}),
                              ("3G", {"batch": {"in_flight": 1, "max_bytes": 1000000}}), ("1e10", {}), ("4.25Gi", {})):
            with self.subTest(limit=limit, config=config):
                self.render(limit, **config)

    def test_less_is_refused_with_the_sum(self):
        for limit, config, least in (("4351Mi", {}, "4352Mi"), ("4Gi", {}, "4352Mi"), ("4e9", {}, "4352Mi"),
                                     (4 << 30, {}, "4352Mi"), ("5G", {"storage": {"memory": "4 gib"}}, "6400Mi"),
                                     ("4352Mi", {"batch": {"in_flight": "3"}}, "5376Mi"),
                                     ("4352Mi", {"storage": {"memory": 4294967296}}, "6400Mi")):
            with self.subTest(limit=limit, config=config), \
                    self.assertRaisesRegex(Refused, f"resources.limits.memory is .* 256 MiB is {least}"):
                self.render(limit, **config)

    def test_without_a_limit_nothing_is_asked(self):
        self.render(None)


class Pods(unittest.TestCase):
    """The restricted profile of the Pod Security Standards, and what goes beyond it."""

    def test_containers_of_the_user_are_restricted_unless_they_say_otherwise(self):
        restricted = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
        own = {"runAsUser": 0, "capabilities": {"add": ["CHOWN"]}, "allowPrivilegeEscalation": True}
        one, other = {"name": "a", "image": "i"}, {"name": "b", "image": "i", "securityContext": own}
        pod = render({"initContainers": [one], "extraContainers": [one, other]})[MAIN]["spec"]["template"]["spec"]
        self.assertEqual(pod["initContainers"], [one | {"securityContext": restricted}])
        self.assertEqual(pod["containers"][1], one | {"securityContext": restricted})
        self.assertEqual(pod["containers"][2]["securityContext"], own | {"capabilities": {"add": ["CHOWN"], "drop": ["ALL"]}})

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

    def test_the_end_of_the_log_is_what_kubernetes_tells(self):
        self.assertEqual(at(render()[MAIN], CONTAINER + "terminationMessagePolicy"), "FallbackToLogsOnError")

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


class Api(unittest.TestCase):
    """Probes and metrics have a port without tokens; the API has another one, which is closed unless it is asked for."""

    OPEN = {"api": {"enabled": True}, "secrets": {"token": {"name": "t"}}}
    HTTP = {"metrics_listen": "0.0.0.0:8080", "token_file": "/run/secrets/neardup/token"}

    def ports(self, objects):
        """Of the pods, the service and the policy."""
        return [at(objects[MAIN], CONTAINER + "ports"), at(objects["Service", "n-neardup"], "spec.ports"),
                at(objects["NetworkPolicy", "n-neardup"], "spec.ingress")]

    def test_it_is_closed(self):
        objects = render()
        self.assertEqual(configuration(objects)["http"], {"metrics_listen": "0.0.0.0:8080", "listen": "127.0.0.1:8081"})
        self.assertEqual([len(ports) for ports in self.ports(objects)], [1, 1, 1])

    def test_it_can_be_opened(self):
        objects = render(self.OPEN)
        self.assertEqual(configuration(objects)["http"], self.HTTP | {"listen": "0.0.0.0:8081"})
        self.assertEqual([len(ports) for ports in self.ports(objects)], [2, 2, 2])
        self.assertEqual(at(objects["NetworkPolicy", "n-neardup"], "spec.ingress.1.from"), None)

    def test_backups_open_it_for_their_pods_only(self):
        objects = render({"backup": {"enabled": True}, "secrets": {"token": {"name": "t"}}})
        self.assertEqual(configuration(objects)["http"], self.HTTP | {"listen": "0.0.0.0:8081"})
        self.assertEqual([len(ports) for ports in self.ports(objects)], [2, 1, 2])
        peer, = at(objects["NetworkPolicy", "n-neardup"], "spec.ingress.1.from")
        self.assertEqual(peer["podSelector"]["matchLabels"]["app.kubernetes.io/component"], "backup")

    def test_those_of_users_are_let_in_beside_backups(self):
        mine = {"podSelector": {"matchLabels": {"a": "b"}}}
        objects = render(self.OPEN | {"api": {"enabled": True, "from": [mine]}, "backup": {"enabled": True}})
        peers = at(objects["NetworkPolicy", "n-neardup"], "spec.ingress.1.from")
        self.assertEqual((len(peers), peers[0]), (2, mine))

    def test_probes_and_metrics_stay_on_their_port(self):
        objects = render(self.OPEN | {"metrics": {"serviceMonitor": {"enabled": True}}})
        for probe in ("startup", "liveness", "readiness"):
            self.assertEqual(at(objects[MAIN], CONTAINER + probe + "Probe.httpGet.port"), "http")
        self.assertEqual(at(objects["ServiceMonitor", "n-neardup"], "spec.endpoints.0.port"), "http")
        self.assertEqual(at(objects[MAIN], CONTAINER + "ports.0"), {"name": "http", "containerPort": 8080})

    def test_it_listens_at_the_addresses_of_probes(self):
        http = configuration(render(self.OPEN | {"config": {"http": {"metrics_listen": "[::]:80"}}}))["http"]
        self.assertEqual((http["metrics_listen"], http["listen"]), ("[::]:80", "[::]:8081"))

    def test_tokens_that_only_read_have_a_file(self):
        http = configuration(render({"secrets": {"readToken": {"name": "r"}}}))["http"]
        self.assertEqual(http["read_token_file"], "/run/secrets/neardup/readToken")

    def test_it_has_tls_with_the_files_of_a_secret(self):
        tls = {"secretName": "c", "clientCA": {"name": "d"}}
        objects, plain = render(self.OPEN | {"api": {"enabled": True, "tls": tls}}), render(self.OPEN)
        http = configuration(objects)["http"]
        paths = {key: f"/run/secrets/neardup/api/{key}"
                 for key in ("cert_file", "key_file", "client_ca_file")}
        self.assertEqual(http, self.HTTP | {"listen": "0.0.0.0:8081", "tls": paths})
        sources = [source["secret"] for source in at(objects[MAIN], SOURCES)]
        self.assertEqual([(one["name"], one["items"][0]["key"]) for one in sources],
                         [("c", "tls.crt"), ("d", "ca.crt"), ("c", "tls.key"), ("t", "token")])
        self.assertEqual(self.ports(objects), self.ports(plain))
        for probe in ("startup", "liveness", "readiness"):
            self.assertNotIn("scheme", at(objects[MAIN], CONTAINER + probe + "Probe.httpGet"))

    def test_what_cannot_work_is_refused(self):
        with self.assertRaisesRegex(Refused, "api.tls.clientCA needs api.tls.secretName"):
            render({"api": {"tls": {"clientCA": {"name": "c"}}}})
        with self.assertRaisesRegex(Refused, "api.enabled needs secrets.token"):
            render({"api": {"enabled": True}})
        with self.assertRaisesRegex(Refused, "api.port is 8080, and so is the port of config.http.metrics_listen"):
            render({"api": {"port": 8080}})


class Backups(unittest.TestCase):
    VALUES = {"instances": 2, "backup": {"enabled": True}, "networkPolicy": {"from": [{"podSelector": {}}]},
              "secrets": {"token": {"name": "t", "key": "k"}}}

    def setUp(self):
        self.objects = render(self.VALUES)
        self.job = self.objects[BACKUP]["spec"]["jobTemplate"]["spec"]
        self.pod = self.job["template"]["spec"]

    def test_each_instance_is_asked_by_a_pod_of_its_own(self):
        self.assertEqual((self.job["completionMode"], self.job["completions"]), ("Indexed", 2))
        container, = self.pod["containers"]
        index = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
        self.assertEqual(container["env"],
                         [{"name": "INSTANCE", "valueFrom": {"fieldRef": {"fieldPath": index}}}])
        self.assertEqual(container["args"], ["backup", "--service=http://n-neardup-$(INSTANCE).n-neardup.7.svc:8081",
                                             "--token-file=/run/secrets/neardup/token"])

    def test_it_has_the_token_and_nothing_else(self):
        volume, = self.pod["volumes"]
        self.assertEqual(volume["projected"]["sources"],
                         [{"secret": {"name": "t", "items": [{"key": "k", "path": "token"}]}}])
        self.assertEqual(self.pod["automountServiceAccountToken"], False)
        self.assertEqual(self.pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"], True)
        self.assertEqual(self.pod["securityContext"], DEFAULTS["podSecurityContext"])

    def test_with_tls_it_trusts_the_authority_of_the_secret(self):
        objects = render(self.VALUES | {"api": {"tls": {"secretName": "c"}}})
        pod = at(objects[BACKUP], JOB + "template.spec")
        self.assertIn("--service=https://n-neardup-$(INSTANCE).n-neardup.7.svc:8081", at(pod, "containers.0.args"))
        self.assertEqual(at(pod, "containers.0.env.1"), {"name": "SSL_CERT_FILE", "value": "/run/secrets/neardup/ca"})
        self.assertEqual(at(pod, "volumes.0.projected.sources.1"),
                         {"secret": {"name": "c", "items": [{"key": "ca.crt", "path": "ca"}]}})

    def test_it_is_let_in_and_is_no_instance(self):
        labels = self.job["template"]["metadata"]["labels"]
        rule = at(self.objects["NetworkPolicy", "n-neardup"], "spec.ingress.1")
        self.assertEqual(rule["ports"], [{"port": "api"}])
        self.assertEqual([peer["podSelector"]["matchLabels"].items() <= labels.items() for peer in rule["from"]], [True])
        selector = self.objects["Service", "n-neardup"]["spec"]["selector"]
        self.assertFalse(selector.items() <= labels.items())

    def test_the_service_knows_its_place(self):
        mounts = {mount["name"]: mount["mountPath"] for mount in at(self.objects[MAIN], CONTAINER + "volumeMounts")}
        self.assertEqual(configuration(self.objects)["backup"]["directory"], mounts["backup"])
        self.assertEqual(at(self.objects[MAIN], "spec.volumeClaimTemplates.1.metadata.name"), "backup")

    def test_a_backup_to_restore_can_be_named(self):
        name = "4f0c0000-0000-4000-8000-000000000001-20261122T032101.123Z"
        values = self.VALUES | {"backup": {"enabled": True, "restore": name}}
        restore = at(render(values)[MAIN], POD + "initContainers.0")
        self.assertEqual(restore["args"], ["restore", "--if-missing", "--state=/var/lib/neardup/state",
                                           "/var/backups/neardup/" + name])
        self.assertEqual([mount["name"] for mount in restore["volumeMounts"]], ["state", "backup"])

    def test_what_cannot_work_is_refused(self):
        with self.assertRaisesRegex(Refused, "backup.enabled needs secrets.token"):
            render({"backup": {"enabled": True}})
        with self.assertRaisesRegex(Refused, "backup.restore needs backup.enabled"):
            render({"backup": {"restore": "latest"}})
        with self.assertRaisesRegex(Refused, "backup.enabled and api.tls.clientCA exclude each other"):
            render(self.VALUES | {"api": {"tls": {"secretName": "c", "clientCA": {"name": "c"}}}})

    def test_names_stay_short_enough_for_jobs(self):
        names = [name for kind, name in render(self.VALUES, release="r" * 53) if kind == "CronJob"]
        self.assertLessEqual(len(names[0]), 52)


def examples(page):
    """What the YAML blocks of a page hold."""
    blocks = re.findall(r"(?ms)^ *```yaml\n(.*?)^ *```$", (CHART.parents[1] / page).read_text())
    return [yaml.safe_load(textwrap.dedent(block)) for block in blocks]


class Examples(Chart):
    def on_page(self, *names):
        """The examples of docs/kubernetes.md with these names."""
        found = dict(zip(("values", "api", "certificate", "tls", "pod", "backups", "cluster", "autoscaling", "adapter", "keda", "shards"),
                         examples("docs/kubernetes.md"), strict=True))
        return [found[name] for name in names]

    def test_a_cluster_is_deployed_as_the_page_says(self):
        values, scaling, adapter, keda = self.on_page("cluster", "autoscaling", "adapter", "keda")
        objects = render(values, release="RELEASE".lower())
        self.assertEqual(at(objects["StatefulSet", "release-neardup"], "spec.replicas"), values["cluster"]["deciders"])
        self.assertIn(("Deployment", at(keda, "spec.scaleTargetRef.name").lower()), objects)
        scaled = {"config": values["config"]} | scaling
        found = render(scaled, release="release")["HorizontalPodAutoscaler", "release-neardup-sketcher"]
        self.assertEqual(at(found, "spec.scaleTargetRef.name"), at(keda, "spec.scaleTargetRef.name").lower())
        self.assertIn(at(found, "spec.metrics.0.external.metric.name"), at(adapter, "rules.external.0.seriesQuery"))
        self.assertEqual(conform(rendered_text(scaled), self.schemas), [])
        self.assertEqual(conform(rendered_text(values), self.schemas), [])

    def test_shards_are_deployed_as_the_page_says(self):
        values, keda = self.on_page("shards", "keda")
        objects = render(values, release="release")
        shards = at(values, "cluster.shards")
        self.assertEqual({name: one["spec"]["replicas"] for (kind, name), one in objects.items() if kind == "StatefulSet"},
                         {f"release-neardup-shard-{i}": shards["replicas"] for i in range(shards["count"])})
        self.assertIsNone(at(objects["Deployment", at(keda, "spec.scaleTargetRef.name").lower()], "spec.replicas"))
        self.assertEqual(conform(rendered_text(values), self.schemas), [])
        page = (CHART.parents[1] / "docs/kubernetes.md").read_text().replace("$shard", "0")
        told = re.findall(r"(statefulset|deployment|exec)((?: RELEASE-neardup-[\w-]+)+)", page)
        self.assertEqual({kind for kind, _ in told}, {"statefulset", "deployment", "exec"})
        there = {"deployment": {name for kind, name in objects if kind == "Deployment"},
                 "statefulset": {name for kind, name in objects if kind == "StatefulSet"}}
        there["exec"] = {f"{name}-{i}" for name in there["statefulset"] for i in range(shards["replicas"])}
        for kind, names in told:
            self.assertLessEqual(set(names.lower().split()), there[kind])

    def test_values_of_the_pages_are_taken(self):
        for page in ("docs/kubernetes.md", "helm/neardup/README.md"):
            values = examples(page)[0]
            self.assertEqual(conform(rendered_text(values, chart=self.chart), self.schemas), [], page)

    def test_the_api_can_be_opened_as_the_page_says(self):
        values, api = self.on_page("values", "api")
        objects = render(values | api, release="neardup")
        self.assertIn("api", [port["name"] for port in at(objects["Service", "neardup"], "spec.ports")])
        self.assertEqual(conform(rendered_text(values | api, release="neardup"), self.schemas), [])

    def test_the_api_has_tls_as_the_page_says_with_names_that_the_job_of_backups_asks(self):
        values, certificate, tls, backups = self.on_page("values", "certificate", "tls", "backups")
        self.assertEqual(conform(rendered_text(values | tls, release="neardup"), self.schemas), [])
        job = render(values | tls | backups, release="neardup")["CronJob", "neardup-backup"]
        self.assertEqual(at(tls, "api.tls.secretName"), at(certificate, "spec.secretName"))
        pattern, = at(certificate, "spec.dnsNames")
        names = re.escape(pattern.replace("NAMESPACE", "7")).replace(r"\*", r"[^./]+")
        self.assertRegex(at(job, JOB + "template.spec.containers.0.args.1"), f"^--service=https://{names}:8081$")

    def test_backups_can_be_added_to_them_as_the_page_says(self):
        values, backups = self.on_page("values", "backups")
        objects = render(values | backups, release="neardup")
        self.assertIn(("CronJob", "neardup-backup"), objects)
        self.assertEqual(conform(rendered_text(values | backups, release="neardup"), self.schemas), [])

    def test_the_pod_for_commands_conforms_and_finds_what_the_chart_made(self):
        values, pod = self.on_page("values", "pod")
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


class Ci(Chart):
    """Helm's lint, and what chart-testing does: lint and install with each file of values in ci/."""

    FILES = sorted(CHART.glob("ci/*-values.yaml"))

    def test_the_chart_alone_has_no_faults(self):
        helm("lint", "--strict", "--quiet", CHART, base=CHART / "values.yaml")

    def test_each_file_is_taken(self):
        self.assertGreaterEqual(len(self.FILES), 3)
        for file in self.FILES:
            with self.subTest(file.name):
                helm("lint", "--strict", "--quiet", CHART, base=file)
                text = helm("template", "n", CHART, base=file)
                self.assertEqual(conform(text, self.schemas), [])

    def test_they_do_not_travel_with_the_chart(self):
        with tempfile.TemporaryDirectory(prefix="package-") as folder:
            helm("package", CHART, "--destination", folder, base=None)
            with tarfile.open(next(pathlib.Path(folder).iterdir())) as package:
                names = package.getnames()
        self.assertIn("neardup/config.schema.json", names)
        self.assertEqual([name for name in names if "/ci/" in name], [])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
