"""Parts of Parquet inputs on a file system that fills up at every size: a scan ends with 74 or succeeds, a part that can be seen is
whole, and with more space the same command ends with the parts of a large disk.

  parquet_disk_test.py SIZES      how many sizes of the file system are tried
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "e2e"), str(HERE)]
import parquet_files  # noqa: E402, F401  (skips, or runs this again with pyarrow)
import pyarrow.parquet as pq  # noqa: E402

import neardup  # noqa: E402
import small_disk  # noqa: E402
from parquet_emit_test import KINDS, MASK, table  # noqa: E402

SIZES = 8
ROWS = 4000


def parts(folder):
    return {f"{kind}/{path.name}": path.read_bytes() for kind in (*KINDS, MASK) for path in (folder / kind).glob("*.parquet")}


class FullDisk(unittest.TestCase):
    def test_parts(self):
        made = tempfile.TemporaryDirectory(prefix="neardup-full-")
        self.addCleanup(made.cleanup)
        folder = pathlib.Path(made.name)
        disk = small_disk.Disk(folder / "disk")
        self.addCleanup(disk.remove)
        inputs = [folder / f"{part}.parquet" for part in range(2)]
        for part, path in enumerate(inputs):
            pq.write_table(table(ROWS, part, f"d{part}-"), path, row_group_size=1000, compression="none", use_dictionary=False)
        options = [word for kind in (*KINDS, MASK) for word in ("--emit", f"{kind}={disk.path / kind}/")]

        def scan(number):
            command = neardup.scan_command(inputs, folder / f"flags-{number}", folder / f"state-{number}",
                                           ("batch.documents=300", "storage.memory=16MiB"), options)
            return subprocess.run(command, capture_output=True, text=True, timeout=120)

        done = scan(0)
        self.assertEqual(done.returncode, 0, done.stderr)
        wanted, needed = parts(disk.path), disk.used()
        self.assertEqual(len(wanted), len(inputs) * (len(KINDS) + 1))
        failed = named = 0
        for number in range(1, SIZES + 1):
            disk.clear()
            disk.resize(needed * number // (SIZES + 1))
            done = scan(number)
            self.assertIn(done.returncode, (0, 74), done.stderr)
            for part, data in parts(disk.path).items():
                self.assertEqual(data, wanted[part])
            self.assertEqual([*disk.path.glob("*/*.new")], [])
            failed += done.returncode == 74
            named += any(f"cannot write to {disk.path / part}: " in done.stderr for part in wanted)
            disk.resize(small_disk.PLENTY)
            done = scan(number)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(parts(disk.path), wanted)
        self.assertGreater(failed, SIZES // 2, "too few disks were full to prove anything")
        self.assertGreater(named, 0)


if __name__ == "__main__":
    small_disk.private()
    if len(sys.argv) > 1:
        SIZES = int(sys.argv.pop(1))
    unittest.main()
