"""The page of a service that reads a real Kafka: each view shows what the flags of the output topic say."""

import collections
import json
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "kafka"))
import needs  # noqa: E402

needs.broker()
from browser import BrowserTest  # noqa: E402
from client import Record  # noqa: E402
from service_case import ServiceCase  # noqa: E402

WORDS = [f"word{i}" for i in range(60)]
TEXT = " ".join(WORDS)
NEAR = " ".join(WORDS[:58] + ["other", "end"])
OTHER = " ".join(f"token{i}" for i in range(40))
PARTITIONS = 2
BATCH = 4  # documents; fewer wait for more as long as the test lasts
WAITING = [2, 1]  # documents of each partition


def record(partition, name, **fields):
    return Record(json.dumps({"id": name, **fields}).encode(), partition=partition)


# Originals before their copies: the order between partitions is only that in which they are read.
FIRST = [record(0, "one", text=TEXT), record(1, "other", text=OTHER), record(1, "gone", text=" ".join(reversed(WORDS))),
         record(0, "no text")]
THEN = [record(1, "near", text=NEAR), record(0, "same", text=TEXT), record(0, "other's copy", text=OTHER),
        Record(None, b"gone", partition=1)]


class OverKafka(BrowserTest, ServiceCase):
    def test_each_view_shows_what_kafka_has(self):
        self.input = self.topic(partitions=PARTITIONS)
        self.service = self.make([self.input], storage__keep_texts="kept", batch__documents=BATCH, batch__linger_ms=60_000)
        self.service.start().wait_ready()
        overview, live = self.view("overview"), self.view("flags")
        overview.wait_for_selector("svg.chart")
        live.wait_for_selector("text=Live")
        for records in (FIRST, THEN):
            self.client.produce(self.input, records)
            self.service.wait_caught_up(self.cluster)
        self.flags = sorted((json.loads(message.value) for message in self.outputs(self.service)), key=lambda flag: flag["seq"])
        self.assertEqual(len(self.flags), len(FIRST + THEN))
        self.of_id = {flag["id"]: flag for flag in self.flags}
        for check, words in ((self.check_flags, (live,)), (self.check_why, ()), (self.check_find, ()), (self.check_groups, ()),
                             (self.check_overview, (overview,)), (self.check_state, ())):
            with self.subTest(check.__name__):
                check(*words)

    def view(self, address):
        return self.open(f"http://{self.service.address()}/#/{address}")

    def rows(self, page):
        return [row.locator("td").all_inner_texts() for row in page.locator("tbody tr").all()]

    def check_flags(self, live):
        """All of them have come while the page was open."""
        live.wait_for_selector(f"tbody tr:nth-child({len(self.flags)})")
        shown = [[str(flag["seq"]), flag["status"].replace("_", " "), flag["id"], flag.get("duplicate_of", flag.get("reason", "")),
                  f"{flag['similarity']:.3f}" if "similarity" in flag else ""] for flag in reversed(self.flags)]
        self.assertEqual([row[:5] for row in self.rows(live)], shown)
        live.click("a[aria-label='Why near is a copy']")
        live.wait_for_selector("article mark")
        self.assertIn(f"source={self.input}%2F1%2F", live.url)

    def check_why(self):
        """The text of a copy is not kept: it is read again from Kafka."""
        source = self.of_id["near"]["source"]
        page = self.view("why?a=near&b=one")
        page.wait_for_selector("text=The text of A is not kept")
        page.goto(f"{page.url}&source={source['topic']}/{source['partition']}/{source['offset']}")
        page.wait_for_selector("article mark")
        page.click("button:text-is('What is shared')")
        self.assertEqual(page.locator("article .text").all_text_contents(), [NEAR, TEXT])
        self.assertEqual(page.locator("details:has(summary:has-text('Only in A')) td .quoted").all_text_contents(), ["other end"])

    def check_find(self):
        flag = self.of_id["near"]
        page = self.view("find?id=near")
        page.wait_for_selector("h3:has-text('near')")
        for fact in ("flagged as a copy", "copy of\none", f"similarity\n{flag['similarity']:.3f}", f"seq\n{flag['seq']}"):
            self.assertIn(fact, page.inner_text("main"))
        page.fill("input[name=id]", "gone")
        page.click("button:text-is('Find')")
        page.wait_for_selector("text=It was never decided here, or was deleted")

    def check_groups(self):
        copies = collections.defaultdict(list)
        for flag in self.flags:
            if "duplicate_of" in flag:
                copies[flag["duplicate_of"]].append(flag)
        page = self.view("groups")
        page.wait_for_selector("tbody tr")
        wanted = [[name, str(len(copies[name])), str(self.of_id[name]["seq"])] for name in ("one", "other")]
        self.assertEqual(self.rows(page), wanted)
        page.click("tbody a:has-text('one')")
        page.wait_for_selector("h2:has-text('Group one')")
        self.assertEqual([row[:3] for row in self.rows(page)],
                         [[flag["id"], str(flag["seq"]), f"{flag['similarity']:.3f}"] for flag in copies["one"]])

    def check_overview(self, overview):
        overview.wait_for_selector(f"div:has(dt:text-is('decided since the start')) dd:text-is('{len(self.flags)}')")
        for status, count in collections.Counter(flag["status"] for flag in self.flags).items():
            self.assertIn(f"{status.replace('_', ' ')}\n{count} (", overview.inner_text("main"))
        overview.click("summary:has-text('Delay from arrival to flag')")
        overview.wait_for_selector("figure:has-text('Delay from arrival to flag') td:text-matches('^[0-9.]+ m?s$')")
        overview.wait_for_selector("figure:has-text('Records that wait in Kafka') .legend:has-text('lag: 0')")
        self.client.produce(self.input, [record(partition, f"waiting {i}", text=TEXT) for partition in range(PARTITIONS)
                                         for i in range(WAITING[partition])])
        overview.wait_for_selector(f"figure:has-text('Records that wait in Kafka') .legend:has-text('lag: {sum(WAITING)}')")

    def check_state(self):
        page = self.view("state")
        page.wait_for_selector("text=Positions in Kafka")
        committed = self.cluster.committed(self.service.keys["kafka.group_id"])
        ends = self.cluster.end_offsets(self.input)
        wanted = [[f"{self.input} / {partition}", *map(str, (committed[self.input, partition].offset, ends[partition], WAITING[partition]))]
                  for partition in range(PARTITIONS)]
        self.assertEqual([row for row in self.rows(page) if row[0].startswith(self.input)], wanted)
        facts = page.inner_text(".facts")
        for fact in ("documents\n2", f"next seq\n{len(self.flags) + 1}"):
            self.assertIn(fact, facts)


if __name__ == "__main__":
    unittest.main()
