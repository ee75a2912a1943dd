"""The image's file tree, made of the build at hand: it holds what the program needs and no more, and works."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

import image

BUILD = pathlib.Path(os.environ["NEARDUP_BINARY"]).parent
MOST_BYTES = 120 << 20
DOCUMENT = "one two three four five six seven eight nine ten"


def setUpModule():
    folder = tempfile.TemporaryDirectory(prefix="image-")
    unittest.addModuleCleanup(folder.cleanup)
    Tree.image = image.install(BUILD, pathlib.Path(folder.name) / "root")


class Tree(unittest.TestCase):
    """`image`: one for all tests."""


class Contents(Tree):
    def test_the_program_tells_its_libraries(self):
        done = self.image.run("--version")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"RocksDB \d")

    def test_it_is_small_and_has_one_program(self):
        files = self.image.files()
        self.assertLess(sum(path.stat().st_size for path in files), MOST_BYTES)
        programs = [path.name for path in files if os.access(path, os.X_OK) and ".so" not in path.name]
        self.assertEqual(programs, ["neardup"])

    def test_nobody_becomes_root(self):
        self.assertEqual([path for path in self.image.files() if path.stat().st_mode & 0o6000], [])

    def test_every_library_is_of_a_package_that_scanners_see(self):
        packages = {path.name: path.read_text() for path in (self.image.root / "var/lib/dpkg/status.d").iterdir()}
        for name, status in packages.items():
            self.assertRegex(status, f"(?m)^Package: {re.escape(name)}$")
            self.assertRegex(status, r"(?m)^Version: \S+$")
            self.assertTrue((self.image.root / "usr/share/doc" / name / "copyright").is_file(), name)
        owned = {pathlib.Path(line).name for name in packages
                 for line in subprocess.run(["dpkg-query", "-L", name], capture_output=True, text=True).stdout.split()}
        libraries = {path.name for path in self.image.files() if ".so" in path.name}
        self.assertEqual(libraries - owned, set())
        self.assertIn("librocksdb.so.7.8", libraries)

    def test_brokers_can_be_trusted(self):
        self.assertIn("BEGIN CERTIFICATE", (self.image.root / "etc/ssl/certs/ca-certificates.crt").read_text())


class Running(Tree):
    def test_a_state_is_kept_on_the_volume(self):
        lines = "".join(json.dumps({"id": id, "text": DOCUMENT}) + "\n" for id in "ab")
        done = self.image.run("scan", "--state", "/var/lib/neardup/scan", "-", input=lines)
        self.assertEqual(done.returncode, 0, done.stderr)
        statuses = [json.loads(line)["status"] for line in done.stdout.splitlines()]
        self.assertEqual(statuses, ["unique", "exact_duplicate"])
        self.assertEqual((self.image.volume / "scan").stat().st_uid, 65532)

    def test_nothing_else_can_be_written(self):
        done = self.image.run("scan", "--state", "/etc/state", "-", input="")
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("Read-only file system", done.stderr)

    def test_a_service_lives_is_asked_and_ends(self):
        settings = {"kafka.brokers": "127.0.0.1:1", "kafka.topics": "a", "kafka.group_id": "g",
                    "kafka.output_topic": "b", "kafka.dead_letter_topic": "c",
                    "storage.path": "/var/lib/neardup/state", "http.listen": "127.0.0.1:0"}
        self.image.run("--version")  # makes the volume
        (self.image.volume / "empty.yaml").write_text("{}")
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        command = self.image.command("serve", "-c", "/var/lib/neardup/empty.yaml", *words)
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
            try:
                for line in service.stderr:
                    if '"listening"' in line or '"ended"' in line:
                        break
                url = "http://" + json.loads(line)["address"]
                alive = self.image.run("health", url + "/healthz")
                ready = self.image.run("health", url + "/readyz")
            finally:
                service.send_signal(signal.SIGTERM)
                begun = time.monotonic()
                service.communicate(timeout=60)
        self.assertEqual((alive.returncode, alive.stdout), (0, url + "/healthz: ok\n"))
        self.assertEqual(ready.returncode, 1, ready.stdout)
        self.assertLess(time.monotonic() - begun, 40)


class Recipe(unittest.TestCase):
    """The Dockerfile makes its images of the same steps."""

    def test_each_image_is_a_built_tree(self):
        for name in ("cpu", "cuda"):
            self.assertIn(("RUN", f"scripts/container/build {name} /image"), image.instructions(f"build-{name}"))
            self.assertIn(("COPY", f"--from=build-{name} /image /"), image.instructions(name))

    def test_it_runs_the_program_as_a_plain_user(self):
        self.assertIn(("USER", image.USER), image.instructions("program"))
        self.assertIn(("ENTRYPOINT", '["/usr/bin/neardup"]'), image.instructions("program"))

    def test_the_cpu_image_is_made_when_none_is_named(self):
        last = [line for line in image.DOCKERFILE.read_text().splitlines() if line.startswith("FROM ")][-1]
        self.assertEqual(last, "FROM program AS cpu")


if __name__ == "__main__":
    image.needs_root()
    unittest.main()
