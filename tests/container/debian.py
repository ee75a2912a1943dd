"""A bare Debian in a folder, and steps in it as a container engine would take them."""

import os
import pathlib
import platform
import shutil
import subprocess

import image

CCACHE = pathlib.Path(os.environ.get("CCACHE_DIR") or pathlib.Path.home() / ".cache" / "ccache")
RELEASES = {12: "bookworm", 13: "trixie"}

# What a container engine gives a step: the network's names, devices, processes of its own, which end with it. The
# compiler's cache only saves time.
STEP = """
set -e
mount --make-rprivate /
mkdir -p "$1/ccache" "$2"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
mount -t sysfs -o ro sysfs "$1/sys"
mount --bind "$2" "$1/ccache"
exec chroot "$1" sh -c "cd /source && $3"
"""


class Debian:
    """Debian `release` in the new folder `root`, with nothing but its base, and our sources in /source."""

    def __init__(self, root, release):
        self.root = pathlib.Path(root)
        self.release = RELEASES[release]
        subprocess.run(["debootstrap", "--variant=minbase", self.release, self.root], check=True,
                       stdout=subprocess.DEVNULL)
        self._take_package_sources()
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        shutil.copytree("/usr/local/share/ca-certificates", self.root / "usr/local/share/ca-certificates",
                        dirs_exist_ok=True)
        self._copy_sources()

    def _take_package_sources(self):
        """Uses the package sources of this machine, for `release`."""
        shutil.rmtree(self.root / "etc/apt")
        shutil.copytree("/etc/apt", self.root / "etc/apt", symlinks=True)
        own = platform.freedesktop_os_release()["VERSION_CODENAME"]
        for path in (self.root / "etc/apt").rglob("*"):
            if path.suffix in (".list", ".sources"):
                path.write_text(path.read_text().replace(own, self.release))

    def _copy_sources(self):
        names = subprocess.run(["git", "-C", image.ROOT, "ls-files", "-co", "--exclude-standard"],
                               check=True, capture_output=True, text=True)
        for name in names.stdout.splitlines():
            if (image.ROOT / name).is_file():
                to = self.root / "source" / name
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(image.ROOT / name, to)

    def run(self, step, **environment):
        """Runs `step` and returns what it printed. Raises an error when it fails."""
        environment = os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
                                    "CCACHE_DIR": "/ccache"} | environment
        unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        done = subprocess.run([*unshare, "sh", "-c", STEP, "step", self.root, CCACHE, step],
                              capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise AssertionError(f"{step} on {self.release}:\n{done.stdout[-200_000:]}\n{done.stderr[-4000:]}")
        return done.stdout
