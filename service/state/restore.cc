#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "pipeline/base/failure.h"
#include "pipeline/retention/retention.h"
#include "pipeline/state_keys.h"
#include "service/file/later_flags.h"
#include "service/file/stored_output.h"
#include "service/kafka/store/state_head.h"
#include "service/state/backup.h"
#include "service/state/delete_log_file.h"
#include "storage/files.h"
#include "storage/rocksdb/state_directory.h"
#include "storage/store.h"
#include "storage/stores.h"

namespace neardup {
namespace {

void require_state_of(const BackupManifest& manifest, Store& store) {
  const auto next_seq = static_cast<std::uint64_t>(meta_number(store, kMetaNextSeq, 1));
  if (store.meta("uuid") == manifest.uuid && next_seq == manifest.next_seq) return;
  throw Failure(Exit::kUnreadable, "the backup's manifest is not of its state; use another backup");
}

class Redo {
 public:
  Redo(Store& store, RestoreReport& report)
      : store_(store),
        report_(report),
        in_kafka_(store.meta(kMetaMark).has_value()),
        last_(static_cast<std::uint64_t>(meta_number(store, kMetaDeleteCount, 0))) {}

  // Requires: entries come in ascending order of their numbers.
  void add(const LoggedDelete& entry) {
    if (entry.number <= last_) return;
    report_.deletes_forgotten += entry.number - last_ - 1;
    last_ = entry.number;
    writes_.meta.emplace_back(delete_meta_key(kMetaDeleteLog, last_), encode_delete(entry));
    std::vector<std::optional<IdRow>> rows;
    store_.ids({&entry.key, 1}, rows);
    const bool is_there = rows.front() && rows.front()->seq == entry.seq;
    if (entry.before <= report_.manifest.next_seq || (is_there && !in_kafka_)) {
      if (is_there) erase(entry, *rows.front());
      ++report_.deletes_done;
      return;
    }
    writes_.meta.emplace_back(delete_meta_key(kMetaDeleteDue, last_), encode_delete(entry));
    report_.due_before = std::max(report_.due_before, entry.before);
    ++report_.deletes_due;
  }

  void commit() {
    writes_.meta.emplace_back(kMetaDeleteCount, std::to_string(last_));
    count_erased(store_, writes_);
    store_.commit(writes_);
  }

 private:
  void erase(const LoggedDelete& entry, const IdRow& row) {
    writes_.erase_ids.emplace_back(entry.key, row);
    if (row.has_document) writes_.erase_documents.push_back(row.seq);
  }

  Store& store_;
  RestoreReport& report_;
  const bool in_kafka_;
  std::uint64_t last_;
  WriteSet writes_;
};

// Notes that the flags file may have more flags than the state knows, and counts them.
void expect_later_flags(Store& store, RestoreReport& report) {
  const auto value = store.meta(kOutputKey);
  if (!value) return;
  const StoredOutput output = parse_output(*value);
  if (matching_tail(output)) {
    report.flags_path = output.path;
    report.flags_later = count_later_flags(output.path, output.length, ~std::uint64_t{0});
  }
  WriteSet writes;
  writes.meta.emplace_back(kOutputRestoredKey, "1");
  store.commit(writes);
}

// The log in `file`. Throws Failure(kUnreadable) unless it is of the state `uuid`.
DeleteLog read_log_of(const std::string& uuid, const std::string& file) {
  DeleteLog log = read_delete_log(file);
  if (log.state == uuid) return log;
  throw Failure(Exit::kUnreadable, fmt::format("{}: the log of state {}, but the backup is of {}",
                                               file, log.state, uuid));
}

// Opens the copy at `path`, and applies the deletes of `log` that can be applied at once. Stores
// the others as due (pipeline/retention/delete_log.h), and counts both in `report`, as well as the
// flags in the flags file that the copy does not know. Throws
// Failure(kUnreadable) when the copy is not the state of `report.manifest`.
void redo_deletes(const std::string& path, const std::optional<DeleteLog>& log,
                  RestoreReport& report) {
  StorageOptions options;
  options.path = path;
  options.keep_texts = KeepTexts::kAll;
  const auto store = open_store(options, OpenMode::kReadWrite);
  require_state_of(report.manifest, *store);
  if (log) {
    Redo redo(*store, report);
    for (const LoggedDelete& entry : log->entries) redo.add(entry);
    redo.commit();
  }
  expect_later_flags(*store, report);
  mirror_deletes(path, *store);
}

namespace fs = std::filesystem;

// The directory for the copied files until all of them are verified. While it exists in a state
// without CURRENT, all files of the state are those of an unfinished restore.
std::string waiting_room(const std::string& state) {
  return state + '/' + std::string(kRestoringName);
}

// Removes the files of an interrupted restore. Throws Failure(kUsage) if there are other files.
void clear_place(const std::string& state) {
  const bool ours = fs::exists(waiting_room(state)) && !has_database(state);
  for (const fs::directory_entry& entry : fs::directory_iterator(state)) {
    if (ours && (entry.path().filename() == kRestoringName || entry.is_regular_file())) continue;
    throw Failure(Exit::kUsage, fmt::format("{} is not empty, it holds {}: restore into a new "
                                            "directory, and keep the old state until that is used",
                                            state, entry.path().filename().string()));
  }
  // The waiting room last: it marks the other files as those of a restore.
  for (const fs::directory_entry& entry : fs::directory_iterator(state)) {
    if (entry.path().filename() != kRestoringName) fs::remove(entry.path());
  }
  fs::remove_all(waiting_room(state));
}

// Creates the directory; the destructor removes it with its files unless complete() was called.
class WaitingRoom {
 public:
  explicit WaitingRoom(const std::string& path) : path_(path) { fs::create_directory(path); }
  ~WaitingRoom() {
    std::error_code ignored;
    if (!complete_) fs::remove_all(path_, ignored);
  }
  WaitingRoom(const WaitingRoom&) = delete;
  WaitingRoom& operator=(const WaitingRoom&) = delete;
  const std::string& path() const { return path_; }
  void complete() { complete_ = true; }

