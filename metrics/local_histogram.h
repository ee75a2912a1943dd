// A histogram that one thread fills and then adds to a metric in one call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup {

class LocalHistogram {
 public:
  // `bounds`: upper bounds, ascending; they must outlive this. One more bucket counts the values
  // above them all.
  explicit LocalHistogram(std::span<const double> bounds)
      : bounds_(bounds), counts_(bounds.size() + 1) {}

  void add(double value, std::uint64_t times = 1) {
    const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
    counts_[static_cast<std::size_t>(bucket)] += static_cast<double>(times);
    sum_ += value * static_cast<double>(times);
    total_ += times;
  }
  void clear() {
    std::ranges::fill(counts_, 0);
    sum_ = 0;
    total_ = 0;
  }

  const std::vector<double>& counts() const { return counts_; }  // of each bucket
  double sum() const { return sum_; }
  std::uint64_t total() const { return total_; }

 private:
  std::span<const double> bounds_;
  std::vector<double> counts_;
  double sum_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace neardup
