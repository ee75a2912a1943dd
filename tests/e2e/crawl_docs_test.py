"""docs/crawl.md works from top to bottom: its commands run in their order and print what stands below them."""

import gzip
import pathlib
import re
import unittest

from crawl_test import members, warc, wet
from folder import PageTest

TEXT = (pathlib.Path(__file__).resolve().parents[2] / "docs/crawl.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```(?:\n+```\n(.*?)```)?", TEXT, re.DOTALL)

HARBOUR = ("The harbour of the town was closed on Monday because of a storm, and ships waited outside until the wind fell. The ferry to "
           "the islands did not leave before the evening, and the market on the quay was moved into the old customs house.")
LIBRARY = ("A new library opens next week in the old market hall. It has room for forty thousand books, a cafe under the glass roof and "
           "desks at which pupils can learn in the afternoon. Members of the old library keep their cards.")
BRIDGE = ("The council voted for a second bridge over the river, which is to be built in two years and paid by a toll. Two members asked "
          "for a tunnel instead, which would have cost three times as much and taken ten years.")


def pages(texts):
    return [{"id": f"urn:uuid:{number:08}", "url": f"https://{site}.example/", "ts": "2026-11-02T03:04:05Z", "text": text}
            for number, (site, text) in texts.items()]


FIRST = pages({1: ("harbour", HARBOUR), 2: ("library", LIBRARY), 3: ("mirror", HARBOUR),
               4: ("news", HARBOUR + " Share this page."), 5: ("short", "Not found")})
SECOND = pages({6: ("bridge", BRIDGE), 7: ("archive", LIBRARY)})


class CrawlDocs(PageTest):
    def test_every_command(self):
        self.assertEqual(len(BLOCKS), TEXT.count("```sh"))
        self.assertGreater(len(BLOCKS), 4)
        for name, content in (("crawl-1.warc.wet.gz", members(wet(FIRST))), ("crawl-2.warc.wet.gz", members(wet(SECOND))),
                              ("pages.warc.gz", members(warc(FIRST)))):
            (self.folder / name).write_bytes(content)
        self.run_page(BLOCKS)
        kept = gzip.decompress((self.folder / "kept.warc.wet.gz").read_bytes())
        self.assertEqual(kept, b"".join(wet(FIRST)[place] for place in (1, 2, 5)) + wet(SECOND)[1])


if __name__ == "__main__":
    unittest.main()
