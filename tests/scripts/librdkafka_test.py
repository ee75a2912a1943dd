"""Which librdkafka the build takes, what it refuses, and what is said where none can be built."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "librdkafka"
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(librdkafka_test LANGUAGES NONE)
set(CMAKE_SOURCE_DIR {ROOT})
find_package(PkgConfig REQUIRED)
include({ROOT}/service/kafka/librdkafka.cmake)
message(STATUS "taken: ${{SYSTEM_LIBRDKAFKA_VERSION}}")
"""


class Librdkafka(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="librdkafka-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache"),
                                         "PKG_CONFIG_LIBDIR": str(self.folder), "PKG_CONFIG_PATH": ""}

    def configure(self, version):
        """With a librdkafka of that version in the system, and none in the cache."""
        (self.folder / "rdkafka.pc").write_text(f"Name: librdkafka\nDescription: -\nVersion: {version}\nLibs: -lc\n")
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        return subprocess.run(["cmake", "-G", "Ninja", "-S", self.folder, "-B", self.folder / f"build-{version}"],
                              capture_output=True, text=True, env=self.environment)

    def run_script(self, *words, **environment):
        return subprocess.run([SCRIPT, *words], capture_output=True, text=True, env=self.environment | environment)

    def test_an_older_one_is_refused_with_the_reason_and_what_to_do(self):
        for version in ("2.0.2", "2.7.9"):
            done = self.configure(version)
            self.assertNotEqual(done.returncode, 0)
            told = " ".join(done.stderr.split())
            for part in ("2.8 or newer", f"finds {version}", "#4895", "scripts/dependencies", str(self.folder / "cache")):
                self.assertIn(part, told)

    def test_a_new_one_of_the_system_is_taken(self):
        for version in ("2.8.0", "2.12.1"):
            done = self.configure(version)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"taken: {version}", done.stdout)

    def assert_says_what_to_do(self, done):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"save librdkafka_2\.8\.0\.orig\.tar\.gz \(sha256 [0-9a-f]{64}\)")
        self.assertIn("NEARDUP_LIBRDKAFKA_SOURCE", done.stderr)
        self.assertFalse(pathlib.Path(self.run_script("path").stdout.strip()).exists())

    def test_a_source_with_another_checksum_is_not_built(self):
        source = self.folder / "source.tar.gz"
        source.write_bytes(b"not what it says")
        self.assert_says_what_to_do(self.run_script(NEARDUP_LIBRDKAFKA_SOURCE=str(source)))

    def test_where_apt_knows_no_archive_it_is_said_what_to_do(self):
        (self.folder / "apt-get").symlink_to(shutil.which("true"))
        self.assert_says_what_to_do(self.run_script(PATH=f"{self.folder}:{os.environ['PATH']}"))


if __name__ == "__main__":
    unittest.main()
