"""Colours and sizes: contrast in both themes, the switch between these, and screens from 360 to 2560 pixels."""

import unittest

from service_page import VIEWS, ServicePageTest

WIDTHS = (360, 1280, 2560)
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3
STATUSES = 8
# The contrast (WCAG 2.2, "relative luminance") of each element's colour, or that of its ::before, to its background.
CONTRASTS = """([selector, pseudo]) => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = numbers(colour).map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    const colour = getComputedStyle(node).backgroundColor;
    return (numbers(colour)[3] ?? 1) === 0 ? behind(node.parentElement) : colour;
  };
  return [...document.querySelectorAll(selector)].map((node) => {
    const [low, high] = [getComputedStyle(node, pseudo).color, behind(node)].map(luminance).sort((a, b) => a - b);
    return [node.textContent, (high + 0.05) / (low + 0.05)];
  });
}"""


class Colours(ServicePageTest):
    def assert_contrast(self, page, selector, pseudo=None, least=1):
        found = page.evaluate(CONTRASTS, [selector, pseudo])
        self.assertGreaterEqual(len(found), least, selector)
        for words, contrast in found:
            self.assertGreaterEqual(contrast, LEAST_CONTRAST, f"{selector} {words}")

    def test_statuses_have_a_shape_each_and_can_be_read_in_both_themes(self):
        server = self.filled()
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                page = self.open(self.url(server, "flags"), color_scheme=scheme)
                page.wait_for_selector("tbody tr")
                for pseudo in (None, "::before"):
                    self.assert_contrast(page, ".choices .status", pseudo, STATUSES)
                shapes = page.eval_on_selector_all(".choices .status", "all => all.map((one) => getComputedStyle(one, '::before').content)")
                self.assertEqual(len(set(shapes)), STATUSES, shapes)
                page.goto(self.url(server, "why?a=near&b=one"))
                page.wait_for_selector("article mark")
                for selector in ("del", "ins", ".gone", ".come", ".fold", "button[aria-pressed]", "nav a", "dt"):
                    self.assert_contrast(page, selector)
                page.goto(self.url(server, "why?a=near&b=one&show=shared"))
                page.wait_for_selector(".text mark")
                self.assert_contrast(page, ".text mark")

    def background(self, page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    def test_the_switch_is_remembered_until_it_is_as_the_system_again(self):
        server = self.filled()
        page = self.open(self.url(server, "groups"), color_scheme="light")
        page.wait_for_selector("tbody")
        light = self.background(page)
        page.click("button.theme")
        dark = self.background(page)
        self.assertNotEqual(dark, light)
        for _ in range(2):
            self.assertEqual(page.get_attribute("button.theme", "aria-pressed"), "true")
            self.assertEqual(self.background(page), dark)
            page.reload()
            page.wait_for_selector("tbody")
        page.click("button.theme")
        self.assertEqual(self.background(page), light)
        page.emulate_media(color_scheme="dark")
        self.assertEqual(self.background(page), dark)
        self.assertEqual(page.get_attribute("button.theme", "aria-pressed"), "true")

    def test_no_view_is_wider_than_its_screen(self):
        server = self.filled()
        for address, wanted in VIEWS.items():
            page = self.open(self.url(server, address))
            page.wait_for_selector(wanted)
            for width in WIDTHS:
                with self.subTest(address, width=width):
                    page.set_viewport_size({"width": width, "height": 800})
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)


if __name__ == "__main__":
    unittest.main()
