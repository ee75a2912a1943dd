"""Overview: what it shows is what the flags, the groups and the state say."""

import unittest

from service_page import DOCUMENTS, WORDS, ServicePageTest, body


def changed(count):
    """A near-duplicate in which the last words are others."""
    return " ".join(WORDS[:-count] + [f"other{count}x{i}" for i in range(count)])


class Overview(ServicePageTest):
    def panel(self, page, title):
        return page.locator(f"section:has(> h3:text-is('{title}'))")

    def rows(self, page, title):
        return [row.locator("th, td").all_inner_texts() for row in self.panel(page, title).locator("tbody tr").all()]

    def test_the_counts_are_there_at_once_and_rates_when_they_are_known(self):
        server = self.filled()
        page = self.open(self.url(server))
        page.wait_for_selector("text=decided since the start")
        for fact in ("documents that are compared with\n2", "ids\n4", "decided in all\n5"):
            self.assertIn(fact, page.inner_text("main"))
        page.wait_for_selector("svg.chart polygon.area")
        shown = page.inner_text("main")
        for fact in ("decided since the start\n5", "unique\n2 (40 %)",
                     "near duplicate\n1 (20 %)", "exact duplicate\n1 (20 %)", "rejected\n1 (20 %)"):
            self.assertIn(fact, shown)
        self.assertEqual(page.locator("svg.chart polygon.area").count(), 4)  # statuses that came
        page.wait_for_selector("text=State on disk")
        for absent in ("Delay from arrival to flag", "Records that wait in Kafka"):
            self.assertNotIn(absent, page.inner_text("main"))

    def test_its_lists_are_those_of_the_flags(self):
        server = self.filled(documents=DOCUMENTS + [{"id": f"changed {n}", "text": changed(n)} for n in (1, 3, 4, 5)] + [{"id": "no text 2"}])
        page = self.open(self.url(server))
        page.wait_for_selector("caption:text-is('Originals with the most copies')")
        self.assertEqual(self.rows(page, "Largest groups"), [["one", "6"]])
        nearest = self.rows(page, "Nearest to the threshold")
        self.assertEqual([row[1:3] for row in nearest][0], ["changed 5", "one"])
        similarities = [float(row[0]) for row in nearest]
        self.assertEqual(similarities, sorted(similarities))
        self.assertEqual(self.rows(page, "Rejected")[0][:2], ["missing text", "2"])
        histogram = {row[0]: int(row[1]) for row in self.rows(page, "Similarity of near-duplicates")}
        self.assertEqual(sum(histogram.values()), 5)
        self.assertIn("0.80 to 0.82, threshold", histogram)
        for name, count in histogram.items():
            low, high = (float(word) for word in name.removesuffix(", threshold").split(" to "))
            self.assertEqual(count, sum(low <= alike < high for alike in similarities), name)

    def test_it_leads_to_the_filtered_flags(self):
        server = self.filled()
        for link, wanted in (("Rejected", ["no text"]), ("Similarity of near-duplicates", ["near"])):
            page = self.open(self.url(server))
            page.wait_for_selector("caption:text-is('Originals with the most copies')")
            cell = "tr:has(td:text-is('1')) a" if link != "Rejected" else "td a"
            self.panel(page, link).locator(cell).first.click()
            page.wait_for_selector("caption:text-is('Latest flags')")
            self.assertEqual(self.cells(page, 3), wanted)

    def test_new_samples_move_nothing_that_one_reads(self):
        server = self.filled()
        page = self.open(self.url(server))
        page.wait_for_selector("svg.chart polygon.area")
        page.focus("a[aria-label='Why near is a copy']")
        before = page.locator("h3:text-is('Rejected')").bounding_box()
        first = page.locator("svg.chart polygon.area").first.get_attribute("points")
        server.flags(body([{"id": "later", "text": "a text of a few words that came later"}]))
        page.wait_for_function("(first) => document.querySelector('svg.chart polygon.area').getAttribute('points') !== first", arg=first)
        self.assertEqual(page.locator("h3:text-is('Rejected')").bounding_box(), before)
        self.assertEqual(page.evaluate("document.activeElement.ariaLabel"), "Why near is a copy")


if __name__ == "__main__":
    unittest.main()
