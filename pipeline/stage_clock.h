// Times of the pipeline's stages, measured at little cost.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace neardup {

// Of one chunk.
struct PrepareTimes {
  std::chrono::nanoseconds decode{0};
  std::chrono::nanoseconds normalise{0};
  std::chrono::nanoseconds sketch{0};
};

// Since the start.
struct ResolveTimes {
  std::chrono::nanoseconds lookup{0};
  std::chrono::nanoseconds filter{0};
  std::chrono::nanoseconds verify{0};
};

// Each lap adds the time since the one before.
class StageClock {
 public:
  using Clock = std::chrono::steady_clock;

  void lap(std::chrono::nanoseconds& stage) {
    const Clock::time_point now = Clock::now();
    stage += now - last_;
    last_ = now;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

// Splits the measured time of two stages that alternate for each item. Reading a clock costs as
// much as a short item, so only one item in sixteen is timed, and its shares apply to all.
class TurnsClock {
 public:
  // Before item `i`; between its two stages; after it.
  void begin(std::size_t i) {
    timed_ = i % kTimedEvery == 0;
    if (timed_) clock_ = StageClock();
  }
  void between() {
    if (timed_) clock_.lap(first_);
  }
  void end() {
    if (timed_) clock_.lap(second_);
  }

  // The share of the first stage in `common`, the time of both.
  std::chrono::nanoseconds first_of(std::chrono::nanoseconds common) const {
    const auto both = static_cast<double>((first_ + second_).count());
    if (both <= 0) return {};
    const double share = static_cast<double>(first_.count()) / both;
    return std::chrono::nanoseconds(
        static_cast<std::int64_t>(static_cast<double>(common.count()) * share));
  }

 private:
  static constexpr std::size_t kTimedEvery = 16;

  bool timed_ = false;
  StageClock clock_;
  std::chrono::nanoseconds first_{0};
  std::chrono::nanoseconds second_{0};
};

}  // namespace neardup
