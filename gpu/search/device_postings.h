// Match-counts on a device: postings of keywords in its memory, with the 1-bit sketches of their
// documents. What MatchCounter and RowScan::distance find on the CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/backend.h"
#include "pipeline/model/keyword_postings.h"

namespace neardup {

// Of one segment. Not owned.
struct DocumentPostings {
  KeywordPostings postings;
  const std::uint64_t* one_bits = nullptr;  // of each place, one behind the other
  // A bit for each place, 32 in a word: there is no 1-bit sketch, and the document counts as near.
  const std::uint32_t* unknown = nullptr;
};

// Not owned.
struct MatchQueries {
  std::uint32_t count = 0;
  const std::uint16_t* keywords = nullptr;  // of each query, one behind the other
  const std::uint64_t* one_bits = nullptr;  // of each query, one behind the other
  std::uint32_t gate = 1;                   // > 0; the least sum of weights
  std::uint32_t limit = 0;                  // the most bits that may differ
};

// None of these changes an answer.
struct DevicePostingLimits {
  std::uint64_t memory = 0;           // bytes on the device
  std::uint32_t documents = 1 << 20;  // of a segment
  std::uint32_t queries = 1024;       // that are answered at once
  std::uint32_t hits = 4096;          // of a query in a segment; others are not answered
  std::uint32_t most_groups = 1024;   // that count at once
};

// To be called by one thread at a time. Every call throws DeviceFailure when the device fails; then
// it is of no more use.
class DevicePostings {
 public:
  // Names a segment. The caller chooses.
  using Key = std::uint64_t;
  // Ascending.
  using Places = std::vector<std::uint32_t>;

  virtual ~DevicePostings() = default;

  // Whether there is memory left for a segment.
  virtual bool has_room(const KeywordPostings& postings) const = 0;
  // Copies a segment to the device. Requires: there is room; no other segment has the key.
  virtual void hold(Key key, const DocumentPostings& segment) = 0;
  // Requires: the segment is held.
  virtual void drop(Key key) = 0;

  // The places of the documents that reach the gate and are near, for each query. Nothing: there
  // are more than limits.hits. Requires: the segment is held.
  virtual std::vector<std::optional<Places>> reach(Key key, const MatchQueries& queries) = 0;
};

}  // namespace neardup
