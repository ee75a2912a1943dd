"""A control plane of Kubernetes for a class of tests, namespaces in it, and releases of the chart. Where the control plane or Helm
cannot be had, the test program ends with 77 and the reason on a line."""

import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("kafka", "helm")]
from chart import CHART, MINIMAL, REQUIRED_BY, TOOLS, Refused, helm, outside, yaml  # noqa: E402
from api import Api  # noqa: E402

SCRIPT = ROOT / "scripts" / "kubernetes-cluster"
PATIENCE = 60  # seconds


def script(*words):
    done = subprocess.run([SCRIPT, *words], capture_output=True, text=True)
    if done.returncode == 77:
        outside.skip(done.stderr.strip(), REQUIRED_BY)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout.strip()


def needed():
    """To be called before the tests: builds it where needed."""
    script("kube")


def wait_until(condition, what, seconds=PATIENCE):
    """What the condition gives, once that is true. `what`: text, or what makes it when the time is over."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s for {what() if callable(what) else what}")
        time.sleep(0.1)
    return found


class ControlPlane:
    """Runs while it is entered, and ends with this process, regardless of how that ends."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def __enter__(self):
        self._end = subprocess.Popen(["sh", "-c", 'read -r line; exec "$0" stop "$1"', SCRIPT, self.folder], stdin=subprocess.PIPE,
                                     start_new_session=True)
        script("start", self.folder)
        self.kubeconfig = self.folder / "admin.conf"
        self.api = Api(self.kubeconfig)
        wait_until(lambda: self.api.get("namespaces", None, "default"), "the default namespace")
        return self

    def __exit__(self, *_):
        self.api.close()
        self._end.stdin.close()
        self._end.wait()

    def kubectl(self, *words):
        return subprocess.run([script("kube"), "kubectl", "--kubeconfig", self.kubeconfig, *words], capture_output=True, text=True,
                              check=True, timeout=PATIENCE).stdout


class KubernetesCase(unittest.TestCase):
    """Each test has a namespace with Pod Security `restricted`."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="neardup-kubernetes-")))
        cls.plane = cls.enterClassContext(ControlPlane(cls.folder / "control"))
        cls.api = cls.plane.api

    def setUp(self):
        name = self.id().rpartition(".")[2].replace("_", "-")
        self.namespace = name.removeprefix("test-")[:50].strip("-")
        self.api.create("namespaces", None, {"metadata": {
            "name": self.namespace, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}})
        started = time.monotonic()
        self.addCleanup(lambda: print(f"{self.namespace}: {time.monotonic() - started:.1f} s", flush=True))

    def helm(self, *words, values=None, base=None):
        return helm(*words, "--namespace", self.namespace, values=values, base=base, KUBECONFIG=str(self.plane.kubeconfig))

    def install(self, values=None, release="n", base=MINIMAL, options=()):
        """Installs or upgrades the release; what Helm tells."""
        return self.helm("upgrade", "--install", release, CHART, *options, values=values, base=base)

    def pods(self, release="n"):
        """Name → pod of the service, without pods that are being deleted."""
        selector = f"app.kubernetes.io/instance={release},app.kubernetes.io/component notin (test,backup)"
        pods = self.api.list("pods", self.namespace, labelSelector=selector)
        return {pod["metadata"]["name"]: pod for pod in pods if "deletionTimestamp" not in pod["metadata"]}

    def events(self):
        """Warnings, but for those of Endpoints, which take no addresses of 127.0.0.0/8."""
        return [f"{one['involvedObject']['kind']} {one['involvedObject']['name']}: {one['reason']}: {one.get('message')}"
                for one in self.api.list("events", self.namespace, fieldSelector="type=Warning") if "Endpoint" not in one["reason"]]
