#include "storage/rocksdb/state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rocksdb/convenience.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>

#include "pipeline/base/failure.h"
#include "storage/identity.h"
#include "storage/rocksdb/damaged_tables.h"
#include "storage/rocksdb/state_directory.h"
#include "storage/rocksdb/unsynced.h"

namespace neardup {
namespace {

using rocksdb::Slice;

constexpr int kReadAttempts = 30;  // with the same list of files
constexpr std::chrono::seconds kReadFor{10};
constexpr std::chrono::milliseconds kBetweenAttempts{20};

bool is_lock_error(const rocksdb::Status& status) {
  return status.IsIOError() && status.ToString().find("lock") != std::string::npos;
}

// Whether another store of this process holds the lock. The lock file must not be opened then,
// since closing it would release the lock.
bool is_held_here(const rocksdb::Status& status) {
  return status.ToString().find("current process") != std::string::npos;
}

std::string_view advice(const rocksdb::Status& status) {
  if (status.IsNoSpace()) return "free disk space and run again";
  if (status.IsCorruption()) return "the files are damaged: restore a backup or start a new state";
  return "check the disk and the permissions, then run again";
}

// The text of RocksDB, which looks for a missing table under LevelDB's name, too, and names that.
std::string text_of(const rocksdb::Status& status) {
  std::string text = status.ToString();
  if (const auto at = text.find(".ldb:"); at != std::string::npos) text.replace(at, 4, ".sst");
  return text;
}

// `more` follows what RocksDB says.
Failure io_failure(const std::string& path, std::string_view doing, const rocksdb::Status& status,
                   std::string_view more = {}) {
  return Failure(Exit::kIo, fmt::format("state {}: {} failed: {}{}; {}", path, doing,
                                        text_of(status), more, advice(status)));
}

// Throws unless the database was opened, naming tables that are damaged also where RocksDB does
// not.
void check_opened(const RocksdbOptions& tuned, const std::string& path,
                  const std::vector<rocksdb::ColumnFamilyDescriptor>& families,
                  const rocksdb::Status& status) {
  if (status.ok()) return;
  std::vector<std::string> tables;
  if (!status.IsIOError() && text_of(status).find(".sst") == std::string::npos) {
    tables = damaged_tables(tuned, path, families, status);
  }
  const std::string more =
      tables.empty() ? "" : fmt::format("; damaged tables: {}", fmt::join(tables, ", "));
  throw io_failure(path, "opening", status, more);
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

Failure in_use(const std::string& path, const rocksdb::Status& status) {
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

// Does a family have the key of the format? As `check_format` for a version that is refused.
bool has_format(const Database& database, const std::string& path, bool migrates) {
  for (rocksdb::ColumnFamilyHandle* family : database.families) {
    std::string format;
    if (!database.db->Get({}, family, Slice(kFormatKey), &format).ok()) continue;
    check_format(format, path, migrates);
    return true;
  }
  return false;
}

void close(Database& database) {
  for (rocksdb::ColumnFamilyHandle* family : database.families) delete family;
  database.families.clear();
  database.db.reset();
}

rocksdb::Status open_once(const RocksdbOptions& tuned, const std::string& path,
                          const std::vector<rocksdb::ColumnFamilyDescriptor>& families,
                          Database& database) {
  rocksdb::DBOptions options = tuned.db;
  options.max_open_files = -1;  // opens all files now, as a writer may remove some later
  rocksdb::DB* db = nullptr;
  rocksdb::Status status =
      rocksdb::DB::OpenForReadOnly(options, path, families, &database.families, &db);
  database.db.reset(db);
  return status;
}

// RocksDB reads the list of files, then the logs. If a writer flushes a log to a file in between,
// both are missed, so this opens the database again until the list has not changed meanwhile.
rocksdb::Status open_read_only(const RocksdbOptions& tuned, const std::string& path,
                               const std::vector<rocksdb::ColumnFamilyDescriptor>& families,
                               Database& database) {
  const auto give_up = std::chrono::steady_clock::now() + kReadFor;
  rocksdb::Status status;
  for (int same = 0; same < kReadAttempts && std::chrono::steady_clock::now() < give_up;) {
    const std::string before = file_list_version(path);
    status = open_once(tuned, path, families, database);
    const bool is_same = file_list_version(path) == before;
    if (status.ok() && is_same) return status;
    close(database);
    same += is_same ? 1 : 0;
    std::this_thread::sleep_for(kBetweenAttempts);
  }
  if (!status.ok()) return status;
  throw Failure(Exit::kUnavailable,
                fmt::format("cannot get a consistent view of state {}: retry", path));
}

}  // namespace

void BackgroundErrors::OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status* error) {
  const MutexLock lock(mutex_);
  if (first_.ok()) first_ = *error;
}

// Without this, RocksDB starts a thread that waits for disk space when the disk is full, and
// closing the database waits for that thread: the process would never end.
void BackgroundErrors::OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                                            bool* auto_recovery) {
  *auto_recovery = false;
}

rocksdb::Status BackgroundErrors::first() {
  const MutexLock lock(mutex_);
  return first_;
}

Database::~Database() { close(*this); }

RocksdbState::RocksdbState(const StorageOptions& options, OpenMode mode)
    : path_(options.path), temporary_(options.temporary) {
  if (path_.empty()) {
    throw Failure(Exit::kConfig, "storage.path is empty: name a directory for the state");
  }
  tuned_ = rocksdb_options(options);
  tuned_.db.listeners.push_back(background_);
  env_ = temporary_ ? unsynced_env() : watched_env(files_);
  tuned_.db.env = env_.get();
  std::error_code ignored;
  std::optional<StoredEnd> end;
  if (!temporary_ && std::filesystem::is_directory(path_, ignored)) end = check_end_files(path_);
  if (mode == OpenMode::kReadOnly) {
    open_for_reading(tuned_);
  } else {
    open_for_writing(tuned_, mode == OpenMode::kMigrate);
  }
  check_or_write_identity(mode);
  if (end) check_end_reached(path_, *end, meta(kUuidKey), reach());
  if (temporary_ || mode == OpenMode::kReadOnly) return;
  end_ = std::make_unique<EndKeeper>(
      path_, meta(kUuidKey), [this] { return reach(); }, files_);
}

RocksdbState::~RocksdbState() {
  if (end_ == nullptr) return;
  rocksdb::CancelAllBackgroundWork(&db(), true);
  end_->finish();
}

void RocksdbState::open_for_reading(const RocksdbOptions& tuned) {
  if (!has_database(path_)) throw no_state(path_);
  const auto families = stored_families(tuned, false);
  if (families.empty()) throw no_state(path_);
  check_opened(tuned, path_, families, open_read_only(tuned, path_, families, database_));
}

void RocksdbState::open_for_writing(const RocksdbOptions& tuned, bool migrates) {
  prepare_directory(path_);
  if (has_database(path_)) stored_families(tuned, migrates);  // throws if it is not a state
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(tuned.db, path_, tuned.families, &database_.families, &db);
  database_.db.reset(db);
  if (is_lock_error(status)) throw in_use(path_, status);
  check_opened(tuned, path_, tuned.families, status);
}

// Unknown families belong to a state of another format or to another program. If some families are
// missing, the state has an older format, or its creation was interrupted, and it is still empty.
std::vector<rocksdb::ColumnFamilyDescriptor> RocksdbState::stored_families(
    const RocksdbOptions& tuned, bool migrates) const {
  std::vector<std::string> found;
  check(rocksdb::DB::ListColumnFamilies(tuned.db, path_, &found), "opening");
  std::vector<rocksdb::ColumnFamilyDescriptor> known;
  for (const rocksdb::ColumnFamilyDescriptor& family : tuned.families) {
    if (std::count(found.begin(), found.end(), family.name) > 0) known.push_back(family);
  }
  if (known.size() == found.size() && known.size() == tuned.families.size()) return known;

  Database part;
  check_opened(tuned, path_, known, open_read_only(tuned, path_, known, part));
  const bool is_state = has_format(part, path_, migrates);
  if (known.size() != found.size()) throw not_ours(path_);
  if (migrates && is_state) return known;
  if (!holds_anything(part)) return {};
  throw not_ours(path_);
}

void RocksdbState::check_or_write_identity(OpenMode mode) {
  std::string format;
  const rocksdb::Status status = db().Get({}, family(Family::kMeta), Slice(kFormatKey), &format);
  if (status.ok()) return check_format(format, path_, mode == OpenMode::kMigrate);
  if (!status.IsNotFound()) check(status, "opening");
  if (holds_anything(database_)) throw not_ours(path_);
  if (mode == OpenMode::kReadOnly) throw no_state(path_);

  rocksdb::WriteBatch batch;
  check(batch.Put(family(Family::kMeta), Slice(kFormatKey), current_format()), "creating");
  check(batch.Put(family(Family::kMeta), Slice(kUuidKey), new_uuid()), "creating");
  write(batch, "creating");
}

void RocksdbState::write(rocksdb::WriteBatch& batch, std::string_view doing) const {
  rocksdb::WriteOptions durable;
  durable.sync = !temporary();
  durable.disableWAL = temporary();
  check(db().Write(durable, &batch), doing);
}

void RocksdbState::committed() {
  if (end_ != nullptr) end_->committed();
}

void RocksdbState::checkpoint(const std::string& path) const {
  const Reach reached = reach();
  rocksdb::Checkpoint* made = nullptr;
  check(rocksdb::Checkpoint::Create(&db(), &made), "copying");
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  check(checkpoint->CreateCheckpoint(path), "copying");
  write_end_of(path, meta(kUuidKey), reached);
}

// Empty where there is none.
std::string RocksdbState::meta(std::string_view key) const {
  std::string value;
  const rocksdb::Status status = db().Get({}, family(Family::kMeta), Slice(key), &value);
  if (!status.IsNotFound()) check(status, "reading");
  return value;
}

Reach RocksdbState::reach() const {
  Reach reach;
  reach.sequence = db().GetLatestSequenceNumber();
  const std::string next = meta(kNextSeqKey);
  std::from_chars(next.data(), next.data() + next.size(), reach.next_seq);
  return reach;
}

void RocksdbState::check(const rocksdb::Status& status, std::string_view doing) const {
  if (!status.ok()) throw io_failure(path_, doing, status);
}

void RocksdbState::check_background() const {
  check(background_->first(), "writing in the background");
}

void RocksdbState::damaged(std::string_view what) const {
  throw io_failure(path_, "reading", rocksdb::Status::Corruption(Slice(what)));
}

}  // namespace neardup
