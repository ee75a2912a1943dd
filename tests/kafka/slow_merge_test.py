"""A service whose batches wait for a long merge of the index says so, and a restart continues the merge."""

import json
import os
import random
import unittest

import needs

needs.broker()
import exposition  # noqa: E402
from service_case import ServiceCase  # noqa: E402

DOCUMENTS = 45_000
SLOW_READS = os.environ["NEARDUP_SLOW_READS"]  # the library made from slow_reads.cc
LONG = 200  # seconds
# Many columns and small flushes: much to merge for few documents.
SETTINGS = {"sketch__size": 256, "lsh__bands": 128, "lsh__rows": 2, "storage__expected_documents": 1,
            "batch__documents": 500}


def records():
    words = random.Random(1)
    for i in range(DOCUMENTS):
        yield json.dumps({"id": f"d{i}", "text": " ".join(f"w{words.randrange(10**6)}" for _ in range(12))}).encode()


class SlowMerge(ServiceCase):
    def metric(self, made, name):
        """The value of a metric; 0 if it is not shown yet, before the state is open."""
        status, body = made.get("/metrics")
        shown = exposition.parse(body.decode()) if status == 200 else {}
        return shown[name].value() if name in shown else 0

    def merged(self, made):
        return self.metric(made, "neardup_index_merge_done_ratio")

    def test_it_is_told_and_continued(self):
        topic = self.topic()
        self.client.produce(topic, list(records()))
        made = self.make([topic], **SETTINGS)
        slow = {"LD_PRELOAD": SLOW_READS, "SLOW_READ_MS": "80"}
        made.start(slow).wait_ready()
        made.wait_until(lambda: self.metric(made, "neardup_index_waiting_seconds") > 11, "a long wait", LONG)
        status, body = made.get("/readyz")
        self.assertEqual((status, body), (503, b"the index is being merged, the input waits for it\n"))
        # The last save was at most 10 s and one column ago.
        made.wait_until(lambda: self.merged(made) > 0.6, "most of a merge", LONG)
        made.kill()

        made.start(slow).wait_until(lambda: self.merged(made) > 0, "a merge", LONG)
        self.assertGreater(self.merged(made), 0.2, "it was begun again")
        made.stop(LONG)

        made.start().wait_ready().wait_flags(self.client, DOCUMENTS, LONG)
        made.wait_until(lambda: self.metric(made, "neardup_index_waiting_seconds") == 0, "the end of waiting")
        self.assertEqual(made.stop(), 0)


if __name__ == "__main__":
    unittest.main()
