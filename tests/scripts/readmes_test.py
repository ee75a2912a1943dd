"""A folder's README names each of its headers, and no file that is not there."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("config", "gpu", "metrics", "pipeline", "python", "service", "storage")
NAME = re.compile(r"`([\w./…*-]+)`")  # `fields.h`, or `fields` for it and its .cc
WHOLE = ("pipeline/base/", "pipeline/model/")  # folders whose entry stands for all headers in them
FILE = re.compile(r"[\w./…*-]+\.(?:h|cc|cu|cmake|in|py)")


def readmes():
    return sorted(readme for folder in FOLDERS for readme in (ROOT / folder).rglob("README.md"))


def folder_of(path):
    """The nearest folder above that has a README."""
    return next(folder for folder in path.parents if (folder / "README.md").exists())


def headers(folder):
    return [header for header in folder.rglob("*.h") if folder_of(header) == folder]


def pattern(name):
    """`…_impl.h` and `catalogue*.cc` stand for any beginning and middle."""
    path = re.escape(name).replace("…", r"[^/]*").replace(r"\*", r"[^/]*")
    return re.compile(r"(?:.*/)?" + path + r"(?:\.h)?")


class Readmes(unittest.TestCase):
    def test_each_names_all_headers_of_its_folder(self):
        for readme in readmes():
            names = [pattern(name) for name in NAME.findall(readme.read_text())]
            for header in headers(readme.parent):
                path = header.relative_to(ROOT).as_posix()
                with self.subTest(header=path):
                    self.assertTrue(path.startswith(WHOLE) or any(name.fullmatch(path) for name in names),
                                    f"{readme} does not name it")

    def test_none_names_a_file_that_is_not_there(self):
        files = [file.relative_to(ROOT).as_posix() for folder in FOLDERS for file in (ROOT / folder).rglob("*")]
        for readme in readmes():
            for name in filter(FILE.fullmatch, NAME.findall(readme.read_text())):
                with self.subTest(readme=str(readme.relative_to(ROOT)), name=name):
                    self.assertTrue(any(pattern(name).fullmatch(file) for file in files))


if __name__ == "__main__":
    unittest.main()