 private:
  const std::string path_;
  bool complete_ = false;
};

void copy_verified(const BackupManifest& manifest, const std::string& from, const std::string& to,
                   const CopyProgress& progress) {
  for (const CopiedFile& file : manifest.files) {
    const CopiedFile copied = copy_file(from, to, file.name, progress);
    if (copied == file) continue;
    throw Failure(
        Exit::kUnreadable,
        fmt::format("{}/{} is damaged: {} bytes with checksum {}, the manifest says {} "
                    "and {}. Nothing was restored; use another backup",
                    from, file.name, copied.bytes, copied.xxh3_128, file.bytes, file.xxh3_128));
  }
}

// Moves the files by renaming, which leaves none incomplete. CURRENT comes last: it makes
// the directory a state.
void move_in(const std::string& state) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(waiting_room(state))) {
    if (entry.path().filename() != "CURRENT") names.push_back(entry.path().filename());
  }
  const fs::path from = waiting_room(state);
  for (const std::string& name : names) fs::rename(from / name, fs::path(state) / name);
  sync_directory(state);
  rename_file(waiting_room(state) + "/CURRENT", state + "/CURRENT");
  fs::remove(waiting_room(state));
  sync_directory(fs::absolute(state).parent_path());
}

// Whether the directory holds the state that this restore makes: an earlier run was killed when it
// had made it, or has ended.
bool is_whole(const std::string& state, const BackupManifest& manifest,
              const std::optional<DeleteLog>& log) {
  if (!has_database(state)) return false;
  std::uint64_t deletes = manifest.deletes;
  if (log && !log->entries.empty()) deletes = std::max(deletes, log->entries.back().number);
  StorageOptions options;
  options.path = state;
  try {
    const auto store = open_store(options, OpenMode::kReadOnly);
    const auto number = [&](std::string_view key, std::int64_t otherwise) {
      return static_cast<std::uint64_t>(meta_number(*store, key, otherwise));
    };
    return store->meta("uuid") == manifest.uuid && number(kMetaNextSeq, 1) == manifest.next_seq &&
           number(kMetaDeleteCount, 0) == deletes;
  } catch (const Failure&) {
    return false;  // it is not one of ours
  }
}

void require_format(const BackupManifest& manifest, const std::string& path) {
  if (manifest.format == kFormatVersion) return;
  throw Failure(Exit::kConfig, fmt::format("backup {} has state format {}, this program reads {}: "
                                           "restore it with the program that made it",
                                           path, manifest.format, kFormatVersion));
}

}  // namespace

RestoreReport restore_backup(const std::string& state, const std::string& path,
                             const std::optional<std::string>& deletes,
                             const CopyProgress& progress) {
  RestoreReport report;
  report.manifest = read_manifest(path);
  require_format(report.manifest, path);
  std::optional<DeleteLog> log;
  if (deletes) log = read_log_of(report.manifest.uuid, *deletes);
  try {
    fs::create_directories(state);
    const DirectoryLock lock(state);
    if (!lock.held()) throw Failure(Exit::kUnavailable, state + ": another restore runs into it");
    if (is_whole(state, report.manifest, log)) {
      report.was_whole = true;
      fs::remove(waiting_room(state));  // which is empty, if it is there
      return report;
    }
    clear_place(state);
    WaitingRoom room(waiting_room(state));
    copy_verified(report.manifest, path, room.path(), progress);
    sync_directory(room.path());
    redo_deletes(room.path(), log, report);
    room.complete();
    move_in(state);
  } catch (const fs::filesystem_error& error) {
    throw Failure(Exit::kIo, error.what());
  }
  return report;
}

}  // namespace neardup
