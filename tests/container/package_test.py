"""The Debian package that `scripts/package` makes, in a bare Debian that had nothing of it: `package_test.py 12` or 13. Takes many
minutes, and the network."""

import pathlib
import shutil
import sys
import tempfile
import unittest

import image
from debian import Debian

RELEASE = int(sys.argv.pop(1))
DOCUMENTS = "".join('{"id":"%s","text":"one two three four five six seven"}\\n' % name for name in "ab")


class Package(unittest.TestCase):
    def test_it_is_built_installed_used_and_removed(self):
        with tempfile.TemporaryDirectory(prefix="debian-", dir="/var/tmp") as folder:
            built = Debian(pathlib.Path(folder) / "build", RELEASE)
            path = pathlib.Path(built.run("scripts/package").splitlines()[-1])
            self.assertRegex(path.name, r"^neardup_0\.2\.0_\w+\.deb$")
            bare = Debian(pathlib.Path(folder) / "bare", RELEASE)
            shutil.copy(built.root / path.relative_to("/"), bare.root / "neardup.deb")
            bare.run("apt-get update -qq && apt-get install -y -qq --no-install-recommends /neardup.deb")
            flags = bare.run(f"printf '{DOCUMENTS}' | neardup scan -q -")
            self.assertEqual(flags.count('"status":"unique"'), 1)
            self.assertEqual(flags.count('"status":"exact_duplicate"'), 1)
            self.assertIn("0.2.0", bare.run("neardup --version"))
            page = bare.run("gzip -dc /usr/share/man/man1/neardup-scan.1.gz")
            self.assertIn(r"\-\-files\-from", page)
            self.assertIn("complete", bare.run("cat /usr/share/bash-completion/completions/neardup"))
            bare.run("apt-get purge -y -qq neardup && ! command -v neardup && ! ls /usr/share/man/man1/neardup*")


if __name__ == "__main__":
    image.needs_root()
    if shutil.which("debootstrap") is None:
        image.skip("debootstrap is not installed")
    unittest.main()
