#include "storage/rocksdb/open_writes.h"

#include <algorithm>

namespace neardup {

void OpenWrites::open(const WriteSet& writes) {
  writes_ = &writes;
  ended_ = writes.erase_documents;
  for (const auto& [key, row] : writes.erase_ids) ended_.push_back(row.seq);
  std::ranges::sort(ended_);
  ids_.clear();
  for (const auto& [key, row] : writes.ids) {
    ids_.emplace_back(row.seq, static_cast<std::uint32_t>(ids_.size()));
  }
  if (!std::ranges::is_sorted(ids_)) std::ranges::sort(ids_);
  first_ = ids_.empty() ? ~Seq{0} : ids_.front().first;  // the ids of documents are among them
}

void OpenWrites::close() {
  writes_ = nullptr;
  ended_.clear();
  ids_.clear();
  first_ = ~Seq{0};
}

bool OpenWrites::ends(Seq seq) const { return std::ranges::binary_search(ended_, seq); }

const DocumentRow* OpenWrites::document(Seq seq) const {
  if (seq < first_) return nullptr;
  const auto& documents = writes_->documents;
  const auto found = std::ranges::lower_bound(documents, seq, {},
                                              [](const DocumentPut& put) { return put.row.seq; });
  return found == documents.end() || found->row.seq != seq ? nullptr : &found->row;
}

const std::pair<IdKey, IdRow>* OpenWrites::id(Seq seq) const {
  if (seq < first_) return nullptr;
  const auto found = std::ranges::lower_bound(ids_, seq, {}, &std::pair<Seq, std::uint32_t>::first);
  return found == ids_.end() || found->first != seq ? nullptr : &writes_->ids[found->second];
}

std::optional<std::string> OpenWrites::text(Seq seq) const {
  if (seq < first_) return {};
  const auto& documents = writes_->documents;
  const auto put = std::ranges::lower_bound(
      documents, seq, {}, [](const DocumentPut& document) { return document.row.seq; });
  if (put != documents.end() && put->row.seq == seq) return std::string(put->text);
  const auto kept =
      std::ranges::find(writes_->texts, seq, &std::pair<Seq, std::string_view>::first);
  if (kept == writes_->texts.end()) return {};
  return std::string(kept->second);
}

}  // namespace neardup
