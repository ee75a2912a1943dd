#include "service/groups/input_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pipeline/model/text_batch.h"
#include "service/records/record_checks.h"

namespace neardup {
namespace {

OutputOptions all_facts() { return {.fields = {kPassedOnFields.begin(), kPassedOnFields.end()}}; }

// The number that a JSON token is, or kNoScore.
double number_of(std::string_view token) {
  double number = 0;
  const char* const end = token.data() + token.size();
  const auto [stopped, error] = std::from_chars(token.data(), end, number);
  return error == std::errc{} && stopped == end && std::isfinite(number) ? number : kNoScore;
}

}  // namespace

InputFacts::InputFacts(const InputOptions& input, const TextOptions& text,
                       const std::vector<std::string>& score_pointers, Grouping& grouping)
    : grouping_(grouping),
      decoder_(input, text, all_facts()),
      score_fields_(score_pointers),
      score_count_(score_pointers.size()),
      facts_(grouping.members().size()),
      scores_(grouping.members().size() * score_count_, kNoScore) {}

void InputFacts::add(const RawRecord& raw) {
  std::string_view text;
  const Record record = decoder_.decode(raw, text);
  if (record.kind != RecordKind::kDocument) return;
  const auto member = grouping_.find({record.name_space, record.id});
  if (!member) return;
  facts_[*member] = facts_of(record.url, record.text_bytes);
  if (score_count_ > 0) read_scores(raw, *member);
}

void InputFacts::read_scores(const RawRecord& raw, std::size_t member) {
  Record unused;
  std::string_view json = replace_invalid(raw.bytes, cleaned_, unused);
  if (unused.notices.has(NoticeKind::kReplacedBytes)) {
    const std::size_t size = json.size();
    cleaned_.append(kTextPadding, '\0');
    json = std::string_view(cleaned_).substr(0, size);
  }
  score_fields_.find(json);
  for (std::size_t i = 0; i < score_count_; ++i) {
    scores_[member * score_count_ + i] = number_of(score_fields_.token(i));
  }
}

void InputFacts::finish() {
  const std::span<Member> members = grouping_.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    Facts& facts = members[i].facts;
    if (facts.text_bytes == 0) facts.text_bytes = facts_[i].text_bytes;
    if (facts.url_bytes != 0) continue;
    facts.url_bytes = facts_[i].url_bytes;
    facts.https = facts_[i].https;
  }
}

std::span<const double> InputFacts::scores_of(std::size_t member) const {
  return std::span(scores_).subspan(member * score_count_, score_count_);
}

KnownFacts InputFacts::known() const {
  KnownFacts known{.scores = std::vector<bool>(score_count_)};
  for (const Member& member : grouping_.members()) {
    known.text_bytes = known.text_bytes || member.facts.text_bytes != 0;
    known.url = known.url || member.facts.url_bytes != 0;
  }
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    if (scores_[i] != kNoScore) known.scores[i % score_count_] = true;
  }
  return known;
}

}  // namespace neardup
