#include "service/flags_report/pair_sample.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "gpu/hd/arithmetic.h"
#include "service/file/input_list.h"
#include "service/state/excerpt.h"

namespace neardup {
namespace {

SampledPair pair_of(const FlagLine& flag, const FlagEvidence& evidence) {
  const std::string name_space(flag.name_space);
  return {.flag = std::string(evidence.line),
          .similarity = evidence.similarity,
          .document = {flag.seq, name_space, std::string(flag.id)},
          .original = {flag.original, name_space, std::string(flag.original_id)}};
}

constexpr std::size_t kPairNameBytes = 512;
constexpr std::size_t kNamesShown = 5;

// The same for each way to write a path.
std::string input_name(const std::string& path) { return path == "-" ? path : absolute_path(path); }

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

PairTexts::PairTexts(const std::vector<SampledPair>& pairs, const std::vector<std::string>& inputs,
                     const Config& config)
    : decoder_(config.input, config.text) {
  for (const SampledPair& pair : pairs) {
    for (const PairDocument* document : {&pair.document, &pair.original}) {
      texts_.try_emplace(
          document->seq,
          Wanted{.document = *document, .text = {.why_not = "the flags have no source of it"}});
    }
  }
  not_placed_ = texts_.size();
  for (std::uint32_t i = 0; i < inputs.size(); ++i) inputs_.emplace(input_name(inputs[i]), i);
}

bool PairTexts::add_flag(const FlagLine& flag, const FlagsReader& reader) {
  const auto found = texts_.find(flag.seq);
  if (found == texts_.end() || found->second.placed) return not_placed_ > 0;
  const PairDocument& document = found->second.document;
  if (document.id != flag.id || document.name_space != flag.name_space) return true;
  place(reader.evidence(), found->second);
  return --not_placed_ > 0;
}

void PairTexts::place(const FlagEvidence& evidence, Wanted& wanted) {
  wanted.placed = true;
  std::string& why_not = wanted.text.why_not;
  if (evidence.source.empty() || evidence.source_line == 0) {
    why_not = "it did not come from a file";
    return;
  }
  const std::string file = shortened(evidence.source, kPairNameBytes);
  const auto input = inputs_.find(input_name(std::string(evidence.source)));
  if (input == inputs_.end()) {
    missing_inputs_.insert(file);
    why_not = fmt::format("it came from {}, which is not among the inputs", file);
    return;
  }
  places_.emplace(Place{input->second, evidence.source_line}, wanted.document.seq);
  why_not = fmt::format("{} has no record in line {}", file, evidence.source_line);
}

std::vector<std::string> PairTexts::notes() const {
  if (missing_inputs_.empty()) return {};
  std::string names;
  std::size_t shown = 0;
  for (const std::string& input : missing_inputs_) {
    if (++shown > kNamesShown) break;
    names += (names.empty() ? "" : ", ") + input;
  }
  if (shown > kNamesShown) names += " …";
  return {
      fmt::format("Texts of pairs are missing: their flags name inputs that were not given "
                  "({}).",
                  names)};
}

bool PairTexts::add_record(const RawRecord& raw) {
  const auto place = places_.find({raw.source.input, raw.source.place});
  if (place == places_.end()) return !places_.empty();
  read(raw, texts_.at(place->second));
  places_.erase(place);
  return !places_.empty();
}

void PairTexts::read(const RawRecord& raw, Wanted& wanted) {
  const auto& [seq, name_space, id] = wanted.document;
  std::string_view text;
  const Record record = decoder_.decode(raw, text);
  std::string& why_not = wanted.text.why_not;
  if (record.kind != RecordKind::kDocument || record.id != id || record.name_space != name_space) {
    why_not = "another record is at its place in the input now";
  } else if (text.size() > kLongestText) {
    why_not = fmt::format("its text has more than {} KiB", kLongestText >> 10);
  } else {
    wanted.text.text = text;
  }
}

}  // namespace neardup
