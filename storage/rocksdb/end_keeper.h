// Keeps the `end` of a state up to date while the state is open for writing.
//
// It is written on opening, with the first commit, right after a later one but not within two
// seconds of the last time, before a log is deleted, and on closing. So of a process that was
// killed, damage can take what was committed in its last two seconds without being noticed, and no
// more.
//
// A write of `end` reads back what was appended to the logs and the manifest, and synced, since the
// last one, which is in the page cache, and syncs a block. Commits do not wait for it, except the
// first.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "pipeline/base/mutex.h"
#include "storage/rocksdb/end_check.h"
#include "storage/rocksdb/end_files.h"
#include "storage/rocksdb/watched_files.h"

namespace neardup {

class EndKeeper {
 public:
  // Writes the first end of the opened state, and starts a thread. `reach`: how far the database
  // reaches; called on any thread. Throws Failure(kIo).
  EndKeeper(const std::string& state, const std::string& uuid, std::function<Reach()> reach,
            std::shared_ptr<WatchedFiles> watched);
  ~EndKeeper();  // the database is closed
  EndKeeper(const EndKeeper&) = delete;
  EndKeeper& operator=(const EndKeeper&) = delete;

  // To be called after each commit, on one thread. Throws what a write of `end` has failed with.
  void committed();

  // Writes the last end, if it can. Requires: the database is open, and does nothing in the
  // background any more.
  void finish();

 private:
  void run();
  bool wait_for_commit();
  void pause();
  void write(const Reach& reach) EXCLUDES(mutex_);
  bool may_delete(std::uint64_t log) EXCLUDES(mutex_);
  void end_thread();

  const std::string state_;
  const std::function<Reach()> reach_;
  const std::shared_ptr<WatchedFiles> watched_;
  bool has_commit_ = false;
  Mutex mutex_;
  EndFiles files_ GUARDED_BY(mutex_);
  StoredEnd end_ GUARDED_BY(mutex_);  // as it was written last
  std::exception_ptr failure_ GUARDED_BY(mutex_);
  std::atomic<bool> failed_ = false;
  std::atomic<bool> is_due_ = false;  // something was committed; the thread has not seen it
  Mutex sleep_;
  ConditionVariable wake_;
  bool ended_ GUARDED_BY(sleep_) = false;
  std::thread thread_;
};

// Writes the end of a database that no process has open, such as a checkpoint. Throws
// Failure(kIo).
void write_end_of(const std::string& state, const std::string& uuid, const Reach& reach);

}  // namespace neardup
