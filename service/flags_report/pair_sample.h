// Pairs of near-duplicates that people should see: the ones nearest to the threshold in similarity,
// the farthest from it, and some of the others. The same flags give the same pairs, in any order.
// Their texts are read from the inputs again by the positions that flags name.
#pragma once

#include <cstddef>
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
#include "service/groups/flags_reader.h"
#include "service/records/record_decoder.h"

namespace neardup {

// A document of a pair.
struct PairDocument {
  Seq seq = 0;
  std::string name_space;
  std::string id;
};

struct SampledPair {
  bool near = false;  // of those nearest to the threshold
  std::string flag;   // as it is written
  Ppm similarity = 0;
  PairDocument document;
  PairDocument original;
};

class PairSample {
 public:
  static constexpr std::size_t kPairs = 50;
  static constexpr std::size_t kNear = 20;
  static constexpr std::size_t kFar = 10;
  static constexpr std::size_t kLongestFlag = 4096;  // bytes; longer ones are in no pair

  // Flags of other statuses are skipped.
  void add(const FlagLine& flag, const FlagEvidence& evidence);

  // kPairs, or as many as there are: those near the threshold first, each part by similarity.
  std::vector<SampledPair> pairs() const;

  // Near-duplicates that could be in no pair.
  std::uint64_t too_long() const { return too_long_; }

 private:
  // The rank of a pair, then a hash of its seq, which decides among equals.
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  // The pairs with the smallest keys.
  class Smallest {
   public:
    explicit Smallest(std::size_t most) : most_(most) {}
    void add(const Key& key, const FlagLine& flag, const FlagEvidence& evidence);
    const std::map<Key, SampledPair>& pairs() const { return pairs_; }

   private:
    std::size_t most_;
    std::map<Key, SampledPair> pairs_;
  };

  Smallest near_{kNear};
  Smallest far_{kFar};
  Smallest others_{kPairs};
  std::uint64_t too_long_ = 0;
};

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
