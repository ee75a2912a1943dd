#include "service/state/redo_deletes.h"

#include <fmt/core.h>

#include <algorithm>

#include "pipeline/base/failure.h"
#include "pipeline/retention/retention.h"
#include "pipeline/state_keys.h"
#include "service/file/later_flags.h"
#include "service/file/stored_output.h"
#include "service/kafka/store/state_head.h"
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

}  // namespace

DeleteLog read_log_of(const std::string& uuid, const std::string& file) {
  DeleteLog log = read_delete_log(file);
  if (log.state == uuid) return log;
  throw Failure(Exit::kUnreadable, fmt::format("{}: the log of state {}, but the backup is of {}",
                                               file, log.state, uuid));
}

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

}  // namespace neardup
