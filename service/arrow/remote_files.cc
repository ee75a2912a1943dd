#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/filesystem/s3fs.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/config.h>
#include <arrow/util/key_value_metadata.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "pipeline/base/mutex.h"
#include "service/arrow/module_parts.h"

namespace neardup {
namespace {

namespace fs = arrow::fs;

constexpr std::size_t kHeadBytes = 4096;
// With pauses of some 16 seconds in all.
constexpr std::int64_t kMostRetries = 8;
constexpr std::int64_t kFirstPauseMs = 100, kLongestPauseMs = 5000;

// Arrow's default retries connections only, and the SDK's stops after some 10 seconds of
// throttling.
class Retries : public fs::S3RetryStrategy {
 public:
  bool ShouldRetry(const AWSErrorDetail& error, std::int64_t attempted) override {
    return error.should_retry && attempted < kMostRetries;
  }
  std::int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail&,
                                             std::int64_t attempted) override {
    return std::min(kFirstPauseMs << std::min<std::int64_t>(attempted, 10), kLongestPauseMs);
  }
};

struct Store {
  std::shared_ptr<fs::FileSystem> files;
  std::string root;  // the bucket, as its paths begin
};

void finish_s3() { static_cast<void>(fs::EnsureS3Finalized()); }

// What it makes is destroyed after `finish_s3`, which is registered later.
void start_s3() {
  require(fs::EnsureS3Initialized());
  static const int at_exit = std::atexit(finish_s3);
  static_cast<void>(at_exit);
}

Store open_store(const std::string& name) {
  if (name.starts_with("s3:")) start_s3();
  Store store;
#if ARROW_VERSION_MAJOR >= 26
  if (name.starts_with("s3:")) {
    const std::shared_ptr<fs::S3RetryStrategy> retries = std::make_shared<Retries>();
    store.files =
        value_of(fs::FileSystemFromUriAndOptions(name, {{"retry_strategy", retries}}, &store.root));
    return store;
  }
#endif
  store.files = value_of(fs::FileSystemFromUri(name, &store.root));
  return store;
}

// One file system each: it has the connections. Never deleted, as threads may end after `main`.
const Store& store_of(const std::string& name) {
  static Mutex& mutex = *new Mutex;
  static auto& stores = *new std::map<std::string, Store>;
  const MutexLock lock(mutex);
  const auto at = stores.find(name);
  return at != stores.end() ? at->second : stores.emplace(name, open_store(name)).first->second;
}

std::string path_of(const Store& store, std::string_view key) {
  while (key.ends_with('/')) key.remove_suffix(1);
  return key.empty() ? store.root : std::string(store.root).append("/").append(key);
}

// Changes with the content. Empty: the store says nothing of that.
std::string mark_of(arrow::io::RandomAccessFile& file) {
  const auto metadata = value_of(file.ReadMetadata());
  for (const char* name : {"ETag", "etag"}) {
    if (metadata == nullptr) break;
    const auto found = metadata->Get(name);
    if (found.ok()) return *found;
  }
  return {};
}

// The bytes of one version of an object: after a read it must be there still, so that what was read
// is of the version that was opened. (Ranged reads of Arrow do not say which version they want.)
class OneVersion {
 public:
  explicit OneVersion(const RemotePlace& place)
      : store_(store_of(place.store)), path_(path_of(store_, place.key)) {
    file_ = value_of(store_.files->OpenInputFile(path_));
    size_ = value_of(file_->GetSize());
    mark_ = mark_of(*file_);
  }

  std::int64_t size() const { return size_; }
  arrow::io::RandomAccessFile& file() { return *file_; }

  void require_same() const {
    if (mark_.empty()) return;
    const auto now = value_of(store_.files->OpenInputFile(path_));
    if (mark_of(*now) != mark_)
      throw std::runtime_error("the object was replaced by another while it was read");
  }

 private:
  const Store& store_;
  std::string path_;
  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::int64_t size_ = 0;
  std::string mark_;
};

class Object : public RemoteObject {
 public:
  explicit Object(const RemotePlace& place) : version_(place) {}
  std::uint64_t size() const override { return static_cast<std::uint64_t>(version_.size()); }
  std::size_t read(std::uint64_t offset, char* to, std::size_t most) override {
    if (offset >= size()) return 0;
    most = static_cast<std::size_t>(std::min<std::uint64_t>(most, size() - offset));
    const std::int64_t got = value_of(version_.file().ReadAt(static_cast<std::int64_t>(offset),
                                                             static_cast<std::int64_t>(most), to));
    if (static_cast<std::size_t>(got) != most)
      throw std::runtime_error("the server gave " + std::to_string(got) + " bytes of " +
                               std::to_string(most));
    // The head of a longer object is followed by a read that is checked.
    if (most > kHeadBytes || offset + most == size()) version_.require_same();
    return most;
  }

 private:
  OneVersion version_;
};

class CheckedFile : public arrow::io::RandomAccessFile {
 public:
  explicit CheckedFile(const RemotePlace& place) : version_(place) {
    set_mode(arrow::io::FileMode::READ);
  }
  using RandomAccessFile::ReadAt;
  arrow::Status Close() override { return version_.file().Close(); }
  bool closed() const override { return version_.file().closed(); }
  arrow::Result<std::int64_t> Tell() const override { return at_; }
  arrow::Status Seek(std::int64_t position) override {
    at_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> GetSize() override { return version_.size(); }
  arrow::Result<std::int64_t> Read(std::int64_t most, void* out) override {
    auto got = ReadAt(at_, most, out);
    if (got.ok()) at_ += *got;
    return got;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t most) override {
    auto got = ReadAt(at_, most);
    if (got.ok()) at_ += (*got)->size();
    return got;
  }
  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t most, void* out) override {
    return checked(version_.file().ReadAt(position, most, out));
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position,
                                                       std::int64_t most) override {
    return checked(version_.file().ReadAt(position, most));
  }

 private:
  template <class Got>
  arrow::Result<Got> checked(arrow::Result<Got> got) const {
    if (!got.ok()) return got;
    try {
      version_.require_same();
    } catch (const std::exception& error) {
      return arrow::Status::IOError(error.what());
    }
    return got;
  }

  mutable OneVersion version_;
  std::int64_t at_ = 0;
};

}  // namespace

std::unique_ptr<RemoteObject> open_object(const RemotePlace& place) {
  return std::make_unique<Object>(place);
}

std::shared_ptr<arrow::io::RandomAccessFile> open_remote_file(const RemotePlace& place) {
  return std::make_shared<CheckedFile>(place);
}

RemoteKind kind_of(const RemotePlace& place) {
  const Store& store = store_of(place.store);
  const fs::FileInfo info = value_of(store.files->GetFileInfo(path_of(store, place.key)));
  if (info.type() == fs::FileType::NotFound) return RemoteKind::kNone;
  return info.IsDirectory() ? RemoteKind::kFolder : RemoteKind::kObject;
}

std::vector<std::string> list_objects(const RemotePlace& folder, bool below) {
  const Store& store = store_of(folder.store);
  fs::FileSelector wanted;
  wanted.base_dir = path_of(store, folder.key);
  wanted.recursive = below;
  std::vector<std::string> keys;
  for (const fs::FileInfo& info : value_of(store.files->GetFileInfo(wanted)))
    if (info.IsFile()) keys.push_back(info.path().substr(store.root.size() + 1));
  return keys;
}

}  // namespace neardup
