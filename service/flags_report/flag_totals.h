// What is counted of flags, in bounded memory: how many there are, and the largest groups.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "service/groups/flags_reader.h"

namespace neardup {

struct InputCounts {
  std::string name;  // of a file or topic; cut to 512 bytes
  StatusCounts counts = {};
};

// Flags by status, by input and by similarity.
class FlagTotals {
 public:
  static constexpr std::size_t kMostInputs = 100;
  static constexpr Ppm kBinWidth = 20'000;
  static constexpr std::size_t kBins = kOne / kBinWidth;

  void add(const FlagLine& flag, const FlagEvidence& evidence);

  const StatusCounts& by_status() const { return by_status_; }
  // In the order in which they come; the last one has the flags of all inputs beyond kMostInputs.
  const std::vector<InputCounts>& by_input() const { return by_input_; }
  bool inputs_left_out() const { return by_input_.size() > kMostInputs; }
  // Near-duplicates with a similarity of at least i * kBinWidth; the last bin has 1, too.
  const std::array<std::uint64_t, kBins>& by_similarity() const { return by_similarity_; }

 private:
  InputCounts& input(std::string_view name);

  StatusCounts by_status_ = {};
  std::vector<InputCounts> by_input_;
  std::unordered_map<std::string, std::size_t> places_;  // of names in by_input_
  std::array<std::uint64_t, kBins> by_similarity_ = {};
};

// A copy that names the original of a group.
struct SampledCopy {
  std::string id;
  Seq seq = 0;
  Ppm similarity = 0;
};

struct LargeGroup {
  Seq seq = 0;  // of the original
  std::string name_space;
  std::string id;                        // of the original
  std::uint64_t copies = 0;              // flags that name it
  std::vector<SampledCopy> sample = {};  // the first of them
};

// The originals that the most flags name, in bounded memory.
//
// Sizes are exact while the table has room. When it is full, the half of the groups with the fewest
// copies is forgotten; such a group may come back and then lacks the copies of before (J. Misra and
// D. Gries, Finding repeated elements, 1982, with the whole lower half dropped at once).
class LargestGroups {
 public:
  static constexpr std::size_t kUsualBytes = std::size_t{64} << 20;
  static constexpr std::size_t kSample = 3;

  explicit LargestGroups(std::size_t most_bytes = kUsualBytes) : most_bytes_(most_bytes) {}

  // Throws Failure(kUnreadable) when the flags cannot be of one state.
  void add(const FlagLine& flag, Ppm similarity);

  // Those with the most copies first, of equal ones the oldest original.
  std::vector<LargeGroup> largest(std::size_t top) const;

  // No group has more copies than it was counted with and these.
  std::uint64_t most_missed() const { return most_missed_; }

 private:
  void forget_small_ones();

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;  // about what the groups take
  std::uint64_t most_missed_ = 0;
  std::unordered_map<Seq, LargeGroup> groups_;  // by the seq of the original
};

}  // namespace neardup
