// What a store must hold after a history, kept in the simplest way: maps, and buckets by looking at
// every document.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store_under_test.h"

namespace neardup::testing {

class Model {
 public:
  void apply(const WriteSet& writes) {
    for (const Seq seq : writes.erase_documents) documents_.erase(seq);
    for (const auto& [key, row] : writes.erase_ids) ids_.erase(row.seq);
    expired_before_ = std::max(expired_before_, writes.expired_before);
    documents_.erase(documents_.begin(), documents_.lower_bound(expired_before_));
    ids_.erase(ids_.begin(), ids_.lower_bound(expired_before_));
    std::erase_if(texts_, [this](const auto& text) { return !ids_.contains(text.first); });
    for (const std::uint64_t batch : writes.erase_outbox) outbox_.erase(batch);
    for (const DocumentPut& put : writes.documents) {
      documents_[put.row.seq] = put.row;
      texts_[put.row.seq] = put.text;
    }
    for (const auto& [seq, text] : writes.texts) texts_[seq] = text;
    for (const auto& [key, row] : writes.ids) {
      ids_[row.seq] = {key, row};
      latest_[{key.name_space, key.id}] = row.seq;
    }
    for (const auto& [key, value] : writes.meta) meta_[key] = value;
    for (const auto& [batch, value] : writes.outbox) outbox_[batch] = value;
  }

  const std::map<Seq, DocumentRow>& documents() const { return documents_; }
  const std::map<Seq, std::pair<IdKey, IdRow>>& ids() const { return ids_; }

  std::optional<std::string> text(Seq seq) const {
    const auto found = texts_.find(seq);
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }

  // The copies of each original.
  std::map<Seq, std::vector<std::pair<IdKey, IdRow>>> groups() const {
    std::map<Seq, std::vector<std::pair<IdKey, IdRow>>> groups;
    for (const auto& [seq, id] : ids_) {
      const IdRow& row = id.second;
      if (!row.kept && row.original >= expired_before_) groups[row.original].push_back(id);
    }
    return groups;
  }

  std::optional<IdRow> id(const IdKey& key) const {
    const auto latest = latest_.find({key.name_space, key.id});
    if (latest == latest_.end()) return {};
    const auto live = ids_.find(latest->second);
    return live == ids_.end() ? std::nullopt : std::optional(live->second.second);
  }

  // Of the live documents and ids only.
  std::uint64_t postings() const {
    std::uint64_t sum = ids_.size() + documents_.size();
    for (const auto& [seq, document] : documents_) sum += document.sketch.size();
    return sum;
  }

  Sketches sketches() const {
    Sketches found;
    for (const auto& [seq, document] : documents_) {
      const IndexEntry index = index_of(document);
      if (index.one_bit.empty()) continue;
      found[seq] = {namespace_tag(document.name_space), index.one_bit};
    }
    return found;
  }

  std::vector<Seq> members(const Bucket& bucket, Seq after) const {
    std::vector<Seq> found;
    for (auto at = documents_.upper_bound(after); at != documents_.end(); ++at) {
      if (is_in(at->second, bucket)) found.push_back(at->first);
    }
    return found;
  }

  std::vector<Age> ages(Seq from, std::size_t limit) const {
    std::vector<Age> found;
    for (auto at = ids_.lower_bound(from); at != ids_.end() && found.size() < limit; ++at) {
      const auto document = documents_.find(at->first);
      found.push_back({at->first, at->second.second.time_ms,
                       document == documents_.end() ? 0 : document->second.text_bytes});
    }
    return found;
  }

  std::vector<std::pair<std::string, std::string>> meta() const {
    std::vector<std::pair<std::string, std::string>> found(meta_.begin(), meta_.end());
    std::erase_if(found, [](const auto& entry) { return entry.second.empty(); });
    return found;
  }
  std::optional<std::string> outbox(std::uint64_t batch) const {
    const auto found = outbox_.find(batch);
    return found == outbox_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  Seq expired_before_ = 0;
  std::map<Seq, DocumentRow> documents_;
  std::map<Seq, std::string> texts_;
  std::map<Seq, std::pair<IdKey, IdRow>> ids_;                 // of one key at most one
  std::map<std::pair<std::string, std::string>, Seq> latest_;  // of a key; may have ended
  std::map<std::string, std::string> meta_;
  std::map<std::uint64_t, std::string> outbox_;
};

}  // namespace neardup::testing
