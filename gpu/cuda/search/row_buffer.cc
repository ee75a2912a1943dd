#include "gpu/cuda/search/row_buffer.h"

namespace neardup::cuda {
namespace {

template <class T>
void copy_in(const Stream& stream, const T* from, T* to, std::size_t size) {
  check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyHostToDevice, stream.get()),
        "copying to the device");
}

}  // namespace

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
  if (count_ == 0) return;
  const u64 at = buffer.seqs_.count();
  copy_in(stream, words_.get(), buffer.words_.get() + at * words_each_, u64{count_} * words_each_);
  copy_in(stream, tags_.get(), buffer.tags_.get() + at, count_);
  copied_.record(stream);
  for (const SketchBlock& run : runs_) buffer.seqs_.add(run.first, run.count);
}

void StagedRows::replace(RowBuffer& buffer, const Stream& stream) {
  buffer.seqs_.clear();
  append_to(buffer, stream);
}

void StagedRows::finish() {
  if (count_ > 0) copied_.wait();
  runs_.clear();
  count_ = 0;
}

}  // namespace neardup::cuda
