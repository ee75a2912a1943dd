"""Real documents have one answer, however they are processed.

  real_documents_test.py COUNT      the first COUNT documents in some ways; 0: all of them in every way
"""

import os
import subprocess
import sys

import configurations as ways
import neardup

SKIPPED = 77


def main():
    folder, count = os.environ.get("NEARDUP_CORPUS"), int(sys.argv[1])
    if not folder:
        print("NEARDUP_CORPUS is not set: real documents are not compared")
        return SKIPPED
    plain = subprocess.run(["zstd", "-dcq", f"{folder}/peps.jsonl.zst"], capture_output=True, check=True).stdout
    lines = plain.splitlines()[: count or None]
    few = ways.named("batch of 777", "1 thread", "simd portable", "runs over one state")
    some_ways = few if count else ways.all_ways()
    reference = ways.flags_of(lines, ways.Way("plain"))
    if len(neardup.parse_flags(reference)) != len(lines):
        print("not one flag a document")
        return 1
    found = ways.differences(lines, reference, some_ways)
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
