"""`neardup serve` without Kafka, and requests to it."""

import contextlib
import hashlib
import http.client
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "e2e"))

import hostile_clients  # noqa: E402
import neardup  # noqa: E402

START_SECONDS = 60


class Server:
    """A service over `state`. `with Server(state) as server` stops it at the end, and expects status 0.

    `context`: the ssl.SSLContext of clients, for a service with TLS. `command`: the words of a document that start it over
    `state`, from the folder of that."""

    def __init__(self, state, sets=(), context=None, command=None):
        self.state = pathlib.Path(state)
        self.command = command or ["neardup", "serve", "--state", str(self.state)]
        self.folder = self.state.parent if command else None
        self.context = context
        self.sets = ("http.listen=127.0.0.1:0", *sets)
        self.process = None

    def launch(self, environment=None):
        """`environment` is for this run only: a failpoint, for one."""
        command = [neardup.BINARY, *self.command[1:]]
        for setting in self.sets:
            command += ["--set", setting]
        self.log = open(f"{self.state}.log", "ab")
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        env={**os.environ, **(environment or {})})

    def start(self, environment=None):
        self.launch(environment)
        self.line = self.process.stdout.readline()
        found = re.search(r"https?://([^/]*)/v1/documents$", self.line)
        if found is None:
            raise AssertionError(f"no address in {self.line!r}: {self.log_text()[-2000:]}")
        self.address = found[1]
        own = self.state / "http_token"  # not there with http.token_file
        self.token = own.read_text().strip() if own.exists() else None
        wait_until(lambda: self.get("/readyz", self.probes())[0] == 200 or self.process.poll() is not None, "readiness")
        return self

    def log_text(self):
        return pathlib.Path(f"{self.state}.log").read_text()

    def probes(self):
        """The address that probes are answered at."""
        found = re.search(r'"address":"([^"]*)","for":"probes', self.log_text())
        return found[1] if found else self.address

    def connect(self, timeout=120, address=None):
        address = address or self.address
        if self.context and address == self.address:
            return http.client.HTTPSConnection(address, timeout=timeout, context=self.context)
        return http.client.HTTPConnection(address, timeout=timeout)

    def get(self, path, address=None):
        with contextlib.closing(self.connect(address=address)) as connection:
            connection.request("GET", path)
            reply = connection.getresponse()
            return reply.status, reply.read()

    def send(self, body, connection=None, path="/v1/documents", **headers):
        """POSTs `body` (bytes, or an iterator of pieces): status, flags, header fields."""
        if connection is None:
            with contextlib.closing(self.connect()) as connection:
                return self.send(body, connection, path, **headers)
        fields = {"Authorization": f"Bearer {self.token}", **{key.replace("_", "-"): headers[key] for key in headers}}
        connection.request("POST", path, body, fields, encode_chunked=not isinstance(body, bytes))
        reply = connection.getresponse()
        return reply.status, reply.read(), dict(reply.getheaders())

    def flags(self, body, connection=None, **headers):
        status, flags, _ = self.send(body, connection, **headers)
        if status != 200:
            raise AssertionError(f"{status}: {flags[:500]}")
        return flags

    def stop(self):
        """Its exit status after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        self.process.kill()
        return self.wait()

    def wait(self, timeout=60):
        status = self.process.wait(timeout)
        self.process.stdout.close()
        self.log.close()
        return status

    def memory(self):
        """The most bytes of memory that it has had."""
        return hostile_clients.memory_bytes(self.process, "VmHWM")

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *_):
        if self.process.poll() is not None:
            return
        status = self.stop()
        if kind is None and status != 0:
            raise AssertionError(f"ended with {status}: {self.log_text()[-2000:]}")


def wait_until(condition, what, seconds=START_SECONDS):
    done = threading.Event()
    for _ in range(seconds * 50):
        try:
            if condition():
                return
        except OSError:
            pass
        done.wait(0.02)
    raise AssertionError(f"waited {seconds} s for {what}")


def comparable(flags):
    """Flags without what only HTTP has: `verdict`, and another `source`."""
    return neardup.without_source(re.sub(rb',"verdict":\{[^}]*\}', b"", flags))


def digest(state):
    """Of each file of a state but RocksDB's own log."""
    files = [path for path in sorted(state.rglob("*")) if path.is_file() and not path.name.startswith("LOG")]
    return {str(path.relative_to(state)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def body_of(lines):
    return b"".join(line + b"\n" for line in lines)
