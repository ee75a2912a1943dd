"""The jars of Apache Kafka, fetched once with Maven (pom.xml) into a cache folder that all tests share."""

import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402
from outside import Missing  # noqa: E402

VERSION = "4.1.1"
POM = pathlib.Path(__file__).resolve().with_name("pom.xml")


def folder():
    """The folder with all jars; fetches them where needed. Raises Missing where they, or Java, cannot be had."""
    _require("java", "Java is not installed (default-jre-headless)")
    return outside.folder(f"kafka-{VERSION}", _fetch)


def _require(program, otherwise):
    if shutil.which(program) is None:
        raise Missing(otherwise)


def _fetch(jars):
    _require("mvn", "Maven is not installed (maven), and the jars of Kafka are not in the cache")
    done = subprocess.run(["mvn", "-B", "-q", "-f", POM, "dependency:copy-dependencies", f"-DoutputDirectory={jars}"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line.partition("[ERROR] ")[2] for line in done.stdout.splitlines() if "[ERROR] " in line]
        raise Missing(f"Maven could not fetch Kafka {VERSION}: {(errors or ['no reason given'])[0]}")
