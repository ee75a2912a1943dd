// What all answers that wait for their clients may take together, in memory and on disk.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace neardup {

struct SpoolLimits {
  std::uint64_t memory = 0;  // bytes
  std::uint64_t disk = 0;    // bytes
  std::string directory;     // of the files
};

// Any thread may make any call.
class SpoolBudget {
 public:
  enum class Place : std::uint8_t { kMemory, kDisk };

  explicit SpoolBudget(SpoolLimits limits) : limits_(std::move(limits)) {}
  SpoolBudget(const SpoolBudget&) = delete;
  SpoolBudget& operator=(const SpoolBudget&) = delete;

  // False: there is less left, and nothing was taken.
  bool take(Place place, std::uint64_t bytes);
  void give_back(Place place, std::uint64_t bytes) { used_of(place) -= bytes; }
  // An answer was refused, since it would have taken more than there is.
  void count_refusal() { ++refused_; }

  const SpoolLimits& limits() const { return limits_; }
  std::uint64_t limit(Place place) const {
    return place == Place::kMemory ? limits_.memory : limits_.disk;
  }
  std::uint64_t used(Place place) const { return used_[static_cast<std::size_t>(place)]; }
  std::uint64_t refused() const { return refused_; }

 private:
  std::atomic<std::uint64_t>& used_of(Place place) {
    return used_[static_cast<std::size_t>(place)];
  }

  const SpoolLimits limits_;
  std::array<std::atomic<std::uint64_t>, 2> used_ = {};
  std::atomic<std::uint64_t> refused_{0};
};

}  // namespace neardup
