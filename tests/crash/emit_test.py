"""Killed at any moment and run again until it ends, a scan leaves the files of --emit of an undisturbed run, byte for byte.

  emit_test.py KILLS [SEED]
"""

import gzip
import pathlib
import random
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
from emit_test import KINDS, records  # noqa: E402
from kills import run_for  # noqa: E402

KILLS = 4
SEED = 20261128
SETS = ("batch.documents=100", "storage.memory=16MiB")


def emit_options(folder, suffix):
    kinds = [word for kind in KINDS for word in ("--emit", f"{kind}={folder / kind}.jsonl{suffix}")]
    return kinds + ["--emit", f"dolma={folder / 'dolma'}"]


def files(folder, suffix):
    found = {kind: (folder / f"{kind}.jsonl{suffix}").read_bytes() for kind in KINDS}
    return found | {path.name: path.read_bytes() for path in (folder / "dolma").iterdir()}


class EmitKill(unittest.TestCase):
    def test_killed_runs_end_with_the_same_files(self):
        chance = random.Random(SEED)
        kills = within = 0
        with tempfile.TemporaryDirectory(prefix="neardup-emit-") as name:
            folder = pathlib.Path(name)
            inputs = [folder / "in-0.jsonl", folder / "in-1.jsonl.gz"]
            for part, path in enumerate(inputs):
                content = b"".join(line.replace(b'"extra":', b'"filler":"%s","extra":' % (b"%d " % part * 150))
                                   for line in records(12_000, SEED + part))
                path.write_bytes(gzip.compress(content, 1) if path.suffix == ".gz" else content)
            undisturbed = {}
            for suffix in ("", ".gz", ".zst"):
                whole = folder / f"whole{suffix}"
                whole.mkdir()
                begin = time.monotonic()
                # In other batches: the bytes of compressed files do not depend on them.
                neardup.scan_or_fail(inputs, whole / "flags", whole / "state", ("batch.documents=1500",), emit_options(whole, suffix))
                undisturbed[suffix] = files(whole, suffix), time.monotonic() - begin
            turn = 0
            while kills < KILLS:
                suffix = ("", ".gz", ".zst")[turn % 3]
                turn += 1
                run = folder / f"run-{turn}"
                run.mkdir()
                wanted, seconds = undisturbed[suffix]
                command = neardup.scan_command(inputs, run / "flags", run / "state", SETS, emit_options(run, suffix))
                while True:
                    status, said = run_for(command, chance.random() * seconds * 1.5 + 0.01)
                    if status == 0:
                        break
                    self.assertEqual(status, -9, said)
                    kills += 1
                    written = (run / f"kept.jsonl{suffix}").stat().st_size if (run / f"kept.jsonl{suffix}").exists() else 0
                    within += 0 < written < len(wanted["kept"])
                self.assertEqual(files(run, suffix), wanted, f"{suffix}, after {kills} kills")
        print(f"{kills} kills, {within} of them with a part of the kept records written")
        self.assertGreaterEqual(within, kills // 10)


if __name__ == "__main__":
    KILLS = int(sys.argv.pop(1)) if len(sys.argv) > 1 else KILLS
    SEED = int(sys.argv.pop(1)) if len(sys.argv) > 1 else SEED
    unittest.main()
