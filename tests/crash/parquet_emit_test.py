"""Killed at any moment and run again until it ends, a scan of Parquet leaves the parts of an undisturbed run, byte for byte, and a part
that can be seen is whole at any time.

  parquet_emit_test.py KILLS [SEED]
"""

import pathlib
import random
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE)]
import parquet_files  # noqa: E402, F401  (skips, or runs this again with pyarrow)
import pyarrow.parquet as pq  # noqa: E402

import neardup  # noqa: E402
from kills import run_for  # noqa: E402
from parquet_emit_test import KINDS, MASK, table  # noqa: E402

KILLS = 6
SEED = 20261128
INPUTS = 3
ROWS = 6000
SETS = ("batch.documents=200", "storage.memory=16MiB")


def emit_options(folder):
    return [word for kind in (*KINDS, MASK) for word in ("--emit", f"{kind}={folder / kind}/")]


def parts(folder):
    return {f"{kind}/{path.name}": path.read_bytes() for kind in (*KINDS, MASK) for path in (folder / kind).glob("*.parquet")}


class ParquetEmitKill(unittest.TestCase):
    def test_killed_runs_end_with_the_same_parts(self):
        chance = random.Random(SEED)
        kills = within = unfinished = 0
        with tempfile.TemporaryDirectory(prefix="neardup-parts-") as name:
            folder = pathlib.Path(name)
            inputs = [folder / f"in-{part}.parquet" for part in range(INPUTS)]
            for part, path in enumerate(inputs):
                pq.write_table(table(ROWS, SEED + part, f"d{part}-"), path, row_group_size=1500, compression="zstd")
            whole = folder / "whole"
            whole.mkdir()
            begin = time.monotonic()
            # In other batches: the bytes do not depend on them.
            neardup.scan_or_fail(inputs, whole / "flags", whole / "state", ("batch.documents=1500",), emit_options(whole))
            seconds = time.monotonic() - begin
            wanted, flags = parts(whole), (whole / "flags").read_bytes()
            self.assertEqual(len(wanted), INPUTS * (len(KINDS) + 1))
            turn = 0
            while kills < KILLS:
                turn += 1
                run = folder / f"run-{turn}"
                run.mkdir()
                command = neardup.scan_command(inputs, run / "flags", run / "state", SETS, emit_options(run))
                while True:
                    status, said = run_for(command, chance.random() * seconds * 1.5 + 0.01)
                    seen = parts(run)
                    for part, data in seen.items():
                        self.assertEqual(data, wanted[part], f"{part} after {kills} kills")
                    if status == 0:
                        break
                    self.assertEqual(status, -9, said)
                    kills += 1
                    within += 0 < len(seen) < len(wanted)
                    unfinished += any(run.glob("*/*.new"))
                self.assertEqual(parts(run), wanted, f"after {kills} kills")
                self.assertEqual([*run.glob("*/*.new")], [])
                self.assertEqual((run / "flags").read_bytes(), flags)
        print(f"{kills} kills, {within} of them with some of the parts written, {unfinished} with an unfinished part left")
        if KILLS >= 50:
            self.assertGreater(within, 0)


if __name__ == "__main__":
    KILLS = int(sys.argv.pop(1)) if len(sys.argv) > 1 else KILLS
    SEED = int(sys.argv.pop(1)) if len(sys.argv) > 1 else SEED
    unittest.main()
