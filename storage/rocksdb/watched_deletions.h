// An environment of RocksDB that asks before a log is deleted.
#pragma once

#include <rocksdb/env.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "pipeline/core/mutex.h"

namespace neardup {

// Who is asked. Any thread.
class LogDeletions {
 public:
  // Called with the number of the log, on a thread of RocksDB; false: the log stays.
  using Ask = std::function<bool(std::uint64_t)>;
  void watch(Ask ask);
  bool may_delete(std::uint64_t log);

 private:
  Mutex mutex_;
  Ask ask_ GUARDED_BY(mutex_);  // empty: nobody
};

std::unique_ptr<rocksdb::Env> watched_env(const std::shared_ptr<LogDeletions>& deletions);

}  // namespace neardup
