"""The index of keywords, whose writer is killed while it writes a segment, changes no answer.

  similar_test.py ROUNDS [SEED]
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import neardup  # noqa: E402
from folder import FolderTest  # noqa: E402

ROUNDS = 8
SEED = 20261123
DOCUMENTS = 40_000  # a segment of 13 MB
SETS = ("similar.index=on",)


def documents(chosen, count):
    """Texts of which each shares words with the one ten before it."""
    words = [f"word{i}" for i in range(5000)]
    texts = []
    for i in range(count):
        text = chosen.choices(words, k=12)
        texts.append(texts[i - 10][:9] + text[:4] if i % 20 >= 10 else text)
        yield json.dumps({"id": f"d{i}", "text": " ".join(texts[-1])}) + "\n"


class KilledWriter(FolderTest):
    def setUp(self):
        super().setUp()
        chosen = random.Random(SEED)
        inputs = self.folder / "documents.jsonl"
        inputs.write_text("".join(documents(chosen, DOCUMENTS)))
        neardup.scan_or_fail([inputs], self.output, self.state, ("sketch.size=64",))
        self.index = self.state / "similar"
        self.queries = "".join(json.dumps({"id": f"d{chosen.randrange(DOCUMENTS)}"}) + "\n" for _ in range(50))
        (self.folder / "none.jsonl").touch()
        self.command = neardup.scan_command([self.folder / "none.jsonl"], self.folder / "no-flags", self.state,
                                            ("sketch.size=64", *SETS))
        self.wanted = self.answers()
        self.assertGreater(sum(len(answer.get("hits", [])) for answer in self.wanted), 20)

    def answers(self):
        done = subprocess.run(
            [neardup.BINARY, "similar", "--state", self.state, "--engine", "match", "--set", "sketch.size=64", "-"],
            input=self.queries, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        return [{name: value for name, value in answer.items() if name != "took_ms"} for answer in answers]

    def kill_while_it_writes(self):
        """Whether a segment was being written."""
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            if list(self.index.glob("*.tmp")):
                process.kill()
                process.wait()
                return bool(list(self.index.glob("*.tmp")))
            time.sleep(0.0005)
        return False

    def test_a_killed_writer_changes_no_answer(self):
        caught = 0
        for _ in range(20 * ROUNDS):
            shutil.rmtree(self.index, ignore_errors=True)
            (self.folder / "no-flags").unlink(missing_ok=True)
            if self.kill_while_it_writes():
                caught += 1
                self.assertEqual(self.answers(), self.wanted)
            if caught == ROUNDS:
                break
        self.assertEqual(caught, ROUNDS, "the writer was not caught while it wrote")
        done = subprocess.run(self.command, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([path.suffix for path in self.index.iterdir()], [""], "leftovers are removed")
        self.assertEqual(self.answers(), self.wanted)


if __name__ == "__main__":
    ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    SEED = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    unittest.main(argv=sys.argv[:1])
