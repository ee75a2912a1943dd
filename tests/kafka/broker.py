"""A real Apache Kafka cluster of one or three nodes on free loopback ports, each node broker and controller in one.

Every node has two listeners. Clients use `bootstrap`, which may ask for TLS or SASL or be a proxy; the fixture
itself and the nodes among themselves use `internal`, always plain, always direct, with all rights.
"""

import base64
import ctypes
import functools
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import uuid

import jars
import outside
import token_server
from admin import Admin
from view import metadata

HOST = "127.0.0.1"
START_SECONDS = 60
STOP_SECONDS = 10
SCRAM = ("SCRAM-SHA-256", "SCRAM-SHA-512")
LOG_SETTINGS = pathlib.Path(__file__).resolve().with_name("log4j2.properties")
ARCHIVE = "classes.jsa"
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def die_with_parent():
    """In a child before exec: the kernel kills it when the thread that started it ends, however that ends."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@functools.cache
def class_archive():
    """Java's archive of the classes of a broker, which then starts with half the work. It is made once for all tests."""
    version = subprocess.run(["java", "-version"], check=True, capture_output=True, text=True).stderr.split('"')[1]
    return outside.folder(f"kafka-{jars.VERSION}-classes-{version}", _archive_classes) / ARCHIVE


def _archive_classes(folder):
    with tempfile.TemporaryDirectory() as data:
        cluster = Cluster(data, java=["-XX:TieredStopAtLevel=1", f"-XX:ArchiveClassesAtExit={folder / ARCHIVE}"])
        with cluster:
            cluster.stop()


class Port:
    """A free port that stays ours: bound but not listening, which lets only a server that reuses addresses in."""

    def __init__(self):
        self._holder = socket.socket()
        self._holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._holder.bind((HOST, 0))
        self.number = self._holder.getsockname()[1]

    def release(self):
        self._holder.close()


