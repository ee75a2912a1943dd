// The rules by which the survivor of a group is chosen (--prefer).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/base/enum_name.h"
#include "pipeline/model/types.h"

namespace neardup {

enum class PreferBy : std::uint8_t { kLongest, kShortestUrl, kHttps, kNewest, kOldest, kScore };
inline constexpr std::array<std::string_view, 6> kPreferByNames{"longest", "shortest_url", "https",
                                                                "newest",  "oldest",       "score"};
constexpr std::span<const std::string_view> names(PreferBy) { return kPreferByNames; }

// Of a document without a number at the pointer of a rule `score`.
inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();

// The facts about a document that rules compare. 0: not known.
struct Facts {
  std::uint32_t text_bytes = 0;  // 2^32 - 1: that many, or more
  std::uint16_t url_bytes = 0;   // as text_bytes
  bool https = false;
  bool operator==(const Facts&) const = default;
};
Facts facts_of(std::string_view url, std::uint64_t text_bytes);

struct MemberFacts {
  Seq seq = 0;
  Facts facts;
  std::span<const double> scores;  // one for each of score_pointers(), or kNoScore
};

// Facts that at least one document has.
struct KnownFacts {
  bool text_bytes = false;
  bool url = false;
  std::vector<bool> scores;  // for each of score_pointers()
};

class Preference {
 public:
  // Rules with commas between them: names of PreferBy, "score" as score:/json/pointer. Throws
  // Failure(kUsage).
  explicit Preference(std::string_view rules);

  const std::vector<std::string>& score_pointers() const { return pointers_; }

  // Throws Failure(kUsage), which says what to give, when no document has what a rule compares.
  void require(const KnownFacts& known) const;

  // The place of the best by the first rule, of equal ones the best by the next, and so on; at last
  // the first. Requires: not empty, in the order of seq.
  std::size_t best(std::span<const MemberFacts> members) const;

 private:
  struct Rule {
    PreferBy by;
    std::size_t score;  // of kScore: its place in pointers_
  };

  void add(std::string_view word);
  static double points(const Rule& rule, const MemberFacts& member);
  bool better(const MemberFacts& a, const MemberFacts& b) const;

  std::vector<Rule> rules_;
  std::vector<std::string> pointers_;
};

}  // namespace neardup
