"""A container as a process of this machine: its start, its probes, its end, and what the API says about it."""

import http.client
import re
import subprocess
import time

FIRST_BACKOFF, LONGEST_BACKOFF = 0.5, 8  # seconds; a kubelet begins with 10 and ends with 300
SHOWN = 2048  # bytes of a log that explain an end
PROBES = {"periodSeconds": 10, "timeoutSeconds": 1, "failureThreshold": 3}


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


class Probe:
    """Asks a pod over HTTP, not before the time has come."""

    def __init__(self, spec, address, ports):
        """ports: name → number."""
        self._spec = PROBES | spec
        port = spec["httpGet"]["port"]
        self._place, self._path = (address, ports.get(port, port)), spec["httpGet"]["path"]
        self._next = time.monotonic() + self._spec["periodSeconds"] / 2
        self._failures = 0
        self.succeeded = False  # the last time

    def failed(self):
        """Whether it has now failed as often in a row as it may."""
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + self._spec["periodSeconds"]
        self.succeeded = self._ask()
        self._failures = 0 if self.succeeded else self._failures + 1
        return self._failures >= self._spec["failureThreshold"]

    def _ask(self):
        connection = http.client.HTTPConnection(*self._place, timeout=self._spec["timeoutSeconds"])
        try:
            connection.request("GET", self._path)
            return 200 <= connection.getresponse().status < 400
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


class Container:
    """Of one pod, whose thread alone calls it: the kernel ends a process with the thread that started it."""

    def __init__(self, pod, spec, restart):
        """restart: whether it starts again after it has ended, by the exit status."""
        self._pod, self.spec, self._restart = pod, spec, restart
        self.name = spec["name"]
        self.log = pod.root / f"{self.name}.log"
        self.process = None
        self.starts = 0
        self.ended = None  # how it ended last: as `terminated` in the API
        self._waiting = "ContainerCreating"
        self._next_start, self._backoff = 0, FIRST_BACKOFF
        self._probes = {}
        self._ready = False

    def running(self):
        return self.process is not None

    def done(self):
        """Whether it has ended for good."""
        return self.ended is not None and not self.running() and not self._restart(self.ended["exitCode"])

    def ready(self):
        return self.running() and self._ready

    def tick(self):
        """Starts, probes and notices the end."""
        if self.running():
            if self.process.poll() is not None:
                self._note_end()
            else:
                self._probe()
        elif not self.done() and time.monotonic() >= self._next_start:
            self._start()

    def text(self):
        """What the present or the last run has written."""
        with open(self.log, "rb") as log:
            log.seek(self._log_begins)
            return log.read().decode(errors="replace")

    def execute(self, words):
        """Runs another command in it, once that has ended."""
        words = [self._pod.mapped(word, self.spec) for word in words]
        return subprocess.run([self._pod.program(self.spec["image"]), *words], env=self._pod.variables(self.spec), capture_output=True,
                              text=True, timeout=60)

    def signal(self, number):
        process = self.process
        if process is not None and process.poll() is None:
            process.send_signal(number)

    def end(self, seconds):
        """SIGTERM, and SIGKILL when the time is over."""
        if self.running():
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self._note_end()

    def status(self):
        state = {"terminated": self.ended} if self.done() else {"waiting": {"reason": self._waiting}}
        if self.running():
            state = {"running": {"startedAt": self._started}}
        last = {"terminated": self.ended} if self.ended and not self.done() else {}
        return {"name": self.name, "image": self.spec["image"], "imageID": "", "restartCount": max(0, self.starts - 1), "state": state,
                "lastState": last, "ready": self.ready() or self.done(), "started": self.running()}

    def _start(self):
        program = self._pod.program(self.spec["image"])
        if program is None:
            self._waiting, self._next_start = "ErrImagePull", time.monotonic() + LONGEST_BACKOFF
            return
        variables = self._pod.variables(self.spec)
        words = [re.sub(r"\$\((\w+)\)", lambda found: variables.get(found[1], found[0]), word) for word in self.spec.get("args", [])]
        words = [self._pod.mapped(self._pod.resolved(word), self.spec) for word in words]
        with open(self.log, "ab") as log:
            self._log_begins = log.tell()
            self.process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", program, *words], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, env=variables, cwd=self._pod.root)
        self.starts += 1
        self._started = now()
        ports = {port["name"]: port["containerPort"] for port in self.spec.get("ports", []) if "name" in port}
        self._probes = {sort: Probe(self.spec[sort], self._pod.address, ports)
                        for sort in ("startupProbe", "livenessProbe", "readinessProbe") if sort in self.spec}
        self._ready = "readinessProbe" not in self._probes

    def _probe(self):
        starting = self._probes.get("startupProbe")
        if starting:
            if starting.failed():
                self.end(self._pod.grace)
            elif starting.succeeded:
                del self._probes["startupProbe"]
            return
        if "readinessProbe" in self._probes:
            probe = self._probes["readinessProbe"]
            failed = probe.failed()
            self._ready = probe.succeeded or (self._ready and not failed)
        if "livenessProbe" in self._probes and self._probes["livenessProbe"].failed():
            self.end(self._pod.grace)

    def _note_end(self):
        code = self.process.returncode
        self.process = None
        self._ready = False
        self.ended = {"exitCode": 128 - code if code < 0 else code, "reason": "Completed" if code == 0 else "Error", "finishedAt": now(),
                      "startedAt": self._started, "message": self.text()[-SHOWN:] if code else ""}
        self._waiting = "CrashLoopBackOff"
        long_run = time.monotonic() - self._next_start > 10 * LONGEST_BACKOFF
        self._backoff = FIRST_BACKOFF if long_run else min(2 * self._backoff, LONGEST_BACKOFF)
        self._next_start = time.monotonic() + self._backoff
