"""Certificates for tests, by the command openssl."""

import pathlib
import ssl
import subprocess


class Authority:
    """Keeps its certificate in `folder`/`name`.pem; `issue` adds those that it signs."""

    def __init__(self, folder, name="authority"):
        self.folder = pathlib.Path(folder)
        self.name = name
        self.pem = self.request(name, "-x509", "-days", "2", "-addext", "basicConstraints=critical,CA:TRUE")

    def request(self, name, *options):
        made = self.folder / f"{name}.pem"
        self.openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                     "-keyout", self.folder / f"{name}.key", "-out", made, *options)
        return made

    def issue(self, name, days=2, names="DNS:localhost,IP:127.0.0.1"):
        """Paths of a certificate for `names`, those of this machine by default, and of its key."""
        made = self.request(name, "-addext", f"subjectAltName={names}")
        self.openssl("x509", "-req", "-in", made, "-CA", self.pem, "-CAkey", self.folder / f"{self.name}.key",
                     "-copy_extensions", "copy", "-days", days, "-out", made)
        return made, self.folder / f"{name}.key"

    def client(self, *identity):
        """The context of a client that trusts this authority and may show (certificate, key)."""
        context = ssl.create_default_context(cafile=self.pem)
        if identity:
            context.load_cert_chain(*identity)
        return context

    @staticmethod
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
