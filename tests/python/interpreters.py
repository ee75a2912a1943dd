#!/usr/bin/env python3
"""The Pythons that are installed here and that the package supports. As a program it prints one for each wheel that serves them: 3.10,
3.11 and the oldest from 3.12 on, that of `python3` last."""

import pathlib
import subprocess
import sys

VERSIONS = range(10, 15)  # of Python 3
SHARED = 12  # from this one on one wheel serves all


BUILDS = "import ensurepip, os, sysconfig; os.stat(sysconfig.get_path('include') + '/Python.h')"


def interpreters():
    """{N of 3.N: path} of the ones on the path and of pyenv, if they run."""
    found = {}
    for n in VERSIONS:
        for candidate in (f"python3.{n}", *sorted(pathlib.Path.home().glob(f".pyenv/versions/3.{n}.*/bin/python3"))):
            try:
                done = subprocess.run([candidate, "-c", "import sys, ssl; print(sys.executable, *sys.version_info[:2], sep='\\n')"],
                                      capture_output=True, text=True)
            except OSError:
                continue
            if done.returncode == 0 and done.stdout.splitlines()[1:] == ["3", str(n)]:
                found[n] = done.stdout.splitlines()[0]
                break
    return found


def builders():
    """The paths of those to build wheels with."""
    can_build = {n: python for n, python in interpreters().items() if subprocess.run([python, "-c", BUILDS], capture_output=True).returncode == 0}
    found = {**can_build, sys.version_info[1]: sys.executable}
    shared = min((n for n in found if n >= SHARED), default=None)
    if sys.version_info[1] >= SHARED:
        shared = sys.version_info[1]
    needed = sorted((n for n in found if n < SHARED or n == shared), key=lambda n: n == sys.version_info[1])
    return [found[n] for n in needed]


if __name__ == "__main__":
    print(*builders(), sep="\n")
