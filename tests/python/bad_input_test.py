"""What cannot be used is a named exception, and stores nothing."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import package
from package import Test, package as neardup, words


class BadInput(Test):
    def setUp(self):
        super().setUp()
        self.index = neardup.Deduplicator()
        self.addCleanup(self.index.close)

    def refused(self, pattern, *arguments, kind=neardup.InputError, **keywords):
        with self.assertRaisesRegex(kind, pattern):
            self.index.add(*arguments, **keywords)
        self.assertEqual(self.index.stats()["next_seq"], 1)  # no batch half added

    def test_values_that_are_no_text(self):
        self.refused("text 1: NoneType", ["a", None])
        self.refused("text 0: int", [3])
        self.refused("text 2: float", ["a", "b", float("nan")])
        self.refused("texts: str", "one text")
        self.refused("texts: bytes", b"one text")
        self.refused("texts: dict", {"text": "a"})
        self.refused("texts: int", 7)
        self.refused("texts: NoneType", None)
        self.refused("row 1: not a dict with 'text'", [{"text": "a"}, {"body": "b"}])
        self.refused("row 1: not a dict", [{"text": "a"}, "b"])

    def test_texts_that_are_no_utf8(self):
        self.refused("text 1: not valid UTF-8", [b"a", b"\xff"])
        self.refused("text 1: half of a surrogate pair", ["a", "\ud800"])
        self.refused("id 0: half of a surrogate pair", ["a"], ["\ud800"])
        self.refused("id 0: not valid UTF-8", ["a"], [b"\xff"])
        self.refused("errors='ignore'", ["a"], errors="ignore")
        flags = self.index.add([b"\xff " + words(1, 9).encode(), "\ud800 " + words(1, 9)], errors="replace")
        self.assertEqual(flags.status, ["unique", "exact_duplicate"])

    def test_lengths_that_differ(self):
        self.refused("1 ids for 2 texts", ["a", "b"], ["1"])
        self.refused("3 namespaces for 1 texts", ["a"], None, ["1", "2", "3"])
        self.refused("more ids than texts", iter([]), ["1"])

    def test_ids_of_another_type(self):
        self.refused("id 0: int", ["a"], [1])
        self.refused("id 1: NoneType", ["a", "b"], ["1", None])

    def test_an_iterator_that_raises_leaves_whole_pieces(self):
        size = neardup._pieces.PIECE

        def texts():
            yield from (words(i, i + 9) for i in range(size + 10))
            raise KeyError("in the middle")
        with self.assertRaises(KeyError):
            self.index.add(texts())
        self.assertEqual(self.index.stats()["next_seq"], size + 1)

    def test_a_sequence_that_raises(self):
        class Raises:
            def __len__(self):
                return 3

            def __getitem__(self, i):
                raise OSError("gone")
        self.refused("gone", Raises(), kind=OSError)

    def test_a_progress_function_that_raises(self):
        def progress(done):
            raise KeyError("stop")
        texts = [words(i, i + 300) for i in range(30_000)]
        with self.assertRaises(KeyError):
            self.index.add(texts, progress=progress)
        seen = self.index.stats()["next_seq"] - 1
        self.assertLess(seen, len(texts))
        self.assertEqual(self.index.add(texts, [str(i + 1) for i in range(len(texts))]).counts["unchanged"], seen)

    def test_settings(self):
        with self.assertRaisesRegex(neardup.SettingsError, "thresold.*did you mean `threshold`"):
            neardup.Deduplicator(thresold=0.5)
        with self.assertRaisesRegex(ValueError, "threshold"):
            neardup.Deduplicator(threshold=1.5)
        with self.assertRaisesRegex(neardup.SettingsError, "memory"):
            neardup.Deduplicator(self.folder / "state", **{"storage.store": "memory"})
        with self.assertRaises(neardup.SettingsError):
            neardup.sketch(["a"], threshold="high")

    def test_questions(self):
        with self.assertRaisesRegex(neardup.InputError, "no such id"):
            self.index.explain("a", "b")
        with self.assertRaisesRegex(neardup.InputError, "give an id"):
            self.index.explain(3, "b")
        with self.assertRaisesRegex(neardup.InputError, "either"):
            self.index.similar()
        with self.assertRaisesRegex(neardup.InputError, "k has to be"):
            self.index.similar("a", k=0)
        with self.assertRaises(neardup.InputError):
            self.index.similar("too short")
        with self.assertRaisesRegex(neardup.InputError, "id 1: int"):
            self.index.delete(["a", 3])
        with self.assertRaises(IndexError):
            self.index.add(["a"])[3]
        with self.assertRaises(KeyError):
            self.index.add(["a"]).column("nothing")


class Ownership(Test):
    def test_a_state_is_open_once(self):
        first = neardup.Deduplicator(self.folder / "state")
        with self.assertRaises(neardup.StateInUseError):
            neardup.Deduplicator(self.folder / "state")
        first.add([words(1, 100)])
        self.assertEqual(package.command.scan([os.devnull], state=self.folder / "state").returncode, 75)
        first.close()
        with self.assertRaises(neardup.ClosedError):
            first.add(["a"])
        first.close()  # again: nothing to do
        neardup.Deduplicator(self.folder / "state").close()

    def test_a_folder_that_is_no_state(self):
        (self.folder / "CURRENT").write_text("something else")
        with self.assertRaises(neardup.Error):
            neardup.Deduplicator(self.folder)
        with self.assertRaises(neardup.StorageError):
            neardup.Deduplicator("/proc/neardup")

    def test_a_fork_is_refused(self):
        index = neardup.Deduplicator(self.folder / "state")
        index.add([words(1, 100)], ["a"])
        child = os.fork()
        if child == 0:
            try:
                index.add(["b"])
            except neardup.ForkError as error:
                os._exit(0 if "Client" in str(error) else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(index.add([words(1, 100)], ["b"]).duplicate_of, ["a"])
        index.close()

    def test_a_cycle_gives_the_state_free(self):
        index = neardup.Deduplicator(self.folder / "state")
        index.itself = index
        del index
        gc.collect()
        neardup.Deduplicator(self.folder / "state").close()

    def test_temporary_states_are_removed(self):
        code = ("import os, sys, tempfile, neardup\n"
                "index = neardup.Deduplicator(); index.add(['a b c d e f g'])\n"
                "print(index._state.path()); index.itself = index; sys.modules['x'] = index\n"
                "if os.fork() == 0: sys.exit(0)\nos.wait()\nindex.add(['a b c d e f g'])\n")
        quiet = ["-W", "ignore::DeprecationWarning"]  # that threads do not survive the fork, from Python 3.12 on
        done = subprocess.run([sys.executable, *quiet, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertFalse(pathlib.Path(done.stdout.splitlines()[0]).exists())


class Threads(Test):
    TEXTS = [words(i, i + 120) for i in range(0, 4_000_000, 200)]

    def test_others_run_during_a_call(self):
        ticks = []
        with neardup.Deduplicator() as index:
            caller = threading.Thread(target=index.add, args=(self.TEXTS,))
            caller.start()
            while caller.is_alive():
                ticks.append(time.monotonic())
                time.sleep(0.001)
            caller.join()
        longest = max(b - a for a, b in zip(ticks, ticks[1:]))
        self.assertGreater(len(ticks), 20)
        self.assertLess(longest, 0.5)

    def test_many_add_and_check_at_once(self):
        with neardup.Deduplicator() as index:
            def add(part):
                for i in range(part, 2000, 8):
                    index.add(self.TEXTS[i:i + 1], [str(i)])
                    index.check(self.TEXTS[i:i + 2])
            threads = [threading.Thread(target=add, args=(part,)) for part in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(index.stats()["next_seq"], 2001)
            self.assertEqual(index.add(self.TEXTS[:2000], list(map(str, range(2000)))).counts, {"unchanged": 2000})

    def test_a_thread_is_in_a_call_when_the_interpreter_ends(self):
        code = ("import threading, neardup\nindex = neardup.Deduplicator()\n"
                "texts = [' '.join(f'w{i + j}' for j in range(100)) for i in range(20000)]\n"
                "threading.Thread(target=lambda: [index.add(texts) for _ in range(3)], daemon=True).start()\n"
                "import time; time.sleep(0.05)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_ctrl_c_leaves_whole_batches(self):
        with neardup.Deduplicator(self.folder / "state") as index:
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                for _ in range(100):
                    index.add(self.TEXTS)
            seen = index.stats()["next_seq"] - 1
            self.assertGreater(seen, 0)
            self.assertIn("unique", index.add([words(9_000_000, 9_000_100)]).status)

    def test_a_kill_leaves_whole_batches(self):
        code = ("import sys, neardup\nindex = neardup.Deduplicator(sys.argv[1])\n"
                "texts = [' '.join(f'w{i + j}' for j in range(0, 100)) for i in range(0, 10_000_000, 200)]\n"
                "print('go', flush=True)\n"
                "for i in range(0, len(texts), 500): index.add(texts[i:i + 500])\n")
        process = subprocess.Popen([sys.executable, "-c", code, self.folder / "state"], stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(0.6)
        process.kill()
        process.wait()
        process.stdout.close()
        with neardup.Deduplicator(self.folder / "state") as index:
            self.assertEqual((index.stats()["next_seq"] - 1) % 500, 0)


if __name__ == "__main__":
    package.main()
