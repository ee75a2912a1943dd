// Exact nearest neighbours of 1-bit sketches on a GPU, as RowScan finds them on the CPU. Rows stay
// on the device as far as its memory goes. Others are copied there for each call, in pieces, the
// next one while the device searches the last ("multiple loading" of GENIE, Zhou et al. 2018,
// section 3).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gpu/backend.h"
#include "gpu/search/row_scan.h"
#include "pipeline/core/sketch_block.h"

namespace neardup::cuda {

// None of these changes an answer.
struct DeviceRowLimits {
  std::uint64_t memory = 0;            // bytes on the device, all allocated at construction
  std::uint32_t piece_rows = 1 << 18;  // that are copied at once
  std::uint32_t queries = 1024;        // that are answered at once
  std::uint32_t hits = 4096;           // of a query that one launch may find
};

// To be called by one thread at a time. Every call throws DeviceFailure when the device fails; then
// it is of no more use, and the shortlists of the call are incomplete.
class DeviceRows {
 public:
  virtual ~DeviceRows() = default;

  // Copies rows of the block to the device, from the first on, until its memory is full; returns
  // how many. Requires: seqs above those of the resident rows.
  virtual std::uint32_t hold(const SketchBlock& block) = 0;

  virtual std::uint64_t resident() const = 0;  // rows

  // Offers the resident rows and those of `others` to all queries. Requires: the seqs of each block
  // of `others` are above those before it and those of the resident rows; all queries have tags > 0
  // and have seen no rows of later seqs.
  virtual void search(std::span<const SketchBlock> others, std::span<RowQuery> queries) = 0;
};

// Rows of `words_each` words, at most 4096. Throws Failure(kConfig) when limits.memory does not
// suffice for queries and pieces, and DeviceFailure.
std::unique_ptr<DeviceRows> make_device_rows(std::uint32_t device, std::uint32_t words_each,
                                             const DeviceRowLimits& limits);

}  // namespace neardup::cuda
