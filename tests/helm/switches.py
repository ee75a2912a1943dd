"""Each switch of the chart: what it is set to, and what that changes in which object."""

STATE = "spec.volumeClaimTemplates.0.spec."
POD = "spec.template.spec."
CONTAINER = POD + "containers.0."
MAIN = ("StatefulSet", "n-neardup")
SKETCHERS = ("Deployment", "n-neardup-sketcher")
RESOLVERS = ("Deployment", "n-neardup-resolver")
SCALER = ("HorizontalPodAutoscaler", "n-neardup-sketcher")
SCALES = {"enabled": True}
SHARD = ("StatefulSet", "n-neardup-shard-1")
CONFIG = ("ConfigMap", "n-neardup")
SOURCES = POD + "volumes.1.projected.sources"
SECRETS = SOURCES + ".0.secret."
MONITOR = ("ServiceMonitor", "n-neardup")
ALERTS = ("PrometheusRule", "n-neardup")
BOARD = ("ConfigMap", "n-neardup-dashboard-planted")
POLICY = ("NetworkPolicy", "n-neardup")
DIGEST = "sha256:" + "0" * 64
PEERS = [{"namespaceSelector": {"matchLabels": {"a": "b"}}}]
RULE = {"ports": [{"port": 9092}]}
AFFINITY = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
    {"weight": 1, "preference": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}]}}
