#include "gpu/cuda/search/row_buffer.h"

#include "gpu/cuda/search/copies.h"

namespace neardup::cuda {
void RowBuffer::clear_tags(u32 from, u32 count, const Stream& stream) {
  if (count > 0) cuda::clear(stream, tags_.get() + from, count * sizeof(NamespaceTag));
}

StagedRows::StagedRows(u32 capacity, u32 words_each)
    : words_each_(words_each), words_(std::size_t{capacity} * words_each), tags_(capacity) {}

u32 StagedRows::take(const SketchBlock& block, u32 from, u32 most) {
  const u32 room = static_cast<u32>(tags_.size()) - count_;
  const u32 count = std::min({block.count - from, most, room});
  if (count == 0) return 0;
  std::copy_n(block.words + u64{from} * words_each_, u64{count} * words_each_,
              words_.get() + u64{count_} * words_each_);
  std::copy_n(block.tags + from, count, tags_.get() + count_);
  runs_.push_back({.first = block.first + from, .count = count});
  count_ += count;
  return count;
}

void StagedRows::append_to(RowBuffer& buffer, const Stream& stream) {
  copy_to(buffer, buffer.seqs_.count(), stream);
  for (const SketchBlock& run : runs_) buffer.seqs_.add(run.first, run.count);
}

void StagedRows::copy_to(RowBuffer& buffer, u32 row, const Stream& stream) {
  if (count_ == 0) return;
  copy_in(stream, words_.get(), buffer.words_.get() + u64{row} * words_each_,
          u64{count_} * words_each_);
  copy_in(stream, tags_.get(), buffer.tags_.get() + row, count_);
  copied_.record(stream);
}

void StagedRows::finish() {
  if (count_ > 0) copied_.wait();
  runs_.clear();
  count_ = 0;
}

}  // namespace neardup::cuda
