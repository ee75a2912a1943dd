"""The image's file tree, made from the current build: it holds what the program needs and no more, and works."""

import hashlib
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


class BillOfMaterials(Tree):
    """SPDX 2.3, with what is in the tree and what was compiled in."""

    def setUp(self):
        self.bill = json.loads((self.image.root / "usr/share/sbom/neardup.spdx.json").read_text())
        self.packages = {package["SPDXID"]: package for package in self.bill["packages"]}

    def related(self, kind):
        return {(one["spdxElementId"], one["relatedSpdxElement"]) for one in self.bill["relationships"]
                if one["relationshipType"] == kind}

    def test_it_has_what_the_standard_asks_for(self):
        self.assertEqual((self.bill["spdxVersion"], self.bill["dataLicense"], self.bill["SPDXID"]),
                         ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertRegex(self.bill["documentNamespace"], r"^https://[^ #]+$")
        self.assertRegex(self.bill["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(len(self.packages), len(self.bill["packages"]), "an identifier is used twice")
        for identifier, package in self.packages.items():
            self.assertRegex(identifier, r"^SPDXRef-[A-Za-z0-9.-]+$")
            self.assertLessEqual({"name", "versionInfo", "downloadLocation", "filesAnalyzed"}, package.keys())
        known = self.packages.keys() | {"SPDXRef-DOCUMENT"}
        for one in self.bill["relationships"]:
            self.assertLessEqual({one["spdxElementId"], one["relatedSpdxElement"]}, known)
        self.assertEqual(self.related("DESCRIBES"), {("SPDXRef-DOCUMENT", "SPDXRef-Image-neardup-image")})

    def test_it_names_the_program_with_version_revision_and_checksum(self):
        program = self.packages["SPDXRef-Program-neardup"]
        said = self.image.run("--version").stdout
        self.assertIn(f"neardup {program['versionInfo']}\n", said)
        self.assertIn(program["sourceInfo"].removeprefix("git ") + "\n", said)
        binary = (self.image.root / "usr/bin/neardup").read_bytes()
        self.assertEqual(program["checksums"],
                         [{"algorithm": "SHA256", "checksumValue": hashlib.sha256(binary).hexdigest()}])

    def test_it_names_each_package_of_the_tree(self):
        contained = {self.packages[inside]["name"]: self.packages[inside] for _, inside in self.related("CONTAINS")}
        statuses = {path.name: path.read_text() for path in (self.image.root / "var/lib/dpkg/status.d").iterdir()}
        self.assertEqual(contained.keys(), statuses.keys() | {"neardup"})
        for name, status in statuses.items():
            self.assertIn(f"\nVersion: {contained[name]['versionInfo']}\n", status)
            purl, = [reference["referenceLocator"] for reference in contained[name]["externalRefs"]]
            self.assertTrue(purl.startswith(f"pkg:deb/debian/{name}@"), purl)

    def test_it_names_what_is_compiled_in_and_nothing_of_the_tests(self):
        inside = {self.packages[one]["name"] for one, _ in self.related("BUILD_DEPENDENCY_OF")}
        self.assertLessEqual({"libcli11-dev", "rapidjson-dev", "librocksdb-dev", "libc6-dev"}, inside)
        self.assertEqual([name for name in inside if "gtest" in name or "benchmark" in name], [])

    def test_libraries_have_the_versions_that_the_program_tells(self):
        for name, version in re.findall(r"(RocksDB|librdkafka|xxHash|zstd) (\d[\d.]*\d)", self.image.run("--version").stdout):
            found = [package["versionInfo"] for package in self.packages.values()
                     if package["name"].startswith("lib" + name.lower().removeprefix("lib"))]
            self.assertTrue(found and all(one.startswith(version) for one in found), f"{name} {version}: {found}")

    def test_a_build_in_an_image_names_that_and_its_time(self):
        base = "debian:bookworm-slim@sha256:" + "0" * 64
        done = subprocess.run([image.ROOT / "scripts/container/sbom", BUILD, self.image.root], check=True, text=True,
                              env=os.environ | {"NEARDUP_BASE_IMAGE": base, "SOURCE_DATE_EPOCH": "1700000000"},
                              capture_output=True)
        bill = json.loads(done.stdout)
        self.assertIn(("debian:bookworm-slim", "sha256:" + "0" * 64),
                      [(package["name"], package["versionInfo"]) for package in bill["packages"]])
        self.assertEqual(bill["creationInfo"]["created"], "2023-11-14T22:13:20Z")


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
    """The Dockerfile runs the same steps."""

    def test_each_image_is_a_built_tree(self):
        for name in ("cpu", "cuda"):
            self.assertIn(("RUN", f"scripts/container/build {name} /image"), image.instructions(f"build-{name}"))
            self.assertIn(("COPY", f"--from=build-{name} /image /"), image.instructions(name))

    def test_it_runs_the_program_as_a_plain_user(self):
        self.assertIn(("USER", image.USER), image.instructions("program"))
        self.assertIn(("ENTRYPOINT", '["/usr/bin/neardup"]'), image.instructions("program"))

    def test_it_is_labelled_and_the_steps_know_what_they_build(self):
        labels = dict(re.findall(r'(org\.opencontainers\.image\.\w+)="([^"]*)"', image.DOCKERFILE.read_text()))
        self.assertEqual({name.rpartition(".")[2] for name in labels},
                         {"title", "description", "version", "revision", "created"})
        version = re.search(r"project\(neardup VERSION (\S+)", (image.ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(("ARG", f"NEARDUP_VERSION={version}"), image.instructions("program"))
        for name in ("cpu", "cuda"):
            arguments = [rest.rstrip("=") for word, rest in image.instructions(f"build-{name}") if word == "ARG"]
            self.assertEqual(arguments, ["NEARDUP_BASE_IMAGE", "NEARDUP_REVISION", "SOURCE_DATE_EPOCH"])

    def test_the_cpu_image_is_made_when_none_is_named(self):
        last = [line for line in image.DOCKERFILE.read_text().splitlines() if line.startswith("FROM ")][-1]
        self.assertEqual(last, "FROM program AS cpu")


ENGINE = """#!/usr/bin/env python3
# A container engine that writes down what it is asked, and knows one image.
import json, os, sys
with open(os.environ["ENGINE_LOG"], "a") as log:
    print(json.dumps(sys.argv[1:]), file=log)
if sys.argv[1:3] == ["image", "inspect"]:
    print(os.environ["ENGINE_DIGESTS"])
sys.exit(sys.argv[1] == "pull" and "ENGINE_OFFLINE" in os.environ)
"""


class Engine(unittest.TestCase):
    """scripts/container/image with a fake engine, which records the commands that it gets."""

    def build(self, digests, *words, **environment):
        """(build arguments, other words of the build, what was said)"""
        with tempfile.TemporaryDirectory(prefix="engine-") as folder:
            engine, log = pathlib.Path(folder) / "engine", pathlib.Path(folder) / "log"
            engine.write_text(ENGINE)
            engine.chmod(0o755)
            done = subprocess.run([image.ROOT / "scripts/container/image", *words], capture_output=True, text=True,
                                  env=os.environ | {"DOCKER": str(engine), "ENGINE_LOG": str(log),
                                                    "ENGINE_DIGESTS": digests} | environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            words = [json.loads(line) for line in log.read_text().splitlines()][-1]
        given = [words[i + 1] for i, word in enumerate(words) if word == "--build-arg"]
        others = [word for i, word in enumerate(words) if "--build-arg" not in words[max(i - 1, 0):i + 1]]
        return dict(one.split("=", 1) for one in given), others, done.stdout + done.stderr

    def test_the_base_image_is_pinned_and_the_labels_are_told(self):
        digest = "sha256:" + "1" * 64
        given, others, _ = self.build(f"debian@{digest}\nmirror/debian@{digest}", "cuda", "r/n:1")
        self.assertEqual(given["NEARDUP_BASE_IMAGE"], f"debian:bookworm-slim@{digest}")
        revision = subprocess.run([image.ROOT / "scripts/revision"], capture_output=True, text=True).stdout.strip()
        self.assertEqual(given["NEARDUP_REVISION"], revision)
        self.assertRegex(given["NEARDUP_CREATED"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertIn(("ARG", f"NEARDUP_VERSION={given['NEARDUP_VERSION']}"), image.instructions("program"))
        declared = re.findall(r"(?m)^ARG (\w+)", image.DOCKERFILE.read_text())
        self.assertLessEqual(given.keys(), set(declared))
        self.assertEqual(others, ["build", "-f", "scripts/container/Dockerfile", "--target", "cuda", "-t", "r/n:1", "."])

    def test_without_a_digest_it_says_so_and_builds(self):
        given, _, said = self.build("", "cpu", "n:1", ENGINE_OFFLINE="1")
        self.assertEqual(given["NEARDUP_BASE_IMAGE"], "debian:bookworm-slim")
        self.assertIn("cannot be fetched", said)
        self.assertIn("not pinned", said)


if __name__ == "__main__":
    image.needs_root()
    unittest.main()
