"""The chart on a real API server with Pod Security `restricted`: what it makes is taken, replaced, rolled back and removed."""

import re
import sys
import unittest

from control import CHART, MINIMAL, TOOLS, KubernetesCase, needed, wait_until, yaml
from chart import Refused  # noqa: E402
from api import Refused as ApiRefused  # noqa: E402
from switches import sharded  # noqa: E402

FILES = [*sorted(CHART.glob("ci/*-values.yaml")), CHART / "values-cpu.yaml", CHART / "values-gpu.yaml"]
TOKEN = {"secrets": {"token": {"name": "t"}}}
NAMED = {"config": {"cluster": {"name": "crawl"}}}
KINDS = ("statefulsets", "deployments", "cronjobs", "services", "configmaps", "poddisruptionbudgets", "networkpolicies",
         "horizontalpodautoscalers", "serviceaccounts", "servicemonitors", "prometheusrules")
# Values that cannot be installed, and how the refusal begins.
REFUSED = [
    ({"api": {"enabled": True}}, "api.enabled needs secrets.token"),
    ({"api": {"enabled": True, "port": 8080}, **TOKEN}, "api.port is 8080, and so is"),
    ({"api": {"tls": {"clientCA": {"name": "c"}}}}, "api.tls.clientCA needs api.tls.secretName"),
    ({"config": {"storage": {"path": "/a"}}}, "config.storage.path is set by the chart"),
    ({"config": {"kafka": {"librdkafka": {"sasl.password": "a"}}}}, "config.kafka.librdkafka: a config map is no secret"),
    ({"config": {"kafka": {"group_id": ""}}}, "missing in config.kafka, and needed by the service: group_id"),
    ({"cluster": {"enabled": True}}, "cluster.enabled needs config.cluster.name"),
    (NAMED, "config.cluster.name needs cluster.enabled"),
    ({"cluster": {"enabled": True}, "instances": 2} | NAMED, "cluster.enabled needs instances: 1"),
    ({"cluster": sharded(enabled=False)}, "cluster.shards.count needs cluster.enabled"),
    ({"cluster": sharded(deciders=1)} | NAMED, "cluster.deciders is 1 and cluster.shards.count 2"),
    ({"cluster": {"enabled": True, "deciders": 0}} | NAMED, "cluster.deciders and cluster.shards.count are both 0"),
    ({"cluster": sharded(shards={"count": 2, "retired": [2]})} | NAMED, "cluster.shards.retired has 2, but the last of 2"),
    ({"cluster": sharded(shards={"count": 2, "retired": [0, 1]})} | NAMED, "cluster.shards.retired has all shards"),
    ({"cluster": {"enabled": True, "sketchers": {"autoscaling": {"enabled": True, "minReplicas": 5, "maxReplicas": 4}}}} | NAMED,
     "cluster.sketchers.autoscaling: minReplicas is 5 and maxReplicas 4"),
    ({"resources": {"limits": {"memory": "1Gi"}}}, "resources.limits.memory is 1Gi, but"),
    ({"backup": {"restore": "latest"}}, "backup.restore needs backup.enabled"),
    ({"backup": {"enabled": True}}, "backup.enabled needs secrets.token"),
    ({"backup": {"enabled": True}, "api": {"tls": {"secretName": "c", "clientCA": {"name": "c"}}}, **TOKEN},
     "backup.enabled and api.tls.clientCA exclude each other"),
]
# Before, values that a release cannot change to, and how the refusal begins.
REFUSED_LATER = [
    ({"instances": 2}, {"instances": 3}, "this release runs with instances: 2"),
    ({"cluster": sharded()} | NAMED, {"cluster": sharded(shards={"count": 1})} | NAMED, "this release runs shard 1"),
    ({}, {"state": {"size": "200Gi"}}, "StatefulSet later2-neardup has volumes"),
]


def pod_of(thing):
    """The pod that a controller makes of an object, with other volumes in place of its claims."""
    template = thing["spec"].get("template") or thing["spec"]["jobTemplate"]["spec"]["template"]
    claims = [{"name": one["metadata"]["name"], "emptyDir": {}} for one in thing["spec"].get("volumeClaimTemplates", [])]
    spec = template["spec"] | {"volumes": template["spec"]["volumes"] + claims}
    return {"metadata": {"generateName": "dry-", **template["metadata"]}, "spec": spec}


