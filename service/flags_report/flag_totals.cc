#include <algorithm>
#include <functional>
#include <tuple>

#include "service/flags_report/flags_report.h"
#include "service/groups/grouping.h"
#include "service/state/excerpt.h"

namespace neardup {
namespace {

constexpr std::size_t kNameBytes = 512;

constexpr std::size_t kNodeBytes = 32;  // of the table, for each group

std::size_t bytes_of(const std::string& text) { return text.size() + 32; }

std::size_t bytes_of(const SampledCopy& copy) { return sizeof copy + bytes_of(copy.id); }

std::size_t bytes_of(const LargeGroup& group) {
  std::size_t bytes = kNodeBytes + sizeof group + bytes_of(group.name_space) + bytes_of(group.id);
  for (const SampledCopy& copy : group.sample) bytes += bytes_of(copy);
  return bytes;
}

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

void LargestGroups::add(const FlagLine& flag, Ppm similarity) {
  if (flag.original == 0) return;
  LargeGroup& group = groups_[flag.original];
  if (group.copies == 0) {
    group = {.seq = flag.original,
             .name_space = std::string(flag.name_space),
             .id = std::string(flag.original_id)};
    bytes_ += bytes_of(group);
  } else if (group.id != flag.original_id || group.name_space != flag.name_space) {
    refuse_several_states(group.seq, {group.name_space, group.id},
                          {flag.name_space, flag.original_id});
  }
  ++group.copies;
  if (group.sample.size() < kSample) {
    group.sample.push_back({std::string(flag.id), flag.seq, similarity});
    bytes_ += bytes_of(group.sample.back());
  }
  if (bytes_ > most_bytes_) forget_small_ones();
}

void LargestGroups::forget_small_ones() {
  std::vector<std::uint64_t> sizes;
  for (const auto& [seq, group] : groups_) sizes.push_back(group.copies);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  most_missed_ += *middle;
  bytes_ = 0;
  std::erase_if(groups_, [&](const auto& entry) {
    const bool small = entry.second.copies <= *middle;
    if (!small) bytes_ += bytes_of(entry.second);
    return small;
  });
}

std::vector<LargeGroup> LargestGroups::largest(std::size_t top) const {
  std::vector<const LargeGroup*> all;
  for (const auto& [seq, group] : groups_) all.push_back(&group);
  const auto shown = all.begin() + static_cast<std::ptrdiff_t>(std::min(top, all.size()));
  std::ranges::partial_sort(all, shown, {}, [](const LargeGroup* group) {
    return std::tuple(~group->copies, group->seq);
  });
  std::vector<LargeGroup> largest;
  for (auto group = all.begin(); group != shown; ++group) largest.push_back(**group);
  return largest;
}

}  // namespace neardup
