"""The images as the Dockerfile makes them, without a container engine: its steps in a bare Debian, and the trees that
come out. Takes minutes, and the network."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import image

BUILD = pathlib.Path(os.environ["NEARDUP_BINARY"]).parent
CCACHE = pathlib.Path(os.environ.get("CCACHE_DIR") or pathlib.Path.home() / ".cache" / "ccache")
DOCUMENT = '{"id":"a","text":"one two three four five"}\n'

# What a container engine gives a step: the network's names, devices, processes. The compiler's cache only saves time.
STEP = """
set -e
mount --make-rprivate /
mkdir -p "$1/ccache" "$2"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
mount --bind "$2" "$1/ccache"
exec chroot "$1" sh -c "cd /source && $3"
"""


def bare_debian(root):
    """As debian:bookworm-slim, with the package sources of this machine and what it trusts."""
    subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root / "etc/apt")
    shutil.copytree("/etc/apt", root / "etc/apt", symlinks=True)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    shutil.copytree("/usr/local/share/ca-certificates", root / "usr/local/share/ca-certificates", dirs_exist_ok=True)


def copy_sources(to):
    names = subprocess.run(["git", "-C", image.ROOT, "ls-files", "-co", "--exclude-standard"],
                           check=True, capture_output=True, text=True)
    for name in names.stdout.splitlines():
        if (image.ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(image.ROOT / name, to / name)


def run_step(root, step):
    environment = os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "CCACHE_DIR": "/ccache"}
    done = subprocess.run(["unshare", "--mount", "sh", "-c", STEP, "step", root, CCACHE, step],
                          capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise AssertionError(f"{step}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")


def names(tree):
    return {str(path.relative_to(tree.root)) for path in tree.files()}


class BareDebian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="debian-", dir="/var/tmp")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        bare_debian(cls.folder / "root")
        copy_sources(cls.folder / "root" / "source")

    def build(self, name):
        for word, step in image.instructions(f"build-{name}"):
            if word != "ARG":
                self.assertEqual(word, "RUN")
                run_step(self.folder / "root", step)
        return image.Image((self.folder / "root" / "image").rename(self.folder / name))

    def test_the_steps_of_the_cpu_image_make_a_tree_that_works(self):
        built = self.build("cpu")
        self.assertEqual(built.run("verify-vectors").returncode, 0)
        done = built.run("scan", "--state", "/var/lib/neardup/state", "-", input=DOCUMENT)
        self.assertEqual((done.returncode, '"status":"unique"' in done.stdout), (0, True), done.stderr)
        # So the quick test of the build at hand speaks for the image.
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
