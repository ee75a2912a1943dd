"""scripts/revision, and the CMake module that builds its answer in: right with git, in an archive, in neither."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ["scripts/revision", "service/revision.cmake", "service/write_revision.cmake", "service/revision.cc.in",
         "service/revision.h", ".gitattributes"]
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
include(service/revision.cmake)
neardup_revision(revision)
add_executable(small main.cc other.cc)
target_include_directories(small PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(small PRIVATE revision)
"""
MAIN = """
#include <iostream>
#include "service/revision.h"
int main() { std::cout << neardup::source_revision(); }
"""
USER = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]


def run(*words, where, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "NEARDUP_"))}
    done = subprocess.run([str(word) for word in words], cwd=where, env=clean | environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout.strip()


class Revision(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="revision-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.work = self.copy_to("work")
        run("git", "init", "-q", where=self.work)
        self.commit()

    def copy_to(self, name):
        for file in FILES:
            (self.folder / name / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.folder / name / file)
        return self.folder / name

    def commit(self):
        """The new head."""
        run("git", "add", "-A", where=self.work)
        run("git", *USER, "commit", "-q", "--allow-empty", "-m", "a", where=self.work)
        return run("git", "rev-parse", "HEAD", where=self.work)

    def archive(self, to):
        to.mkdir(parents=True)
        run("git", "archive", "-o", self.folder / "a.tar", "HEAD", where=self.work)
        run("tar", "-xf", self.folder / "a.tar", "-C", to, where=self.folder)
        return to

    def told(self, where, **environment):
        return run(where / "scripts" / "revision", where=self.folder, **environment)


class Script(Revision):
    def test_git_tells_the_commit_and_whether_files_differ_from_it(self):
        head = self.commit()
        self.assertEqual(self.told(self.work), head)
        (self.work / "untracked").write_text("")
        self.assertEqual(self.told(self.work), head)
        (self.work / "service" / "revision.h").write_text("// other")
        self.assertEqual(self.told(self.work), head + "-dirty")
        self.assertEqual(self.told(self.work), self.told(self.work))
        self.assertNotEqual(self.commit(), head)
        self.assertNotIn("dirty", self.told(self.work))

    def test_an_archive_tells_its_commit_also_in_the_work_tree_of_another_project(self):
        head = self.commit()
        self.assertEqual(self.told(self.archive(self.folder / "archive")), head)
        inside = self.archive(self.work / "third_party" / "neardup")
        self.commit()
        self.assertEqual(self.told(inside), head)

    def test_bare_files_tell_nothing_also_in_the_work_tree_of_another_project(self):
        self.assertEqual(self.told(self.copy_to("bare")), "unknown")
        self.assertEqual(self.told(self.copy_to("work/third_party/neardup")), "unknown")

    def test_the_builder_of_an_image_has_the_first_word(self):
        self.assertEqual(self.told(self.work, NEARDUP_REVISION="abc"), "abc")


class Build(Revision):
    def setUp(self):
        super().setUp()
        for name, text in (("CMakeLists.txt", PROJECT), ("main.cc", MAIN), ("other.cc", ""), (".gitignore", "/build/")):
            (self.work / name).write_text(text)
        self.commit()
        run("cmake", "-G", "Ninja", "-S", ".", "-B", "build", where=self.work)

    def build(self):
        """(what the program says, objects that were compiled)"""
        said = run("cmake", "--build", "build", "--verbose", where=self.work)
        compiled = [line.split(" -c ")[1] for line in said.splitlines() if " -c " in line]
        return run("build/small", where=self.work), sorted(pathlib.Path(name).name for name in compiled)

    def test_an_incremental_build_notices_a_commit_and_compiles_one_file(self):
        first = run("git", "rev-parse", "HEAD", where=self.work)
        said, compiled = self.build()
        self.assertEqual((said, len(compiled)), (first, 3))
        self.assertEqual(self.build(), (first, []))
        second = self.commit()
        self.assertNotEqual(first, second)
        self.assertEqual(self.build(), (second, ["revision.cc"]))
        (self.work / "other.cc").write_text("// changed\n")
        self.assertEqual(self.build(), (second + "-dirty", ["other.cc", "revision.cc"]))


if __name__ == "__main__":
    unittest.main()
