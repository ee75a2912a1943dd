// The facts about documents that the rules of --prefer compare, from the records themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/service_options.h"
#include "pipeline/ports.h"
#include "pipeline/rule/options.h"
#include "service/groups/grouping.h"
#include "service/records/json_fields.h"
#include "service/records/record_decoder.h"

namespace neardup {

class InputFacts {
 public:
  // For the members of `grouping`, which must outlive this. `score_pointers`: those of the
  // Preference. Throws Failure(kConfig) when a pointer is none.
  InputFacts(const InputOptions& input, const TextOptions& text,
             const std::vector<std::string>& score_pointers, Grouping& grouping);

  // A record of an id replaces what an earlier one of the same id said. Records that are rejected,
  // delete, or are of no group are skipped.
  void add(const RawRecord& raw);

  // Gives members without text_bytes or url those of their records.
  void finish();

  // One for each of score_pointers.
  std::span<const double> scores_of(std::size_t member) const;
  KnownFacts known() const;

 private:
  void read_scores(const RawRecord& raw, std::size_t member);

  Grouping& grouping_;
  RecordDecoder decoder_;
  JsonFields score_fields_;
  std::size_t score_count_;
  std::string cleaned_;         // a record with U+FFFD for ill-formed parts
  std::vector<Facts> facts_;    // for each member
  std::vector<double> scores_;  // score_count_ for each member
};

}  // namespace neardup
