"""schemathesis, fetched once from PyPI into a separate environment in the cache folder."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402

REQUIRED_BY = "NEARDUP_REQUIRE_SCHEMATHESIS"
VERSION = "4.32.5"
PACKAGES = pathlib.Path(__file__).resolve().with_name("schemathesis.txt")  # it and what it needs, each with its version
# The environment is moved after it was filled, and pip's own programs name the place where it was.
PROGRAM = '#!/bin/sh\nexec "$(dirname "$0")/bin/python" -m schemathesis.cli "$@"\n'


def path():
    """Of the program. Raises Missing where it cannot be had."""
    return outside.folder(f"schemathesis-{VERSION}", _fetch) / "schemathesis"


def needed():
    """As `path`, but ends the test program where there is none."""
    return outside.or_skip(REQUIRED_BY, path)


def _fetch(new):
    outside.install(new, PACKAGES, "schemathesis")
    program = new / "schemathesis"
    program.write_text(PROGRAM)
    program.chmod(0o755)
