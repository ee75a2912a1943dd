#include "service/groups/prefer.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/base/failure.h"

namespace neardup {
namespace {

template <class Number>
Number at_most(std::uint64_t value) {
  return static_cast<Number>(std::min<std::uint64_t>(value, std::numeric_limits<Number>::max()));
}

[[noreturn]] void refuse(const std::string& why) { throw Failure(Exit::kUsage, "--prefer " + why); }

}  // namespace

Facts facts_of(std::string_view url, std::uint64_t text_bytes) {
  return {.text_bytes = at_most<std::uint32_t>(text_bytes),
          .url_bytes = at_most<std::uint16_t>(url.size()),
          .https = url.starts_with("https:")};
}

Preference::Preference(std::string_view rules) {
  while (true) {
    const std::size_t comma = rules.find(',');
    add(rules.substr(0, comma));
    if (comma == rules.npos) break;
    rules.remove_prefix(comma + 1);
  }
}

void Preference::add(std::string_view word) {
  constexpr std::string_view kScorePrefix = "score:";
  if (word.starts_with(kScorePrefix)) {
    word.remove_prefix(kScorePrefix.size());
    if (!word.starts_with('/')) refuse("score: takes a JSON pointer, such as score:/quality");
    rules_.push_back({PreferBy::kScore, pointers_.size()});
    pointers_.emplace_back(word);
    return;
  }
  const auto named = std::ranges::find(kPreferByNames, word);
  const auto by = static_cast<PreferBy>(named - kPreferByNames.begin());
  if (named == kPreferByNames.end() || by == PreferBy::kScore) {
    refuse(
        fmt::format("takes longest, shortest_url, https, newest, oldest and score:/json/pointer, "
                    "with commas between them, not `{}`",
                    word));
  }
  rules_.push_back({by, 0});
}

void Preference::require(const KnownFacts& known) const {
  for (const Rule& rule : rules_) {
    const bool by_url = rule.by == PreferBy::kShortestUrl || rule.by == PreferBy::kHttps;
    if (rule.by == PreferBy::kLongest && !known.text_bytes) {
      refuse("longest needs text_bytes in the flags (output.fields: [text_bytes]) or --inputs");
    }
    if (by_url && !known.url) {
      refuse(
          fmt::format("{} needs url in the flags (output.fields: [url]) or --inputs with urls at "
                      "input.url_field",
                      name(rule.by)));
    }
    if (rule.by == PreferBy::kScore && !known.scores[rule.score]) {
      refuse(fmt::format("score:{} needs --inputs with a number there", pointers_[rule.score]));
    }
  }
}

double Preference::points(const Rule& rule, const MemberFacts& member) {
  switch (rule.by) {
    case PreferBy::kLongest:
      return member.facts.text_bytes;
    case PreferBy::kShortestUrl:
      return member.facts.url_bytes == 0 ? kNoScore : -1.0 * member.facts.url_bytes;
    case PreferBy::kHttps:
      return member.facts.https ? 1 : 0;
    case PreferBy::kNewest:
      return static_cast<double>(member.seq);
    case PreferBy::kOldest:
      return -static_cast<double>(member.seq);
    case PreferBy::kScore:
      return member.scores[rule.score];
  }
  return 0;
}

bool Preference::better(const MemberFacts& a, const MemberFacts& b) const {
  for (const Rule& rule : rules_) {
    const double of_a = points(rule, a), of_b = points(rule, b);
    if (of_a != of_b) return of_a > of_b;
  }
  return false;
}

std::size_t Preference::best(std::span<const MemberFacts> members) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < members.size(); ++i) {
    if (better(members[i], members[best])) best = i;
  }
  return best;
}

}  // namespace neardup
