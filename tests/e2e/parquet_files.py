"""pyarrow for tests that write Parquet files: that of the running Python, or one fetched from PyPI into a separate environment, in
which the test is then run again. Skipped (77) where it cannot be had, and where neardup was built without Arrow."""

import os
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import neardup  # noqa: E402
import outside  # noqa: E402

PACKAGES = HERE / "pyarrow-packages.txt"
REQUIRED_BY = "NEARDUP_REQUIRE_ARROW"


def interpreter():
    name = f"pyarrow-{PACKAGES.read_text().split('==')[1].strip()}-{sys.version_info[0]}.{sys.version_info[1]}"
    return outside.folder(name, lambda new: outside.install(new, PACKAGES, "pyarrow")) / "bin" / "python"


def built_in():
    """Whether the command under test reads Parquet."""
    said = subprocess.run([neardup.BINARY, "--version"], capture_output=True, text=True, check=True).stdout
    return ", Arrow " in said


def damaged(whole, times, end):
    """The bytes of a file with some of them changed, by turns anywhere and in the last `end`."""
    chosen = random.Random(3)
    for n in range(times):
        bad = bytearray(whole)
        for _ in range(chosen.choice([1, 4, 40])):
            bad[chosen.randrange(len(bad)) if n % 2 else len(bad) - 1 - chosen.randrange(end)] = chosen.randrange(256)
        yield bad


if not built_in():
    outside.skip("neardup was built without Arrow (cmake -D NEARDUP_ARROW_ROOT=\"$(scripts/arrow)\")", REQUIRED_BY)
try:
    import pyarrow  # noqa: F401
except ImportError:
    if "NEARDUP_PYARROW" in os.environ:
        raise
    python = outside.or_skip(REQUIRED_BY, interpreter)
    os.execve(python, [python, "-B", *sys.argv], {**os.environ, "NEARDUP_PYARROW": "1"})
