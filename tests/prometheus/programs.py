"""Prometheus and promtool: those of the machine, or Debian's, unpacked once into a cache folder.

Unpacked and not installed, because the package would start a separate server on the machine.
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
    for name in NAMES:
        if not (new / "usr" / "bin" / name).exists():  # Debian 12 has promtool in the package of Prometheus
            _unpack(name, new, own_lists)
    for used in ("lists", "cache"):
        shutil.rmtree(new / used, ignore_errors=True)


def _unpack(name, new, own_lists):
    if not _download(name, new, []) and not (_apt(new, *own_lists, "update") and _download(name, new, own_lists)):
        raise Missing(f"apt-get cannot download Debian's package {name}")
    package, = new.glob(f"{name}_*.deb")
    subprocess.run(["dpkg", "-x", package, new], check=True)
    package.unlink()


def _download(name, new, options):
    return _apt(new, *options, "download", name)


def _apt(folder, *words):
    return subprocess.run(["apt-get", "-qq", *words], cwd=folder, capture_output=True).returncode == 0
