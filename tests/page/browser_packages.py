"""Playwright and axe-core, fetched once from PyPI into a separate environment in the cache folder, and Debian's Chromium."""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402
from outside import Missing  # noqa: E402

REQUIRED_BY = "NEARDUP_REQUIRE_BROWSER"
PACKAGES = pathlib.Path(__file__).resolve().with_name("browser.txt")  # each with its version
NAME = f"browser-1.65.2-python{sys.version_info.major}.{sys.version_info.minor}"


def packages():
    """The folder of the Python packages. Raises Missing where they cannot be had."""
    return next(outside.folder(NAME, _fetch).glob("lib/python3*/site-packages"))


def chromium():
    """The path of the browser. Raises Missing where there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        raise Missing("there is no chromium (scripts/dependencies ci installs it)")
    return found


def needed():
    """Makes `import playwright` work, and returns the path of the browser; where they cannot be had, ends the test program."""
    found = outside.or_skip(REQUIRED_BY, chromium)
    sys.path.append(str(outside.or_skip(REQUIRED_BY, packages)))
    return found


def axe():
    """The source of axe-core."""
    return (packages() / "axe_playwright_python" / "axe.min.js").read_text()


def _fetch(new):
    outside.install(new, PACKAGES, "Playwright")
