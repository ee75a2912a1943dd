// An environment of RocksDB that asks before a log is deleted, and that knows how much of each log
// and manifest is synced.
#pragma once

#include <rocksdb/env.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/base/mutex.h"

namespace neardup {

// Recorded events of the files of a database. Any thread.
class WatchedFiles {
 public:
  // Called with the number of the log, on a thread of RocksDB; false: the log stays.
  using Ask = std::function<bool(std::uint64_t)>;
  void watch(Ask ask);
  bool may_delete(std::uint64_t log);

  // The bytes of a log or manifest that RocksDB has written and synced. A file may be longer: of a
  // write that failed, the disk may hold a part, which RocksDB cuts off when it closes the file.
  // Nothing: the file is not written through this environment.
  std::optional<std::uint64_t> synced(const std::string& path) const;
  void set_synced(const std::string& path, std::uint64_t bytes);
  void forget(const std::string& path);

 private:
  Mutex asking_;
  Ask ask_ GUARDED_BY(asking_);  // empty: nobody
  mutable Mutex sizes_;
  std::map<std::string, std::uint64_t> synced_ GUARDED_BY(sizes_);  // by path in normal form
};

std::unique_ptr<rocksdb::Env> watched_env(const std::shared_ptr<WatchedFiles>& files);

}  // namespace neardup
