#include "storage/rocksdb/watched_deletions.h"

#include <rocksdb/file_system.h>

#include <string>
#include <utility>

#include "storage/rocksdb/state_directory.h"

namespace neardup {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class WatchedFileSystem : public rocksdb::FileSystemWrapper {
 public:
  explicit WatchedFileSystem(std::shared_ptr<LogDeletions> deletions)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), deletions_(std::move(deletions)) {}
  const char* Name() const override { return "WatchedFileSystem"; }

  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* debug) override {
    const std::uint64_t log = log_number(name);
    if (log != 0 && !deletions_->may_delete(log)) return IOStatus::IOError(name, "is still needed");
    return FileSystemWrapper::DeleteFile(name, options, debug);
  }

 private:
  std::shared_ptr<LogDeletions> deletions_;
};

}  // namespace

void LogDeletions::watch(Ask ask) {
  const MutexLock lock(mutex_);
  ask_ = std::move(ask);
}

bool LogDeletions::may_delete(std::uint64_t log) {
  const MutexLock lock(mutex_);
  return !ask_ || ask_(log);
}

std::unique_ptr<rocksdb::Env> watched_env(const std::shared_ptr<LogDeletions>& deletions) {
  return rocksdb::NewCompositeEnv(std::make_shared<WatchedFileSystem>(deletions));
}

}  // namespace neardup
