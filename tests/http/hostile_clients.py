"""Hostile clients of an HTTP port, which they know by its address: HOST:PORT."""

import contextlib
import pathlib
import socket
import threading
import time

PROBE = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
BEGUN = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: "
PIECE = 1 << 16


def connect(address, source=None, receive_buffer=None):
    """source: the loopback address that the client has."""
    host, number = address.rsplit(":", 1)
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(60)
    if source:
        client.bind((source, 0))
    client.connect((host, int(number)))
    return client


def flood(address, start, piece, total):
    """Sends `start`, then `piece` up to `total` bytes or until the server closes: (bytes sent, seconds until it closed)."""
    began = time.monotonic()
    sent = 0
    with connect(address) as client:
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


def ask(address, request=PROBE, source=None):
    """The whole answer of a request after which the server closes."""
    with connect(address, source) as client:
        client.sendall(request)
        answer = b""
        while piece := client.recv(PIECE):
            answer += piece
    return answer


def memory_bytes(process, kind):
    """kind: VmRSS, now; VmHWM, the most so far."""
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(kind + ":"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"the process tells no {kind}")


def settled_memory(process):
    """The memory of a service after its start, once two readings half a second apart are equal."""
    last, now = None, memory_bytes(process, "VmRSS")
    while now != last:
        time.sleep(0.5)
        last, now = now, memory_bytes(process, "VmRSS")
    return now


class Drippers:
    """So many clients that send `begun` and then a byte a second each, from these addresses in turn, and come again when
    they are cut off. They end with the context."""

    def __init__(self, address, count, sources=("127.0.0.1",), begun=BEGUN):
        self.address, self.sources, self.begun = address, sources, begun
        self.clients = [self.connect(i) for i in range(count)]
        self.end = threading.Event()
        self.thread = threading.Thread(target=self.drip)

    def connect(self, number):
        client = connect(self.address, self.sources[number % len(self.sources)])
        client.sendall(self.begun)
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