class OnAServer(KubernetesCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for file in (TOOLS / "operator").iterdir():
            cls.api.create("customresourcedefinitions", None, yaml.safe_load(file.read_text()))
        for name in ("fast", "cheap"):
            cls.api.create("storageclasses", None, {"metadata": {"name": name}, "provisioner": "none", "allowVolumeExpansion": True})
        cls.api.create("priorityclasses", None, {"metadata": {"name": "high"}, "value": 1000})
        cls.api.create("runtimeclasses", None, {"metadata": {"name": "nvidia"}, "handler": "nvidia"})
        for kind in ("servicemonitors", "prometheusrules"):
            wait_until(lambda: cls.there(kind) is not None, kind)

    @classmethod
    def there(cls, kind):
        """The objects of a kind; None while the server does not know it."""
        try:
            return cls.api.list(kind, "default")
        except ApiRefused:
            return None

    def sets(self, release):
        return [one for kind in ("statefulsets", "deployments")
                for one in self.api.list(kind, self.namespace, labelSelector=f"app.kubernetes.io/instance={release}")]

    def wait_pods(self, release="n"):
        """The pods of a release, once the controllers have made all of them."""
        wanted = sum(one["spec"]["replicas"] for one in self.sets(release))
        return wait_until(lambda: len(self.pods(release)) == wanted and self.pods(release), lambda: f"pods of {release}: {self.events()}")

    def left(self):
        """Names of objects that are not Kubernetes' own."""
        own = ("kube-root-ca.crt", "default")
        return [f"{kind}/{one['metadata']['name']}" for kind in KINDS for one in self.api.list(kind, self.namespace)
                if one["metadata"]["name"] not in own]

    def assert_admitted(self, release):
        """What is made later, and refused then only: pods of jobs, of updates, of `helm test`."""
        things = [one for kind in ("statefulsets", "deployments", "cronjobs") for one in self.api.list(kind, self.namespace)]
        for thing in things:
            self.api.create("pods", self.namespace, pod_of(thing), dry=True)
        for hook in yaml.safe_load_all(self.helm("get", "hooks", release)):
            self.api.create("pods", self.namespace, hook, dry=True)

    def test_all_value_files(self):
        for file in FILES:
            release = file.stem
            base = MINIMAL if release.startswith("values-") else file
            later = {"image": {"tag": "next"}}

            def install(values):
                self.install(values, release, base, ("-f", file))
                self.assert_admitted(release)

            with self.subTest(file.name):
                install({})
                self.wait_pods(release)
                before = self.images(release)
                install(later)
                self.assertNotEqual(self.images(release), before)
                self.helm("rollback", release, "1")
                self.assertEqual(self.images(release), before)
                self.helm("uninstall", release)
                wait_until(lambda: not self.pods(release), "the end of the pods")
                self.assertEqual(self.left(), [])
        claims = [one["metadata"]["name"] for one in self.api.list("persistentvolumeclaims", self.namespace)]
        self.assertIn("state-minimal-values-neardup-0", claims, "states stay after uninstall")
        self.assertEqual([event for event in self.events() if "FailedCreate" in event], [])

    def images(self, release):
        """What pods are made from that have no node yet."""
        return {container["image"] for one in self.sets(release) for container in one["spec"]["template"]["spec"]["containers"]}

    def test_every_refusal(self):
        text = "".join(file.read_text() for file in sorted((CHART / "templates").glob("*")) if file.is_file())
        begins = re.findall(r'fail (?:\(printf )?"([^"%]+)', text)
        self.assertEqual(len(begins), text.count("{{- fail "))
        told = []
        for values, why in REFUSED:
            with self.subTest(why), self.assertRaises(Refused) as refused:
                self.install(values)
            self.assertIn(why, str(refused.exception))
            told.append(str(refused.exception))
        self.assertEqual(self.left(), [])
        for number, (before, values, why) in enumerate(REFUSED_LATER):
            release = f"later{number}"
            self.install(before, release=release)
            with self.subTest(why), self.assertRaises(Refused) as refused:
                self.install(values, release=release)
            self.assertIn(why, str(refused.exception))
            told.append(str(refused.exception))
            self.assertEqual(self.helm("list", "--filter", release, "--short", "--deployed").split(), [release])
        self.assertEqual([begin for begin in begins if not any(begin in one for one in told)], [], "refusals without a row here")

    def test_two_releases_in_one_namespace(self):
        for release in ("blue", "green"):
            self.install({"cluster": {"enabled": True}} | NAMED, release=release)
            self.assertEqual(len(wait_until(lambda: len(self.pods(release)) == 4 and self.pods(release), f"pods of {release}")), 4)
        pods = self.api.list("pods", self.namespace)
        for thing in self.api.list("services", self.namespace) + self.api.list("poddisruptionbudgets", self.namespace):
            selector = thing["spec"]["selector"]
            chosen = [pod["metadata"]["name"] for pod in pods
                      if selector.get("matchLabels", selector).items() <= pod["metadata"]["labels"].items()]
            release = thing["metadata"]["labels"]["app.kubernetes.io/instance"]
            self.assertEqual(len(chosen), 2, thing["metadata"]["name"])
            self.assertEqual([name for name in chosen if not name.startswith(release)], [])
        self.helm("uninstall", "blue")
        self.assertEqual(len(self.pods("green")), 4)
        self.assertTrue([name for name in self.left() if "green" in name])
        self.assertFalse([name for name in self.left() if "blue" in name])

    def test_names_at_the_limit(self):
        release = "r" * 53
        self.install({"nameOverride": "m" * 63}, release=release, base=CHART / "ci" / "shards-values.yaml")
        self.wait_pods(release)
        for cron in self.api.list("cronjobs", self.namespace):
            self.plane.kubectl("--namespace", self.namespace, "create", "job", f"--from=cronjob/{cron['metadata']['name']}",
                               f"{cron['metadata']['name']}-29876543")
        jobs = self.api.list("cronjobs", self.namespace)
        self.assertEqual(len(jobs), 3)
        wait_until(lambda: len(self.api.list("pods", self.namespace, labelSelector="job-name")) == 6,
                   lambda: f"pods of backups: {self.events()}")

    def test_sketchers_by_lag(self):
        scales = {"sketchers": {"autoscaling": {"enabled": True, "minReplicas": 2, "maxReplicas": 7}}}
        self.install({"cluster": {"enabled": True} | scales} | NAMED)
        scaler, = self.api.list("horizontalpodautoscalers", self.namespace)
        self.assertEqual(scaler["spec"]["scaleTargetRef"]["name"], "n-neardup-sketcher")
        # It has read the Deployment, and lacks the metric's adapter only.
        conditions = wait_until(lambda: (self.api.get("horizontalpodautoscalers", self.namespace, scaler["metadata"]["name"])["status"] or {})
                                .get("conditions"), "conditions of the autoscaler")
        self.assertEqual([one["status"] for one in conditions if one["type"] == "AbleToScale"], ["True"])
        self.plane.kubectl("--namespace", self.namespace, "scale", "deployment", "n-neardup-sketcher", "--replicas=5")
        self.install({"cluster": {"enabled": True} | scales, "image": {"tag": "next"}} | NAMED)
        deployment = self.api.get("deployments", self.namespace, "n-neardup-sketcher")
        self.assertEqual(deployment["spec"]["replicas"], 5, "an upgrade leaves the number of the autoscaler")

    def test_volumes_grow_as_the_page_says(self):
        self.install({"state": {"storageClass": "fast"}})
        pod, = self.wait_pods().values()
        claim = wait_until(lambda: self.api.get("persistentvolumeclaims", self.namespace, "state-n-neardup-0"), "the claim")
        self.assertEqual(claim["spec"]["storageClassName"], "fast")
        self.bind(claim)
        grown = {"state": {"storageClass": "fast", "size": "200Gi"}}
        with self.assertRaisesRegex(Refused, "--cascade=orphan"):
            self.install(grown)
        inside = ("--namespace", self.namespace)
        self.plane.kubectl(*inside, "patch", "pvc", "state-n-neardup-0", "-p", '{"spec":{"resources":{"requests":{"storage":"200Gi"}}}}')
        self.plane.kubectl(*inside, "delete", "statefulset", "n-neardup", "--cascade=orphan")
        self.install(grown)
        wait_until(lambda: self.pods()["n-neardup-0"]["metadata"]["ownerReferences"][0]["uid"] ==
                   self.api.get("statefulsets", self.namespace, "n-neardup")["metadata"]["uid"], "the new owner of the pod")
        self.assertEqual(self.pods()["n-neardup-0"]["metadata"]["uid"], pod["metadata"]["uid"])

    def bind(self, claim):
        """A volume for a claim, which can grow only when it has one."""
        name = claim["metadata"]["name"]
        self.api.create("persistentvolumes", None, {"metadata": {"name": name}, "spec": {
            "capacity": {"storage": "100Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "fast",
            "hostPath": {"path": "/none"}, "claimRef": {"namespace": self.namespace, "name": name}}})
        wait_until(lambda: self.api.get("persistentvolumeclaims", self.namespace, name)["status"]["phase"] == "Bound", "the volume")


if __name__ == "__main__":
    needed()
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
