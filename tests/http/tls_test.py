"""`neardup serve` with TLS: documents, certificates of clients, new certificates, and commands beside it."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import unittest

from certificates import Authority
from server import Server, body_of, comparable, wait_until

import neardup
from corpus import Corpus
from folder import FolderTest

SEED = 20261125
DOCS = (pathlib.Path(__file__).parents[2] / "docs/operations.md").read_text()


class Tls(FolderTest):
    def setUp(self):
        super().setUp()
        self.authority = Authority(self.folder)
        self.cert, self.key = self.folder / "server.pem", self.folder / "server.key"
        self.put("first")

    def put(self, name):
        """Replaces the certificate of the service, as a tool that renews it does."""
        for made, place in zip(self.authority.issue(name), (self.cert, self.key)):
            shutil.copy(made, f"{place}.new")
            os.replace(f"{place}.new", place)

    def server(self, *sets, identity=()):
        files = (f"http.tls.cert_file={self.cert}", f"http.tls.key_file={self.key}")
        return Server(self.state, (*files, *sets), self.authority.client(*identity))

    def command(self, *words, trusted=True, **environment):
        if trusted:
            environment["SSL_CERT_FILE"] = self.authority.pem
        return subprocess.run([neardup.BINARY, *map(str, words)], capture_output=True, text=True, timeout=120,
                              env={**os.environ, **environment})

    def succeed(self, *words):
        done = self.command(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @staticmethod
    def certificate_of(server):
        """The name in the certificate that a new connection gets."""
        host, port = server.address.split(":")
        with server.context.wrap_socket(socket.create_connection((host, port), 60), server_hostname=host) as connection:
            return dict(part[0] for part in connection.getpeercert()["subject"])["commonName"]

    def test_flags_are_those_of_scan(self):
        lines = Corpus(SEED).lines(20_000)
        self.assertGreater(len(body_of(lines)), 3_000_000)
        documents = self.folder / "documents.jsonl"
        documents.write_bytes(body_of(lines))
        self.succeed("scan", "-o", self.output, documents)
        with self.server() as server, contextlib.closing(server.connect()) as connection:
            flags = server.flags(body_of(lines), connection)
            self.assertEqual(comparable(flags), neardup.without_source(self.output.read_bytes()))
            self.assertEqual(server.get("/healthz")[0], 200)

    def test_a_client_without_tls_is_told(self):
        with self.server() as server:
            with contextlib.closing(http.client.HTTPConnection(server.address, timeout=60)) as plain:
                status, answer, _ = server.send(b'{"id":"a","text":"b"}', plain)
            self.assertEqual((status, json.loads(answer)["reason"]), (400, "tls_is_needed"))
            self.assertEqual(json.loads(server.get("/v1/stats")[1])["documents"], 0)

    def test_probes_and_metrics_have_a_port_without_tls(self):
        with self.server("http.metrics_listen=127.0.0.1:0") as server:
            self.assertEqual(server.get("/metrics", server.probes())[0], 200)
            self.succeed("health", f"http://{server.probes()}/readyz")

    def test_only_certain_clients_are_answered(self):
        other = Authority(self.folder, "other")
        identity = self.authority.issue("client")
        with self.server(f"http.tls.client_ca_file={self.authority.pem}", identity=identity) as server:
            server.flags(b'{"id":"a","text":"one two three four five six"}')
            for shown in ((), other.issue("stranger")):
                server.context = self.authority.client(*shown)
                with self.assertRaises((ssl.SSLError, ConnectionError)):
                    server.get("/healthz")
            self.assertIn("deleted 1 of 1", self.succeed("delete", "--state", self.state, "a"))

    def test_a_new_certificate_is_taken_while_the_service_runs(self):
        with self.server() as server, contextlib.closing(server.connect()) as connection:
            self.assertEqual(self.certificate_of(server), "first")
            server.flags(b'{"id":"a","text":"one two three four five six"}', connection)
            self.put("second")
            wait_until(lambda: self.certificate_of(server) == "second", "the second certificate")
            server.flags(b'{"id":"b","text":"one two three four five six"}', connection)
            self.key.write_text("no key")
            wait_until(lambda: self.certificate_of(server) and "certificates not read" in server.log_text(), "a warning")
            self.assertEqual(self.certificate_of(server), "second")
            self.put("third")
            wait_until(lambda: self.certificate_of(server) == "third", "the third certificate")
            self.assertIn("http.tls.key_file", server.log_text())

    def test_commands_beside_the_service(self):
        with self.server("storage.keep_texts=true") as server:
            server.flags(b"".join(json.dumps({"id": f"d{i}", "text": f"{i} two three four five six"}).encode() + b"\n"
                                  for i in range(5)))
            control = json.loads((self.state / "control").read_text())
            self.assertRegex(control["url"], "^http://127.0.0.1:")
            self.assertNotIn(server.address, control["url"])
            address = control["url"].removeprefix("http://")
            at = ("--state", self.state)
            self.assertIn("deleted 1 of 1", self.succeed("delete", *at, "d1"))
            self.assertEqual(json.loads(self.succeed("stats", *at, "--json"))["documents"], 4)
            self.assertEqual(json.loads(self.succeed("similar", *at, "--id", "d2", "--json"))["searched"], 4)
            self.assertIn("d3", self.succeed("explain", *at, "d2", "d3"))
            self.succeed("backup", *at, self.folder / "backup")
            for path, status in (("/v1/control/stats", 405), ("/v1/documents", 404), ("/healthz", 404)):
                self.assertEqual(server.get(path, address)[0], status)
            with contextlib.closing(http.client.HTTPConnection(address, timeout=60)) as plain:
                status, answer, _ = server.send(b"{}", plain, "/v1/control/stats", Authorization=f"Bearer {control['token']}",
                                                Content_Type="application/json; charset=utf-16")
            self.assertEqual((status, json.loads(answer)["reason"]), (415, "unknown_charset"))
            self.assertIn(b'neardup_notices_total{kind="charset"} 1\n', server.get("/metrics")[1])
        self.succeed("restore", "--state", self.folder / "restored", self.folder / "backup")

    def test_a_backup_is_asked_for_in_tls(self):
        (self.folder / "backups").mkdir()
        token = self.folder / "token"
        with self.server(f"backup.directory={self.folder / 'backups'}") as server:
            token.write_text(f"{server.token}\nanother-token-of-the-service\n")
            url = f"https://{server.address}"
            self.assertIn("0 documents", self.succeed("backup", "--service", url, "--token-file", token))
            refused = self.command("backup", "--service", url, "--token-file", token, trusted=False)
            self.assertEqual(refused.returncode, 78)
            self.assertIn("certificate verify failed", refused.stderr)
            self.succeed("health", f"{url}/healthz")

    def test_the_commands_of_the_docs(self):
        make, ask = re.findall(r"```sh\n(.*?)```", DOCS.split("## TLS\n")[1].split("\n## ")[0], re.DOTALL)
        make, _, serve = make.rstrip().rpartition("\n")
        subprocess.run(["bash", "-c", make], cwd=self.folder, check=True, capture_output=True)
        (self.folder / "docs.jsonl").write_bytes(b'{"id":"a","text":"one two three four five six"}')
        trusted = ssl.create_default_context(cafile=self.folder / "tls.crt")
        with Server(self.state, context=trusted, command=serve.split()) as server:
            done = subprocess.run(["bash", "-c", ask.replace("127.0.0.1:8080", server.address)], cwd=self.folder, check=True,
                                  capture_output=True)
        self.assertEqual(json.loads(done.stdout)["status"], "unique")

    def refusal(self, *sets):
        words = [word for setting in sets for word in ("--set", setting)]
        done = self.command("serve", "--state", self.state, "--set", "http.listen=127.0.0.1:0", *words)
        self.assertEqual(done.returncode, 78, done.stderr)
        return done.stdout + done.stderr

    def test_what_cannot_be_used_is_refused_at_the_start(self):
        cert, key, ca = (f"http.tls.{name}_file=" for name in ("cert", "key", "client_ca"))
        self.assertIn("needs `http.tls.key_file`", self.refusal(f"{cert}{self.cert}"))
        both = self.refusal(f"{key}{self.key}", f"{ca}{self.authority.pem}")
        self.assertEqual(both.count("needs `http.tls.cert_file`"), 2, both)
        self.authority.issue("another")
        wrong = self.refusal(f"{cert}{self.cert}", f"{key}{self.folder / 'another.key'}", f"{ca}/none.pem")
        self.assertIn("http.tls.key_file", wrong)
        self.assertIn("(/none.pem) cannot be read: No such file or directory", wrong)


if __name__ == "__main__":
    unittest.main()
