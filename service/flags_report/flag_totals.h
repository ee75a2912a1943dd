// How many flags there are: by status, by input and by similarity.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "service/groups/flags_reader.h"

namespace neardup {

using StatusCounts = std::array<std::uint64_t, kStatuses>;

struct InputCounts {
  std::string name;  // of a file or topic; cut to 512 bytes
  StatusCounts counts = {};
};

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

}  // namespace neardup
