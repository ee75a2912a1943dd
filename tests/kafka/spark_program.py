"""Spark, fetched once from PyPI into a separate environment in the cache folder (455 MB to download)."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402

REQUIRED_BY = "NEARDUP_REQUIRE_SPARK"
VERSION = "4.1.1"
PACKAGES = pathlib.Path(__file__).resolve().with_name("spark.txt")


def environment():
    """What programs find it by, SPARK_HOME for one. Raises Missing where it cannot be had."""
    folder = outside.folder(f"spark-{VERSION}", _fetch)
    home, = folder.glob("lib/python*/site-packages/pyspark")
    python = str(folder / "bin" / "python")
    return {"SPARK_HOME": str(home), "PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": python, "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_SUBMIT_OPTS": "-Dspark.ui.enabled=false -XX:TieredStopAtLevel=1"}  # it starts sooner


def needed():
    """As `environment`, but ends the test program where there is none."""
    return outside.or_skip(REQUIRED_BY, environment)


def _fetch(new):
    outside.install(new, PACKAGES, "Spark")
