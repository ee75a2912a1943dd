#include "service/state/delete_documents.h"

#include <simdjson.h>

#include <algorithm>
#include <span>

#include "pipeline/base/failure.h"
#include "pipeline/base/json_object.h"
#include "pipeline/retention/delete_log.h"
#include "pipeline/retention/retention.h"
#include "pipeline/state_keys.h"
#include "service/state/delete_log_file.h"

namespace neardup {
namespace {

constexpr std::size_t kAtOnce = 4096;  // ids a commit

class Deletion {
 public:
  Deletion(Store& store, std::int64_t now_ms)
      : store_(store),
        now_ms_(now_ms),
        next_seq_(static_cast<Seq>(meta_number(store, kMetaNextSeq, 1))),
        count_(static_cast<std::uint64_t>(meta_number(store, kMetaDeleteCount, 0))) {}

  // The changes that delete these ids, counted in the report.
  const WriteSet& find(std::span<const IdKey> keys) {
    store_.ids(keys, rows_);
    writes_.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (rows_[i]) {
        add(keys[i], *rows_[i]);
      } else {
        report_.unknown.push_back(keys[i].id);
      }
    }
    report_.deleted += writes_.erase_ids.size();
    report_.documents += writes_.erase_documents.size();
    if (writes_.erase_ids.empty()) return writes_;
    measure();
    writes_.meta.emplace_back(kMetaDeleteCount, std::to_string(count_));
    count_erased(store_, writes_);
    return writes_;
  }

  DeleteReport report() { return std::move(report_); }

 private:
  void add(const IdKey& key, const IdRow& row) {
    writes_.erase_ids.emplace_back(key, row);
    if (row.has_document) writes_.erase_documents.push_back(row.seq);
    const LoggedDelete entry{++count_, next_seq_, row.seq, now_ms_, key};
    writes_.meta.emplace_back(delete_meta_key(kMetaDeleteLog, count_), encode_delete(entry));
  }

  void measure() {
    std::vector<std::optional<DocumentRow>> documents;
    store_.documents(writes_.erase_documents, documents);
    for (const auto& document : documents)
      report_.text_bytes += document ? document->text_bytes : 0;
  }

  Store& store_;
  const std::int64_t now_ms_;
  const Seq next_seq_;
  std::uint64_t count_;
  std::vector<std::optional<IdRow>> rows_;
  WriteSet writes_;
  DeleteReport report_;
};

// Each once.
std::vector<IdKey> keys_of(const std::string& name_space, std::vector<std::string> ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<IdKey> keys;
  for (std::string& id : ids) keys.push_back({name_space, std::move(id)});
  return keys;
}

std::vector<std::span<const IdKey>> parts_of(std::span<const IdKey> keys) {
  std::vector<std::span<const IdKey>> parts;
  for (; keys.size() > kAtOnce; keys = keys.subspan(kAtOnce)) parts.push_back(keys.first(kAtOnce));
  parts.push_back(keys);
  return parts;
}

}  // namespace

DeleteReport count_deletes(const std::string& name_space, std::vector<std::string> ids,
                           Store& store) {
  const std::vector<IdKey> keys = keys_of(name_space, std::move(ids));
  Deletion deletion(store, 0);
  for (const auto part : parts_of(keys)) deletion.find(part);
  return deletion.report();
}

DeleteReport delete_documents(const std::string& state, const std::string& name_space,
                              std::vector<std::string> ids, std::int64_t now_ms,
                              StateAccess& access) {
  const std::vector<IdKey> keys = keys_of(name_space, std::move(ids));
  Deletion deletion(access.store(), now_ms);
  for (const auto part : parts_of(keys)) {
    const WriteSet& writes = deletion.find(part);
    if (!writes.erase_ids.empty()) access.commit(writes);
  }
  mirror_deletes(state, access.store());
  return deletion.report();
}

std::string delete_report_json(const DeleteReport& report) {
  return JsonObject()
      .number("deleted", report.deleted)
      .number("documents", report.documents)
      .number("text_bytes", report.text_bytes)
      .json("unknown", json_texts(report.unknown))
      .str();
}

DeleteReport parse_delete_report(const std::string& json) {
  DeleteReport report;
  try {
    simdjson::dom::parser parser;
    const simdjson::dom::element root = parser.parse(simdjson::padded_string(json));
    report.deleted = root["deleted"];
    report.documents = root["documents"];
    report.text_bytes = root["text_bytes"];
    for (const std::string_view id : root["unknown"].get_array()) report.unknown.emplace_back(id);
  } catch (const simdjson::simdjson_error& error) {
    throw Failure(Exit::kInternal, std::string("the service gave no report: ") + error.what());
  }
  return report;
}

}  // namespace neardup
