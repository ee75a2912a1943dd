// Stream time: the running maximum of the records' times, in the order of their seqs. Decisions use
// no other clock.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pipeline/model/record.h"

namespace neardup {

class StreamTime {
 public:
  // `most_step_ms`: how far one record may advance stream time, which limits the effect of a wrong
  // clock; 0: no limit.
  explicit StreamTime(std::uint64_t most_step_ms)
      : most_step_ms_(static_cast<std::int64_t>(most_step_ms)) {}

  // Continues from an earlier run; zeros: no record of it had a time.
  void go_on(std::int64_t began_ms, std::int64_t now_ms) {
    began_ms_ = began_ms;
    now_ms_ = now_ms;
  }

  // Adds a record with this time. The first one after 1970 begins stream time, without the limit.
  void advance(std::int64_t ts_ms) {
    if (ts_ms <= now_ms_) return;
    const bool far = began_ms_ != 0 && most_step_ms_ != 0 && ts_ms - now_ms_ > most_step_ms_;
    steps_cut_ += far;
    now_ms_ = far ? now_ms_ + most_step_ms_ : ts_ms;
    if (began_ms_ == 0) began_ms_ = now_ms_;
  }

  // Adds a record.
  void take(const Record& record) {
    if (record.kind != RecordKind::kRejected && record.ts_ms) advance(*record.ts_ms);
  }

  std::int64_t now_ms() const { return now_ms_; }      // 0: not begun
  std::int64_t began_ms() const { return began_ms_; }  // its first value

  // The age of a document that arrived at stream time `time_ms`. A document that arrived before
  // stream time began ages from its beginning.
  std::int64_t age_ms(std::int64_t time_ms) const { return now_ms_ - std::max(time_ms, began_ms_); }

  // Records whose time was further ahead than a step.
  std::uint64_t steps_cut() const { return steps_cut_; }

 private:
  std::int64_t most_step_ms_;
  std::int64_t began_ms_ = 0;
  std::int64_t now_ms_ = 0;
  std::uint64_t steps_cut_ = 0;
};

}  // namespace neardup
