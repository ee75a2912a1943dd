"""The views of the page over a live service: what they show, by which addresses, and what when there is nothing to show."""

import json
import unittest
import urllib.parse

from service_page import DOCUMENTS, KEPT, NEAR, VIEWS, WORDS, ServicePageTest, body

from server import Server

ASKED = {"overview": "history", "flags": "flags", "why?a=near&b=one": "compare", "find?id=near": "documents", "groups": "groups",
         "groups/one": "documents", "state": "stats"}  # what each waits for, of the API


class Views(ServicePageTest):
    def test_every_view_has_an_address_is_accessible_and_fits_a_narrow_screen(self):
        server = self.filled()
        for address, wanted in VIEWS.items():
            with self.subTest(address):
                page = self.assert_accessible(self.url(server, address), wanted)
                page.set_viewport_size({"width": 360, "height": 640})
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)

    def test_every_view_says_that_it_waits_for_the_service(self):
        server = self.filled()
        for address, wanted in VIEWS.items():
            with self.subTest(address):
                page = self.open()
                self.hold(page, f"**/v1/{ASKED[address]}**")
                page.goto(self.url(server, address))
                page.wait_for_selector("main .loading")
                self.assertEqual(page.locator(wanted).count(), 0)
                self.held.continue_()
                page.wait_for_selector(wanted)
                self.assertEqual(page.locator("main .loading").count(), 0)

    def hold(self, page, address):
        """Keeps the first request to that address as `held`."""
        def keep(route):
            self.held = route
        page.route(address, keep, times=1)

    def test_labels_of_charts_can_be_read_on_a_narrow_screen(self):
        server = self.filled()
        page = self.open(self.url(server), viewport={"width": 360, "height": 640})
        page.wait_for_selector("svg.chart")
        labels = page.eval_on_selector_all("svg.chart text", """texts => texts.map((text) => {
            const [chart, label] = [text.ownerSVGElement, text].map((one) => one.getBoundingClientRect());
            return [label.height, label.left - chart.left, chart.right - label.right];
        })""")
        for height, left, right in labels:
            self.assertGreater(height, 11)
            self.assertGreaterEqual(min(left, right), 0)

    def test_flags_come_live_and_can_be_chosen(self):
        server = self.filled()
        page = self.open(self.url(server, "flags"))
        page.wait_for_selector("tbody tr")
        self.assertEqual(self.cells(page, 1), ["5", "4", "3", "2", "1"])
        self.assertEqual(self.cells(page, 3), ["no text", "news / apart", "same", "near", "one"])
        page.wait_for_selector("text=Live")
        server.flags(body([{"id": "new", "text": " ".join(NEAR)}]))
        page.wait_for_selector("tbody tr:nth-child(6)")
        self.assertEqual(self.cells(page, 2)[0], "near duplicate")
        page.focus("a[aria-label='Why near is a copy']")
        server.flags(body([{"id": "newest"}]))
        page.wait_for_selector("text=newest")
        self.assertEqual(page.evaluate("document.activeElement.ariaLabel"), "Why near is a copy")
        page.click("button:text-is('Pause')")
        server.flags(body([{"id": "in the pause"}]))
        page.wait_for_timeout(500)
        self.assertNotIn("in the pause", page.inner_text("main"))
        page.click("button:text-is('Go on')")
        page.wait_for_selector("text=in the pause")
        page.uncheck("input[name=unique]")
        page.wait_for_selector("tbody:has(tr:nth-child(6)):not(:has(tr:nth-child(7)))")
        self.assertEqual(self.cells(page, 2), ["rejected", "rejected", "near duplicate", "rejected", "exact duplicate", "near duplicate"])
        self.assertIn("only=near_duplicate", urllib.parse.unquote(page.url))
        page.click("a[aria-label='Why near is a copy']")
        page.wait_for_selector("article mark")
        self.assertEqual(page.url, self.url(server, "why?a=near&b=one"))

    def test_groups_lead_to_their_copies(self):
        server = self.filled()
        page = self.open(self.url(server, "groups"))
        page.click("tbody a")
        page.wait_for_selector("h2:has-text('Group one')")
        self.assertEqual(self.cells(page, 1), ["near", "same"])
        self.assertEqual(page.url, self.url(server, "groups/one"))
        server.flags(body({"id": f"copy {i}", "text": " ".join(WORDS)} for i in range(120)))
        page.reload()
        page.wait_for_selector("caption:text-is('100 copies so far')")
        page.click("button:text-is('More')")
        page.wait_for_selector("caption:text-is('122 copies')")
        self.assertEqual(self.cells(page, 1)[-1], "copy 119")
        self.assertFalse(page.is_visible("button:text-is('More')"))

    def test_any_two_copies_of_a_group_can_be_compared(self):
        server = self.filled()
        page = self.open(self.url(server, "groups/one"))
        page.wait_for_selector("tbody tr:nth-child(2)")
        for name, ready in (("near", False), ("same", True), ("near", False), ("near", True)):
            page.click(f"input[aria-label='Choose {name}']")
            self.assertEqual(page.is_enabled("button:text-is('Compare the two')"), ready)
        page.click("button:text-is('Compare the two')")
        page.wait_for_selector("article mark")
        self.assertEqual(page.url, self.url(server, "why?a=same&b=near"))

    def test_a_dropped_file_is_checked(self):
        server = self.filled()
        page = self.open(self.url(server, "find"))
        page.click("summary:has-text('By a text')")
        drop = """([text]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], "notes.txt"));
          const target = document.querySelector("textarea[name=text]");
          target.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }"""
        page.evaluate(drop, ["x" * (9 << 20)])
        page.wait_for_selector("textarea[name=text]:invalid")
        self.assertEqual(page.input_value("textarea[name=text]"), "")
        self.assertIn("notes.txt has 9 MiB", page.eval_on_selector("textarea[name=text]", "field => field.validationMessage"))
        page.evaluate(drop, [" ".join(NEAR)])
        page.wait_for_selector("textarea[name=text]:valid")
        page.click("button:text-is('Check')")
        page.wait_for_selector("article mark")
        self.assertIn("near duplicate", page.locator(".facts").first.inner_text())

    def test_find_by_id_by_text_and_by_flag(self):
        server = self.filled()
        page = self.open(self.url(server, "find"))
        page.fill("input[name=id]", "apart")
        page.fill("form:has(h3) input[name=namespace]", "news")
        page.click("button:text-is('Find')")
        page.wait_for_selector("dd:has-text('kept: later documents')")
        self.assertEqual(page.url, self.url(server, "find?id=apart&namespace=news"))
        page.goto(self.url(server, "find?id=near"))
        page.click("a:text-is('Its group')")
        page.wait_for_selector("h2:has-text('Group one')")
        page.go_back()
        page.click("summary:has-text('By a text')")
        page.fill("textarea[name=text]", " ".join(NEAR).upper())
        page.click("button:text-is('Check')")
        page.wait_for_selector("article mark")
        self.assertIn("near duplicate", page.locator(".facts").first.inner_text())
        page.click("summary:has-text('By a line')")
        page.fill("textarea[name=line]", server.flags(body([DOCUMENTS[1]])).decode())
        page.click("button:text-is('Read')")
        page.wait_for_selector("h3:text-is('The flag')")
        page.fill("textarea[name=line]", "<b>")
        page.click("button:text-is('Read')")
        page.wait_for_selector("text=This is no line of a flags file")

    def test_state_shows_rule_and_settings(self):
        (self.folder / "backups").mkdir()
        server = self.filled((f"backup.directory={self.folder}/backups",))
        page = self.open(self.url(server, "state"))
        page.wait_for_selector("caption:has-text('Rule b82c3c6882490bab')")
        page.click("summary:has-text('All settings')")
        self.assertIn("keep_texts: all", page.inner_text("pre"))
        facts = page.inner_text(".facts")
        for fact in ("documents\n2", "ids\n4", "next seq\n6", "latest backup\nthere is none"):
            self.assertIn(fact, facts)

    def test_state_says_when_the_disk_is_full(self):
        sample = {"documents": {}, "disk_free_bytes": 1 << 40}
        with Server(self.state) as server:
            page = self.open()
            for grown in (10 << 20, 0):  # bytes in 100 s
                samples = [{"documents": {}, "time_ms": 0}, sample | {"time_ms": 1, "state_bytes": 5}, sample | {"time_ms": 100_001, "state_bytes": 5 + grown}]
                answer = json.dumps({"every_seconds": 5, "samples": samples})
                page.unroute("**/v1/history")
                page.route("**/v1/history", lambda route, _, answer=answer: route.fulfill(body=answer))
                page.goto("about:blank")
                page.goto(self.url(server, "state"))
                page.wait_for_selector("dt:text-is('free there')")
                facts = page.inner_text(".facts")
                self.assertIn("free there\n1 TiB", facts)
                if grown:  # 2^40 bytes at 10 MiB in 100 s are 10,485,760 s
                    self.assertIn("until it is full, if the state grows as now\n121 days", facts)
                else:
                    self.assertNotIn("until it is full", facts)

    def test_state_shows_positions_in_kafka(self):
        metrics = "".join(f'neardup_kafka_{name}{{topic="docs.in",partition="{partition}"}} {value}\n' for partition in (0, 11)
                          for name, value in (("committed_offset", 1200), ("end_offset", 1300 + partition), ("lag_records", 100)))
        with Server(self.state) as server:
            page = self.open()
            page.route("**/metrics", lambda route: route.fulfill(body=metrics))  # in place of a service that reads Kafka
            page.goto(self.url(server, "state"))
            page.wait_for_selector("text=docs.in / 11")
            row = page.locator("tr:has-text('docs.in / 11') td").all_text_contents()
            self.assertEqual(row, ["docs.in / 11", "1,200", "1,311", "100"])
            page.unroute("**/metrics")
            page.reload()
            page.wait_for_selector("caption:has-text('Rule')")
            self.assertNotIn("Positions in Kafka", page.inner_text("main"))

    def test_a_service_without_documents(self):
        with Server(self.state) as server:
            page = self.open()
            for address, wanted in {"flags": "No document was decided since the service started", "groups": "No document has a copy",
                                    "why": "Give two documents", "state": "Rule"}.items():
                page.goto(self.url(server, address))
                page.wait_for_selector(f"text={wanted}")
            page.goto(self.url(server))
            page.wait_for_selector("svg.chart")
            for empty in ("a rate needs two samples", "None of the latest flags is a near-duplicate", "No document has a copy"):
                self.assertIn(empty, page.inner_text("main"))

    def test_links_to_a_document_that_was_deleted(self):
        server = self.filled()
        page = self.open(self.url(server, "why?a=near&b=one"))
        page.wait_for_selector("article mark")
        connection = server.connect()
        self.addCleanup(connection.close)
        connection.request("DELETE", "/v1/documents/near", headers={"Authorization": f"Bearer {server.token}"})
        self.assertEqual(connection.getresponse().status, 200)
        for address, wanted in {"why?a=near&b=one": "A document that was deleted", "find?id=near": "It was never decided here, or was deleted",
                                "groups/near": "It was never decided here, or was deleted"}.items():
            page.goto(self.url(server, address))
            page.reload()
            page.wait_for_selector(f"text={wanted}")

    def test_it_asks_for_a_token_and_says_when_it_is_no_longer_taken(self):
        tokens = self.folder / "readers"
        tokens.write_text("first-token-of-readers\n")
        server = self.filled((f"http.read_token_file={tokens}",))
        page = self.open(self.url(server, "groups"))
        page.wait_for_selector("text=The service asks for a token")
        for token, wanted in (("wrong", "text=The token is not taken"), ("first-token-of-readers", "tbody")):
            page.fill("input[name=token]", token)
            page.keyboard.press("Enter")
            page.wait_for_selector(wanted)
        page.reload()
        page.wait_for_selector("tbody")
        self.assertNotIn("first-token", page.url)
        page.goto(self.url(server, "overview"))
        page.wait_for_selector("text=decided since the start")
        tokens.write_text("second-token-of-readers\n")
        page.wait_for_selector("text=The token is not taken")  # without a word of the user
        page.fill("input[name=token]", "second-token-of-readers")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=decided since the start")
        self.assert_accessible(self.url(server, "state"), "input[name=token]")
        page.goto("about:blank")
        page.goto(f"http://{server.address}/#token=second-token-of-readers")
        page.wait_for_selector("text=decided since the start")
        self.assertNotIn("token", page.url)

    def test_live_flags_ask_for_a_token_when_theirs_is_taken_back(self):
        tokens = self.folder / "readers"
        tokens.write_text("first-token-of-readers\n")
        server = self.filled((f"http.read_token_file={tokens}",))
        page = self.open(f"http://{server.address}/#token=first-token-of-readers")
        page.wait_for_selector("text=decided since the start")
        page.click("nav a:text-is('Flags')")
        page.wait_for_selector("text=Live")
        tokens.write_text("second-token-of-readers\n")
        page.wait_for_timeout(1500)  # until the service has looked at the file
        server.flags(body([{"id": "secret"}]))
        page.wait_for_selector("text=The token is not taken")
        self.assertNotIn("secret", page.inner_text("main"))
        page.fill("input[name=token]", "second-token-of-readers")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=secret")

    def test_it_survives_a_restart_of_the_service(self):
        with Server(self.state, KEPT) as server:
            server.flags(body(DOCUMENTS))
            live, other = self.open(self.url(server, "flags")), self.open(self.url(server, "groups"))
            live.wait_for_selector("text=Live")
            other.wait_for_selector("tbody")
            now, why = self.open(self.url(server, "overview")), self.open(self.url(server, "why"))
            now.wait_for_selector("svg.chart")
            pasted = self.open(self.url(server, "find"))
            pasted.click("summary:has-text('By a text')")
            pasted.fill("textarea[name=text]", " ".join(NEAR))
        live.wait_for_selector("text=The service does not answer")
        pasted.click("button:text-is('Check')")
        pasted.wait_for_selector("text=The service does not answer")
        for page, address in ((other, "state"), (why, "why?a=near&b=one")):
            page.evaluate("(address) => { location.hash = `#/${address}`; }", address)
            page.wait_for_selector("text=The service does not answer")
        now.wait_for_selector("text=The service does not answer")
        self.assertGreater(now.locator("svg.chart").count(), 0)  # what it knows stays
        with Server(self.state, (*KEPT, f"http.listen={server.address}")) as server:
            other.wait_for_selector("caption:has-text('Rule')")
            why.wait_for_selector("article mark")
            now.wait_for_selector("main:not(:has-text('The service does not answer'))")
            pasted.click("button:text-is('Check')")
            pasted.wait_for_selector("article mark")
            live.wait_for_selector("text=Live")
            server.flags(body([{"id": "after", "text": " ".join(WORDS)}]))
            live.wait_for_selector("text=after")
            self.assertEqual(self.cells(live, 1), ["6", "5", "4", "3", "2", "1"])
        with Server(self.state, KEPT) as server:
            page = self.open(self.url(server, "flags"))
            page.wait_for_selector("text=Live")
            server.flags(body([{"id": "of a new process"}]))
            page.wait_for_selector("text=of a new process")
            self.assertEqual(page.inner_text(".steps [role=status]"), "Live: new flags appear on top.")

    def test_the_keyboard_is_enough(self):
        server = self.filled()
        page = self.open(self.url(server, "why?a=near&b=one"))
        page.wait_for_selector("article mark")
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Skip to the content")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")
        self.tab_to(page, "Next")
        page.keyboard.press("Enter")
        self.assertIn("Change 1 of", page.inner_text(".steps"))
        self.assertEqual(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid")

    def test_the_keyboard_walks_from_a_flag_to_its_why_its_group_and_the_settings(self):
        page = self.open(self.url(self.filled()))
        for control, keys, wanted in (("Flags", ("Enter",), "tbody:has-text('unique')"),
                                      ("unique", ("Space",), "tbody:not(:has-text('unique'))"),
                                      ("Why near is a copy", ("Enter",), "article mark"),
                                      ("Find", ("Enter",), "input[name=id]"), ("id", (*"near", "Enter"), "h3:has-text('near')"),
                                      ("Groups", ("Enter",), "h2:text-is('Groups')"), ("one", ("Enter",), "h2:has-text('Group one')"),
                                      ("State", ("Enter",), "summary:has-text('settings')"),
                                      ("All settings, without secrets", ("Enter",), "pre:visible")):
            with self.subTest(control):
                self.tab_to(page, control)
                for key in keys:
                    page.keyboard.press(key)
                page.wait_for_selector(wanted)


if __name__ == "__main__":
    unittest.main()
