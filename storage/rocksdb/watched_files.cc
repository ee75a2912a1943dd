#include "storage/rocksdb/watched_files.h"

#include <rocksdb/file_system.h>

#include <filesystem>
#include <utility>

#include "storage/rocksdb/state_directory.h"

namespace neardup {
namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

std::string normal(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// A log or manifest that is being written.
class WatchedFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  WatchedFile(std::unique_ptr<rocksdb::FSWritableFile> file, std::string path,
              std::shared_ptr<WatchedFiles> files)
      : FSWritableFileOwnerWrapper(std::move(file)),
        path_(std::move(path)),
        files_(std::move(files)) {
    files_->set_synced(path_, 0);
  }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return counted(data, FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& verified,
                  IODebugContext* debug) override {
    return counted(data, FSWritableFileOwnerWrapper::Append(data, options, verified, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    const std::uint64_t bytes = written_;
    return synced(bytes, FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    const std::uint64_t bytes = written_;
    return synced(bytes, FSWritableFileOwnerWrapper::Fsync(options, debug));
  }

 private:
  IOStatus counted(const Slice& data, IOStatus status) {
    if (status.ok()) written_ += data.size();
    return status;
  }
  // `bytes`: written before the sync began.
  IOStatus synced(std::uint64_t bytes, IOStatus status) {
    if (status.ok()) files_->set_synced(path_, bytes);
    return status;
  }

  const std::string path_;
  const std::shared_ptr<WatchedFiles> files_;
  std::uint64_t written_ = 0;
};

class WatchedFileSystem : public rocksdb::FileSystemWrapper {
 public:
  explicit WatchedFileSystem(std::shared_ptr<WatchedFiles> files)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), files_(std::move(files)) {}
  const char* Name() const override { return "WatchedFileSystem"; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    IOStatus status = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    const bool grows = log_number(name) != 0 || manifest_number(name) != 0;
    if (status.ok() && grows) *file = std::make_unique<WatchedFile>(std::move(*file), name, files_);
    return status;
  }

  IOStatus DeleteFile(const std::string& name, const IOOptions& options,
                      IODebugContext* debug) override {
    const std::uint64_t log = log_number(name);
    if (log != 0 && !files_->may_delete(log)) return IOStatus::IOError(name, "is still needed");
    files_->forget(name);
    return FileSystemWrapper::DeleteFile(name, options, debug);
  }

 private:
  const std::shared_ptr<WatchedFiles> files_;
};

}  // namespace

void WatchedFiles::watch(Ask ask) {
  const MutexLock lock(asking_);
  ask_ = std::move(ask);
}

bool WatchedFiles::may_delete(std::uint64_t log) {
  const MutexLock lock(asking_);
  return !ask_ || ask_(log);
}

std::optional<std::uint64_t> WatchedFiles::synced(const std::string& path) const {
  const MutexLock lock(sizes_);
  const auto found = synced_.find(normal(path));
  if (found == synced_.end()) return {};
  return found->second;
}

void WatchedFiles::set_synced(const std::string& path, std::uint64_t bytes) {
  const MutexLock lock(sizes_);
  synced_[normal(path)] = bytes;
}

void WatchedFiles::forget(const std::string& path) {
  const MutexLock lock(sizes_);
  synced_.erase(normal(path));
}

std::unique_ptr<rocksdb::Env> watched_env(const std::shared_ptr<WatchedFiles>& files) {
  return rocksdb::NewCompositeEnv(std::make_shared<WatchedFileSystem>(files));
}

}  // namespace neardup
