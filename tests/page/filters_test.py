"""Flags: filters, which stay in the address, and files of what is shown."""

import csv
import json
import unittest

from service_page import WORDS, ServicePageTest, body


class Filters(ServicePageTest):
    def shown(self, page, address, server):
        page.goto("about:blank")
        page.goto(self.url(server, address))
        page.wait_for_selector("text=Live")
        return self.cells(page, 3)

    def test_filters_are_in_the_address(self):
        server = self.filled()
        page = self.open()
        for address, wanted in (("flags?namespace=news", ["news / apart"]), ("flags?id=n", ["no text", "near"]),
                                ("flags?from=0.9&to=0.99", ["near"]), ("flags?from=1", ["same"]), ("flags?reason=missing_text", ["no text"]),
                                ("flags?only=unique&id=o", ["one"]), ("flags?id=nothing", [])):
            with self.subTest(address):
                self.assertEqual(self.shown(page, address, server), wanted)
        self.assertIn("is of this kind", page.inner_text("main"))
        page.click("button:text-is('All flags')")
        page.wait_for_selector("tbody tr:nth-child(5)")

    def test_filters_are_chosen_by_hand_and_hold_for_flags_to_come(self):
        server = self.filled()
        page = self.open(self.url(server, "flags"))
        page.click("summary:has-text('More filters')")
        page.fill("input[name=id]", "ne")
        page.keyboard.press("Enter")
        page.wait_for_selector("tbody:not(:has(tr:nth-child(2)))")
        self.assertTrue(page.url.endswith("#/flags?id=ne"))
        page.wait_for_selector("text=Live")
        server.flags(body([{"id": "other"}, {"id": "new"}]))
        page.wait_for_selector("tbody tr:nth-child(2)")
        self.assertEqual(self.cells(page, 3), ["new", "near"])
        page.uncheck("input[name=rejected]")  # the other filters stay
        page.wait_for_selector("tbody:not(:has(tr:nth-child(2)))")
        self.assertIn("id=ne", page.url)

    def saved(self, page, kind):
        with page.expect_download() as download:
            page.click(f"button:text-is('Save as {kind}')")
        return (self.folder / download.value.suggested_filename, download.value.save_as(self.folder / download.value.suggested_filename))[0]

    def test_what_is_shown_can_be_saved(self):
        hostile = '=cmd|"/C calc"!A1,\n'
        server = self.filled()
        server.flags(body([{"id": hostile, "text": " ".join(WORDS)}]))
        page = self.open(self.url(server, "flags?only=exact_duplicate,near_duplicate"))
        page.wait_for_selector("tbody tr:nth-child(3)")
        page.wait_for_selector("text=Live")
        page.click("button:text-is('Pause')")
        server.flags(body([{"id": "in the pause", "text": " ".join(WORDS)}]))
        page.wait_for_timeout(500)
        lines = [json.loads(line) for line in self.saved(page, "JSON Lines").read_text().splitlines()]
        self.assertEqual([flag["id"] for flag in lines], [hostile, "same", "near"])
        self.assertEqual(lines[1]["duplicate_of"], "one")
        with open(self.saved(page, "CSV"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["id"] for row in rows], ["'" + hostile, "same", "near"])  # no formula
        self.assertEqual(rows[2]["status"], "near_duplicate")


if __name__ == "__main__":
    unittest.main()
