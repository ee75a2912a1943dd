"""The part of the Kubernetes API that Helm uses before it installs: the list of kinds, and one object."""

import http.server
import json
import threading

KINDS = {"/api/v1": ["ConfigMap", "Pod", "Service", "ServiceAccount"], "/apis/apps/v1": ["Deployment", "StatefulSet"],
         "/apis/policy/v1": ["PodDisruptionBudget"], "/apis/networking.k8s.io/v1": ["NetworkPolicy"]}


def plural(kind):
    return kind.lower()[:-1] + "ies" if kind.endswith("y") else kind.lower() + "s"


def discovery():
    """Path → answer."""
    groups = [path.split("/")[2:] for path in KINDS if path.startswith("/apis/")]
    version = [{"groupVersion": f"{group}/{version}", "version": version} for group, version in groups]
    answers = {
        "/version": {"major": "1", "minor": "28", "gitVersion": "v1.28.15"},
        "/api/v1/namespaces/default/secrets": {"kind": "SecretList", "apiVersion": "v1", "items": []},  # its releases
        "/api": {"kind": "APIVersions", "versions": ["v1"]},
        "/apis": {"kind": "APIGroupList", "apiVersion": "v1",
                  "groups": [{"name": group, "versions": [v], "preferredVersion": v}
                             for (group, _), v in zip(groups, version)]}}
    for path, kinds in KINDS.items():
        answers[path] = {
            "kind": "APIResourceList", "apiVersion": "v1",
            "groupVersion": path.removeprefix("/apis/").removeprefix("/api/"),
            "resources": [{"name": plural(kind), "singularName": kind.lower(), "namespaced": True, "kind": kind,
                           "verbs": ["get", "list"]} for kind in kinds]}
    return answers


class ApiServer:
    """Serves while it is entered. `objects`: path → object; all others are not found."""

    def __init__(self, objects=None):
        answers = discovery() | (objects or {})

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                answer = answers.get(self.path.partition("?")[0])
                found = answer is not None
                body = json.dumps(answer if found else
                                  {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404}).encode()
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