class Node:
    """One process of the cluster with its folder: server.properties, data, log."""

    def __init__(self, number, folder, proxy):
        self.number = number
        self.folder = folder
        self.client, self.internal, self.controller = Port(), Port(), Port()
        self.advertised = proxy.port if proxy else self.client.number
        if proxy:
            proxy.target = (HOST, self.client.number)
        self.process = None

    @property
    def properties(self):
        return self.folder / "server.properties"

    @property
    def data(self):
        return self.folder / "data"

    @property
    def log(self):
        return self.folder / "log"

    def running(self):
        return self.process is not None and self.process.poll() is None

    def wait(self):
        """For its end; what takes too long, or is paused, is killed."""
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Cluster(Admin):
    """Its data lie in `folder`. Nodes are numbered from 1. `with Cluster(…) as cluster` starts, and kills at the end.

    proxies: node → Proxy that its clients go through. tls: made by certificates.make; clients then speak TLS.
    users: name → password; clients then log in, by SASL/PLAIN and by SCRAM, and may do only what `allow` gave them.
    tokens: a TokenServer; clients may then log in by OAUTHBEARER with its tokens, too.
    client_certificates: clients log in by theirs, as the name in it, and may do only what `allow` gave them.
    properties: more settings of the server. java: options of Java; by default those for a quick start, which cost
    throughput later. detached: nodes outlive the process that started them.
    Start nodes from a thread that lives as long as they shall.
    """

    def __init__(self, folder, nodes=1, properties=None, proxies=None, tls=None, users=None, tokens=None,
                 client_certificates=False, java=None, detached=False):
        self.folder = pathlib.Path(folder)
        self.nodes = {n: Node(n, self.folder / f"node-{n}", (proxies or {}).get(n)) for n in range(1, nodes + 1)}
        super().__init__([(HOST, node.internal.number) for node in self.nodes.values()])
        self._more = properties or {}
        self._tls = tls
        self._users = users
        self._tokens = tokens
        self._client_certificates = client_certificates
        self._detached = detached
        quick_start = ["-XX:TieredStopAtLevel=1", f"-XX:SharedArchiveFile={class_archive()}"] if java is None else []
        self._java = ["java", "-Xmx512m", "-XX:+UseSerialGC", *quick_start, *(java or []),
                      *([f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={tokens.keys_url}"] if tokens else []),
                      f"-Dlog4j2.configurationFile={LOG_SETTINGS}", "-cp", f"{jars.folder()}/*"]

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def bootstrap(self):
        """For clients, as in bootstrap.servers."""
        return ",".join(f"{HOST}:{node.advertised}" for node in self.nodes.values())

    @property
    def internal_bootstrap(self):
        return ",".join(f"{host}:{port}" for host, port in self.internal)

    def start(self):
        """All nodes, formatted where they have no data; returns when clients can read their metadata."""
        identity = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        new = [node for node in self.nodes.values() if not node.data.exists()]
        for node in self.nodes.values():
            node.folder.mkdir(parents=True, exist_ok=True)
            node.properties.write_text("".join(f"{k}={v}\n" for k, v in self._properties(node).items()))
        scram = [f"--add-scram={mechanism}=[name={name},password={password}]"
                 for name, password in (self._users or {}).items() for mechanism in SCRAM]
        command = ["kafka.tools.StorageTool", "format", f"--cluster-id={identity}", *scram, "-c"]
        formats = [self._run(node, [*command, node.properties]) for node in new]
        if any([process.wait() for process in formats]):
            raise RuntimeError(f"formatting failed: {self._ends_of_logs()}")
        for node in self.nodes.values():
            self._launch(node)
        self._wait_ready(self.nodes.values())

    def stop(self, node=None):
        """SIGTERM, to one or to all, and waits."""
        self._end(signal.SIGTERM, node)

    def kill(self, node=None):
        """SIGKILL, to one or to all, and waits."""
        self._end(signal.SIGKILL, node)

    def restart(self, node=1):
        """Starts a node that was stopped or killed, with its data and on its ports."""
        self._launch(self.nodes[node])
        self._wait_ready([self.nodes[node]])

    def pause(self, node=1):
        self.nodes[node].process.send_signal(signal.SIGSTOP)

    def resume(self, node=1):
        self.nodes[node].process.send_signal(signal.SIGCONT)

    def close(self):
        self.kill()
        for node in self.nodes.values():
            for port in (node.client, node.internal, node.controller):
                port.release()

    def _end(self, number, node):
        ending = [one for one in ([self.nodes[node]] if node else self.nodes.values()) if one.running()]
        for one in ending:
            one.process.send_signal(number)
        for one in ending:
            one.wait()

    def _run(self, node, command):
        with open(node.log, "ab") as log:
            return subprocess.Popen(self._java + [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=log, cwd=node.folder, start_new_session=self._detached,
                                    preexec_fn=None if self._detached else die_with_parent)

    def _launch(self, node):
        assert not node.running(), f"node {node.number} runs already"
        node.process = self._run(node, ["kafka.Kafka", node.properties])

    def _wait_ready(self, nodes):
        deadline = time.monotonic() + START_SECONDS
        for node in nodes:
            while not self._ready(node):
                if not node.running() or time.monotonic() > deadline:
                    raise RuntimeError(f"node {node.number} did not start: {self._ends_of_logs()}")
                time.sleep(0.05)

    def _ready(self, node):
        running = {n for n, other in self.nodes.items() if other.running()}
        try:
            return running <= metadata((HOST, node.internal.number)).brokers.keys()
        except OSError:
            return False

    def _ends_of_logs(self):
        logs = [node.log.read_text(errors="replace")[-2000:] for node in self.nodes.values() if node.log.exists()]
        return "\n…\n".join(logs)

    def _properties(self, node):
        replicas = len(self.nodes)
        protocol = ("SASL_" if self._users else "") + ("SSL" if self._tls else "PLAINTEXT")
        properties = {
            "process.roles": "broker,controller",
            "node.id": node.number,
            "controller.quorum.voters": ",".join(f"{n}@{HOST}:{other.controller.number}"
                                                 for n, other in self.nodes.items()),
            "listeners": f"CLIENT://{HOST}:{node.client.number},INTERNAL://{HOST}:{node.internal.number},"
                         f"CONTROLLER://{HOST}:{node.controller.number}",
            "advertised.listeners": f"CLIENT://{HOST}:{node.advertised},INTERNAL://{HOST}:{node.internal.number}",
            "listener.security.protocol.map": f"CLIENT:{protocol},INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "inter.broker.listener.name": "INTERNAL",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": node.data,
            "auto.create.topics.enable": "false",
            "offsets.topic.num.partitions": 1,
            "offsets.topic.replication.factor": replicas,
            "transaction.state.log.num.partitions": 1,
            "transaction.state.log.replication.factor": replicas,
            "transaction.state.log.min.isr": (replicas + 1) // 2,
            "transaction.abort.timed.out.transaction.cleanup.interval.ms": 1000,
            "group.initial.rebalance.delay.ms": 0,
            # A dead node is noticed soon; until then it cannot register again either.
            "broker.heartbeat.interval.ms": 300,
            "broker.session.timeout.ms": 3000 if replicas > 1 else 2000,
            "log.cleaner.dedupe.buffer.size": 4 << 20,
            # Records here bear times of long ago: five minutes after its start a broker would delete them.
            "log.retention.ms": -1,
        }
        if self._tls:
            properties.update(self._tls.server_properties())
        if self._users:
            properties.update(_login_properties(self._users, self._tokens))
        if self._client_certificates:
            properties.update({"listener.name.client.ssl.client.auth": "required",
                               "ssl.principal.mapping.rules": "RULE:^CN=([^,]*).*$/$1/"})
        if self._users or self._client_certificates:
            properties.update({"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                               "super.users": "User:ANONYMOUS"})
        properties.update(self._more)
        return properties


def _login_properties(users, tokens):
    """Clients must log in; the plain internal listener is for super users."""
    security = "org.apache.kafka.common.security"
    listener = "listener.name.client"
    known = " ".join(f'user_{name}="{password}"' for name, password in users.items())
    properties = {"sasl.enabled.mechanisms": ",".join(["PLAIN", *SCRAM, *(["OAUTHBEARER"] if tokens else [])]),
                  f"{listener}.plain.sasl.jaas.config": f"{security}.plain.PlainLoginModule required {known};"}
    for mechanism in SCRAM:
        properties[f"{listener}.{mechanism.lower()}.sasl.jaas.config"] = f"{security}.scram.ScramLoginModule required;"
    if tokens:
        bearer, module = f"{listener}.oauthbearer", f"{security}.oauthbearer"
        properties.update({
            f"{bearer}.sasl.jaas.config": f"{module}.OAuthBearerLoginModule required;",
            f"{bearer}.sasl.server.callback.handler.class": f"{module}.OAuthBearerValidatorCallbackHandler",
            f"{bearer}.sasl.oauthbearer.jwks.endpoint.url": tokens.keys_url,
            f"{bearer}.sasl.oauthbearer.expected.issuer": token_server.ISSUER,
            f"{bearer}.sasl.oauthbearer.expected.audience": token_server.AUDIENCE,
        })
    return properties
