"""What the demonstrations share: flags on a terminal, and the broker."""

import pathlib
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent
SHOWN = 3  # flags of a status; near-duplicates are all shown
COLOURS = {"unique": "32", "near_duplicate": "33", "exact_duplicate": "36", "rejected": "31"}


def say(text=""):
    print(text, flush=True)


def as_ctrl_c(*_):
    raise KeyboardInterrupt


def broker(word, folder):
    """scripts/kafka, with the data in a folder of `folder`."""
    subprocess.run([SCRIPTS / "kafka", word, folder / "broker"], check=True)


class ShownFlags:
    """Prints flags as they come: of each status the first ones, and counts all."""

    def __init__(self):
        self.all = False  # print every one from now on
        self._counts = {}

    def show(self, flag):
        count = self._counts[flag["status"]] = self._counts.get(flag["status"], 0) + 1
        if count <= SHOWN or flag["status"] == "near_duplicate" or self.all:
            say(f"{flag['seq']:>5}  {_coloured(flag['status'])} {flag['id']}{_evidence(flag)}")
        elif count == SHOWN + 1:
            say(f"       {_coloured(flag['status'])} … and more of them")

    def counts(self):
        return ", ".join(f"{count} {status}" for status, count in sorted(self._counts.items(), key=lambda one: -one[1]))


def _coloured(status):
    padded = f"{status:15}"
    return f"\033[{COLOURS.get(status, '0')}m{padded}\033[0m" if sys.stdout.isatty() else padded


def _evidence(flag):
    if flag["status"] == "near_duplicate":
        return f"  {100 * flag['similarity']:.1f} % like {flag['duplicate_of']}"
    if flag["status"] == "exact_duplicate":
        return f"  same as {flag['duplicate_of']}"
    return ""
