"""What scripts/check finds in a made-up tree, and that it finds nothing in ours."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["bench", "config", "gpu", "metrics", "pipeline", "scripts", "service", "storage", "tests"]


def check(root, *options):
    return subprocess.run([sys.executable, ROOT / "scripts" / "check", root, *options], capture_output=True, text=True)


class Tree:
    """A repository with a commit and a recorded size."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        for folder in FOLDERS:
            (self.root / folder).mkdir()
        shutil.copy(ROOT / ".clang-format", self.root)
        self.write("storage/store.h", "int first();\nint second();\n")
        for reader in ("store.cc", "stores.cc", "memory_store.cc"):
            self.write(f"storage/{reader}", '#include "storage/store.h"\n')
        self.write("bench/results/build.md", self.builds(300))
        assert check(self.root, "--record").returncode == 0
        self.git("init", "-q")
        self.git("add", ".")
        self.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "A tree")

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, *arguments], check=True)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    @staticmethod
    def builds(*seconds):
        rows = "".join(f"| release {number} | 2 cores | 100.0 | {value} |\n" for number, value in enumerate(seconds))
        return f"| of | machine | s | CPU s |\n| --- | --- | ---: | ---: |\n{rows}\nThe programs of 0.1.\n"


@unittest.skipUnless(shutil.which("clang-format-16"), "clang-format-16 is missing")
class Check(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Tree(folder.name)

    def assert_found(self, *parts):
        result = check(self.tree.root)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
        for part in parts:
            self.assertIn(part, result.stdout)

    def assert_passes(self, root, *options):
        result = check(root, *options)
        self.assertEqual(result.stdout + result.stderr, "")
        self.assertEqual(result.returncode, 0)

    def test_this_tree_passes(self):
        self.assert_passes(ROOT)

    def test_an_unchanged_tree_passes(self):
        self.assert_passes(self.tree.root)

    def test_formatting(self):
        self.tree.write("storage/store.cc", '#include "storage/store.h"\nint  first() { return 1; }\n')
        result = check(self.tree.root)
        self.assertIn("not formatted (scripts/format mends it):\nstorage/store.cc\n", result.stdout)

    def test_includes(self):
        self.tree.write("storage/stores.cc", '#include "service/log/log.h"\n#include "storage/store.h"\n')
        self.assert_found("storage/stores.cc:1: must not include service/log/log.h")

    def test_a_private_word_in_an_added_line(self):
        self.tree.write("storage/store.h", "int first();\n// Reads it an" + "ew.\nint second();\n")
        self.assert_found("storage/store.h:2: ", "is no term of the field: again")

    def test_a_private_word_in_a_new_file(self):
        self.tree.write("docs/state.md", "# States\n\nA state of its" + " own.\n")
        self.assert_found("docs/state.md:3: ", "separate")

    def test_words_of_committed_lines_are_left_alone(self):
        self.tree.write("docs/state.md", "It goes" + " on.\n")
        self.tree.git("add", ".")
        self.tree.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "A page")
        self.assert_passes(self.tree.root)
        self.assertEqual(check(self.tree.root, "--since", "HEAD~1").returncode, 1)

    def test_the_name_of_a_new_file(self):
        self.tree.write("storage/store_utils.cc", '#include "storage/store.h"\n')
        self.assert_found("storage/store_utils.cc:1: ", '"utils" in a new name')

    def test_the_name_of_a_new_type(self):
        self.tree.write("storage/store.cc", '#include "storage/store.h"\nclass Row' + "Keeper {};\nclass StoreKeeper;\n")
        self.assert_found("storage/store.cc:2: ", '"Keeper" in a new name')

    def test_more_lines(self):
        self.tree.write("pipeline/resolve.cc", "// A line.\n" * 301)
        self.assert_found("pipeline: 301 lines, 0 at the last release", "cut or merge first", "--record")
        self.assertEqual(check(self.tree.root, "--record").returncode, 0)
        self.assert_passes(self.tree.root)

    def test_more_files(self):
        for number in range(6):
            self.tree.write(f"pipeline/step{number}.cc", "// A step.\n")
        self.assert_found("pipeline: 6 files, 0 at the last release")

    def test_more_headers(self):
        for number in range(4):
            self.tree.write(f"storage/part{number}.h", "// A part.\n")
        parts = "".join(f'#include "storage/part{number}.h"\n' for number in range(4))
        for reader in ("memory_store.cc", "stores.cc"):
            self.tree.write(f"storage/{reader}", f'{parts}#include "storage/store.h"\n')
        self.assert_found("storage: 5 headers, 1 at the last release")

    def test_a_header_of_one_reader(self):
        self.tree.write("storage/row.h", "// A row.\n")
        self.tree.write("storage/row.cc", '#include "storage/row.h"\n')
        self.tree.write("storage/memory_store.cc", '#include "storage/row.h"\n#include "storage/store.h"\n')
        self.tree.write("tests/row_test.cc", '#include "storage/row.h"\n')
        self.assert_found("storage: 1 headers of one reader, 0 at the last release", "needs a second reader")
        self.tree.write("storage/stores.cc", '#include "storage/row.h"\n#include "storage/store.h"\n')
        self.assert_passes(self.tree.root)

    def test_a_slower_build(self):
        self.tree.write("bench/results/build.md", self.tree.builds(300, 355))
        self.assert_passes(self.tree.root)
        self.tree.write("bench/results/build.md", self.tree.builds(300, 365))
        self.assert_found("365 CPU seconds (release 1), 300 at the last release")


if __name__ == "__main__":
    unittest.main()
