// The files that an end names: the manifest in use and the logs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "storage/rocksdb/stored_end.h"
#include "storage/rocksdb/watched_files.h"

namespace neardup {

// Some 600 bytes of memory a log.
class EndFiles {
 public:
  // `watched`: what the database that is open knows of its files; null: it is closed.
  EndFiles(std::string state, std::shared_ptr<const WatchedFiles> watched);

  // Reads what was appended and synced since the last call, and sets their prefixes in `end`.
  // Requires: no log is deleted meanwhile. Throws Failure(kIo).
  void follow(StoredEnd& end);

  // The log is about to be deleted, and is named no more.
  void forget(std::uint64_t log);

 private:
  bool follow_manifest();
  bool follow_logs();

  bool follow(GrowingFile& file) const;

  const std::string state_;
  const std::shared_ptr<const WatchedFiles> watched_;
  std::unique_ptr<GrowingFile> manifest_;
  std::map<std::uint64_t, GrowingFile> logs_;
  std::set<std::uint64_t> forgotten_;  // files that may still be there
};

}  // namespace neardup
