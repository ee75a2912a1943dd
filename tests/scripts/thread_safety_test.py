"""Clang refuses access to what a mutex guards while the mutex is not held, as scripts/thread-safety runs it."""

import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
import outside  # noqa: E402

COUNTER = """
#include "pipeline/base/mutex.h"
class Counter {
 public:
  int next() { %s return ++value_; }
  int wait() { %s while (value_ == 0) changed_.wait(lock); return value_; }
 private:
  neardup::Mutex mutex_;
  neardup::ConditionVariable changed_;
  int value_ GUARDED_BY(mutex_) = 0;
};
int use(Counter& counter) { return counter.next() + counter.wait(); }
"""
LOCKED = "neardup::MutexLock lock(mutex_);"
OTHER = "neardup::Mutex other; neardup::MutexLock lock(other);"


def script():
    loader = importlib.machinery.SourceFileLoader("thread_safety", str(ROOT / "scripts" / "thread-safety"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("thread_safety", loader))
    loader.exec_module(module)
    return module


class ThreadSafety(unittest.TestCase):
    def check(self, next_lock, wait_lock):
        with tempfile.NamedTemporaryFile("w", suffix=".cc") as source:
            source.write(COUNTER % (next_lock, wait_lock))
            source.flush()
            return script().check(source.name, [f"-I{ROOT}", "-std=c++20"])

    def test_guarded_access_passes(self):
        result = self.check(LOCKED, LOCKED)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_access_without_the_mutex_is_an_error(self):
        for locks in (("", LOCKED), (OTHER, LOCKED), (LOCKED, OTHER)):
            with self.subTest(locks=locks):
                result = self.check(*locks)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn("requires holding mutex 'mutex_'", result.stderr)

    def test_sources_are_found_through_headers(self):
        files = sorted((ROOT / "storage").rglob("*")) + sorted((ROOT / "pipeline").rglob("*"))
        users = script().users(files)
        self.assertIn("storage/index/index.cc", users)  # by index.h and index_state.h
        self.assertNotIn("pipeline/rule/estimate.cc", users)


if __name__ == "__main__":
    if shutil.which(script().ANALYSIS[0]) is None:
        outside.skip("clang is not installed", "NEARDUP_REQUIRE_CLANG")
    unittest.main()
