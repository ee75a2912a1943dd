#include "service/flags_report/pair_sample.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "gpu/hd/arithmetic.h"

namespace neardup {
namespace {

SampledPair pair_of(const FlagLine& flag, const FlagEvidence& evidence) {
  const std::string name_space(flag.name_space);
  return {.flag = std::string(evidence.line),
          .similarity = evidence.similarity,
          .document = {flag.seq, name_space, std::string(flag.id)},
          .original = {flag.original, name_space, std::string(flag.original_id)}};
}

}  // namespace

void PairSample::Smallest::add(const Key& key, const FlagLine& flag, const FlagEvidence& evidence) {
  if (pairs_.size() == most_ && std::prev(pairs_.end())->first <= key) return;
  pairs_.try_emplace(key, pair_of(flag, evidence));
  if (pairs_.size() > most_) pairs_.erase(std::prev(pairs_.end()));
}

void PairSample::add(const FlagLine& flag, const FlagEvidence& evidence) {
  if (flag.status != Status::kNearDuplicate) return;
  if (evidence.line.size() > kLongestFlag) {
    ++too_long_;
    return;
  }
  const auto [low, high] = std::minmax(evidence.similarity, evidence.threshold);
  const std::uint64_t distance = high - low;
  const std::uint64_t hash = hd::mix64(flag.seq);
  near_.add({distance, hash}, flag, evidence);
  far_.add({kOne - distance, hash}, flag, evidence);
  others_.add({0, hash}, flag, evidence);
}

std::vector<SampledPair> PairSample::pairs() const {
  std::vector<SampledPair> pairs;
  std::set<Seq> taken;
  const auto take = [&](const Smallest& some, bool near) {
    for (const auto& [key, pair] : some.pairs()) {
      if (pairs.size() == kPairs || !taken.insert(pair.document.seq).second) continue;
      pairs.push_back(pair);
      pairs.back().near = near;
    }
  };
  take(near_, true);
  take(far_, false);
  take(others_, false);
  std::ranges::sort(pairs, {}, [](const SampledPair& pair) {
    return std::tuple(!pair.near, pair.similarity, pair.document.seq);
  });
  return pairs;
}

}  // namespace neardup
