// The nearest rows of a search, found so far.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "pipeline/model/types.h"

namespace neardup {

// Ordered by distance, then by seq.
struct NearSeq {
  std::uint32_t distance = 0;
  Seq seq = 0;
  auto operator<=>(const NearSeq&) const = default;
};

// Keeps the `most` nearest of the rows that are offered; ties go to the smaller seq. The order of
// the offers does not matter.
class Shortlist {
 public:
  // Rows at `limit` or further need not be offered. Requires: most > 0.
  explicit Shortlist(std::size_t most, std::uint32_t limit = kNoLimit)
      : most_(most), limit_(limit) {}

  std::size_t most() const { return most_; }

  // A row of a later seq than those offered so far enters with a smaller distance only, so it need
  // not be offered otherwise.
  std::uint32_t limit() const { return limit_; }

  void offer(std::uint32_t distance, Seq seq) {
    if (distance > limit_) return;
    rows_.push_back({distance, seq});
    if (rows_.size() >= kSlack * most_) cut();
  }

  // Drops rows that are not among the nearest, so that limit() is what the rows offered so far
  // allow.
  void cut() {
    if (rows_.size() < most_) return;
    const auto last = rows_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
    std::nth_element(rows_.begin(), last, rows_.end());
    limit_ = last->distance;
    rows_.resize(most_);
  }

  void merge(const Shortlist& other) {
    for (const NearSeq& row : other.rows_) offer(row.distance, row.seq);
  }

  // Orders the rows and returns them.
  const std::vector<NearSeq>& finish() {
    cut();
    std::sort(rows_.begin(), rows_.end());
    return rows_;
  }

  // After `finish`: the list has `most` rows, so that rows may be missing whose distance is that of
  // the last one or more.
  bool full() const { return rows_.size() == most_; }

 private:
  static constexpr std::size_t kSlack = 4;  // rows are cut when there are so many times `most`
  static constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

  std::size_t most_;
  std::uint32_t limit_;
  std::vector<NearSeq> rows_;
};

}  // namespace neardup
