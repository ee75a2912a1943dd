#include "pipeline/match/row_cache.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

// Bytes of a row and of its place in the table, without the memory that the row points at.
constexpr std::uint64_t kFixedBytes = sizeof(std::optional<DocumentRow>) + 64;

std::uint64_t size_of(const std::optional<DocumentRow>& row) {
  if (!row) return kFixedBytes;
  return kFixedBytes + row->sketch.size() * sizeof(row->sketch[0]) + row->id.size() +
         row->name_space.size();
}

}  // namespace

RowCache::RowCache(Store& store, SketchCache& sketches, Tombstones& tombstones, std::uint64_t bytes)
    : store_(store),
      sketches_(sketches),
      tombstones_(tombstones),
      bytes_(bytes),
      row_bytes_(kFixedBytes + sketches.words() * sizeof(std::uint64_t)) {
  tombstones.listen(*this);
}

// Two generations: a used row moves into the new one, and the old one is dropped as a whole.
void RowCache::limit() {
  if (new_bytes_ <= bytes_ / 2) return;
  old_ = std::move(new_);
  new_.clear();
  old_bytes_ = std::exchange(new_bytes_, 0);
}

void RowCache::fetch(std::span<const Seq> seqs) {
  missing_.clear();
  for (const Seq seq : seqs) {
    if (find(seq) == nullptr) missing_.push_back(seq);
  }
  if (missing_.empty()) return;
  std::sort(missing_.begin(), missing_.end());
  missing_.erase(std::unique(missing_.begin(), missing_.end()), missing_.end());
  missing_.resize(std::min<std::uint64_t>(missing_.size(), 1 + bytes_ / 4 / row_bytes_));
  store_.documents(missing_, fetched_);
  for (std::size_t i = 0; i < missing_.size(); ++i) keep(missing_[i], std::move(fetched_[i]));
}

void RowCache::put(DocumentRow row) {
  const Seq seq = row.seq;
  if (find(seq) == nullptr) add(seq, std::move(row));
}

RowCache::Row* RowCache::keep(Seq seq, Row row) {
  if (tombstones_.ended(seq)) row.reset();  // until the commit the store still has it
  if (row && !row->sketch.empty()) sketches_.put(seq, row->sketch.data());
  return add(seq, std::move(row));
}

RowCache::Row* RowCache::add(Seq seq, Row row) {
  const std::uint64_t bytes = size_of(row);
  row_bytes_ = std::max(row_bytes_, bytes);
  new_bytes_ += bytes;
  return new_.add(seq, std::move(row));
}

RowCache::Row* RowCache::find(Seq seq) {
  if (Row* row = new_.find(seq)) return row;
  Row* row = old_.find(seq);
  return row == nullptr ? nullptr : add(seq, std::move(*row));
}

const DocumentRow* RowCache::get(Seq seq) {
  Row* row = find(seq);
  if (row == nullptr) {
    store_.documents({&seq, 1}, fetched_);
    row = keep(seq, std::move(fetched_.front()));
  }
  return *row ? &**row : nullptr;
}

}  // namespace neardup
