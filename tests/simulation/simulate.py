#!/usr/bin/env python3
"""Does a cluster give the flags of one process? Random streams go through both.

  simulate.py [--runs N] [--seed S]               the protocol
  simulate.py --mutants [--runs N] [--seed S]     with one of its rules broken at a time: each must be found
"""

import argparse
import collections
import sys
import time

import mutants
from cluster import mistake


def found_in(name, seeds):
    """(number of runs, what was wrong) until a mutant is found, or None."""
    for runs, seed in enumerate(seeds, 1):
        try:
            wrong, _ = mistake(seed, [name])
        except (AssertionError, IndexError, KeyError) as error:
            wrong = repr(error)
        if wrong:
            return runs, wrong
    return None


def run_mutants(seeds):
    status = 0
    for name, what in mutants.WHAT_IS_BROKEN.items():
        found = found_in(name, seeds)
        status |= found is None
        end = f"found in run {found[0]}: {found[1][:90]}" if found else "NOT FOUND"
        print(f"{name} ({what}): {end}", flush=True)
    return status


def run_protocol(seeds):
    begun, counts, statuses = time.process_time(), collections.Counter(), collections.Counter()
    for seed in seeds:
        wrong, cluster = mistake(seed)
        if wrong:
            print(f"seed {seed}: {wrong}")
            return 1
        statuses.update(flag[1] for flag in cluster.flags)
        counts.update(crashes=cluster.crashes, shortages=cluster.shortages, stalls=cluster.stalls)
    by_status = ", ".join(f"{status} {count}" for status, count in sorted(statuses.items()))
    print(f"{len(seeds)} runs, {statuses.total()} flags equal ({by_status}), {counts['crashes']} crashes, "
          f"{counts['shortages']} shortages, {counts['stalls']} stalls ended by asking again, "
          f"{time.process_time() - begun:.0f} s")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", action="store_true")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.runs)
    sys.exit(run_mutants(seeds) if options.mutants else run_protocol(seeds))


if __name__ == "__main__":
    main()
