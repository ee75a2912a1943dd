// When a resolver asks shards to answer again, since nothing has come for a while: after half a
// second, and then after twice as long each time, until a record is decided.
#pragma once

#include <algorithm>
#include <chrono>

namespace neardup {

class StallClock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit StallClock(Time now) : last_(now) {}

  // A record was decided: it is all right.
  void decided(Time now) {
    last_ = now;
    patience_ = kFirst;
  }
  // An answer has come, or nothing is to be decided.
  void news(Time now) { last_ = now; }
  bool is_stalled(Time now) const { return now - last_ >= patience_; }
  // Shards were asked to answer again.
  void asked(Time now) {
    last_ = now;
    patience_ = std::min(2 * patience_, kLongest);
  }

 private:
  static constexpr std::chrono::milliseconds kFirst{500};
  static constexpr std::chrono::milliseconds kLongest{8000};

  Time last_;
  std::chrono::milliseconds patience_ = kFirst;
};

}  // namespace neardup
