#!/usr/bin/env python3
"""Runs one behaviour case (README.md) in every way that must not change a flag.

  run_case.py CASE          NEARDUP_BINARY names the command
"""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import configurations as ways  # noqa: E402
import neardup  # noqa: E402

WORDS = re.compile(r"\$(\d+)\.\.(\d+)")


class Case:
    def __init__(self, path):
        # The fields are where the case says, as in a service, which does not look for them.
        self.title, self.why, self.sets, self.lines, self.wanted = "", "", ["input.id=pointer"], [], []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            try:
                self._read(line.strip())
            except ValueError as error:
                raise SystemExit(f"{path}:{number}: {error}")
        if not (self.title and self.why and self.wanted):
            raise SystemExit(f"{path}: a case has a title, a why, and flags")

    def _read(self, line):
        if line.startswith("# ") and not self.title:
            self.title = line[2:]
        elif line.startswith("why: "):
            self.why = line[5:]
        elif line.startswith("set: "):
            self.sets.append(line[5:])
        elif line.startswith(">"):
            self.lines.append(WORDS.sub(_words, line[1:].strip()).encode())
        elif line.startswith("= "):
            self.wanted.append(json.loads(line[2:]))
        elif line and not line.startswith("#"):
            raise ValueError(f"not a line of a case: {line}")


def _words(match):
    return " ".join(f"w{i}" for i in range(int(match[1]), int(match[2]) + 1))


def agrees(wanted, found):
    """Whether `found` is `wanted`: a pair of numbers means any number between them, null an absent field."""
    if isinstance(wanted, list) and isinstance(found, float):
        return wanted[0] <= found <= wanted[1]
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() >= found.keys() and all(agrees(wanted[key], found.get(key)) for key in wanted)
    return wanted == found


def mistakes(wanted_flags, flags):
    if len(wanted_flags) != len(flags):
        return [f"{len(wanted_flags)} flags wanted, {len(flags)} found"]
    return [f"flag {flag['seq']}: {key} {wanted[key]!r} wanted, {flag.get(key)!r} found"
            for wanted, flag in zip(wanted_flags, flags) for key in wanted if not agrees(wanted[key], flag.get(key))]


def main():
    case = Case(pathlib.Path(sys.argv[1]))
    flags = ways.flags_of(case.lines, ways.Way("plain"), case.sets)
    found = mistakes(case.wanted, neardup.parse_flags(flags))
    found += ways.differences(case.lines, flags, ways.all_ways(len(case.lines)), case.sets)
    if found:
        print(f"{case.title}\n  {case.why}", *found, "the flags:", flags.decode(), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
