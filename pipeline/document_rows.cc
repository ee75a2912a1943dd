#include "pipeline/document_rows.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kMostRows = 1 << 16;  // about 32 MiB with the default sketch

}  // namespace

void DocumentRows::fetch(std::vector<Seq>& seqs) {
  std::sort(seqs.begin(), seqs.end());
  seqs.erase(std::unique(seqs.begin(), seqs.end()), seqs.end());
  if (rows_.size() + seqs.size() > kMostRows) rows_.clear();
  missing_.clear();
  for (Seq seq : seqs) {
    if (!rows_.contains(seq)) missing_.push_back(seq);
  }
  store_.documents(missing_, fetched_);
  for (std::size_t i = 0; i < missing_.size(); ++i)
    rows_.emplace(missing_[i], std::move(fetched_[i]));
}

const DocumentRow* DocumentRows::get(Seq seq) {
  auto it = rows_.find(seq);
  if (it == rows_.end()) {
    store_.documents({&seq, 1}, fetched_);
    it = rows_.emplace(seq, std::move(fetched_.front())).first;
  }
  return it->second ? &*it->second : nullptr;
}

}  // namespace neardup
