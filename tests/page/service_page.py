"""A service with a few documents of each kind, whose views are tested."""

import json

from browser import BrowserTest

from server import Server

WORDS = [f"word{i}" for i in range(60)]
NEAR = WORDS[:58] + ["other", "end"]
DOCUMENTS = [{"id": "one", "text": " ".join(WORDS)}, {"id": "near", "text": " ".join(NEAR)}, {"id": "same", "text": " ".join(WORDS)},
             {"id": "apart", "namespace": "news", "text": " ".join(WORDS)}, {"id": "no text"}]
KEPT = ("storage.keep_texts=all",)
# What each view waits for.
VIEWS = {"overview": "svg.chart", "flags": "table", "why?a=near&b=one": "article mark", "find?id=near": ".facts", "groups": "table",
         "groups/one": "table", "state": "table"}


def body(documents):
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


class ServicePageTest(BrowserTest):
    def filled(self, sets=(), documents=DOCUMENTS):
        """A service with the documents, which ends with the test."""
        server = Server(self.state, KEPT + sets)
        server.start()
        self.addCleanup(server.__exit__, None)
        server.flags(body(documents))
        return server

    @staticmethod
    def url(server, address=""):
        return f"http://{server.address}/#/{address}"

    def cells(self, page, column):
        return page.locator(f"tbody td:nth-of-type({column})").all_text_contents()
