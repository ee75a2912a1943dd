#!/usr/bin/env python3
"""What hostile clients of the HTTP port cost, and how long others wait meanwhile. No broker is needed.

  bench/serve/http_port.py > bench/results/http.md
"""

import argparse
import pathlib
import resource
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "kafka"), str(ROOT / "tests" / "http")]

import corpus_runs as runs  # noqa: E402
import hostile_clients as hostile  # noqa: E402
import rig  # noqa: E402
import service  # noqa: E402
import waiting_port  # noqa: E402

MB = 1_000_000
FLOOD = 300 * MB
ADDRESSES = [f"127.0.0.{i}" for i in range(2, 12)]
FLOODS = {
    "a header line without end": (hostile.BEGUN, b"x" * MB),
    "header lines of 8 KB": (hostile.BEGUN[:-3], (b"A: " + b"b" * 8000 + b"\r\n") * 125),
    "header lines of 6 bytes": (hostile.BEGUN[:-3], b"A: b\r\n" * 170_000),
}


def floods():
    print("| 300 MB of | taken | closed after, s | RSS before, MB | most, MB |\n| --- | ---: | ---: | ---: | ---: |")
    for name, (start, piece) in FLOODS.items():
        with waiting_port.port() as made:
            hostile.ask(made.address(), b"GET /metrics HTTP/1.0\r\n\r\n")
            before = hostile.memory_bytes(made.process, "VmRSS")
            sent, seconds = hostile.flood(made.address(), start, piece, FLOOD)
            most = hostile.memory_bytes(made.process, "VmHWM")
            print(f"| {name} | {sent / MB:.0f} MB | {seconds:.1f} | {before / MB:.1f} | {most / MB:.1f} |", flush=True)


def probe_times(made, count, source, pause):
    """Seconds of each probe by a separate connection, as a supervisor makes it; None: no answer."""
    times = []
    for _ in range(count):
        began = time.monotonic()
        try:
            answered = hostile.ask(made.address(), source=source).endswith(b"ok\n")
        except OSError:
            answered = False
        times.append(time.monotonic() - began if answered else None)
        time.sleep(pause)
    return times


def waits(options):
    print("\n| other clients | probes | unanswered | p50, ms | p99, ms | most, ms |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, count, sources in (("none", 0, ADDRESSES), ("500 that drip, from ten addresses", 500, ADDRESSES),
                                 ("500 that drip, from the address of the probe", 500, ["127.0.0.1"]),
                                 ("2 000 that drip, from ten addresses", 2000, ADDRESSES)):
        with waiting_port.port() as made, hostile.Drippers(made.address(), count, sources):
            times = probe_times(made, options.probes, None, options.pause)
        good = sorted(seconds * 1000 for seconds in times if seconds is not None)
        cuts = statistics.quantiles(good, n=100) if len(good) > 1 else [float("nan")] * 99
        print(f"| {name} | {len(times)} | {len(times) - len(good)} | {cuts[49]:.1f} | {cuts[98]:.1f} "
              f"| {good[-1] if good else float('nan'):.1f} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", type=pathlib.Path, default=ROOT / "build" / "neardup")
    arguments.add_argument("--probes", type=int, default=1000)
    arguments.add_argument("--pause", type=float, default=0.01, help="seconds between two probes (0.01)")
    options = arguments.parse_args()
    service.BINARY = str(options.binary.resolve())
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(f"# The HTTP port under hostile clients\n\n`bench/serve/http_port.py`, commit {rig.commit()}, {runs.machine()}.\n\n"
          "The clients are Python programs on the same cores. A dripping client sends a byte of a header a second and comes "
          "again when it is cut off. A probe is `GET /healthz` by a separate connection, until that is closed.\n")
    floods()
    waits(options)


if __name__ == "__main__":
    main()
