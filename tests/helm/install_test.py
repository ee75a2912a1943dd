"""The chart against a cluster that has, or has not, a release of it."""

import unittest

from api_server import ApiServer
from chart import CHART, Refused, helm, render
from switches import MAIN


def install(server, values=None):
    """What a user reads after `helm install`."""
    return helm("install", "n", CHART, "--dry-run=server", "--disable-openapi-validation",
                values=values, HELM_KUBEAPISERVER=server.url)


class Notes(unittest.TestCase):
    def test_tell_what_runs_and_why_its_number_is_fixed(self):
        with ApiServer() as server:
            notes = install(server, {"instances": 2, "config": {"kafka": {"topics": ["a", "b"]}}})
        self.assertIn("reads a, b and writes flags to flags, with 2 instance(s)", notes)
        self.assertIn("no autoscaling", notes)
        self.assertIn("published one", notes)

    def test_tell_where_the_api_is(self):
        opened = {"api": {"enabled": True}, "secrets": {"token": {"name": "mine"}}}
        with ApiServer() as server:
            closed, told = install(server), install(server, opened)
        self.assertIn("closed to other pods; api.enabled opens it", closed)
        self.assertIn("a token of secret mine:\n  http://n-neardup-0.n-neardup.default.svc:8081/v1/stats", told)
        self.assertIn('$TOKEN" http://127.0.0.1:8081/v1/stats', told)

    def test_tell_of_tls(self):
        def told(tls):
            values = {"api": {"enabled": True, "tls": tls}, "secrets": {"token": {"name": "mine"}}}
            return install(server, values).partition("NOTES:")[2]

        with ApiServer() as server:
            notes, certified = told({"secretName": "c"}), told({"secretName": "c", "clientCA": {"name": "d"}})
        self.assertIn('$TOKEN" https://n-neardup-0.n-neardup.default.svc:8081/v1/stats', notes)
        self.assertIn("get secret -n default c -o jsonpath='{.data.ca\\.crt}'", notes)
        self.assertNotIn("http://", notes)
        self.assertNotIn("--cert ", notes)
        self.assertIn("--cert ", certified)

    def test_warn_only_of_what_is_there(self):
        with ApiServer() as server:
            notes = install(server, {"secrets": {"seed": {"name": "s"}}})
            skipping = install(server, {"args": ["--skip-gap"], "config": {"kafka": {"topics": "a,b"}}})
        self.assertNotIn("published one", notes)
        self.assertNotIn("upgrade without", notes)
        self.assertIn("started with --skip-gap: upgrade without", skipping)
        self.assertIn("reads a,b and", skipping)


class ClusterNotes(unittest.TestCase):
    NAMED = {"config": {"cluster": {"name": "crawl"}}}

    def told(self, **cluster):
        with ApiServer() as server:
            return install(server, self.NAMED | {"cluster": {"enabled": True, **cluster}}).partition("NOTES:")[2]

    def test_tell_of_deciders(self):
        notes = self.told(deciders=3)
        self.assertIn("with 3 decider(s) of cluster crawl", notes)
        self.assertIn("exec -n default n-neardup-0 -- /usr/bin/neardup stats", notes)
        self.assertNotIn("autoscaling", notes)
        self.assertNotIn("cluster place", notes)

    def test_tell_of_shards_and_how_they_get_documents(self):
        notes = self.told(deciders=0, shards={"count": 3}, resolvers={"replicas": 2})
        self.assertIn("with 3 shard(s) and 2 resolver(s) of cluster crawl", notes)
        self.assertIn("exec -n default n-neardup-shard-0-0 -- /usr/bin/neardup stats", notes)
        self.assertIn("cluster place -c /etc/neardup/neardup.yaml --active 0,1,2\n", notes)
        self.assertNotIn("autoscaling", notes)


