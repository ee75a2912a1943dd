"""Prometheus and promtool: those of the machine, or Debian's, unpacked once into a cache folder.

Unpacked and not installed, because the package would start a server of its own on the machine.
"""

import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402
from outside import Missing  # noqa: E402

NAMES = ("prometheus", "promtool")
REQUIRED_BY = "NEARDUP_REQUIRE_PROMETHEUS"


def folder():
    """The folder with both programs; fetches them where needed. Raises Missing where they cannot be had."""
    own = [shutil.which(name) for name in NAMES]
    if all(own):
        return pathlib.Path(own[0]).parent
    return outside.folder("prometheus", _fetch) / "usr" / "bin"


def needed():
    """Ends the test program where there are none."""
    outside.or_skip(REQUIRED_BY, folder)


def _fetch(new):
    if shutil.which("apt-get") is None:
        raise Missing("Prometheus is not installed, and this is not a Debian system")
    # The lists of packages may be old, or none; only root could renew those of the machine.
    for used in ("lists/partial", "cache/archives/partial"):
        (new / used).mkdir(parents=True)
    own_lists = ["-o", f"Dir::State::Lists={new}/lists", "-o", f"Dir::Cache={new}/cache"]
    if not _download(new, []) and not (_apt(new, *own_lists, "update") and _download(new, own_lists)):
        raise Missing("apt-get cannot download Debian's package prometheus")
    package, = new.glob("prometheus_*.deb")
    subprocess.run(["dpkg", "-x", package, new], check=True)
    for used in ("lists", "cache"):
        shutil.rmtree(new / used, ignore_errors=True)
    package.unlink()


def _download(new, options):
    return _apt(new, *options, "download", "prometheus")


def _apt(folder, *words):
    return subprocess.run(["apt-get", "-qq", *words], cwd=folder, capture_output=True).returncode == 0
