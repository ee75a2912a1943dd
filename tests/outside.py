"""What tests need from outside, fetched once into ${XDG_CACHE_HOME:-~/.cache}/neardup, which all clones share."""

import fcntl
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile


DEBIAN = "/usr/lib/python3/dist-packages"  # its modules serve any Python of Debian's version


class Missing(Exception):
    """Something that tests need cannot be had here; says what."""


def skip(reason, required_by):
    """Ends the test program: skipped for the reason, or failed where the variable `required_by` is set."""
    required = os.environ.get(required_by)
    print(f"{f'failed, {required_by} is set' if required else 'skipped'}: {reason}", flush=True)
    sys.exit(1 if required else 77)


def or_skip(required_by, get, *words):
    """get(*words); where it raises Missing, the test program ends as by `skip`."""
    try:
        return get(*words)
    except Missing as missing:
        skip(missing, required_by)


def module(name, package):
    """Imports a Python module of a Debian package, for whatever Python runs. Raises Missing where there is none."""
    try:
        return importlib.import_module(name)
    except ImportError:
        sys.path.append(DEBIAN)
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Missing(f"the Python module {name} is missing ({package}): {error}") from None


def home():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "neardup"


def folder(name, fetch):
    """The folder of this name. Where it is missing, fetch(new) makes it: fills the folder `new`, or raises Missing."""
    wanted = home() / name
    if not wanted.is_dir():
        home().mkdir(parents=True, exist_ok=True)
        with open(home() / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not wanted.is_dir():  # another process may have fetched it while this one waited
                _fetch(wanted, fetch)
    return wanted


def install(new, packages, what):
    """A Python environment in the folder `new`, with the packages of PyPI that a file lists. Raises Missing, which names `what`."""
    for command in ([sys.executable, "-m", "venv", new],
                    [new / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                     "-r", packages]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing(f"{what} cannot be installed: {(done.stdout + done.stderr).strip()[-500:]}")


def _fetch(wanted, fetch):
    with tempfile.TemporaryDirectory(prefix=f"{wanted.name}-", dir=wanted.parent) as name:
        unfinished = pathlib.Path(name) / "new"
        unfinished.mkdir()
        fetch(unfinished)
        unfinished.rename(wanted)
