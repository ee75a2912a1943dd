#include "pipeline/pending.h"

#include <algorithm>
#include <utility>

namespace neardup {

std::size_t Pending::Key::operator()(const IdKey& key) const {
  return std::hash<std::string>{}(key.id) * 31 + std::hash<std::string>{}(key.name_space);
}

Pending::Id Pending::find_id(const IdKey& key, IdRow& row) const {
  const auto it = ids_.find(key);
  if (it == ids_.end()) return Id::kUntouched;
  row = it->second.row;
  return it->second.erased ? Id::kErased : Id::kPut;
}

void Pending::put_id(const IdKey& key, const IdRow& row) { ids_[key] = {row, false}; }

void Pending::erase_id(const IdKey& key) { ids_[key] = {{}, true}; }

const DocumentPut* Pending::document(Seq seq) const {
  const auto it = place_.find(seq);
  return it == place_.end() ? nullptr : &documents_[it->second];
}

std::size_t Pending::bucket_size(const Bucket& bucket) const {
  const auto it = buckets_.find(bucket);
  return it == buckets_.end() ? 0 : it->second.size;
}

void Pending::link(const Posting& posting) {
  const auto at = static_cast<std::uint32_t>(links_.size());
  links_.push_back({posting.seq, kNoLink});
  const auto [it, fresh] = buckets_.try_emplace(posting.bucket, Chain{at, at, 1});
  if (fresh) return;
  links_[it->second.last].next = at;
  it->second.last = at;
  ++it->second.size;
}

void Pending::add(DocumentPut put, std::vector<Posting> postings) {
  place_.emplace(put.row.seq, documents_.size());
  for (const Posting& posting : postings) link(posting);
  documents_.push_back(std::move(put));
  postings_.push_back(std::move(postings));
}

void Pending::end_pending(Seq seq) { place_.erase(seq); }

void Pending::end_stored(Seq seq, std::vector<Posting> postings) {
  ended_.insert(seq);
  ended_postings_.insert(ended_postings_.end(), postings.begin(), postings.end());
}

void Pending::fill(WriteSet& writes) const {
  writes.erase_documents.assign(ended_.begin(), ended_.end());
  std::sort(writes.erase_documents.begin(), writes.erase_documents.end());
  writes.erase_postings = ended_postings_;
  for (std::size_t i = 0; i < documents_.size(); ++i) {
    if (!place_.contains(documents_[i].row.seq)) continue;
    writes.documents.push_back(documents_[i]);
    writes.postings.insert(writes.postings.end(), postings_[i].begin(), postings_[i].end());
  }
  for (const auto& [key, entry] : ids_) {
    if (entry.erased) {
      writes.erase_ids.push_back(key);
    } else {
      writes.ids.emplace_back(key, entry.row);
    }
  }
}

void Pending::clear() { *this = Pending(); }

}  // namespace neardup
