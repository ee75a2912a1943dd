"""`neardup report`: its page from a disk, without a network."""

import json
import random
import subprocess
import unittest

from browser import BrowserTest

import neardup
from report_test import HOSTILE, words

BODY = words(random.Random(6), 80)


class ReportPage(BrowserTest):
    def report(self, records, *settings):
        """The address of the page of these records."""
        inputs, page = self.folder / "docs.jsonl", self.folder / "report.html"
        inputs.write_text("".join(json.dumps(record) + "\n" for record in records))
        neardup.scan_or_fail([inputs], self.output)
        subprocess.run([neardup.BINARY, "report", "-o", page, *settings, self.output, inputs], check=True, timeout=60)
        return page.as_uri()

    def of_hostile_documents(self):
        return self.report([{"id": f"{version} {name}", "namespace": name, "text": f"{BODY} {name} {version}"}
                            for name in HOSTILE for version in ("old", "new")])

    def visible(self, text):
        return "".join(chr(0x2400 + ord(one)) if one < " " and one not in "\t\n" else one for one in text)

    def test_it_opens_from_a_disk_and_shows_hostile_documents_as_text(self):
        page = self.open(self.of_hostile_documents(), offline=True)
        page.wait_for_selector("details.pair")
        self.assertEqual(self.hosts, {""})
        self.assertIn(f"{2 * len(HOSTILE)} documents by status", page.inner_text("main"))
        self.assertEqual(page.locator("script").count(), 0)  # the page has taken its own away
        titles = page.locator("details.pair > summary").all_text_contents()
        for name in HOSTILE:
            shown = [i for i, title in enumerate(titles) if title.startswith(self.visible(f"new {name} is a copy of old {name},"))]
            self.assertEqual(len(shown), 1, name)
            pair = page.locator("details.pair").nth(shown[0])
            pair.locator("summary").first.click()
            self.assertEqual(pair.locator(".text").all_text_contents(),
                             [self.visible(f"{BODY} {name} {version}") for version in ("new", "old")])
            self.assertTrue(pair.locator("mark").first.text_content().startswith(BODY[:100]))

    def test_long_texts_say_that_they_are_excerpts(self):
        long = words(random.Random(8), 3000)
        page = self.open(self.report([{"id": "a", "text": long}, {"id": "b", "text": f"{long} and so on"}]))
        page.click("details.pair summary")
        self.assertIn("cut to excerpts", page.inner_text(".comparison"))
        self.assertTrue(page.locator(".text").first.text_content().endswith("and so on"))

    def test_all_pairs_are_printed(self):
        page = self.open(self.of_hostile_documents())
        page.wait_for_selector("details.pair")
        page.pdf(path=self.folder / "report.pdf")
        self.assertEqual(page.locator("details.pair[open]").count(), len(HOSTILE))

    def test_it_is_accessible_and_fits_a_narrow_screen(self):
        page = self.assert_accessible(self.of_hostile_documents(), "details.pair")
        page.set_viewport_size({"width": 360, "height": 640})
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)


if __name__ == "__main__":
    unittest.main()
