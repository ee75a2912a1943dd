"""The pictures of docs/page.md, of documents written for them: NEARDUP_SCREENSHOTS=docs/page tests/page/screenshots_test.py"""

import json
import os
import pathlib
import unittest

from browser import BrowserTest

from server import Server

NOTICE = """The reading room of the library is open from nine to six on weekdays, and from ten to two on Saturdays. \
Books of the open shelves can be taken home for four weeks; newspapers, maps and everything older than a hundred years stay in the house. \
Bring your card and a pencil: ink, food and open bottles have to wait in the lockers at the entrance. \
A book that somebody else has taken home can be ordered at the desk, where you also hear how long it will take to come back."""
CHANGES = {
    "notice-2026-05": (),
    "notice-2026-06": (("six on weekdays", "eight on weekdays"), ("to come back", "until it is back")),
    "notice-2026-06-copy": (("six on weekdays", "eight on weekdays"), ("to come back", "until it is back")),
    "notice-2026-07": (("and a pencil", "and your own headphones"), ("at the entrance", "beside the stairs"), ("four weeks", "six weeks")),
}
OTHERS = {
    "menu": "Soup of the day, bread from the village, apple cake; in summer also elderflower lemonade, as long as there is some.",
    "walk": "Follow the river to the old mill, cross by the wooden bridge, and come back through the orchards before it gets dark.",
}
VIEWS = {"overview": "polygon.area", "flags": "tbody tr", "why?a=notice-2026-06&b=notice-2026-05": "article mark"}


def documents():
    for name, text in OTHERS.items():
        yield {"id": name, "text": text}
    for name, changes in CHANGES.items():
        text = NOTICE
        for old, new in changes:
            text = text.replace(old, new)
        yield {"id": name, "text": text}
    yield {"id": "empty-page"}


class Screenshots(BrowserTest):
    def test_pictures(self):
        folder = pathlib.Path(os.environ.get("NEARDUP_SCREENSHOTS") or self.folder)
        with Server(self.state, ("storage.keep_texts=all",)) as server:
            server.flags("\n".join(map(json.dumps, documents())).encode())
            for scheme in ("light", "dark"):
                page = self.open(viewport={"width": 1280, "height": 600}, color_scheme=scheme)
                for address, wanted in VIEWS.items():
                    page.goto(f"http://{server.address}/#/{address}")
                    page.wait_for_selector(wanted)
                    picture = folder / f"{address.split('?')[0]}-{scheme}.png"
                    page.screenshot(path=picture, full_page=True)
                    self.assertLess(picture.stat().st_size, 200_000)


if __name__ == "__main__":
    unittest.main()
