"""The images as the Dockerfile makes them, without a container engine: its steps in a bare Debian, and the trees that
come out. Takes minutes, and the network."""

import os
import pathlib
import shutil
import tempfile
import unittest

import image
from debian import Debian

BUILD = pathlib.Path(os.environ["NEARDUP_BINARY"]).parent
DOCUMENT = '{"id":"a","text":"one two three four five"}\n'


def names(tree):
    return {str(path.relative_to(tree.root)) for path in tree.files()}


class BareDebian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="debian-", dir="/var/tmp")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.debian = Debian(cls.folder / "root", 12)

    def build(self, name):
        for word, step in image.instructions(f"build-{name}"):
            if word != "ARG":
                self.assertEqual(word, "RUN")
                self.debian.run(step)
        return image.Image((self.debian.root / "image").rename(self.folder / name))

    def test_the_steps_of_the_cpu_image_make_a_tree_that_works(self):
        built = self.build("cpu")
        self.assertEqual(built.run("verify-vectors").returncode, 0)
        done = built.run("scan", "--state", "/var/lib/neardup/state", "-", input=DOCUMENT)
        self.assertEqual((done.returncode, '"status":"unique"' in done.stdout), (0, True), done.stderr)
        # So the result of the quick test of the current build is valid for the image, too.
        self.assertEqual(names(built), names(image.install(BUILD, self.folder / "at_hand")))

    def test_those_of_the_cuda_image_make_one_that_looks_for_a_gpu(self):
        built = self.build("cuda")
        self.assertEqual(built.run("verify-vectors").returncode, 0)
        done = built.run("scan", "--set", "backend=cuda", "-", input="")
        self.assertNotIn("no CUDA backend", done.stderr)
        self.assertEqual(done.returncode, 78, "there is no driver on the read-only root")


if __name__ == "__main__":
    image.needs_root()
    if shutil.which("debootstrap") is None:
        image.skip("debootstrap is not installed")
    unittest.main()
