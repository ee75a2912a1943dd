"""Packages of others that tests of the Python package use, fetched once from PyPI into a separate environment in the cache folder."""

import hashlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402

PACKAGES = pathlib.Path(__file__).resolve().with_name("packages.txt")  # each with its version


def name():
    return f"python-packages-{sys.version_info[0]}.{sys.version_info[1]}-{hashlib.sha256(PACKAGES.read_bytes()).hexdigest()[:12]}"


def interpreter():
    """The Python that has them. Raises Missing where they cannot be had."""
    return outside.folder(name(), lambda new: outside.install(new, PACKAGES, "the packages of tests/python")) / "bin" / "python"
