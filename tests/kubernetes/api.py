"""A real API server: its objects as dicts, over HTTPS with the administrator's certificate."""

import http.client
import json
import ssl
import threading
import urllib.parse

import yaml

# Of kinds that are not in the core group.
GROUPS = {"statefulsets": "apps/v1", "deployments": "apps/v1", "jobs": "batch/v1", "cronjobs": "batch/v1", "leases": "coordination.k8s.io/v1",
          "poddisruptionbudgets": "policy/v1", "horizontalpodautoscalers": "autoscaling/v2", "storageclasses": "storage.k8s.io/v1",
          "priorityclasses": "scheduling.k8s.io/v1", "runtimeclasses": "node.k8s.io/v1", "networkpolicies": "networking.k8s.io/v1",
          "servicemonitors": "monitoring.coreos.com/v1", "prometheusrules": "monitoring.coreos.com/v1",
          "customresourcedefinitions": "apiextensions.k8s.io/v1"}
SECONDS = 30  # that an answer may take


class Refused(Exception):
    """The API server's status: its HTTP code and message."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code = code


def path(kind, namespace=None, name=None, part=None):
    words = ["apis", GROUPS[kind]] if kind in GROUPS else ["api/v1"]
    words += ["namespaces", namespace] if namespace else []
    return "/" + "/".join(word for word in (*words, kind, name, part) if word)


class Api:
    """Any thread may use it. Kinds are written as in addresses: `pods`."""

    def __init__(self, kubeconfig):
        given = yaml.safe_load(kubeconfig.read_text())
        cluster, user = given["clusters"][0]["cluster"], given["users"][0]["user"]
        self._host = urllib.parse.urlsplit(cluster["server"]).netloc
        self._tls = ssl.create_default_context(cafile=cluster["certificate-authority"])
        self._tls.load_cert_chain(user["client-certificate"], user["client-key"])
        self._connections = threading.local()

    def close(self):
        """The connection of this thread."""
        if getattr(self._connections, "one", None):
            self._connections.one.close()

    def get(self, kind, namespace, name):
        """The object; None where there is none."""
        try:
            return self._ask("GET", path(kind, namespace, name))
        except Refused as refused:
            if refused.code == 404:
                return None
            raise

    def list(self, kind, namespace=None, **selectors):
        """selectors: labelSelector, fieldSelector."""
        return self._ask("GET", path(kind, namespace) + "?" + urllib.parse.urlencode(selectors))["items"]

    def create(self, kind, namespace, thing, part=None, dry=False):
        """part: such as `eviction` of the object's name."""
        name = thing["metadata"].get("name") if part else None
        return self._ask("POST", path(kind, namespace, name, part) + ("?dryRun=All" if dry else ""), thing)

    def patch(self, kind, namespace, name, changes, part=None):
        """changes: a merge patch, or as a list a JSON patch."""
        sort = "json-patch" if isinstance(changes, list) else "merge-patch"
        return self._ask("PATCH", path(kind, namespace, name, part), changes, f"application/{sort}+json")

    def delete(self, kind, namespace, name, **options):
        """options: as in DeleteOptions. An object that is not there is fine."""
        try:
            return self._ask("DELETE", path(kind, namespace, name), options)
        except Refused as refused:
            if refused.code not in (404, 409):  # 409: another object has its name now
                raise

    def _ask(self, method, address, body=None, form="application/json"):
        content = None if body is None else json.dumps(body)
        try:
            answer = self._send(method, address, content, form)
        except (OSError, http.client.HTTPException):  # a connection that had been idle for too long
            self._connections.one = None
            answer = self._send(method, address, content, form)
        text = answer.read()
        if answer.status >= 300:
            raise Refused(answer.status, json.loads(text)["message"] if text.startswith(b"{") else text.decode())
        return json.loads(text)

    def _send(self, method, address, content, form):
        connection = getattr(self._connections, "one", None)
        if connection is None:
            connection = http.client.HTTPSConnection(self._host, timeout=SECONDS, context=self._tls)
            self._connections.one = connection
        connection.request(method, address, content, {"Content-Type": form})
        return connection.getresponse()
