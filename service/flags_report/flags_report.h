// A summary of the flags of a run, as one JSON object for a page (docs/report.md). Its size is
// bounded for any flags.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pipeline/rule/rule.h"
#include "service/flags_report/pair_sample.h"
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

struct ReportHead {
  std::string title;
  std::string made;  // a time, for people
  std::string version;
};

class FlagsReport {
 public:
  // `rule`: that of the settings. With `compares` the flags must have it, since texts are compared
  // by it; without, all flags must have that of the first one.
  FlagsReport(const Rule& rule, bool compares);

  // Throws Failure(kUnreadable) when a flag is of another rule, or of another state.
  void add(const FlagLine& flag, const FlagsReader& reader);

  std::vector<SampledPair> pairs() const { return pairs_.pairs(); }

  // `pairs`: of pair_json. `notes`: sentences.
  std::string json(const ReportHead& head, const std::vector<std::string>& pairs,
                   std::vector<std::string> notes) const;

 private:
  void require_rule(const FlagEvidence& evidence, const FlagsReader& reader);
  void add_notes(std::vector<std::string>& notes) const;

  const bool compares_;
  bool any_flag_ = false;
  std::string rule_;  // the fingerprint
  Ppm threshold_;
  FlagTotals totals_;
  LargestGroups groups_;
  PairSample pairs_;
};

// A pair, with the comparison of its texts or the reason why there is none.
std::string pair_json(const SampledPair& pair, const PairTexts& texts, const Rule& rule,
                      SimdLevel simd);
// Where no inputs were given.
std::string pair_without_texts_json(const SampledPair& pair);

}  // namespace neardup
