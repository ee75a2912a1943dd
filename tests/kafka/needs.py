"""What a test with a real broker needs. Where it is missing, the test program ends with 77 and the reason on a line."""

import sys

import jars
import outside

DEBIAN = "/usr/lib/python3/dist-packages"  # python3-confluent-kafka serves any Python of Debian's version


def skip(reason):
    outside.skip(reason, "NEARDUP_REQUIRE_KAFKA")


def broker():
    """To be called before the modules are imported that use confluent_kafka."""
    try:
        jars.folder()
    except jars.Missing as missing:
        skip(missing)
    try:
        import confluent_kafka  # noqa: F401
    except ImportError:
        _try_debian()


def _try_debian():
    sys.path.append(DEBIAN)
    try:
        import confluent_kafka  # noqa: F401
    except ImportError as error:
        skip(f"the Python module confluent_kafka is missing (python3-confluent-kafka): {error}")
