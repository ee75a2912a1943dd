#include "service/flags_report/flag_totals.h"

#include <algorithm>

#include "service/state/excerpt.h"

namespace neardup {
namespace {

constexpr std::size_t kNameBytes = 512;

}  // namespace

void FlagTotals::add(const FlagLine& flag, const FlagEvidence& evidence) {
  const auto status = static_cast<std::size_t>(flag.status);
  ++by_status_[status];
  ++input(evidence.source).counts[status];
  if (flag.status != Status::kNearDuplicate) return;
  ++by_similarity_[std::min<std::size_t>(evidence.similarity / kBinWidth, kBins - 1)];
}

InputCounts& FlagTotals::input(std::string_view name) {
  std::string key(name);
  if (const auto known = places_.find(key); known != places_.end()) return by_input_[known->second];
  if (places_.size() == kMostInputs) {
    if (!inputs_left_out()) by_input_.push_back({.name = "all other inputs"});
    return by_input_.back();
  }
  by_input_.push_back({.name = name.empty() ? "documents over HTTP" : shortened(name, kNameBytes)});
  places_.emplace(std::move(key), by_input_.size() - 1);
  return by_input_.back();
}

}  // namespace neardup
