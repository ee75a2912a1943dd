"""The settings that the program has for jemalloc reach it. Nothing else would show that they do not."""

import os
import subprocess
import unittest

import neardup


class Allocator(unittest.TestCase):
    def test_large_pieces_are_kept_for_use_again(self):
        done = subprocess.run([neardup.BINARY, "--version"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "MALLOC_CONF": "confirm_conf:true"})
        self.assertIn("Set conf value: oversize_threshold:0\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
