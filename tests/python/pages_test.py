"""The Python blocks of pages run as they are shown, in order, and print the block without a language that follows them."""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import unittest

import package
from package import Server, Test, words

DOCS = package.TESTS.parent / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = {"python.md": ["polars"], "tutorials/huggingface.md": ["datasets", "pyarrow"]}


def steps(page):
    """(code, output or None) of each Python block."""
    blocks = BLOCK.findall(page)
    for (language, code), (next_language, output) in zip(blocks, blocks[1:] + [("end", "")]):
        if language == "python":
            yield code, output if not next_language else None


def run(test, steps, names):
    """Runs them in order, with the variables `names`, which then has those of the page, too."""
    for code, wanted in steps:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "page", "exec"), names)
        if wanted is not None:
            test.assertEqual(printed.getvalue(), wanted)


class Pages(Test):
    def test_each_page_does_what_it_shows(self):
        for page, needed in PAGES.items():
            missing = [name for name in needed if importlib.util.find_spec(name) is None]
            with self.subTest(page=page):
                if missing:
                    self.skipTest(f"{', '.join(missing)} not installed")
                self.run_page((DOCS / page).read_text(encoding="utf-8"))

    def run_page(self, page):
        (self.folder / "work").mkdir(exist_ok=True)
        self.addCleanup(os.chdir, pathlib.Path.cwd())
        os.chdir(self.folder / "work")
        documents = [{"id": str(i), "text": words(i * 200, i * 200 + 100)} for i in range(10)]
        with Server(self.folder / f"state-{len(page)}") as server:
            names = {"url": f"http://{server.address}", "token": server.token, "documents": documents, "reader": iter(documents)}
            run(self, steps(page), names)
            for name in "index", "lsh", "client":
                if hasattr(names.get(name), "close"):
                    names[name].close()


if __name__ == "__main__":
    package.main()
