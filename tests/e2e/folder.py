"""A test with a separate folder, which is removed when it ends."""

import pathlib
import tempfile
import unittest


class FolderTest(unittest.TestCase):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="neardup-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.state = self.folder / "state"
        self.output = self.folder / "flags.jsonl"
