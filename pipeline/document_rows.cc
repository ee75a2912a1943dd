#include "pipeline/document_rows.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

constexpr std::size_t kMostNewRows = 1 << 15;  // about 16 MiB with the default sketch

}  // namespace

void DocumentRows::fetch(std::vector<Seq>& seqs) {
  if (new_.size() > kMostNewRows) {
    old_ = std::move(new_);
    new_.clear();
  }
  fetch_also(seqs);
}

void DocumentRows::fetch_also(std::vector<Seq>& seqs) {
  std::sort(seqs.begin(), seqs.end());
  seqs.erase(std::unique(seqs.begin(), seqs.end()), seqs.end());
  missing_.clear();
  for (const Seq seq : seqs) {
    if (find(seq) == nullptr) missing_.push_back(seq);
  }
  if (missing_.empty()) return;
  store_.documents(missing_, fetched_);
  for (std::size_t i = 0; i < missing_.size(); ++i) keep(missing_[i], std::move(fetched_[i]));
}

void DocumentRows::put(DocumentRow row) {
  const Seq seq = row.seq;
  if (find(seq) == nullptr) new_.add(seq, std::move(row));
}

DocumentRows::Row* DocumentRows::keep(Seq seq, Row row) {
  if (tombstones_.ended(seq)) row.reset();  // until the commit the store still has it
  if (row && !row->sketch.empty()) sketches_.put(seq, row->sketch.data());
  return new_.add(seq, std::move(row));
}

DocumentRows::Row* DocumentRows::find(Seq seq) {
  if (Row* row = new_.find(seq)) return row;
  Row* row = old_.find(seq);
  return row == nullptr ? nullptr : new_.add(seq, std::move(*row));
}

const DocumentRow* DocumentRows::get(Seq seq) {
  Row* row = find(seq);
  if (row == nullptr) {
    store_.documents({&seq, 1}, fetched_);
    row = keep(seq, std::move(fetched_.front()));
  }
  return *row ? &**row : nullptr;
}

}  // namespace neardup