SPREAD = {"maxSkew": 2, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
TOLERATION = {"key": "a", "operator": "Exists"}
RELABELING = {"sourceLabels": ["__meta_kubernetes_pod_node_name"], "targetLabel": "node"}
BACKUP = ("CronJob", "n-neardup-backup")
JOB = "spec.jobTemplate.spec."
CLAIM = "spec.volumeClaimTemplates.1.spec."


def backup(**more):
    """Values of `backup` of a release that makes them."""
    return {"enabled": True, **more}


def api(**more):
    """Values of `api` of a release that opens it."""
    return {"enabled": True, **more}


def cluster(**sketchers):
    """Values of `cluster` of a release that is one."""
    return {"enabled": True, "sketchers": sketchers}


def sharded(**more):
    """Values of `cluster` of a release with shards."""
    return {"enabled": True, "deciders": 0, "shards": {"count": 2}, **more}


def beside(key):
    """Values that a switch does not do without."""
    if key.startswith("cluster"):
        return {"config": {"cluster": {"name": "crawl"}}}
    return {"secrets": {"token": {"name": "t"}}} if key.startswith(("api", "backup")) else {}


def secret(name, path):
    """What a secret at its default key becomes."""
    return [{"secret": {"name": "no", "items": [{"key": name, "path": path}]}}]


# Key, value, object, path there (empty: the object itself), what stands there; None where nothing does.
SWITCHES = [
    ("nameOverride", "yes", ("StatefulSet", "n-yes"), "metadata.labels.[app.kubernetes.io/name]", "yes"),
    ("fullnameOverride", "yes", ("StatefulSet", "yes"), "spec.serviceName", "yes"),
    ("labels", {"team": "no"}, MAIN, "spec.template.metadata.labels.team", "no"),
    ("image.repository", "registry/n", MAIN, CONTAINER + "image", "registry/n:0.2.0"),
    ("image.tag", "1.5", MAIN, CONTAINER + "image", "neardup:1.5"),
    ("image.digest", DIGEST, MAIN, CONTAINER + "image", "neardup@" + DIGEST),
    ("image.pullPolicy", "Always", MAIN, CONTAINER + "imagePullPolicy", "Always"),
    ("imagePullSecrets", [{"name": "s"}], MAIN, POD + "imagePullSecrets", [{"name": "s"}]),
    ("instances", 3, MAIN, "spec.replicas", 3),
    ("cluster.enabled", True, MAIN, CONTAINER + "args.2", "--role=decider"),
    ("cluster", {"enabled": True, "deciders": 3}, MAIN, "spec.replicas", 3),
    ("cluster", cluster(replicas=5), SKETCHERS, "spec.replicas", 5),
    ("cluster", cluster(autoscaling=SCALES | {"minReplicas": 3}), SCALER, "spec.minReplicas", 3),
    ("cluster", cluster(autoscaling=SCALES | {"maxReplicas": 77}), SCALER, "spec.maxReplicas", 77),
    ("cluster", cluster(autoscaling=SCALES | {"lag": 77}), SCALER, "spec.metrics.0.external.target.averageValue", "77"),
    ("cluster", cluster(resources={"requests": {"cpu": 3, "memory": "9Gi"}, "limits": {"memory": "9Gi"}}), SKETCHERS,
     CONTAINER + "resources.limits.memory", "9Gi"),
    ("cluster", cluster(runtimeClassName="no"), SKETCHERS, POD + "runtimeClassName", "no"),
    ("cluster", cluster(nodeSelector={"a": "no"}), SKETCHERS, POD + "nodeSelector", {"a": "no"}),
    ("cluster", cluster(tolerations=[TOLERATION]), SKETCHERS, POD + "tolerations", [TOLERATION]),
    ("cluster", sharded(), SHARD, "spec.replicas", 2),
    ("cluster", sharded(shards={"count": 2, "replicas": 5}), SHARD, "spec.replicas", 5),
    ("cluster", sharded(shards={"count": 3, "retired": [0]}), ("Pod", "n-neardup-test"), "spec.containers.0.args.1",
     "http://n-neardup-shard-1-0.n-neardup.7.svc:8080/readyz"),
    ("cluster", sharded(resolvers={"replicas": 5}), RESOLVERS, "spec.replicas", 5),
    ("cluster", sharded(resolvers={"resources": {"requests": {"cpu": 3}, "limits": {"memory": "9Gi"}}}), RESOLVERS,
     CONTAINER + "resources", {"requests": {"cpu": 3, "memory": "1Gi"}, "limits": {"memory": "9Gi"}}),
    ("cluster", sharded(resolvers={"nodeSelector": {"a": "no"}}), RESOLVERS, POD + "nodeSelector", {"a": "no"}),
    ("cluster", sharded(resolvers={"tolerations": [TOLERATION]}), RESOLVERS, POD + "tolerations", [TOLERATION]),
    ("config", {"http": {"metrics_listen": "[::]:99"}}, MAIN, CONTAINER + "ports.0.containerPort", 99),
    ("config", {"shutdown": {"drain_seconds": 300}}, MAIN, POD + "terminationGracePeriodSeconds", 315),
    ("args", ["--skip-gap"], MAIN, CONTAINER + "args.2", "--skip-gap"),
    ("secrets.kafka", {"sasl.password": {"name": "no", "key": "p"}}, MAIN, SOURCES,
     secret("p", "kafka/sasl.password")),
    ("secrets.tls.ca.name", "no", MAIN, SOURCES, secret("ca.crt", "tls/ca")),
    ("secrets.tls.certificate.name", "no", MAIN, SOURCES, secret("tls.crt", "tls/certificate")),
    ("secrets.tls.privateKey.name", "no", MAIN, SOURCES, secret("tls.key", "tls/privateKey")),
    ("secrets.seed.name", "no", MAIN, SOURCES, secret("seed", "seed")),
    ("secrets.token.name", "no", MAIN, SOURCES, secret("token", "token")),
    ("secrets.tls.ca", {"name": "a", "key": "1"}, MAIN, SECRETS + "items.0.key", "1"),
    ("secrets.tls.certificate", {"name": "a", "key": "1"}, MAIN, SECRETS + "items.0.key", "1"),
    ("secrets.tls.privateKey", {"name": "a", "key": "1"}, MAIN, SECRETS + "items.0.key", "1"),
    ("secrets.seed", {"name": "a", "key": "1"}, MAIN, SECRETS + "items.0.key", "1"),
    ("secrets.token", {"name": "a", "key": "1"}, MAIN, SECRETS + "items.0.key", "1"),
    ("secrets.readToken.name", "no", MAIN, SOURCES, [{"secret": {"name": "no", "items": [{"key": "token", "path": "readToken"}]}}]),
    ("secrets.readToken", {"name": "a", "key": "1"}, MAIN, SECRETS + "items.0.key", "1"),
    ("api.enabled", True, ("Service", "n-neardup"), "spec.ports.1", {"name": "api", "port": 8081, "targetPort": "api"}),
    ("api.enabled", True, POLICY, "spec.ingress.1", {"ports": [{"port": "api"}]}),
    ("api", api(port=99), MAIN, CONTAINER + "ports.1", {"name": "api", "containerPort": 99}),
    ("api", api(**{"from": PEERS}), POLICY, "spec.ingress.1.from.0", PEERS[0]),
    ("api.tls.secretName", "no", MAIN, SOURCES + ".0", *secret("tls.crt", "api/cert_file")),
    ("api", api(tls={"secretName": "a", "clientCA": {"name": "no"}}), MAIN, SOURCES + ".1",
     *secret("ca.crt", "api/client_ca_file")),
    ("api", api(tls={"secretName": "a", "clientCA": {"name": "a", "key": "1"}}), MAIN, SOURCES + ".1.secret.items.0.key",
     "1"),
    ("state.size", "5Ti", MAIN, STATE + "resources.requests.storage", "5Ti"),
    ("state.storageClass", "on", MAIN, STATE + "storageClassName", "on"),
    ("state.accessMode", "ReadWriteOncePod", MAIN, STATE + "accessModes", ["ReadWriteOncePod"]),
    ("state.whenDeleted", "Delete", MAIN, "spec.persistentVolumeClaimRetentionPolicy.whenDeleted", "Delete"),
    ("backup.enabled", True, BACKUP, "spec.schedule", "17 3 * * *"),
    ("backup.enabled", True, MAIN, CONTAINER + "volumeMounts.1.mountPath", "/var/backups/neardup"),
    ("backup", backup(schedule="0 5 * * 1"), BACKUP, "spec.schedule", "0 5 * * 1"),
    ("backup", backup(size="5Ti"), MAIN, CLAIM + "resources.requests.storage", "5Ti"),
    ("backup", backup(storageClass="on"), MAIN, CLAIM + "storageClassName", "on"),
    ("backup", backup(deadlineSeconds=77), BACKUP, JOB + "activeDeadlineSeconds", 77),
    ("backup", backup(restore="latest"), MAIN, POD + "initContainers.0.args.3", "/var/backups/neardup"),
    ("resources.requests", {"cpu": 3}, MAIN, CONTAINER + "resources.requests.cpu", 3),
    ("resources.limits", {"memory": "9Gi"}, MAIN, CONTAINER + "resources.limits.memory", "9Gi"),
    ("updateStrategy", {"type": "OnDelete"}, MAIN, "spec.updateStrategy.type", "OnDelete"),
    ("extraEnv", [{"name": "A", "value": "no"}], MAIN, CONTAINER + "env.1", {"name": "A", "value": "no"}),
    ("extraVolumes", [{"name": "more", "emptyDir": {}}], MAIN, POD + "volumes.1", {"name": "more", "emptyDir": {}}),
    ("extraVolumeMounts", [{"name": "more", "mountPath": "/no"}], MAIN, CONTAINER + "volumeMounts.2",
     {"name": "more", "mountPath": "/no"}),
    ("initContainers", [{"name": "first", "image": "i"}], MAIN, POD + "initContainers.0.name", "first"),
    ("extraContainers", [{"name": "beside", "image": "i"}], MAIN, POD + "containers.1.name", "beside"),
    ("dnsConfig", {"searches": ["no"]}, MAIN, POD + "dnsConfig.searches", ["no"]),
    ("serviceAccountAnnotations", {"a": "no"}, ("ServiceAccount", "n-neardup"), "metadata.annotations.a", "no"),
    ("podAnnotations", {"a": "no"}, MAIN, "spec.template.metadata.annotations.a", "no"),
    ("priorityClassName", "no", MAIN, POD + "priorityClassName", "no"),
    ("runtimeClassName", "no", MAIN, POD + "runtimeClassName", "no"),
    ("nodeSelector", {"a": "no"}, MAIN, POD + "nodeSelector", {"a": "no"}),
    ("tolerations", [TOLERATION], MAIN, POD + "tolerations", [TOLERATION]),
    ("affinity", AFFINITY, MAIN, POD + "affinity", AFFINITY),
    ("topologySpread", [SPREAD], MAIN, POD + "topologySpreadConstraints.0.topologyKey", "zone"),
    ("serviceAccountName", "no", MAIN, POD + "serviceAccountName", "no"),
    ("podSecurityContext", {"runAsUser": None}, MAIN, POD + "securityContext.runAsUser", None),
    ("probes.startup.periodSeconds", 77, MAIN, CONTAINER + "startupProbe.periodSeconds", 77),
    ("probes.startup.failureThreshold", 77, MAIN, CONTAINER + "startupProbe.failureThreshold", 77),
    ("probes.liveness.periodSeconds", 77, MAIN, CONTAINER + "livenessProbe.periodSeconds", 77),
    ("probes.liveness.failureThreshold", 77, MAIN, CONTAINER + "livenessProbe.failureThreshold", 77),
    ("probes.readiness.periodSeconds", 77, MAIN, CONTAINER + "readinessProbe.periodSeconds", 77),
    ("probes.readiness.failureThreshold", 77, MAIN, CONTAINER + "readinessProbe.failureThreshold", 77),
    ("podDisruptionBudget.enabled", False, ("PodDisruptionBudget", "n-neardup"), "", None),
    ("networkPolicy.enabled", False, POLICY, "", None),
    ("networkPolicy.from", PEERS, POLICY, "spec.ingress.0.from.0", PEERS[0]),
    ("networkPolicy.egress", [RULE], POLICY, "spec.egress.0", RULE),
    ("metrics.serviceMonitor.enabled", True, MONITOR, "spec.endpoints.0.path", "/metrics"),
    ("metrics.serviceMonitor.enabled", True, MONITOR, "spec.endpoints.0.relabelings.0",
     {"sourceLabels": ["__meta_kubernetes_pod_name"], "targetLabel": "instance"}),
    ("metrics.serviceMonitor", {"enabled": True, "labels": {"a": "no"}}, MONITOR, "metadata.labels.a", "no"),
    ("metrics.serviceMonitor", {"enabled": True, "interval": "7s"}, MONITOR, "spec.endpoints.0.interval", "7s"),
    ("metrics.serviceMonitor", {"enabled": True, "relabelings": [RELABELING]}, MONITOR,
     "spec.endpoints.0.relabelings.1", RELABELING),
    ("metrics.serviceMonitor", {"enabled": True, "metricRelabelings": [RELABELING]}, MONITOR,
     "spec.endpoints.0.metricRelabelings", [RELABELING]),
    ("metrics.rules.enabled", True, ALERTS, "kind", "PrometheusRule"),
    ("metrics.rules", {"enabled": True, "labels": {"a": "no"}}, ALERTS, "metadata.labels.a", "no"),
    ("metrics.rules", {"enabled": True, "runbookUrl": "https://w/r/"}, ALERTS,
     "spec.groups.0.rules.0.annotations.runbook_url", "https://w/r/Planted.md"),
    ("metrics", {"job": "no", "rules": {"enabled": True}}, ALERTS, "spec.groups.0.rules.0.expr",
     'up{namespace="7",job="no"} == 0'),
    ("metrics.dashboards.enabled", True, BOARD, "metadata.labels.grafana_dashboard", "1"),
    ("metrics.dashboards", {"enabled": True, "labels": {"a": "no"}}, BOARD, "metadata.labels.a", "no"),
    ("metrics.dashboards", {"enabled": True, "annotations": {"a": "no"}}, BOARD, "metadata.annotations.a", "no"),
]
