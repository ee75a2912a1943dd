#!/usr/bin/env python3
"""Makes and checks the golden vectors with an independent version of docs/formats/sketch.md.

  reference.py --check    compute all again and compare with the files here
  reference.py --write    write the files
  reference.py --sanity   are the estimates of this version unbiased?
"""

import argparse
import json
import pathlib
import sys

import cases
import sanity

HERE = pathlib.Path(__file__).resolve().parent


def as_json(content):
    """A line for every case, so that a change shows as the lines that changed."""
    lists = []
    for name, rows in content.items():
        lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
        lists.append(f' "{name}": [\n{lines}\n ]')
    return "{\n" + ",\n".join(lists) + "\n}\n"


def first_difference(found, wanted):
    lines = zip(found.splitlines(), wanted.splitlines())
    return next((n for n, (a, b) in enumerate(lines, 1) if a != b), "the end")


def check():
    wrong = 0
    for name, content in cases.files().items():
        path = HERE / name
        found = path.read_text(encoding="utf-8") if path.exists() else ""
        if found != as_json(content):
            wrong += 1
            print(f"{name}: differs from line {first_difference(found, as_json(content))}; "
                  "if the specification changed, run reference.py --write")
        else:
            print(f"{name}: {sum(map(len, content.values()))} cases agree")
    return wrong


def write():
    for name, content in cases.files().items():
        (HERE / name).write_text(as_json(content), encoding="utf-8")
        print(f"{name}: {sum(map(len, content.values()))} cases written")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", dest="run", action="store_const", const=check)
    what.add_argument("--write", dest="run", action="store_const", const=write)
    what.add_argument("--sanity", dest="run", action="store_const", const=sanity.run)
    sys.exit(1 if parser.parse_args().run() else 0)


if __name__ == "__main__":
    main()
