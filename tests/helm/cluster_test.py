"""The chart of a cluster: sketchers beside deciders, or beside shards and resolvers."""

import unittest

from chart import DEFAULTS, ROOT, Refused, at, render
from switches import AFFINITY, BACKUP, CONTAINER, JOB, MAIN, MONITOR, POD, RESOLVERS, SCALER, SKETCHERS, sharded


class Cluster(unittest.TestCase):
    VALUES = {"config": {"cluster": {"name": "crawl"}}, "cluster": {"enabled": True},
              "secrets": {"seed": {"name": "s"}, "token": {"name": "t"}}}

    def setUp(self):
        self.objects = render(self.VALUES)
        self.deciders, self.sketchers = self.objects[MAIN], self.objects[SKETCHERS]

    def test_it_is_off_unless_it_is_wanted(self):
        self.assertNotIn(SKETCHERS, render())
        self.assertEqual(at(render()[MAIN], CONTAINER + "args"), ["serve", "--config=/etc/neardup/neardup.yaml"])

    def test_all_have_the_same_settings_and_secrets_and_a_role(self):
        for pods, role in ((self.deciders, "decider"), (self.sketchers, "sketcher")):
            self.assertEqual(at(pods, CONTAINER + "args"),
                             ["serve", "--config=/etc/neardup/neardup.yaml", f"--role={role}"])
            self.assertEqual(at(pods, CONTAINER + "env"), None)
        volumes = {volume["name"]: volume for volume in at(self.deciders, POD + "volumes")}
        self.assertEqual({volume["name"]: volume for volume in at(self.sketchers, POD + "volumes")}, volumes)
        self.assertEqual(set(volumes), {"config", "secrets"})
        self.assertEqual(at(self.sketchers, "spec.template.metadata.annotations"),
                         at(self.deciders, "spec.template.metadata.annotations"))

    def test_only_deciders_have_a_state(self):
        self.assertEqual(at(self.deciders, "spec.replicas"), 2)
        self.assertEqual(at(self.deciders, "spec.volumeClaimTemplates.0.metadata.name"), "state")
        self.assertNotIn("state", [mount["name"] for mount in at(self.sketchers, CONTAINER + "volumeMounts")])

    def test_selectors_tell_them_apart(self):
        decider, sketcher = (at(pods, "spec.template.metadata.labels") for pods in (self.deciders, self.sketchers))
        for name, mine, other in (("n-neardup", decider, sketcher), ("n-neardup-sketcher", sketcher, decider)):
            selector = self.objects["Service", name]["spec"]["selector"]
            self.assertLessEqual(selector.items(), mine.items())
            self.assertFalse(selector.items() <= other.items())
        self.assertLessEqual(at(self.sketchers, "spec.selector.matchLabels").items(), sketcher.items())
        policy = at(self.objects["NetworkPolicy", "n-neardup"], "spec.podSelector")
        kinds = policy["matchExpressions"][0]["values"]
        for labels in (decider, sketcher):
            self.assertLessEqual(policy["matchLabels"].items(), labels.items())
            self.assertIn(labels["app.kubernetes.io/component"], kinds)

    def test_an_autoscaler_sets_the_number_of_sketchers(self):
        values = self.VALUES | {"cluster": {"enabled": True, "sketchers": {"replicas": None}}}
        self.assertEqual(at(render(values)[SKETCHERS], "spec.replicas"), None)
        self.assertEqual(at(self.sketchers, "spec.replicas"), 2)

    def test_the_lag_of_sketchers_sets_their_number(self):
        def scaled(more, **values):
            return render(self.VALUES | {"cluster": {"enabled": True, "sketchers": {"autoscaling": {"enabled": True} | more}}} | values)
        self.assertNotIn(SCALER, self.objects)
        self.assertIsNone(at(scaled({})[SKETCHERS], "spec.replicas"))
        found = scaled({})[SCALER]
        self.assertEqual(at(found, "spec.scaleTargetRef"), {"apiVersion": "apps/v1", "kind": "Deployment", "name": SKETCHERS[1]})
        metric = at(found, "spec.metrics.0.external.metric")
        self.assertIn(f"| `{metric['name']}` | gauge |", (ROOT / "docs" / "metrics.md").read_text())
        self.assertEqual(metric["selector"], {"matchLabels": {"job": "n-neardup"},
                                              "matchExpressions": [{"key": "topic", "operator": "In", "values": ["documents"]}]})
        self.assertEqual(at(scaled({}, metrics={"job": "mine"})[SCALER], "spec.metrics.0.external.metric.selector.matchLabels.job"), "mine")
        with self.assertRaisesRegex(Refused, "minReplicas is 5 and maxReplicas 4"):
            scaled({"minReplicas": 5, "maxReplicas": 4})

    def test_backups_and_the_test_ask_each_decider(self):
        objects = render(self.VALUES | {"backup": {"enabled": True}})
        self.assertEqual(at(objects[BACKUP], JOB + "completions"), 2)
        self.assertEqual(len(at(objects["Pod", "n-neardup-test"], "spec.containers.0.args")), 3)

    def test_half_a_cluster_is_refused(self):
        for values, why in (({"cluster": {"enabled": True}}, "needs config.cluster.name"),
                            ({"config": {"cluster": {"name": "crawl"}}}, "needs cluster.enabled"),
                            (self.VALUES | {"instances": 2}, "needs instances: 1")):
            with self.assertRaisesRegex(Refused, why):
                render(values)


