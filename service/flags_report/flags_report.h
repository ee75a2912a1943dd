// What the flags of a run say, as one JSON object for a page (docs/report.md). Its size is bounded,
// whatever the flags are.
#pragma once

#include <string>
#include <vector>

#include "pipeline/rule/rule.h"
#include "service/flags_report/flag_totals.h"
#include "service/flags_report/pair_sample.h"
#include "service/groups/flags_reader.h"

namespace neardup {

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
