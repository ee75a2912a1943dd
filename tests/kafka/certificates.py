"""TLS for a cluster: a separate certification authority, a certificate for the nodes, and one for clients, which an
intermediate authority has signed: clients have to send the chain, since the broker knows only the first authority."""

import pathlib
import subprocess
from typing import NamedTuple


class Certificates(NamedTuple):
    ca: pathlib.Path
    server: pathlib.Path  # key and certificate in one file, as the broker wants it
    client: pathlib.Path  # the chain
    client_key: pathlib.Path

    def server_properties(self):
        return {"ssl.keystore.type": "PEM", "ssl.keystore.location": self.server,
                "ssl.truststore.type": "PEM", "ssl.truststore.location": self.ca}

    def client_settings(self):
        """For librdkafka; the client's certificate is needed only where the server asks for one."""
        return {"security.protocol": "SSL", "ssl.ca.location": str(self.ca)}

    def client_certificate(self):
        return {"ssl.certificate.location": str(self.client), "ssl.key.location": str(self.client_key)}


def make(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _openssl(folder, "req", "-x509", "-subj", "/CN=authority", "-addext", "keyUsage=keyCertSign", *_new_key("ca"))
    host = "subjectAltName=IP:127.0.0.1,DNS:localhost"
    for name, authority, extensions in (("server", "ca", host), ("between", "ca", "basicConstraints=critical,CA:TRUE"),
                                        ("client", "between", host)):
        _openssl(folder, "req", "-subj", f"/CN={name}", *_new_key(name, f"{name}.request"))
        (folder / f"{name}.extensions").write_text(extensions + "\n")
        _openssl(folder, "x509", "-req", "-in", f"{name}.request", "-CA", f"{authority}.pem", "-CAkey",
                 f"{authority}.key", "-set_serial", str(len(name)), "-days", "2", "-extfile", f"{name}.extensions",
                 "-out", f"{name}.pem")
    chain = folder / "client-chain.pem"
    chain.write_text((folder / "client.pem").read_text() + (folder / "between.pem").read_text())
    both = folder / "server-key-and-certificate.pem"
    both.write_text((folder / "server.key").read_text() + (folder / "server.pem").read_text())
    return Certificates(folder / "ca.pem", both, chain, folder / "client.key")


def _new_key(name, out=None):
    return ["-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", out or f"{name}.pem"]


def _openssl(folder, *words):
    done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {words[0]}: {done.stderr}")
