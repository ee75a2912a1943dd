"""What a test with a real broker needs. Where it is missing, the test program ends with 77 and the reason on a line."""

import jars
import outside


REQUIRED_BY = "NEARDUP_REQUIRE_KAFKA"


def skip(reason):
    outside.skip(reason, REQUIRED_BY)


def broker():
    """To be called before the modules are imported that use confluent_kafka."""
    outside.or_skip(REQUIRED_BY, jars.folder)
    outside.or_skip(REQUIRED_BY, outside.module, "confluent_kafka", "python3-confluent-kafka")
