// Rows in memory of the device, and rows on their way there.
#pragma once

#include "gpu/cuda/resources.h"
#include "gpu/cuda/search/row_seqs.h"

namespace neardup::cuda {

// Bytes of a row with its tag.
constexpr u64 row_bytes(u32 words_each) {
  return u64{words_each} * sizeof(u64) + sizeof(NamespaceTag);
}

// Memory of the device for so many rows.
class RowBuffer {
 public:
  RowBuffer(u32 capacity, u32 words_each)
      : words_each_(words_each), words_(std::size_t{capacity} * words_each), tags_(capacity) {}

  u32 capacity() const { return static_cast<u32>(tags_.size()); }
  u32 room() const { return capacity() - seqs_.count(); }
  const RowSeqs& seqs() const { return seqs_; }
  PackedRows rows(u32 from, u32 count) const {
    return {words_.get() + u64{from} * words_each_, count, words_each_};
  }
  const NamespaceTag* tags(u32 from) const { return tags_.get() + from; }
  void clear() { seqs_.clear(); }
  // Starts to remove the documents of rows.
  void clear_tags(u32 from, u32 count, const Stream& stream);

 private:
  friend class StagedRows;
  u32 words_each_;
  DeviceArray<u64> words_;
  DeviceArray<NamespaceTag> tags_;
  RowSeqs seqs_;
};

// Pinned memory for so many rows. Requires of all blocks: ascending seqs, rows of `words_each`
// words.
class StagedRows {
 public:
  StagedRows(u32 capacity, u32 words_each);

  // Takes rows of the block from row `from` on, at most `most` and as many as there is room for;
  // returns how many.
  u32 take(const SketchBlock& block, u32 from, u32 most);

  // Starts to copy the rows behind those of `buffer`, and returns. Requires: room there.
  void append_to(RowBuffer& buffer, const Stream& stream);
  // The same, in the place of its rows from `row` on, which must have the same seqs.
  void copy_to(RowBuffer& buffer, u32 row, const Stream& stream);

  // Waits until the rows are copied, and forgets them.
  void finish();

 private:
  u32 words_each_;
  PinnedArray<u64> words_;
  PinnedArray<NamespaceTag> tags_;
  std::vector<SketchBlock> runs_;  // what was taken: `first` and `count` alone
  u32 count_ = 0;
  Event copied_;
};

}  // namespace neardup::cuda
