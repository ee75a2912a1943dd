"""What tests need from outside: fetched once into a cache folder that all clones share, ${XDG_CACHE_HOME:-~/.cache}/neardup."""

import fcntl
import os
import pathlib
import sys
import tempfile


class Missing(Exception):
    """Something that tests need cannot be had here; says what."""


def skip(reason, required_by):
    """Ends the test program: skipped for the reason, or failed where the variable `required_by` is set."""
    required = os.environ.get(required_by)
    print(f"{f'failed, {required_by} is set' if required else 'skipped'}: {reason}", flush=True)
    sys.exit(1 if required else 77)


def home():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "neardup"


def folder(name, fetch):
    """The folder of this name; where it is missing, fetch(new) makes it: it fills the folder `new`, or raises Missing."""
    wanted = home() / name
    if not wanted.is_dir():
        home().mkdir(parents=True, exist_ok=True)
        with open(home() / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not wanted.is_dir():  # another process may have fetched it while this one waited
                _fetch(wanted, fetch)
    return wanted


def _fetch(wanted, fetch):
    with tempfile.TemporaryDirectory(prefix=f"{wanted.name}-", dir=wanted.parent) as name:
        unfinished = pathlib.Path(name) / "new"
        unfinished.mkdir()
        fetch(unfinished)
        unfinished.rename(wanted)
