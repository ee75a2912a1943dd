#include "service/state/backup.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "pipeline/base/failure.h"
#include "pipeline/retention/delete_log.h"
#include "pipeline/state_keys.h"
#include "service/kafka/store/state_head.h"
#include "storage/files.h"
#include "storage/stores.h"

namespace neardup {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMemoryToLook = std::uint64_t{16} << 20;  // small: a service may run too

std::string checkpoint_path(const std::string& state) { return state + "/backup"; }

void remove_checkpoint(const std::string& state) {
  std::error_code ignored;
  fs::remove_all(checkpoint_path(state), ignored);
  fs::remove_all(checkpoint_path(state) + ".tmp", ignored);  // of an interrupted checkpoint
}

// Sorted by name, but CURRENT last: without it a directory is no database.
std::vector<std::string> file_names(const std::string& directory) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names, {},
                    [](const std::string& name) { return std::pair(name == "CURRENT", name); });
  return names;
}

BackupManifest describe(const std::string& checkpoint, std::int64_t now_ms) {
  StorageOptions options;
  options.path = checkpoint;
  options.memory = kMemoryToLook;
  const auto store = open_store(options, OpenMode::kReadOnly);
  BackupManifest manifest;
  manifest.format = kFormatVersion;
  manifest.uuid = store->meta("uuid").value_or("");
  const std::string rule = store->meta(kMetaRule).value_or("");
  if (!rule.empty()) manifest.rule = rule_fingerprint(rule);
  manifest.next_seq = static_cast<std::uint64_t>(meta_number(*store, kMetaNextSeq, 1));
  manifest.deletes = static_cast<std::uint64_t>(meta_number(*store, kMetaDeleteCount, 0));
  manifest.kafka_mark = store->meta(kMetaMark).value_or("");
  manifest.documents = store->size().documents;
  manifest.made_ms = now_ms;
  return manifest;
}

// Removes the files in `path`, and `path` if it is new, unless finished() was called.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path) : path_(path), is_new_(!fs::exists(path)) {
    fs::create_directories(path);
  }
  ~Unfinished() {
    if (finished_) return;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) {
      fs::remove(entry.path(), ignored);
    }
    if (is_new_) fs::remove(path_, ignored);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  void finished() { finished_ = true; }

 private:
  const std::string path_;
  const bool is_new_;
  bool finished_ = false;
};

}  // namespace

BackupLock::BackupLock(const std::string& state) : state_(state), lock_(state) {
  if (!lock_.held()) {
    throw Failure(Exit::kUnavailable, fmt::format("state {}: another backup is being made", state));
  }
  remove_checkpoint(state);
}

BackupLock::~BackupLock() { remove_checkpoint(state_); }

void remove_old_checkpoint(const std::string& state) {
  const DirectoryLock lock(state);
  if (lock.held()) remove_checkpoint(state);
}

void make_checkpoint(const std::string& state, Store& store) {
  if (fs::exists(checkpoint_path(state)))
    throw Failure(Exit::kUnavailable, fmt::format("state {}: another backup is being made", state));
  store.checkpoint(checkpoint_path(state));
}

void require_place_for_backup(const std::string& state, const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  if (fs::equivalent(state, path, error)) {
    throw Failure(Exit::kUsage, fmt::format("{} is the state itself; name another place", path));
  }
  if (!fs::is_directory(path, error) || !fs::is_empty(path, error)) {
    throw Failure(Exit::kUsage, fmt::format("{} exists and is not an empty directory: name a new "
                                            "one (an interrupted backup can be removed)",
                                            path));
  }
}

BackupManifest copy_checkpoint(const std::string& state, const std::string& path,
                               std::int64_t now_ms, const CopyProgress& progress) {
  const std::string from = checkpoint_path(state);
  const std::vector<std::string> names = file_names(from);  // before opening it, which adds files
  BackupManifest manifest = describe(from, now_ms);
  Unfinished unfinished(path);
  for (const std::string& name : names) {
    manifest.files.push_back(copy_file(from, path, name, progress));
  }
  sync_directory(path);
  const std::string place = path + '/' + std::string(kManifestName);
  write_new_file(place + ".new", manifest_json(manifest));
  rename_file(place + ".new", place);
  sync_directory(fs::absolute(path).parent_path());
  unfinished.finished();
  return manifest;
}

}  // namespace neardup
