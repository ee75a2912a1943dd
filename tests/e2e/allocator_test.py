"""The settings that the program has for jemalloc reach it. Nothing else would show that they do not."""

import os
import subprocess
import unittest

import neardup


class Allocator(unittest.TestCase):
    def test_free_memory_is_kept_for_use_again(self):
        done = subprocess.run([neardup.BINARY, "--version"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "MALLOC_CONF": "confirm_conf:true"})
        for setting in ("oversize_threshold:0", "dirty_decay_ms:60000"):
            self.assertIn(f"Set conf value: {setting}\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
