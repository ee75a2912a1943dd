"""A proxy in front of one node's listener for clients, which breaks the network at a chosen request.

It changes no byte; it needs the plain protocol, since it looks at each request's kind.
"""

import contextlib
import socket
import struct
import threading

from wire import receive

HOST = "127.0.0.1"
PRODUCE, FETCH, ADD_PARTITIONS_TO_TXN, END_TXN, TXN_OFFSET_COMMIT = 0, 1, 24, 26, 28
BEFORE, AFTER = "before", "after"


class Trap:
    """Waits for one request of a kind; then the connection that brought it is cut, once."""

    def __init__(self, api_key, moment, passing):
        self.api_key = api_key
        self.moment = moment
        self.passing = passing  # so many go by unharmed
        self._sprung = threading.Event()

    def wait(self, seconds=60):
        """Until the connection is cut."""
        if not self._sprung.wait(seconds):
            raise TimeoutError(f"no request {self.api_key} in {seconds} s")

    def sprung(self):
        return self._sprung.is_set()

    def spring(self):
        self._sprung.set()


class Proxy:
    """Listens on `port` from the beginning; a Cluster that gets it sets `target` to the node's own listener."""

    def __init__(self):
        self.target = None
        self._lock = threading.Lock()
        self._links = set()
        self._traps = []
        self._requests = {}  # API key → how many came
        self._place = socket.socket()  # keeps the port while nothing listens on it
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind((HOST, 0))
        self.port = self._place.getsockname()[1]
        self._listener = None
        self.accept()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.refuse()
        self._place.close()
        self.cut()

    def accept(self):
        """Ends `refuse`."""
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind((HOST, self.port))
        self._listener.listen(64)
        threading.Thread(target=self._serve, args=(self._listener,), daemon=True).start()

    def refuse(self):
        """New connections are refused from now on; those that there are go on."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
            self._listener.close()
            self._listener = None

    def cut(self):
        """All connections end now; new ones are welcome."""
        with self._lock:
            links = list(self._links)
        for link in links:
            link.close()

    def cut_before(self, api_key, passing=0):
        """A Trap: the next request of that kind never reaches the broker."""
        return self._set_trap(Trap(api_key, BEFORE, passing))

    def cut_after(self, api_key, passing=0):
        """A Trap: the broker carries out the next request of that kind, but nobody gets its answer."""
        return self._set_trap(Trap(api_key, AFTER, passing))

    def requests(self, api_key):
        """How many of that kind came so far."""
        with self._lock:
            return self._requests.get(api_key, 0)

    def _set_trap(self, trap):
        with self._lock:
            self._traps.append(trap)
        return trap

    def _serve(self, listener):
        while True:
            try:
                client = listener.accept()[0]
            except OSError:
                return
            try:
                broker = socket.create_connection(self.target, 5)
            except OSError:
                client.close()
                continue
            broker.settimeout(None)
            link = _Link(client, broker, self)
            with self._lock:
                self._links.add(link)
            link.start()

    def _trapped(self, api_key):
        """The trap that this request goes into, if any."""
        with self._lock:
            self._requests[api_key] = self._requests.get(api_key, 0) + 1
            for trap in self._traps:
                if trap.api_key == api_key:
                    trap.passing -= 1
                    if trap.passing < 0:
                        self._traps.remove(trap)
                        return trap
        return None

    def _forget(self, link):
        with self._lock:
            self._links.discard(link)


class _Link:
    """A connection of a client with its connection to the broker: a thread for each direction."""

    def __init__(self, client, broker, proxy):
        self._client, self._broker, self._proxy = client, broker, proxy
        self._unanswered = {}  # number of a request → the trap that waits for its answer
        for end in (client, broker):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def start(self):
        threading.Thread(target=self._run, daemon=True).start()

    def close(self):
        for end in (self._client, self._broker):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _run(self):
        answers = threading.Thread(target=self._pump, args=(self._answers,), daemon=True)
        answers.start()
        self._pump(self._requests)
        answers.join()
        self._proxy._forget(self)
        self._client.close()
        self._broker.close()

    def _pump(self, frames):
        trap = None
        with contextlib.suppress(OSError):
            trap = frames()
        self.close()
        if trap is not None:
            trap.spring()

    def _requests(self):
        while True:
            frame = _frame(self._client)
            api_key, _, number = struct.unpack(">hhi", frame[4:12])
            trap = self._proxy._trapped(api_key)
            if trap is not None and trap.moment == BEFORE:
                return trap
            if trap is not None:
                self._unanswered[number] = trap
            self._broker.sendall(frame)

    def _answers(self):
        while True:
            frame = _frame(self._broker)
            trap = self._unanswered.pop(struct.unpack(">i", frame[4:8])[0], None)
            if trap is not None:
                return trap
            self._client.sendall(frame)


def _frame(connection):
    size = receive(connection, 4)
    return size + receive(connection, struct.unpack(">i", size)[0])
