#include "pipeline/match/pending.h"

#include <algorithm>
#include <utility>

namespace neardup {

Pending::Id Pending::find_id(const IdKey& key, IdRow& row) const {
  const PendingId* const found = ids_.find(key);
  if (found == nullptr) return Id::kUntouched;
  row = found->row;
  return found->erased || tombstones_.expired(row.seq) ? Id::kErased : Id::kPut;
}

void Pending::put_id(IdKey key, const IdRow& row, std::string_view text) {
  PendingId& entry = ids_.entry(std::move(key));
  entry.row = row;
  entry.text = text;
  entry.erased = false;
}

void Pending::erase_id(const IdKey& key) {
  PendingId& entry = ids_.entry(key);
  entry.row = {};
  entry.text = {};
  entry.erased = true;
}

const DocumentPut* Pending::document(Seq seq) const {
  const std::uint32_t number = live_number_of(seq);
  return number == kNone ? nullptr : &documents_[number];
}

const Candidate* Pending::candidate(Seq seq) const {
  const std::uint32_t number = live_number_of(seq);
  return number == kNone ? nullptr : &candidates_[number];
}

void Pending::add(DocumentPut put) {
  const std::span<const std::uint64_t> buckets = put.index.buckets;  // moving it leaves them there
  add(std::move(put), buckets);
}

void Pending::add(DocumentPut put, std::span<const std::uint64_t> buckets) {
  const auto number = static_cast<std::uint32_t>(documents_.size());
  buckets_.add(buckets_.make(content_bucket(put.row.content, put.row.name_space)), number);
  for (std::size_t m = 0; m < buckets.size(); ++m) {
    buckets_.add(buckets_.make({static_cast<std::uint16_t>(m), buckets[m]}), number);
  }
  add_unlisted(std::move(put));
}

void Pending::add_unlisted(DocumentPut put) {
  const Seq seq = put.row.seq;
  if (documents_.empty()) first_seq_ = seq;
  numbers_.resize(seq - first_seq_, kNone);
  numbers_.push_back(static_cast<std::uint32_t>(documents_.size()));
  candidates_.push_back({seq, put.index.one_bit.data(), put.row.sketch.data()});
  documents_.push_back(std::move(put));
  live_.push_back(true);
}

void Pending::on_tombstone(const Tombstone& tombstone) {
  if (const std::uint32_t number = number_of(tombstone.seq); number != kNone) {
    live_[number] = false;
  } else if (tombstone.erased_by == ErasedBy::kBatch) {
    erased_.push_back(tombstone.seq);
  }
}

// A version that this batch has put is not in the store, so the store need not erase it.
void Pending::end_version(const IdKey& key, const IdRow& row) {
  if (ids_.find(key) == nullptr) ended_ids_.emplace_back(key, row);
}

void Pending::fill(WriteSet& writes) {
  writes.erase_documents = std::move(erased_);
  std::sort(writes.erase_documents.begin(), writes.erase_documents.end());
  writes.erase_ids = std::move(ended_ids_);
  writes.expired_before = tombstones_.expired_before();
  for (std::uint32_t number = 0; number < documents_.size(); ++number) {
    if (is_live(number)) writes.documents.push_back(std::move(documents_[number]));
  }
  for (const PendingId& entry : ids_.entries()) {
    if (entry.erased || tombstones_.expired(entry.row.seq)) continue;
    writes.ids.emplace_back(entry.key, entry.row);
    if (!entry.text.empty()) writes.texts.emplace_back(entry.row.seq, entry.text);
  }
}

void Pending::clear() {
  ids_.clear();
  documents_.clear();
  candidates_.clear();
  live_.clear();
  numbers_.clear();
  buckets_.clear();
  erased_.clear();
  ended_ids_.clear();
}

}  // namespace neardup
