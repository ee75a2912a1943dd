"""The peers, installed from the public registries into a separate folder."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PYTHON_PEERS = {"datasketch": "2.0.0", "rensa": "0.5.0", "FastSketchLSH": "1.0.1"}
PYTHON_HELPERS = ["orjson", "xxhash"]
NATIVE = "-C target-cpu=native"


def default_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "neardup" / "peers"


class Environment:
    """`versions` names what is there; what is not is told on stderr and left out."""

    def __init__(self, folder):
        self.folder = folder
        self.versions = {}
        folder.mkdir(parents=True, exist_ok=True)
        if self._attempt("the Python peers", self._make_python):
            for peer, version in PYTHON_PEERS.items():
                if self._attempt(peer, lambda package=f"{peer}=={version}": self._pip(package)):
                    self.versions[peer] = version
        if self._attempt("gaoya", self._build_gaoya):
            self.versions["gaoya"] = self._gaoya_version()

    @property
    def python(self):
        return self.folder / "python" / "bin" / "python"

    def gaoya(self, native):
        return self.folder / ("gaoya-native" if native else "gaoya-generic") / "release" / "gaoya-peer"

    def _attempt(self, name, install):
        try:
            install()
            return True
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"{name}: cannot be installed, goes without: {error}", file=sys.stderr)
            return False

    def _make_python(self):
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", self.folder / "python"], check=True)
        self._pip(*PYTHON_HELPERS)

    def _pip(self, *packages):
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", *packages], check=True)

    def _build_gaoya(self):
        source = self.folder / "gaoya"  # built from a copy: cargo writes its lock file next to the source
        shutil.copytree(HERE / "gaoya", source, dirs_exist_ok=True)
        for native in (False, True):
            target = self.gaoya(native).parents[1]
            flags = {"RUSTFLAGS": NATIVE} if native else {}
            subprocess.run(["cargo", "build", "--quiet", "--release", "--target-dir", target], cwd=source,
                           env={**os.environ, **flags}, check=True)

    def _gaoya_version(self):
        lines = (self.folder / "gaoya" / "Cargo.lock").read_text().splitlines()
        return lines[lines.index('name = "gaoya"') + 1].split('"')[1]
