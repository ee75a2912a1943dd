"""docs/tutorials/kafka.md with a real broker: its configuration, its Python, and what that prints."""

import pathlib
import secrets
import sys
import unittest

import package

sys.path.insert(0, str(package.TESTS / "kafka"))
import needs  # noqa: E402

needs.broker()
import client  # noqa: E402, F401
import service  # noqa: E402
from broker import Cluster  # noqa: E402
from pages_test import BLOCK, DOCS, run, steps  # noqa: E402
import outside  # noqa: E402

yaml = outside.or_skip(needs.REQUIRED_BY, outside.module, "yaml", "python3-yaml")
PAGE = (DOCS / "tutorials" / "kafka.md").read_text(encoding="utf-8")


class Page(package.Test):
    def start_service(self, cluster):
        """The service of the page, with another broker, port and folder."""
        configuration, = [text for language, text in BLOCK.findall(PAGE) if language == "yaml"]
        self.token = secrets.token_hex(16)
        (self.folder / "token").write_text(self.token)
        keys = {f"{section}.{key}": value for section, values in yaml.safe_load(configuration).items() for key, value in values.items()}
        keys.update({"kafka.brokers": cluster.bootstrap, "storage.path": str(self.folder / "state"), "http.listen": "127.0.0.1:0",
                     "http.token_file": str(self.folder / "token")})
        started = service.Service(self.folder / "service", keys, ["--create-topics"])
        self.addCleanup(started.kill)
        return started.start().wait_ready()

    def test_it_does_what_it_shows(self):
        cluster = self.enterContext(Cluster(self.folder / "cluster"))
        started = self.start_service(cluster)
        names = {"brokers": cluster.bootstrap, "url": f"http://{started.address()}", "token": self.token}
        run(self, steps(PAGE), names)
        self.assertEqual(started.stop(), 0)


if __name__ == "__main__":
    unittest.main()
