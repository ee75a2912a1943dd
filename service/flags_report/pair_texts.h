// The texts of sampled pairs, read from the inputs again by the positions that flags name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/config.h"
#include "pipeline/ports.h"
#include "service/flags_report/pair_sample.h"
#include "service/groups/flags_reader.h"
#include "service/records/record_decoder.h"

namespace neardup {

struct DocumentText {
  std::optional<std::string> text = {};
  std::string why_not;  // a part of a sentence
};

class PairTexts {
 public:
  static constexpr std::size_t kLongestText = std::size_t{512} << 10;  // bytes

  // `inputs`: paths, in the order of their records.
  PairTexts(const std::vector<SampledPair>& pairs, const std::vector<std::string>& inputs,
            const Config& config);

  // All flags, before the first record. False: the place of every text is known.
  bool add_flag(const FlagLine& flag, const FlagsReader& reader);
  // Records of the inputs. False: every text that the inputs have was read.
  bool add_record(const RawRecord& raw);

  const DocumentText& of(const PairDocument& document) const {
    return texts_.at(document.seq).text;
  }
  // Sentences, none where all inputs of the pairs were given.
  std::vector<std::string> notes() const;

 private:
  struct Wanted {
    PairDocument document;
    bool placed = false;
    DocumentText text;
  };
  using Place = std::pair<std::uint32_t, std::uint64_t>;  // input, line

  void place(const FlagEvidence& evidence, Wanted& wanted);
  void read(const RawRecord& raw, Wanted& wanted);

  std::unordered_map<Seq, Wanted> texts_;
  std::size_t not_placed_;
  std::map<std::string, std::uint32_t> inputs_;  // name → place among the inputs
  std::map<Place, Seq> places_;                  // of records that are still to be read
  std::set<std::string> missing_inputs_;         // that flags of pairs name
  RecordDecoder decoder_;
};

}  // namespace neardup
