// Limits one kind of work of a thread to a share of its time while other work waits.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "pipeline/model/types.h"

namespace neardup {

class TimeShare {
 public:
  using Duration = std::chrono::nanoseconds;

  // `share` of all the time, above 0 and below 1. What is not used is kept, up to `most`.
  TimeShare(Ppm share, Duration most)
      : per_other_(static_cast<double>(share) / (kOne - share)), most_(most), left_(most) {}

  void others_took(Duration time) {
    const double earned = static_cast<double>(time.count()) * per_other_;
    left_ = std::min(most_, left_ + Duration(static_cast<std::int64_t>(earned)));
  }
  void took(Duration time) { left_ -= time; }
  bool is_left() const { return left_ > Duration::zero(); }

 private:
  const double per_other_;  // time that this may take for each that the other work took
  const Duration most_;
  Duration left_;
};

}  // namespace neardup
