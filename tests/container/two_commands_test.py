"""The two commands of the README in a bare Debian: `two_commands_test.py 12` or 13. Takes many minutes, and the network."""

import pathlib
import shutil
import sys
import tempfile
import unittest

import image
from debian import Debian

RELEASE = int(sys.argv.pop(1))


class TwoCommands(unittest.TestCase):
    def test_both_pass(self):
        with tempfile.TemporaryDirectory(prefix="debian-", dir="/var/tmp") as folder:
            debian = Debian(pathlib.Path(folder) / "root", RELEASE)
            said = debian.run("scripts/run")
            self.assertRegex(said, r"\nunique: \d+ \(no earlier document is like it\)\n")
            self.assertRegex(said, r"near-duplicates beside their originals: file:///\S*/build/run/report\.html\n")
            self.assertRegex(said, r"\n\$ build/neardup serve --state build/run/state .* &\n\$ curl -T build/run/documents\.jsonl ")
            # Nothing that the default has is left out, except what needs a GPU or the large corpus.
            tested = debian.run("scripts/test", NEARDUP_CORPUS="", NEARDUP_REQUIRE_KAFKA="1",
                                NEARDUP_REQUIRE_PROMETHEUS="1")
            self.assertIn("100% tests passed", tested)


if __name__ == "__main__":
    image.needs_root()
    if shutil.which("debootstrap") is None:
        image.skip("debootstrap is not installed")
    unittest.main()