class Instances(unittest.TestCase):
    """Of a release that runs with two."""

    def install(self, instances, replicas=2):
        running = render({"instances": 2})[MAIN]
        running["spec"]["replicas"] = replicas
        # As Helm marks what it has made.
        running["metadata"]["annotations"] |= {"meta.helm.sh/release-name": "n",
                                               "meta.helm.sh/release-namespace": "default"}
        with ApiServer({"/apis/apps/v1/namespaces/default/statefulsets/n-neardup": running}) as server:
            return install(server, {"instances": instances})

    def test_another_number_is_refused(self):
        with self.assertRaisesRegex(Refused, "runs with instances: 2; .* so 3 of them need new states"):
            self.install(3)

    def test_the_same_number_is_not(self):
        self.assertIn("NOTES:", self.install(2))

    def test_nor_is_it_when_the_release_was_scaled_to_nothing(self):
        self.assertIn("NOTES:", self.install(2, replicas=0))


class Classes(unittest.TestCase):
    def test_notes_name_those_that_must_exist(self):
        with ApiServer() as server:
            plain = install(server)
            notes = install(server, {"runtimeClassName": "nvidia", "priorityClassName": "high"})
        self.assertNotIn("kubectl get runtimeclass", plain)
        self.assertIn("kubectl get runtimeclass/nvidia priorityclass/high", notes)


def running(objects):
    """The StatefulSets of rendered objects as an API server lists them, and each by its name."""
    sets = [one for (kind, _), one in objects.items() if kind == "StatefulSet"]
    for one in sets:
        one["metadata"]["annotations"] |= {"meta.helm.sh/release-name": "n", "meta.helm.sh/release-namespace": "default"}
    path = "/apis/apps/v1/namespaces/default/statefulsets"
    return {path: {"kind": "StatefulSetList", "apiVersion": "apps/v1", "metadata": {}, "items": sets},
            **{f"{path}/{one['metadata']['name']}": one for one in sets}}


class Shards(unittest.TestCase):
    """Of a release that runs with four."""

    def values(self, count, retired=()):
        return {"config": {"cluster": {"name": "crawl"}},
                "cluster": {"enabled": True, "deciders": 0, "shards": {"count": count, "retired": list(retired)}}}

    def upgrade(self, values):
        with ApiServer(running(render(self.values(4)))) as server:
            return install(server, values)

    def test_none_goes_that_is_not_retired(self):
        for values in (self.values(2), self.values(3, [0]), {"config": {"cluster": {"name": "crawl"}}, "cluster": {"enabled": True}}):
            with self.assertRaisesRegex(Refused, r"runs shard \d, which these values take away with its documents"):
                self.upgrade(values)

    def test_more_and_retired_ones_are_taken(self):
        for values in (self.values(4), self.values(5), self.values(4, [1]), self.values(4, [2, 3])):
            self.assertIn("NOTES:", self.upgrade(values))

    def test_those_of_another_release_may_do_what_they_want(self):
        others = render(self.values(4), release="other")
        with ApiServer(running(others)) as server:
            self.assertIn("NOTES:", install(server, self.values(2)))


class Volumes(unittest.TestCase):
    def upgrade(self, before, values):
        with ApiServer(running(render(before))) as server:
            return install(server, values)

    def test_others_are_refused_with_the_way_out(self):
        token = {"secrets": {"token": {"name": "t"}}}
        backup = {**token, "backup": {"enabled": True}}
        for before, values in (({}, {"state": {"size": "200Gi"}}), ({}, {"state": {"storageClass": "fast"}}), (token, backup),
                               (backup, {**token, "backup": {"enabled": True, "size": "1Ti"}})):
            with self.assertRaisesRegex(Refused, "change the claims, then `kubectl delete statefulset n-neardup --cascade=orphan`"):
                self.upgrade(before, values)

    def test_the_same_are_taken_and_those_of_an_older_chart_too(self):
        size = {"state": {"size": "1024Gi"}}
        self.assertIn("NOTES:", self.upgrade(size, size))
        older = running(render({}))
        for one in older["/apis/apps/v1/namespaces/default/statefulsets"]["items"]:
            del one["metadata"]["annotations"]["neardup/volumes"]
        with ApiServer(older) as server:
            self.assertIn("NOTES:", install(server, size))


if __name__ == "__main__":
    unittest.main()
