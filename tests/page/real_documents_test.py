"""Real documents on the page: the licences and copyright notes that every Debian machine has, from a flag to its why and its group."""

import collections
import json
import pathlib
import subprocess
import unittest

from browser import BrowserTest, shown

import neardup
from server import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = [*sorted(pathlib.Path("/usr/share/common-licenses").iterdir()), *sorted(pathlib.Path("/usr/share/doc").glob("*/copyright"))[:200]]
ONLY_NEAR_DUPLICATES = """() => {
  const cells = [...document.querySelectorAll('tbody td:nth-child(2)')];
  return cells.length > 0 && cells.every((cell) => cell.innerText === 'near duplicate');
}"""


class RealDocuments(BrowserTest):
    def setUp(self):
        super().setUp()
        self.documents = self.folder / "documents.jsonl"
        self.documents.write_bytes(subprocess.run([ROOT / "scripts" / "documents", *FILES], stdout=subprocess.PIPE, check=True).stdout)

    def of(self, flags, status):
        return [flag for flag in map(json.loads, flags.splitlines()) if flag["status"] == status]

    def test_a_flagged_document_its_why_and_its_group_are_found_by_links(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            flags = server.flags(self.documents.read_bytes())
            near = self.of(flags, "near_duplicate")
            self.assertGreater(len(near), 0)  # GFDL-1.2 and -1.3 are in Debian's base
            copies = collections.Counter(flag["duplicate_of"] for flag in map(json.loads, flags.splitlines()) if "duplicate_of" in flag)
            page = self.open(f"http://{server.address}/")
            page.wait_for_selector(f"dd:text-is('{len(flags.splitlines()):,}')")
            page.click("nav a:text-is('Flags')")
            page.wait_for_selector("tbody tr")
            for status in neardup.STATUSES - {"near_duplicate"}:
                page.uncheck(f"input[name={status}]")
            page.wait_for_function(ONLY_NEAR_DUPLICATES)
            self.assertEqual(page.locator("td:nth-child(3)").all_inner_texts(), [flag["id"] for flag in reversed(near)])
            page.click("tbody tr:first-child a:text-is('Why')")
            self.check_why(page, server, near[-1])
            page.go_back()
            page.click("tbody tr:first-child td:nth-child(3) a")
            page.click("a:text-is('Its group')")
            page.wait_for_selector("tbody tr")
            members = page.locator("tbody td:first-child").all_inner_texts()
            self.assertIn(near[-1]["id"], members)
            self.assertEqual(len(members), min(100, copies[near[-1]["duplicate_of"]]))
            page.click("nav a:text-is('State')")
            page.wait_for_selector(f"dd:text-is('{len(flags.splitlines()) + 1:,}')")  # the next seq

    def check_why(self, page, server, flag):
        page.wait_for_selector("article mark")
        page.click("button:text-is('What is shared')")
        asked = json.dumps({"a": flag["id"], "b": flag["duplicate_of"], "texts": True}).encode()
        answer = json.loads(server.send(asked, path="/v1/compare")[1])
        raw = {document["id"]: document["text"] for document in map(json.loads, self.documents.read_bytes().splitlines())}
        for side, (letter, name) in enumerate((("a", flag["id"]), ("b", flag["duplicate_of"]))):
            self.assertEqual(answer[letter]["content"], raw[name])
            part = page.locator("article .text").nth(side).text_content()  # all of a text that is not long
            self.assertGreater(len(part), 100)
            self.assertIn(part, shown(raw[name]))
        self.assertIn(f"{answer['sketch']['equal']} of 256", page.inner_text(".comparison"))

    def test_a_report_shows_each_near_duplicate_beside_its_original(self):
        neardup.scan_or_fail([self.documents], self.output)
        near = self.of(self.output.read_bytes(), "near_duplicate")
        report = self.folder / "report.html"
        subprocess.run([neardup.BINARY, "report", "-o", report, self.output, self.documents], check=True, timeout=60)
        page = self.open(report.as_uri(), offline=True)
        page.wait_for_selector("details.pair")
        self.assertEqual(page.locator("details.pair").count(), min(50, len(near)))
        self.assertIn(f"{len(self.output.read_bytes().splitlines()):,} documents by status", page.inner_text("main"))
        for pair in page.locator("details.pair").all()[:3]:
            pair.locator("summary").first.click()
            self.assertGreater(pair.locator("mark").count(), 1)


if __name__ == "__main__":
    unittest.main()
