"""Why: what differs in two texts, or the passages that both share, as `neardup explain` finds them."""

import json
import re
import unittest
import urllib.parse

from browser import BrowserTest

import neardup
from server import Server

WORDS = [f"word{i}" for i in range(60)]
IDEOGRAPHS = [chr(0x4E00 + 37 * i) for i in range(80)]
ARABIC = ["".join(chr(0x0627 + (i * 7 + j * 3) % 20) for j in range(4)) for i in range(50)]
# Two texts of each script, which differ in the middle.
PAIRS = {
    "words": (" ".join(WORDS), " ".join(WORDS[:30] + ["NEW,", "words;"] + WORDS[32:])),
    "ideographs": ("".join(IDEOGRAPHS), "".join(IDEOGRAPHS[:40] + ["龍"] + IDEOGRAPHS[41:])),
    "right to left": (" ".join(ARABIC), " ".join(ARABIC[:20] + ["جديد"] + ARABIC[21:])),
    "mixed": ("Ünïcödé and 😀 emoji, " + " ".join(WORDS), "ünïcödé AND 😀 emoji: " + " ".join(WORDS[:-9]) + " the end"),
}
SHOWN = 5  # passages of a kind that explain shows


class Why(BrowserTest):
    def marked(self, page, side):
        return page.locator(f"article:nth-of-type({side + 1}) mark").all_text_contents()

    def explained(self, texts):
        """The passages of explain: by title, the longest first."""
        files = [self.folder / name for name in ("a", "b")]
        for file, text in zip(files, texts):
            file.write_text(text)
        lines = neardup.run("explain", *files).splitlines()
        found, title = {}, None
        for line in lines:
            if passage := re.match(r" +\d+  (.*)", line):
                found[title].append(passage[1])
            elif line and not line.startswith(" "):
                title = line.split(",")[0].split(" (")[0]
                found[title] = []
        return found

    def paste(self, page, texts):
        for name, text in zip(("text_a", "text_b"), texts):
            page.fill(f"textarea[name={name}]", text)
        page.click("button:text-is('Compare')")
        page.wait_for_selector(".sides article mark")

    def test_marks_are_the_passages_of_explain(self):
        with Server(self.state) as server:
            page = self.open(f"http://{server.address}/#/why?show=shared")
            for name, texts in PAIRS.items():
                with self.subTest(name):
                    page.reload()
                    self.paste(page, texts)
                    wanted = self.explained(texts)
                    for side, shared in enumerate((wanted["shared"], self.explained(texts[::-1])["shared"])):
                        self.assertGreater(len(shared), 0)
                        marked = self.marked(page, side)
                        for passage in shared:
                            self.assertIn(passage.removesuffix(" …"), " ".join(marked) if passage.endswith(" …") else marked)
                        if len(shared) < SHOWN:
                            self.assertEqual(len(marked), len(shared))
                    for side, letter in enumerate("ab"):
                        self.assertEqual(page.locator(".sides .text").nth(side).text_content(), texts[side])
                        listed = page.locator(f"details:has(summary:has-text('Only in {letter.upper()}')) td .quoted")
                        self.assertEqual(listed.all_text_contents()[:SHOWN],
                                         wanted.get(f"only in {letter.upper()}", [])[:SHOWN])

    def test_stored_documents_by_a_link(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            a, b = PAIRS["words"]
            server.flags(b"".join(json.dumps({"id": name, "text": text}).encode() + b"\n"
                                  for name, text in (("one", a), ("<b>two</b>/?&#", b))))
            link = urllib.parse.urlencode({"a": "<b>two</b>/?&#", "b": "one"})
            page = self.open(f"http://{server.address}/#/why?{link}")
            page.wait_for_selector("article mark")
            answer = json.loads(server.send(json.dumps({"a": "<b>two</b>/?&#", "b": "one"}).encode(), path="/v1/compare")[1])
            facts = page.locator(".comparison").inner_text()
            sketch, exact = answer["sketch"], answer["exact"]
            for fact in (f"{sketch['equal']} of 256; {sketch['needed']} needed", f"{sketch['bands_hit']} of 16 bands",
                         f"{sketch['similarity']:.3f} (95 %: {sketch['similarity_low']:.3f} to {sketch['similarity_high']:.3f})",
                         f"{exact['similarity']:.3f} ({exact['shared_shingles']} of {exact['shingles']} shingles shared)",
                         f"A contained in B\n{exact['contained_a']:.3f}", f"B contained in A\n{exact['contained_b']:.3f}"):
                self.assertIn(fact, facts)
            self.check_place_on_the_curve(page, exact["similarity"], sketch)

    def check_place_on_the_curve(self, page, similarity, sketch):
        """The dot between the grid lines of 0 and 1, and the labels 0.0 and 1.0 below them; the shaded interval of the estimate."""
        left, right = (page.locator(f"svg.chart text:text-is('{label}')").last.bounding_box() for label in ("0.0", "1.0"))
        bottom, _, top = (line.bounding_box()["y"] for line in page.locator("svg.chart line.grid").all())
        dot = page.locator("svg.chart circle").bounding_box()
        chance = 1 - (1 - similarity ** sketch["rows"]) ** sketch["bands"]
        width = right["x"] + right["width"] - left["x"]
        across = (dot["x"] + dot["width"] / 2 - left["x"]) / width
        shaded = page.locator("svg.chart rect.interval").bounding_box()
        self.assertAlmostEqual((shaded["x"] - left["x"]) / width, sketch["similarity_low"], delta=0.01)
        self.assertAlmostEqual(shaded["width"] / width, sketch["similarity_high"] - sketch["similarity_low"], delta=0.01)
        up = (dot["y"] + dot["height"] / 2 - bottom) / (top - bottom)
        self.assertAlmostEqual(across, similarity, delta=0.01)
        self.assertAlmostEqual(up, chance, delta=0.02)

    def test_a_message_of_kafka_is_read_again_where_its_text_is_not_kept(self):
        a, b = PAIRS["mixed"]
        with Server(self.state, ("storage.keep_texts=kept",)) as server:
            server.flags(b"".join(json.dumps({"id": name, "text": text}).encode() + b"\n" for name, text in (("one", a), ("two", b))))
            asked = []

            def answer(route):
                """In place of a service that reads Kafka."""
                body = json.loads(route.request.post_data)
                asked.append(body["a"])
                if body["a"] == "two":
                    return route.continue_()
                body["a"] = {"text": b}
                return route.fulfill(body=server.send(json.dumps(body).encode(), path="/v1/compare")[1].decode())
            page = self.open()
            page.route("**/v1/compare", answer)
            page.goto(f"http://{server.address}/#/why?a=two&b=one&show=shared&source=" + urllib.parse.quote("my/docs/3/17"))
            page.wait_for_selector("article mark")
            self.assertEqual(asked, ["two", {"source": {"topic": "my/docs", "partition": 3, "offset": 17}}])
            self.assertEqual(page.locator(".text").first.text_content(), b)
            page.unroute("**/v1/compare")
            page.reload()
            page.wait_for_selector("text=The text of A is not kept")
            self.assertIn("two was flagged as a copy of one", page.inner_text("main"))
            page.click("button:text-is('Paste the text of A')")
            page.keyboard.insert_text(b)
            page.click("button:text-is('Compare')")
            page.wait_for_selector("article mark")

    def test_buttons_go_from_one_shared_passage_to_the_next(self):
        with Server(self.state) as server:
            page = self.open(f"http://{server.address}/#/why?show=shared")
            self.paste(page, PAIRS["words"])
            count = len(self.marked(page, 0))
            self.assertEqual(count, 2)
            for place in (1, 2, 1):
                page.click("button:text-is('Next')")
                self.assertEqual(page.locator(".steps [role=status]").inner_text(), f"Shared passage {place} of {count}")
                chosen = page.locator("mark.selected").all_text_contents()
                self.assertEqual((len(chosen), chosen[0]), (2, chosen[1]))
            page.click("button:text-is('Previous')")
            self.assertEqual(page.locator(".steps [role=status]").inner_text(), f"Shared passage 2 of {count}")

    def stored(self, server, **texts):
        server.flags(b"".join(json.dumps({"id": name, "text": text}).encode() + b"\n" for name, text in texts.items()))

    def differing(self, page):
        """The texts of the changes of each side."""
        return [page.locator(f".hunk > :nth-child({side}) mark").all_text_contents() for side in (1, 2)]

    def test_one_changed_word_of_two_thousand_is_the_only_mark(self):
        words = [f"word{i}" for i in range(2000)]
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            self.stored(server, old=" ".join(words), new=" ".join(words[:1000] + ["CHANGED"] + words[1001:]))
            page = self.open(f"http://{server.address}/#/why?a=new&b=old")
            page.wait_for_selector("article mark")
            self.assertEqual(self.differing(page), [["CHANGED"], ["word1000"]])
            self.assertEqual(page.locator(".fold").all_text_contents(), ["… 988 equal words …", "… 987 equal words …"])
            self.assertEqual(page.locator(".steps [role=status]").inner_text(), "1 change")
            page.click("button:text-is('In one column')")
            self.assertEqual(page.locator("mark").count(), 1)
            self.assertEqual([page.locator(f"mark {kind}").inner_text() for kind in ("del", "ins")], ["CHANGED", "word1000"])

    def test_the_switches_stay_in_the_address(self):
        a, b = PAIRS["words"]
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            self.stored(server, one=a, two=b, far=" ".join(WORDS[:25]) + " else")
            page = self.open(f"http://{server.address}/#/why?a=two&b=one")
            page.wait_for_selector("button[aria-pressed=true]:text-is('What differs')")
            for name, key in (("What is shared", "show=shared"), ("What differs", "show=differs"), ("In one column", "columns=1")):
                page.click(f"button:text-is('{name}')")
                self.assertIn(key, page.url)
                self.assertEqual(page.evaluate("document.activeElement.textContent"), name)
                page.reload()
                page.wait_for_selector(f"button[aria-pressed=true]:text-is('{name}')")
            page.goto(f"http://{server.address}/#/why?a=far&b=one")
            page.wait_for_selector("button[aria-pressed=true]:text-is('What is shared')")  # they are not similar

    def test_keys_go_through_the_changes(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            self.stored(server, one=" ".join(WORDS), two=" ".join(WORDS[:20] + ["x"] + WORDS[21:40] + ["more"] + WORDS[40:]))
            page = self.open(f"http://{server.address}/#/why?a=two&b=one&show=differs")
            page.wait_for_selector("article mark")
            for key, place, marks in (("n", 1, ["x", "word20"]), ("n", 2, ["more"]), ("n", 1, ["x", "word20"]), ("p", 2, ["more"])):
                page.keyboard.press(key)
                self.assertEqual(page.locator(".steps [role=status]").inner_text(), f"Change {place} of 2")
                self.assertEqual(page.locator("mark.selected").all_text_contents(), marks)
            page.click("summary:has-text('Compare other')")
            page.fill("input[name=a]", "")
            page.type("input[name=a]", "nnp")  # in a field they are letters
            self.assertEqual(page.locator(".steps [role=status]").inner_text(), "Change 2 of 2")

    def test_texts_that_differ_in_case_and_signs_alone(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            self.stored(server, one=" ".join(WORDS), two=", ".join(WORDS).upper())
            page = self.open(f"http://{server.address}/#/why?a=two&b=one&show=differs")
            page.wait_for_selector("text=No word differs")
            self.assertEqual(page.locator("mark").count(), 0)

    def test_it_is_accessible(self):
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            server.flags(b"".join(json.dumps({"id": str(i), "text": text}).encode() + b"\n"
                                  for i, text in enumerate(PAIRS["words"])))
            for show in ("differs&columns=2", "differs&columns=1", "shared"):
                self.assert_accessible(f"http://{server.address}/#/why?a=1&b=0&show={show}", "article mark")


if __name__ == "__main__":
    unittest.main()
