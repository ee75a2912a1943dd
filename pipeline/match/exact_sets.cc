#include "pipeline/match/exact_sets.h"

#include <limits>
#include <utility>

namespace neardup {
namespace {

constexpr auto kNoLimit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kMostElements = std::size_t{32} << 20;  // 256 MiB of sets

}  // namespace

Overlap overlap(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint64_t common = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    // Branchless, since the side that advances is unpredictable.
    const std::uint64_t x = a[i];
    const std::uint64_t y = b[j];
    common += x == y ? 1 : 0;
    i += x <= y ? 1 : 0;
    j += y <= x ? 1 : 0;
  }
  return {common, a.size() + b.size() - common};
}

const ShingleSet* ExactSets::of_document(Seq seq) {
  const auto it = entries_.find(seq);
  if (it != entries_.end()) {
    recent_.splice(recent_.begin(), recent_, it->second);
    return &it->second->set;
  }
  const std::optional<std::string> text = text_of_(seq);
  if (!text) return nullptr;
  const std::size_t bytes = normaliser_.normalise(*text, kNoLimit, normalised_).bytes;
  recent_.push_front({seq, of_text({normalised_.data(), bytes})});
  entries_.emplace(seq, recent_.begin());
  elements_ += recent_.front().set.size();
  evict();
  return &recent_.front().set;
}

void ExactSets::evict() {
  while (elements_ > kMostElements && recent_.size() > 1) {
    elements_ -= recent_.back().set.size();
    entries_.erase(recent_.back().seq);
    recent_.pop_back();
  }
}

}  // namespace neardup
