// Sketched documents for the index bench, computed from their numbers and not kept, so that a run
// of any length takes no memory here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/backend.h"
#include "pipeline/model/sketched_batch.h"
#include "pipeline/rule/rule.h"
#include "storage/store.h"

namespace neardup::bench {

struct SyntheticOptions {
  std::uint32_t bands = 20;
  double duplicates = 0.1;  // share of documents that are copies
  double relatives = 0;     // share of documents that are half like an earlier one
  std::uint32_t batch = 16'384;
};

// Documents 0, 1, 2 …: random sketches of 256 values of 8 bits, bands of 6 of them, ids of 16
// bytes.
//
// A copy has the sketch of a document of an earlier batch that is no copy, with about a tenth of
// the values changed: half of its bands agree. A relative has half of the values of an earlier
// document that is neither copy nor relative: some share a band, and none is a near-duplicate.
class SyntheticDocuments {
 public:
  explicit SyntheticDocuments(const SyntheticOptions& options);

  // Fills `chunk` with documents first … first + count − 1.
  void fill(std::uint64_t first, std::uint32_t count, SketchedBatch& chunk) const;

  // The document that `number` copies, if any.
  std::optional<std::uint64_t> original(std::uint64_t number) const;

  // The index entry of a document, from its row.
  IndexEntry index(const DocumentRow& row) const;

  const SketchPlan& plan() const { return plan_; }

 private:
  enum class Kind { kDistinct, kRelative, kCopy };
  Kind kind(std::uint64_t number) const;
  std::uint64_t base(std::uint64_t number, Kind most) const;
  void make_sketch(std::uint64_t number, std::uint64_t* sketch) const;
  void change(std::uint64_t number, std::uint32_t values, std::uint64_t* sketch) const;
  void find_bits(const std::uint64_t* sketch, std::uint64_t* one_bit, std::uint64_t* buckets) const;

  SketchPlan plan_;
  std::uint64_t batch_;
  std::uint64_t copies_below_;     // a hash below this makes a copy,
  std::uint64_t relatives_below_;  // else below this a relative
  std::vector<std::uint64_t> keys_of_bands_;
  std::uint64_t namespace_hash_;
};

// The default rule, with the sketches and bands of these documents.
inline Rule rule_of(const SyntheticDocuments& documents) {
  Rule rule;
  rule.plan = documents.plan();
  return rule;
}

}  // namespace neardup::bench
