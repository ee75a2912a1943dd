"""The file tree of an image, run as a container engine would: as a plain user, on a read-only root, with a volume."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "scripts" / "container" / "Dockerfile"
USER = "65532:65532"
VOLUME = "var/lib/neardup"

# Mounts are private to the process, and end with it.
CONTAINER = """
set -e
root=$1 user=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mkdir -p "$root.volume"
chown "$user" "$root.volume"
mount -o remount,bind,ro "$root"
mount --bind "$root.volume" "$root/var/lib/neardup"
exec chroot --userspec="$user" --groups= "$root" "$@"
"""


def skip(reason):
    print(f"skipped: {reason}", flush=True)
    sys.exit(77)


def needs_root():
    if os.geteuid() != 0:
        skip("a root folder can be changed by root only")
    done = subprocess.run(["unshare", "--mount", "sh", "-c", "mount --make-rprivate / && mount -t tmpfs none /mnt"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        skip(f"nothing can be mounted here: {done.stderr.strip()}")


def instructions(stage):
    """[(instruction, rest of the line)] of a stage of the Dockerfile, by its name."""
    found = {}
    for line in DOCKERFILE.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM":
            lines = found[rest.rpartition(" AS ")[2]] = []
        elif word.isupper() and found:
            lines.append((word, rest))
    return found[stage]


class Image:
    """`root`: the file tree. What is written to the volume stands in `volume`."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.volume = pathlib.Path(f"{root}.volume")

    def command(self, *words):
        words = [str(word) for word in words]
        return ["unshare", "--mount", "sh", "-c", CONTAINER, "container", self.root, USER, "/usr/bin/neardup", *words]

    def run(self, *words, **options):
        return subprocess.run(self.command(*words), capture_output=True, text=True, timeout=60, **options)

    def files(self):
        return [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]


def install(build, root):
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run([ROOT / "scripts" / "container" / "install", build, root], check=True, capture_output=True)
    return Image(root)
