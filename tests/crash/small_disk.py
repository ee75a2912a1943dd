"""A file system of a chosen size, in memory, that only this process and its children see.

`private()` has to be called first. It starts the program again in a separate mount namespace (as root, or as root of a
user namespace). Where that is not permitted the program is skipped, or fails when NEARDUP_REQUIRE_MOUNTS is set."""

import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import outside  # noqa: E402

REQUIRED_BY = "NEARDUP_REQUIRE_MOUNTS"
INSIDE = "NEARDUP_TEST_PRIVATE_MOUNTS"
PLENTY = 1 << 20  # KiB


def private():
    if os.environ.get(INSIDE):
        return
    command = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    allowed = subprocess.run([*command, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, text=True)
    if allowed.returncode != 0:
        outside.skip(f"no file system can be mounted here: {allowed.stderr.strip()}", REQUIRED_BY)
    os.execvpe("unshare", [*command, sys.executable, "-B", *sys.argv], {**os.environ, INSIDE: "1"})


class Disk:
    """Mounted at `path`, with plenty of space, until `remove`."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={PLENTY}k", "tmpfs", self.path], check=True)

    def resize(self, kib):
        """Never smaller than what is in use."""
        subprocess.run(["mount", "-o", f"remount,size={max(kib, self.used(), 4)}k", self.path], check=True)

    def used(self):
        status = os.statvfs(self.path)
        return (status.f_blocks - status.f_bfree) * status.f_frsize // 1024

    def clear(self):
        self.resize(PLENTY)
        subprocess.run(["find", self.path, "-mindepth", "1", "-delete"], check=True)

    def remove(self):
        subprocess.run(["umount", "--lazy", self.path], check=True)
        self.path.rmdir()