class Shards(unittest.TestCase):
    """Of a cluster: three with two replicas each."""

    VALUES = Cluster.VALUES | {"cluster": sharded(shards={"count": 3})}
    NAMES = [f"n-neardup-shard-{shard}" for shard in range(3)]
    PODS = [f"{name}-{replica}" for name in NAMES for replica in range(2)]

    def render(self, **more):
        return render(self.VALUES | more)

    def setUp(self):
        self.objects = self.render()
        self.shards = [self.objects["StatefulSet", name] for name in self.NAMES]
        self.resolvers, self.sketchers = self.objects[RESOLVERS], self.objects[SKETCHERS]

    def labels(self, pods):
        return at(pods, "spec.template.metadata.labels")

    def test_each_shard_has_its_replicas_and_there_are_no_deciders(self):
        self.assertEqual({name: one["spec"]["replicas"] for (kind, name), one in self.objects.items() if kind == "StatefulSet"},
                         dict.fromkeys(self.NAMES, 2))
        self.assertEqual({name for kind, name in self.objects if kind == "Deployment"},
                         {"n-neardup-resolver", "n-neardup-sketcher"})
        self.assertNotIn(RESOLVERS, render(Cluster.VALUES))

    def test_each_pod_knows_its_shard_and_its_replica(self):
        for number, pods in enumerate(self.shards):
            self.assertEqual(at(pods, CONTAINER + "args"), ["serve", "--config=/etc/neardup/neardup.yaml", "--role=shard"])
            index = {"fieldRef": {"fieldPath": "metadata.labels['apps.kubernetes.io/pod-index']"}}
            self.assertEqual(at(pods, CONTAINER + "env"), [{"name": "NEARDUP_CLUSTER_SHARD", "value": str(number)},
                                                           {"name": "NEARDUP_CLUSTER_REPLICA", "valueFrom": index}])

    def test_each_pod_has_a_volume_and_the_memory_of_a_state(self):
        for pods in self.shards:
            claim, = at(pods, "spec.volumeClaimTemplates")
            self.assertEqual((claim["metadata"]["name"], at(claim, "spec.resources.requests.storage")), ("state", "100Gi"))
            self.assertIn({"name": "state", "mountPath": "/var/lib/neardup"}, at(pods, CONTAINER + "volumeMounts"))
            self.assertEqual(at(pods, CONTAINER + "resources"), DEFAULTS["resources"])
        with self.assertRaisesRegex(Refused, "resources.limits.memory is 1Gi"):
            self.render(resources={"limits": {"memory": "1Gi"}})

    def test_resolvers_and_sketchers_keep_nothing(self):
        for pods in (self.resolvers, self.sketchers):
            self.assertEqual([mount["name"] for mount in at(pods, CONTAINER + "volumeMounts")], ["config", "secrets"])
            self.assertEqual([volume["name"] for volume in at(pods, POD + "volumes")], ["config", "secrets"])
        self.assertEqual(at(self.resolvers, "spec.replicas"), 2)

    def test_each_is_asked_whether_it_is_ready(self):
        for pods in (*self.shards, self.resolvers):
            self.assertEqual(at(pods, CONTAINER + "readinessProbe.httpGet"), {"path": "/readyz", "port": "http"})
            self.assertEqual(at(pods, CONTAINER + "livenessProbe.httpGet"), {"path": "/healthz", "port": "http"})

    def test_replicas_of_a_shard_are_never_on_one_node(self):
        for pods in self.shards:
            rule, = at(pods, POD + "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution")
            self.assertEqual(rule["topologyKey"], "kubernetes.io/hostname")
            takes = [wanted for wanted in (*self.shards, self.resolvers, self.sketchers)
                     if rule["labelSelector"]["matchLabels"].items() <= self.labels(wanted).items()]
            self.assertEqual(takes, [pods])

    def test_other_rules_for_nodes_stay(self):
        mine = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}}
        rules = {"requiredDuringSchedulingIgnoredDuringExecution": [mine]}
        affinity = at(self.render(affinity=AFFINITY | {"podAntiAffinity": rules})["StatefulSet", self.NAMES[0]], POD + "affinity")
        self.assertEqual(affinity["nodeAffinity"], AFFINITY["nodeAffinity"])
        first, second = at(affinity, "podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution")
        self.assertEqual((first, second["topologyKey"]), (mine, "kubernetes.io/hostname"))

    def test_pods_of_a_role_are_spread(self):
        for pods, others in ((self.shards[0], self.resolvers), (self.resolvers, self.shards[0])):
            spread, zones = at(pods, POD + "topologySpreadConstraints")
            self.assertEqual(zones["topologyKey"], "topology.kubernetes.io/zone")
            selector = spread["labelSelector"]["matchLabels"].items()
            self.assertLessEqual(selector, self.labels(pods).items())
            self.assertFalse(selector <= self.labels(others).items())
        self.assertIsNone(at(self.sketchers, POD + "topologySpreadConstraints"))

    def test_one_shard_and_one_resolver_may_be_evicted_at_a_time(self):
        for name, mine, other in (("n-neardup", self.shards, [self.resolvers]), ("n-neardup-resolver", [self.resolvers], self.shards)):
            budget = self.objects["PodDisruptionBudget", name]["spec"]
            self.assertEqual(budget["maxUnavailable"], 1)
            selector = budget["selector"]["matchLabels"].items()
            self.assertEqual([selector <= self.labels(pods).items() for pods in mine], [True] * len(mine))
            self.assertEqual([selector <= self.labels(pods).items() for pods in other], [False] * len(other))
        self.assertNotIn("PodDisruptionBudget", [kind for kind, _ in self.render(podDisruptionBudget={"enabled": False})])

    def test_selectors_tell_them_apart(self):
        kinds = [*self.shards, self.resolvers, self.sketchers]
        for pods in kinds:
            selector = at(pods, "spec.selector.matchLabels").items()
            self.assertEqual([one for one in kinds if selector <= self.labels(one).items()], [pods])
        policy = at(self.objects["NetworkPolicy", "n-neardup"], "spec.podSelector")
        for pods in kinds:
            self.assertLessEqual(policy["matchLabels"].items(), self.labels(pods).items())
            self.assertIn(self.labels(pods)["app.kubernetes.io/component"], policy["matchExpressions"][0]["values"])

    def test_each_shard_has_a_name_and_the_test_asks_it(self):
        service = self.objects["Service", "n-neardup"]["spec"]["selector"]
        for pods in self.shards:
            self.assertEqual(at(pods, "spec.serviceName"), "n-neardup")
            self.assertLessEqual(service.items(), self.labels(pods).items())
        self.assertEqual(at(self.objects["Pod", "n-neardup-test"], "spec.containers.0.args"),
                         ["health", *(f"http://{pod}.n-neardup.7.svc:8080/readyz" for pod in self.PODS)])

    def test_each_pod_with_a_state_is_asked_for_a_backup(self):
        objects = self.render(backup={"enabled": True})
        self.assertNotIn(BACKUP, objects)
        asked = []
        for shard in range(3):
            job = at(objects["CronJob", f"n-neardup-backup-{shard}"], JOB.removesuffix("."))
            container, = at(job, "template.spec.containers")
            asked += [container["args"][1].replace("$(INSTANCE)", str(i)) for i in range(job["completions"])]
        self.assertEqual(asked, [f"--service=http://{pod}.n-neardup.7.svc:8081" for pod in self.PODS])
        for name in self.NAMES:
            self.assertEqual(at(objects["StatefulSet", name], "spec.volumeClaimTemplates.1.metadata.name"), "backup")

    def test_a_lost_shard_is_restored(self):
        objects = self.render(backup={"enabled": True, "restore": "latest"})
        self.assertEqual(at(objects["StatefulSet", self.NAMES[2]], POD + "initContainers.0.args.0"), "restore")
        self.assertIsNone(at(objects[RESOLVERS], POD + "initContainers"))

    def test_more_shards_and_more_replicas_restart_none(self):
        more = self.render(cluster=sharded(shards={"count": 5, "replicas": 3}))
        for which in [("StatefulSet", name) for name in self.NAMES] + [RESOLVERS, SKETCHERS]:
            self.assertEqual(at(more[which], "spec.template"), at(self.objects[which], "spec.template"))
        self.assertEqual(at(more["StatefulSet", "n-neardup-shard-4"], "spec.replicas"), 3)

    def test_a_retired_shard_has_no_pods_and_the_others_keep_theirs(self):
        values = {"cluster": sharded(shards={"count": 3, "retired": [0, 1]}), "backup": {"enabled": True}}
        objects = self.render(**values)
        self.assertEqual([name for kind, name in objects if kind == "StatefulSet"], ["n-neardup-shard-2"])
        self.assertEqual([name for kind, name in objects if kind == "CronJob"], ["n-neardup-backup-2"])
        self.assertEqual(at(objects["StatefulSet", "n-neardup-shard-2"], CONTAINER + "env.0.value"), "2")
        self.assertEqual(len(at(objects["Pod", "n-neardup-test"], "spec.containers.0.args")), 3)
        for retired, why in (([0, 1, 2], "has all shards"), ([3], "has 3, but the last of 3 shards is 2"), ([0, 0], "retired")):
            with self.subTest(retired), self.assertRaisesRegex(Refused, why):
                self.render(cluster=sharded(shards={"count": 3, "retired": retired}))

    def test_who_writes_flags_gets_the_options_for_one_start(self):
        objects = self.render(args=["--create-topics"])
        self.assertEqual(at(objects[RESOLVERS], CONTAINER + "args.3"), "--create-topics")
        self.assertIsNone(at(objects["StatefulSet", self.NAMES[0]], CONTAINER + "args.3"))

    def test_all_roles_have_one_job_in_prometheus(self):
        on = {"metrics": {"serviceMonitor": {"enabled": True}}}
        for values in (self.VALUES, Cluster.VALUES):
            objects = render(values | on)
            monitor = objects[MONITOR]
            self.assertIn({"targetLabel": "job", "replacement": "n-neardup"}, at(monitor, "spec.endpoints.0.relabelings"))
            for (kind, _), service in objects.items():
                if kind == "Service":
                    self.assertLessEqual(at(monitor, "spec.selector.matchLabels").items(), service["metadata"]["labels"].items())

    def test_either_deciders_decide_or_shards_and_resolvers(self):
        for cluster, why in ((sharded(deciders=1), "cluster.deciders is 1 and cluster.shards.count 2, but either"),
                             ({"enabled": True, "shards": {"count": 2}}, "set one of them to 0"),
                             ({"enabled": True, "deciders": 0}, "nobody would decide: set one of them"),
                             (sharded(enabled=False), "cluster.name needs cluster.enabled")):
            with self.subTest(cluster), self.assertRaisesRegex(Refused, why):
                self.render(cluster=cluster)
        with self.assertRaisesRegex(Refused, "cluster.shards.count needs cluster.enabled"):
            render({"cluster": sharded(enabled=False)})

    def test_more_than_the_log_can_name_are_refused(self):
        for shards in ({"count": 65}, {"count": -1}, {"count": 2, "replicas": 0}, {"count": 2, "replicas": 65}):
            with self.subTest(shards), self.assertRaisesRegex(Refused, "cluster/shards"):
                self.render(cluster=sharded(shards=shards))

    def test_names_stay_short_enough_for_pods(self):
        values = {"cluster": sharded(shards={"count": 64}), "backup": {"enabled": True}}
        objects = render(self.VALUES | values, release="r" * 53)
        for which in ("StatefulSet", "CronJob"):
            names = [name for kind, name in objects if kind == which]
            self.assertEqual((len(names), max(map(len, names))), (64, 52))
        services = [name for kind, name in objects if kind == "Service"]
        self.assertLessEqual(max(map(len, services)), 63)


if __name__ == "__main__":
    unittest.main()
