"""Tests of the page in a real browser: each fails on what the page writes to the console, and on a request to another host."""

import sys
import pathlib
import urllib.parse

FOLDERS = ("http", "e2e")
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in FOLDERS]

import browser_packages  # noqa: E402
from folder import FolderTest  # noqa: E402

CHROMIUM = browser_packages.needed()
AXE = browser_packages.axe()

from playwright.sync_api import sync_playwright  # noqa: E402

# What the browser itself writes about an answer of 401, 404 or none at all.
OF_BROWSER = "Failed to load resource"

# What people call the element that has the focus: its label, its name in a form, or its text.
FOCUSED = "() => [document.activeElement].map((at) => at.ariaLabel ?? at.getAttribute('name') ?? at.textContent)[0]"
MOST_TABS = 60


def shown(text):
    """Control characters are shown as their pictures."""
    return "".join(chr(0x2400 + ord(c)) if ord(c) < 0x20 and c not in "\t\n" else c for c in text)


class BrowserTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])  # it may be root

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        super().tearDownClass()

    def setUp(self):
        super().setUp()
        self.faults, self.hosts = [], set()

    def open(self, url="about:blank", **options):
        """A page in a separate context. It is closed, and what it did is checked, at the end of the test."""
        context = self.browser.new_context(**options)
        self.addCleanup(self.assertEqual, self.faults, [])
        self.addCleanup(lambda: self.assertEqual({host for host in self.hosts if host and not host.startswith("127.0.0.1:")}, set()))
        self.addCleanup(context.close)
        context.set_default_timeout(15000)
        page = context.new_page()
        page.on("console", lambda line: line.text.startswith(OF_BROWSER) or self.faults.append(line.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self.hosts.add(urllib.parse.urlsplit(request.url).netloc))
        page.goto(url)
        return page

    def tab_to(self, page, wanted):
        """Presses Tab until what is called `wanted` has the focus."""
        reached = []
        while len(reached) < MOST_TABS and wanted not in reached:
            page.keyboard.press("Tab")
            reached.append(page.evaluate(FOCUSED))
        self.assertEqual(reached[-1], wanted, reached)

    def assert_accessible(self, url, wait_for):
        """A page in which axe-core, which its policy would not let in, finds nothing, in light and in dark."""
        page = self.open(url, bypass_csp=True)
        page.wait_for_selector(wait_for)
        page.evaluate(AXE)
        for scheme, rules in (("light", "{}"), ("dark", "{runOnly: ['color-contrast']}")):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(f"axe.run({rules})")["violations"]
            self.assertEqual([(rule["id"], [node["html"] for node in rule["nodes"]][:3]) for rule in found], [], scheme)
        return page
