"""docs/search.md works from top to bottom: its commands run in their order and print what stands below them."""

import pathlib
import re
import unittest

from folder import PageTest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/search.md"
BLOCKS = re.findall(r"```sh\n(.*?)```\n```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


class SearchDocs(PageTest):
    def test_every_command(self):
        self.assertEqual(len(BLOCKS), 5)
        self.run_page(BLOCKS)


if __name__ == "__main__":
    unittest.main()
