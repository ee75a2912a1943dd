"""Documents of strangers: whatever is in them is shown as text, and nothing of it runs."""

import json
import unittest
import urllib.parse

from browser import BrowserTest, shown

from server import Server

SCRIPT = "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">"
HOSTILE = {
    "script": SCRIPT,
    "link": "javascript:document.title='run'",
    "right to left": "\u202egnp.exe\u2066 \u200f",
    "control characters": "\u0000\u0001\u001b[31m",
    "quotes": "\"'`>${1}{{1}}&amp;</bdi></title>",
    "slashes": "../../?a=b#/state%00%2f",
    "surrogates": "\U0001F600\ufffd\u2028",
}
COMMON = " ".join(f"word{i}" for i in range(60))
COPIES = "tbody tr:has(td:last-of-type a)"
LONG = 10_000_000  # bytes of a text on one line


class Hostile(BrowserTest):
    def test_names_and_texts_of_every_kind_in_every_view(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            records = []
            for name, text in HOSTILE.items():
                for copy in ("a ", "b "):
                    records.append(json.dumps({"id": copy + text, "namespace": text, "url": text, "text": f"{COMMON} {name} {text}"}))
            flags = [json.loads(line) for line in server.flags("\n".join(records).encode()).splitlines()]
            wanted = len([flag for flag in flags if "duplicate_of" in flag])
            self.assertEqual(wanted, len(HOSTILE))
            page = self.open(f"http://{server.address}/#/flags")
            page.wait_for_selector("tbody tr")
            names = set(page.locator("td:nth-of-type(3) bdi:last-of-type").all_text_contents())
            self.assertEqual(names, {shown(copy + text) for copy in ("a ", "b ") for text in HOSTILE.values()})
            for view, cell, check in (("flags", f"{COPIES} td:last-of-type a", self.check_why),
                                      ("flags", f"{COPIES} td:nth-of-type(3) a", self.check_find),
                                      ("groups", "tbody td:first-of-type a", self.check_group)):
                with self.subTest(check.__name__):
                    self.follow_all(page, server, view, cell, check)

    def follow_all(self, page, server, view, cell, check):
        """Opens every link of the table, each view of which has to show its document. The latest flags come first, groups in order."""
        page.goto(f"http://{server.address}/#/{view}")
        page.wait_for_selector(cell)
        links = page.eval_on_selector_all(cell, "links => links.map((link) => link.getAttribute('href'))")
        self.assertEqual(len(links), len(HOSTILE))
        for link, (name, text) in zip(links, list(HOSTILE.items())[::-1 if view == "flags" else 1]):
            with self.subTest(name):
                page.goto("about:blank")
                page.goto(f"http://{server.address}/{link}")
                check(page, name, text)
                self.assertNotEqual(page.title(), "run")

    def check_why(self, page, name, text):
        page.wait_for_selector("article mark")
        self.assertEqual(page.locator("article h3 bdi").all_text_contents(), [shown(copy + text) for copy in ("b ", "a ")])
        self.assertEqual(page.locator("article .text").all_text_contents(), [shown(f"{COMMON} {name} {text}")] * 2)

    def check_find(self, page, _, text):
        page.wait_for_selector(".facts")
        self.assertEqual(page.locator("[aria-label=Result] h3 bdi").all_text_contents(), [shown("b " + text)])
        self.assertEqual(page.locator(".facts a bdi").all_text_contents(), [shown(text), shown("a " + text)])

    def check_group(self, page, _, text):
        page.wait_for_selector("tbody a")
        self.assertEqual(page.locator("h2 bdi").all_text_contents(), [shown("a " + text)])
        self.assertEqual(page.locator("tbody td:first-of-type bdi").all_text_contents(), [shown(text), shown("b " + text)])

    def test_what_differs_in_texts_of_every_kind(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            for name, text in HOSTILE.items():
                for version in ("old", "new"):
                    record = {"id": f"{version} {name}", "namespace": name, "text": f"{COMMON} {text} {version}{text} end"}
                    server.flags(json.dumps(record).encode())
                link = urllib.parse.urlencode({"a": f"new {name}", "b": f"old {name}", "namespace": name, "columns": 1})
                with self.subTest(name):
                    page = self.open(f"http://{server.address}/#/why?{link}&show=differs")
                    page.wait_for_selector("article mark")
                    self.assertNotEqual(page.title(), "run")
                    words = page.locator(".words")
                    self.assertTrue(words.text_content().endswith(" end"))
                    self.assertEqual(words.locator("*").evaluate_all("all => [...new Set(all.map((one) => one.localName))].sort()"),
                                     ["del", "ins", "mark"])
                    for kind, version in (("del", "new"), ("ins", "old")):
                        changed = "".join(words.locator(kind).all_text_contents())
                        self.assertIn(version, changed)
                        self.assertIn(changed, shown(f" {version}{text} end"))

    def test_bytes_that_are_no_utf_8(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            for name in ("a", "b"):
                server.send(COMMON.encode() + b" \xff\xfe\x80 " + name.encode(), path=f"/v1/documents?id={name}", Content_Type="text/plain")
            page = self.open(f"http://{server.address}/#/why?a=b&b=a&show=shared")
            page.wait_for_selector("article mark")
            self.assertEqual(page.locator(".text").all_text_contents(), [f"{COMMON} \ufffd\ufffd\ufffd {name}" for name in "ba"])

    def test_a_line_of_10_mb(self):
        words = [f"w{i}" for i in range(LONG // 8)]
        text = " ".join(words)[:LONG]
        other = text[:LONG // 2] + " something else " + text[LONG // 2:]
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            server.flags(json.dumps({"id": "a", "text": text}).encode() + b"\n" + json.dumps({"id": "b", "text": other}).encode())
            page = self.open(f"http://{server.address}/#/why?a=b&b=a")
            page.set_default_timeout(60000)
            page.wait_for_selector("article mark")
            self.assertIn("something else", page.locator("del").text_content())
            page.click("button:text-is('What is shared')")
            self.assertIn("2 shared passages", page.inner_text(".steps"))
            for _ in range(2):
                page.click("button:text-is('Next')")
            self.assertLess(len(page.text_content("main")), 500_000)
            part = page.locator(".text").first.text_content()
            self.assertIn("something else", part)

    def test_addresses_that_nobody_would_write(self):
        with Server(self.state) as server:
            page = self.open()
            for address in ("#/find?id=" + urllib.parse.quote(SCRIPT), "#/groups/%zz%", "#/nothing", "#" + SCRIPT, "#token=%zz",
                            "#/why?a=" + urllib.parse.quote(SCRIPT) + "&b=x&source=%00"):
                page.goto("about:blank")
                page.goto(f"http://{server.address}/{address}")
                page.wait_for_selector("main h2")
                page.wait_for_selector(".loading", state="detached")
                self.assertNotEqual(page.title(), "run")


if __name__ == "__main__":
    unittest.main()
