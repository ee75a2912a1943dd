"""The HTTP port of a service that waits for its brokers. No broker is needed, since the port opens first."""

import contextlib
import pathlib
import tempfile

import service

NO_BROKER = "127.0.0.1:1"


class NoCluster:
    bootstrap = NO_BROKER


@contextlib.contextmanager
def port(**keys):
    """The service; keys: more of its configuration."""
    with tempfile.TemporaryDirectory(prefix="neardup-http-") as folder:
        folder = pathlib.Path(folder)
        with service.Service(folder, service.config(NoCluster, ["in"], folder / "state", **keys)) as made:
            made.wait_until(lambda: made.get("/healthz")[0] == 200, "an answer")
            yield made
