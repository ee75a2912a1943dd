"""The jars of Apache Kafka, fetched once with Maven (pom.xml) into a cache folder that all tests share."""

import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile

VERSION = "4.1.1"
POM = pathlib.Path(__file__).resolve().with_name("pom.xml")


class Missing(Exception):
    """Something that a broker needs cannot be had here; says what."""


def folder():
    """The folder with all jars; fetches them where needed."""
    _require("java", "Java is not installed (openjdk-17-jre-headless)")
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "neardup"
    jars = home / f"kafka-{VERSION}"
    if not jars.is_dir():
        _require("mvn", "Maven is not installed (maven), and the jars of Kafka are not in the cache")
        home.mkdir(parents=True, exist_ok=True)
        with open(home / "kafka.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not jars.is_dir():  # another process may have fetched them while this one waited
                _fetch(jars)
    return jars


def _require(program, otherwise):
    if shutil.which(program) is None:
        raise Missing(otherwise)


def _fetch(jars):
    with tempfile.TemporaryDirectory(prefix="kafka-", dir=jars.parent) as name:
        unfinished = pathlib.Path(name) / "jars"
        done = subprocess.run(["mvn", "-B", "-q", "-f", POM, "dependency:copy-dependencies",
                               f"-DoutputDirectory={unfinished}"], capture_output=True, text=True)
        if done.returncode != 0:
            errors = [line.partition("[ERROR] ")[2] for line in done.stdout.splitlines() if "[ERROR] " in line]
            raise Missing(f"Maven could not fetch Kafka {VERSION}: {(errors or ['no reason given'])[0]}")
        unfinished.rename(jars)
