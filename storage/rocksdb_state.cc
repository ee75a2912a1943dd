#include "storage/rocksdb_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/core/failure.h"
#include "storage/identity.h"
#include "storage/rocksdb_unsynced.h"
#include "storage/state_directory.h"

namespace neardup {
namespace {

using rocksdb::Slice;
using rocksdb::Status;

// A writer beside a reader may delete a file between the reader's look at the manifest and its
// opening.
constexpr int kReadAttempts = 5;

bool is_lock_error(const Status& status) {
  return status.IsIOError() && status.ToString().find("lock") != std::string::npos;
}

// Held by another store of this very process: then the lock file must not be touched (closing it
// would release the lock).
bool is_held_here(const Status& status) {
  return status.ToString().find("current process") != std::string::npos;
}

std::string_view advice(const Status& status) {
  if (status.IsNoSpace()) return "free disk space and run again";
  if (status.IsCorruption()) return "the files are damaged: restore a backup or begin a new state";
  return "check the disk and the permissions, then run again";
}

Failure io_failure(const std::string& path, std::string_view doing, const Status& status) {
  return Failure(Exit::kIo, fmt::format("state {}: {} failed: {}; {}", path, doing,
                                        status.ToString(), advice(status)));
}

Failure not_ours(const std::string& path) {
  return Failure(
      Exit::kConfig,
      fmt::format("{} holds a RocksDB database that is not a neardup state: name another "
                  "directory",
                  path));
}

Failure no_state(const std::string& path) {
  return Failure(Exit::kUnavailable, fmt::format("there is no state at {}: check the path", path));
}

Failure in_use(const std::string& path, const Status& status) {
  return Failure(Exit::kUnavailable,
                 is_held_here(status)
                     ? fmt::format("state {} is already open in this process", path)
                     : in_use_message(path));
}

bool holds_anything(const Database& database) {
  rocksdb::ReadOptions whole;
  whole.total_order_seek = true;
  return std::any_of(database.families.begin(), database.families.end(), [&](auto* family) {
    const std::unique_ptr<rocksdb::Iterator> any(database.db->NewIterator(whole, family));
    any->SeekToFirst();
    return any->Valid() || !any->status().ok();
  });
}

// Throws when a family holds the mark of another format; is there one of this format?
bool check_formats(const Database& database, const std::string& path) {
  bool found = false;
  for (rocksdb::ColumnFamilyHandle* family : database.families) {
    std::string format;
    if (!database.db->Get({}, family, Slice(kFormatKey), &format).ok()) continue;
    check_format(format, path);
    found = true;
  }
  return found;
}

bool lacks_only_outbox(const std::vector<rocksdb::ColumnFamilyDescriptor>& families) {
  constexpr auto kOutbox = static_cast<std::size_t>(Family::kOutbox);
  static_assert(kOutbox + 1 == kFamilyNames.size());
  return families.size() == kOutbox && families.back().name != kFamilyNames[kOutbox];
}

Status open_read_only(const RocksdbOptions& tuned, const std::string& path,
                      const std::vector<rocksdb::ColumnFamilyDescriptor>& families,
                      Database& database) {
  rocksdb::DB* db = nullptr;
  Status status;
  for (int attempt = 0; attempt < kReadAttempts && db == nullptr; ++attempt) {
    status = rocksdb::DB::OpenForReadOnly(tuned.db, path, families, &database.families, &db);
  }
  database.db.reset(db);
  return status;
}

}  // namespace

void BackgroundErrors::OnBackgroundError(rocksdb::BackgroundErrorReason, Status* error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (first_.ok()) first_ = *error;
}

Status BackgroundErrors::first() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return first_;
}

Database::~Database() {
  for (rocksdb::ColumnFamilyHandle* family : families) delete family;
}

RocksdbState::RocksdbState(const StorageOptions& options, OpenMode mode) : path_(options.path) {
  if (path_.empty()) {
    throw Failure(Exit::kConfig, "storage.path is empty: name a directory for the state");
  }
  RocksdbOptions tuned = rocksdb_options(options);
  tuned.db.listeners.push_back(background_);
  if (options.temporary) {
    unsynced_ = unsynced_env();
    tuned.db.env = unsynced_.get();
  }
  if (mode == OpenMode::kReadOnly) {
    open_for_reading(tuned);
  } else {
    open_for_writing(tuned);
  }
  check_or_write_identity(mode, options.temporary);
}

void RocksdbState::open_for_reading(const RocksdbOptions& tuned) {
  if (!has_database(path_)) throw no_state(path_);
  const auto families = stored_families(tuned);
  if (families.empty()) throw no_state(path_);
  check(open_read_only(tuned, path_, families, database_), "opening");
}

void RocksdbState::open_for_writing(const RocksdbOptions& tuned) {
  prepare_directory(path_);
  if (has_database(path_)) stored_families(tuned);  // or throws
  rocksdb::DB* db = nullptr;
  const Status status =
      rocksdb::DB::Open(tuned.db, path_, tuned.families, &database_.families, &db);
  database_.db.reset(db);
  if (is_lock_error(status)) throw in_use(path_, status);
  check(status, "opening");
}

// Families other than ours belong to a state of another format or to somebody else. Some of ours
// are missing where a creation was cut off (nothing is in it yet), and from a state of an older
// program.
std::vector<rocksdb::ColumnFamilyDescriptor> RocksdbState::stored_families(
    const RocksdbOptions& tuned) const {
  std::vector<std::string> found;
  check(rocksdb::DB::ListColumnFamilies(tuned.db, path_, &found), "opening");
  std::vector<rocksdb::ColumnFamilyDescriptor> known;
  for (const rocksdb::ColumnFamilyDescriptor& family : tuned.families) {
    if (std::count(found.begin(), found.end(), family.name) > 0) known.push_back(family);
  }
  if (known.size() == found.size() && known.size() == tuned.families.size()) return known;

  Database part;
  check(open_read_only(tuned, path_, known, part), "opening");
  const bool has_format = check_formats(part, path_);
  if (known.size() != found.size()) throw not_ours(path_);
  if (!holds_anything(part)) return {};
  if (!has_format || !lacks_only_outbox(known)) throw not_ours(path_);
  return known;
}

void RocksdbState::check_or_write_identity(OpenMode mode, bool temporary) {
  std::string format;
  const Status status = db().Get({}, family(Family::kMeta), Slice(kFormatKey), &format);
  if (status.ok()) return check_format(format, path_);
  if (!status.IsNotFound()) check(status, "opening");
  if (holds_anything(database_)) throw not_ours(path_);
  if (mode == OpenMode::kReadOnly) throw no_state(path_);

  rocksdb::WriteBatch batch;
  check(batch.Put(family(Family::kMeta), Slice(kFormatKey), current_format()), "creating");
  check(batch.Put(family(Family::kMeta), Slice(kUuidKey), new_uuid()), "creating");
  rocksdb::WriteOptions durable;
  durable.sync = !temporary;
  durable.disableWAL = temporary;
  check(db().Write(durable, &batch), "creating");
}

void RocksdbState::check(const Status& status, std::string_view doing) const {
  if (!status.ok()) throw io_failure(path_, doing, status);
}

void RocksdbState::check_background() const {
  check(background_->first(), "writing in the background");
}

void RocksdbState::damaged(std::string_view what) const {
  throw io_failure(path_, "reading", Status::Corruption(Slice(what)));
}

}  // namespace neardup
