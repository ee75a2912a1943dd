"""A Prometheus that scrapes every second, keeps its data in a folder, and ends with the test."""

import json
import pathlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "kafka"))
import programs  # noqa: E402
from broker import die_with_parent  # noqa: E402

START_SECONDS = 30


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as holder:
        return "127.0.0.1:{}".format(holder.getsockname()[1])


class Server:
    """`with Server(folder, {job: "HOST:PORT"}, rule files) as server` starts it, and kills it at the end."""

    def __init__(self, folder, targets, rules=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.address = free_address()
        jobs = [{"job_name": job, "static_configs": [{"targets": [target]}]} for job, target in targets.items()]
        settings = {"global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "scrape_configs": jobs,
                    "rule_files": [str(pathlib.Path(file).resolve()) for file in rules]}
        (self.folder / "prometheus.yml").write_text(json.dumps(settings, indent=1))  # JSON is YAML
        self.process = None

    def __enter__(self):
        command = [programs.folder() / "prometheus", f"--config.file={self.folder / 'prometheus.yml'}",
                   f"--storage.tsdb.path={self.folder / 'data'}", f"--web.listen-address={self.address}"]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            preexec_fn=die_with_parent)
        try:
            self._wait_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def query(self, expression):
        """The samples now: [{"metric": labels, "value": [time, text]}…]."""
        return self.get("/api/v1/query", query=expression)["result"]

    def get(self, path, **asked):
        """Data of an answer of its HTTP API. Raises ValueError with its complaint."""
        address = f"http://{self.address}{path}?{urllib.parse.urlencode(asked)}"
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            with error:
                raise ValueError(json.load(error)["error"]) from None

    def _wait_ready(self):
        deadline = time.monotonic() + START_SECONDS
        while not self._ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Prometheus did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def _ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=5):
                return True
        except OSError:
            return False
