"""`neardup report`: its page from a disk, without a network."""

import json
import random
import re
import subprocess
import unittest

from browser import BrowserTest, shown

import neardup
from report_test import HOSTILE, words

BODY = words(random.Random(6), 80)


class ReportPage(BrowserTest):
    def report(self, records, inputs=True):
        """The address of the page of these records."""
        documents, page = self.folder / "docs.jsonl", self.folder / "report.html"
        documents.write_text("".join(json.dumps(record) + "\n" for record in records))
        neardup.scan_or_fail([documents], self.output)
        subprocess.run([neardup.BINARY, "report", "-o", page, self.output, *([documents] if inputs else [])], check=True, timeout=60)
        return page.as_uri()

    def rows(self, page, caption, cells="td"):
        return [row.locator(cells).all_inner_texts()
                for row in page.locator(f"table:has(caption:text-is({json.dumps(caption)})) > tbody > tr").all()]

    def of_hostile_documents(self):
        return self.report([{"id": f"{version} {name}", "namespace": name, "text": f"{BODY} {name} {version}"}
                            for name in HOSTILE for version in ("old", "new")])

    def test_it_opens_from_a_disk_and_shows_hostile_documents_as_text(self):
        page = self.open(self.of_hostile_documents(), offline=True)
        page.wait_for_selector("details.pair")
        self.assertEqual(self.hosts, {""})
        self.assertIn(f"{2 * len(HOSTILE)} documents by status", page.inner_text("main"))
        self.assertEqual(page.locator("script").count(), 0)  # the page has taken its own away
        titles = page.locator("details.pair > summary").all_text_contents()
        for name in HOSTILE:
            places = [i for i, title in enumerate(titles) if title.startswith(shown(f"new {name} is a copy of old {name},"))]
            self.assertEqual(len(places), 1, name)
            pair = page.locator("details.pair").nth(places[0])
            pair.locator("summary").first.click()
            self.assertEqual([pair.locator(kind).first.text_content() for kind in ("del", "ins")], ["new", "old"])
            pair.locator("button:text-is('What is shared')").click()
            self.assertEqual(pair.locator(".text").all_text_contents(),
                             [shown(f"{BODY} {name} {version}") for version in ("new", "old")])
            self.assertTrue(pair.locator("mark").first.text_content().startswith(BODY[:100]))

    def test_long_texts_say_that_they_are_excerpts(self):
        long = words(random.Random(8), 3000)
        page = self.open(self.report([{"id": "a", "text": long}, {"id": "b", "text": f"{long} and so on"}]))
        page.click("details.pair summary")
        self.assertEqual(page.locator("del").text_content(), "and so on")
        page.click("button:text-is('What is shared')")
        self.assertIn("cut to excerpts", page.inner_text(".comparison"))
        self.assertTrue(page.locator(".text").first.text_content().endswith("and so on"))

    def test_it_shows_what_the_flags_say(self):
        originals = [words(random.Random(seed), 80) for seed in (21, 22)]
        names = [("a", 0, ""), ("b", 1, ""), ("a near", 0, " end"), ("a nearer", 0, " x"), ("b same", 1, "")]
        page = self.open(self.report([{"id": name, "text": originals[which] + more} for name, which, more in names]))
        flags = [json.loads(line) for line in self.output.read_bytes().splitlines()]
        near = [flag for flag in flags if flag["status"] == "near_duplicate"]
        self.assertEqual(len(near), 2)
        rows = self.rows(page, "Near-duplicates by their similarity to their originals", "th, td.number")
        within = [sum(float(low) <= flag["similarity"] < float(high) for flag in near)
                  for low, high in (re.findall(r"[\d.]+", bucket) for bucket, _ in rows)]
        self.assertEqual([int(count) for _, count in rows], within)
        self.assertEqual(sum(within), len(near))
        self.assertEqual(self.rows(page, "5 documents by status", "th, td.number"),
                         [["unique", "2 (40 %)"], ["near duplicate", "2 (40 %)"], ["exact duplicate", "1 (20 %)"]])
        self.assertEqual(self.rows(page, "Documents of each input, by status"), [[flags[0]["source"]["file"], "2", "2", "1"]])
        (a, *of_a), (b, *of_b) = self.rows(page, "Originals with the most copies")
        self.assertEqual([a, *of_a[:2], b, *of_b[:2]], ["a", "1", "2", "b", "2", "1"])
        self.assertEqual(of_a[2].split("\n"), [f"{flag['id']} {flag['similarity']:.3f}" for flag in near])
        self.assertEqual(of_b[2], "b same 1.000")

    def test_without_inputs_it_says_why_there_is_no_text(self):
        page = self.open(self.report([{"id": "a", "text": BODY}, {"id": "b", "text": f"{BODY} and so on"}], inputs=False))
        self.tab_to(page, page.locator("details.pair > summary").text_content())
        page.keyboard.press("Enter")
        self.assertEqual(page.locator("details.pair[open] .note").inner_text(), "no inputs were given")
        self.assertEqual(page.locator("article").count(), 0)

    def test_a_pair_is_opened_by_the_keyboard(self):
        page = self.open(self.report([{"id": "a", "text": BODY}, {"id": "b", "text": f"{BODY} and so on"}]))
        self.tab_to(page, page.locator("details.pair > summary").text_content())
        self.assertFalse(page.locator("mark").first.is_visible())
        page.keyboard.press("Enter")
        self.assertTrue(page.locator("mark").first.is_visible())

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
