"""Hostile clients of the HTTP port, and a service for them. No broker is needed, since the port opens first."""

import contextlib
import pathlib
import socket
import tempfile
import threading
import time

import service

PROBE = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
BEGUN = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: "
NO_BROKER = "127.0.0.1:1"
PIECE = 1 << 16


class NoCluster:
    bootstrap = NO_BROKER


@contextlib.contextmanager
def port(**keys):
    """A service that waits for its brokers, and answers; keys: more of its configuration."""
    with tempfile.TemporaryDirectory(prefix="neardup-http-") as folder:
        folder = pathlib.Path(folder)
        with service.Service(folder, service.config(NoCluster, ["in"], folder / "state", **keys)) as made:
            made.wait_until(lambda: made.get("/healthz")[0] == 200, "an answer")
            yield made


def connect(made, source=None, receive_buffer=None):
    """source: the loopback address that the client has."""
    host, number = made.address().rsplit(":", 1)
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(60)
    if source:
        client.bind((source, 0))
    client.connect((host, int(number)))
    return client


def flood(made, start, piece, total):
    """Sends `start`, then `piece` up to `total` bytes or until the server closes: (bytes sent, seconds until it closed)."""
    began = time.monotonic()
    sent = 0
    with connect(made) as client:
        try:
            client.sendall(start)
            while sent < total:
                client.sendall(piece)
                sent += len(piece)
            while client.recv(PIECE):
                pass
        except OSError:
            pass
    return sent, time.monotonic() - began


def ask(made, request=PROBE, source=None):
    """The whole answer of a request after which the server closes."""
    with connect(made, source) as client:
        client.sendall(request)
        answer = b""
        while piece := client.recv(PIECE):
            answer += piece
    return answer


def memory_bytes(made, kind):
    """kind: VmRSS, now; VmHWM, the most so far."""
    for line in pathlib.Path(f"/proc/{made.process.pid}/status").read_text().splitlines():
        if line.startswith(kind + ":"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"the process tells no {kind}")


class Drippers:
    """So many clients that send a byte of a head a second each, from these addresses in turn, and come again when they
    are cut off. They end with the context."""

    def __init__(self, made, count, sources=("127.0.0.1",)):
        self.made, self.sources = made, sources
        self.clients = [self.connect(i) for i in range(count)]
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.drip)

    def connect(self, number):
        client = connect(self.made, self.sources[number % len(self.sources)])
        client.sendall(BEGUN)
        return client

    def drip(self):
        while not self.end.wait(1):
            for number, client in enumerate(self.clients):
                try:
                    client.sendall(b"a")
                except OSError:
                    client.close()
                    with contextlib.suppress(OSError):
                        self.clients[number] = self.connect(number)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()
        for client in self.clients:
            client.close()
