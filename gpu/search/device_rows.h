// Exact nearest neighbours of 1-bit sketches on a device, as RowScan finds them on the CPU. Rows
// stay on the device as far as its memory goes. Others are copied there for each call, in pieces,
// the next one while the device searches the last ("multiple loading" of GENIE, Zhou et al. 2018,
// section 3).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "gpu/backend.h"
#include "gpu/search/row_scan.h"
#include "pipeline/model/sketch_block.h"

namespace neardup {

// None of these changes an answer.
struct DeviceRowLimits {
  std::uint64_t memory = 0;            // bytes on the device, all allocated at construction
  std::uint32_t piece_rows = 1 << 18;  // that are copied at once
  std::uint32_t queries = 1024;        // that are answered at once
  std::uint32_t hits = 4096;           // of a query that one launch may find
};

// Calls its argument for blocks of ascending seqs, until it returns false.
using VisitBlocks = std::function<void(const std::function<bool(const SketchBlock&)>&)>;

// To be called by one thread at a time. Every call throws DeviceFailure when the device fails; then
// it is of no more use, and the shortlists of the call are incomplete.
class DeviceRows {
 public:
  virtual ~DeviceRows() = default;

  // Makes the resident rows those of the blocks, from the first on, until its memory is full, and
  // returns the seq from which on rows are not resident. What is there already is not copied again.
  // Requires: the words of a row that has a tag are always the same.
  virtual Seq follow(const VisitBlocks& blocks) = 0;

  virtual std::uint64_t resident() const = 0;  // rows

  // Offers the resident rows and `others` to all queries. Requires: the seqs of `others` are above
  // those of the resident rows; all queries have tags > 0 and have seen no rows of later seqs.
  virtual void search(const VisitBlocks& others, std::span<RowQuery> queries) = 0;
};

}  // namespace neardup
