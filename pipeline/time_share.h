// Limits one kind of work of a thread to a share of its time while other work waits.
#pragma once

#include <algorithm>
#include <chrono>

namespace neardup {

class TimeShare {
 public:
  using Duration = std::chrono::nanoseconds;

  // For each `others` that the other work took, this may take 1. What is not used is kept, up to
  // `most`.
  TimeShare(int others, Duration most) : others_(others), most_(most), left_(most) {}

  void others_took(Duration time) { left_ = std::min(most_, left_ + time / others_); }
  void took(Duration time) { left_ -= time; }
  bool is_left() const { return left_ > Duration::zero(); }

 private:
  const int others_;
  const Duration most_;
  Duration left_;
};

}  // namespace neardup
