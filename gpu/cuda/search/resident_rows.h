// The rows that stay on a device, and what they are there: a view of documents is followed by
// copying what has changed.
#pragma once

#include <optional>
#include <vector>

#include "gpu/cuda/search/row_buffer.h"
#include "gpu/search/device_rows.h"

namespace neardup::cuda {

class ResidentRows {
 public:
  ResidentRows(u32 capacity, u32 words_each) : buffer_(capacity, words_each) {}

  const RowBuffer& buffer() const { return buffer_; }

  // As DeviceRows::follow. Copies by `staged`, which must be empty, on `stream`; all is copied when
  // this returns.
  Seq follow(const VisitBlocks& blocks, StagedRows& staged, const Stream& stream);

 private:
  class Follower;

  std::optional<Seq> try_follow(const VisitBlocks& blocks, StagedRows& staged,
                                const Stream& stream);

  RowBuffer buffer_;
  Event copied_;
  std::vector<NamespaceTag> tags_;  // as they are on the device
};

}  // namespace neardup::cuda
