"""The runner must be able to fail."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
CASE = FOLDER / "chain_against_kept.case"


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        case = pathlib.Path(folder) / "x.case"
        case.write_text(text)
        done = subprocess.run([sys.executable, "-B", FOLDER / "run_case.py", case], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


class Runner(unittest.TestCase):
    def test_a_wrong_field_is_named(self):
        text = CASE.read_text().replace('"duplicate_of":"C"', '"duplicate_of":"B"')
        status, said = run(text)
        self.assertEqual(status, 1)
        self.assertIn("flag 4: duplicate_of 'B' wanted, 'C' found", said)

    def test_a_missing_flag_is_noticed(self):
        status, said = run(CASE.read_text() + '\n> {"id":"E","text":"one more"}\n')
        self.assertEqual(status, 1)
        self.assertIn("4 flags wanted, 5 found", said)

    def test_a_field_that_must_not_be_there_is_noticed(self):
        status, said = run(CASE.read_text().replace('"similarity":0.814}', '"similarity":null}'))
        self.assertEqual(status, 1)
        self.assertIn("similarity None wanted, 0.814 found", said)

    def test_a_line_that_means_nothing_is_an_error(self):
        status, said = run(CASE.read_text() + "\nexpect: nothing\n")
        self.assertNotEqual(status, 0)
        self.assertIn("not a line of a case", said)


if __name__ == "__main__":
    unittest.main()
